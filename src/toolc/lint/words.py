"""The words that rules know: verbs by what they do, names that say nothing."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CREATING = _words(
    """
    add append book build clone compose copy create draft duplicate fork generate import insert
    install invite make new open post publish push put record register schedule send start
    submit subscribe upload upsert write
    """
)
DELETING = _words(
    """
    clear delete destroy discard drop erase purge remove reset revoke terminate trash uninstall
    unlink unpublish wipe
    """
)
CHANGING = _words(
    """
    accept activate approve archive assign attach authorize ban block bulk cancel change check
    click close commit complete configure connect convert deactivate decline deploy detach
    disable disconnect dismiss edit enable exec execute fill follow grant hide ignore kill label
    link lock login logout mark merge migrate modify mount move mute patch pause pay pin play
    press process promote rebase redo refund reject release rename reopen reorder reply resolve
    restart restore resume retry rollback rotate run save select set share sign skip snooze stop
    swap switch sync tag toggle transfer trigger type unarchive unassign unban unblock undo
    unfollow unlock unmute unpin update
    """
)
READING = _words(
    """
    analyse analyze ask browse calculate check classify compare compute count debug describe
    detect diff discover display download echo estimate evaluate examine explain explore export
    extract fetch filter find get greet has help inspect introspect is list load look lookup
    measure monitor parse peek ping poll predict preview query read recall render report resolve
    retrieve scan scrape search see show snapshot solve suggest summarise summarize tail test
    trace track transcribe translate validate verify view visualize wait watch weigh who
    """
)
VERBS = CREATING | DELETING | CHANGING | READING

GENERIC_NAMES = _words(
    """
    action api call command do exec execute fn func function get go handle handler invoke main
    method operation perform process request run task tool tools use util utils
    """
)
"""Names of tools that say nothing when they stand alone."""

VAGUE_PARAMETERS = _words(
    """
    arg args data foo input inputs obj object param params payload stuff thing tmp val value var
    x y z
    """
)

SECRET_PARAMETERS = _words(
    """
    accesstoken apikey apitoken authtoken bearertoken clientsecret credential credentials
    passphrase passwd password privatekey secret secretkey
    """
)
"""Names of parameters, without separators and in small letters, that hold what nobody should say."""

HTTP_METHODS = _words(
    """
    CONNECT COPY DELETE GET HEAD LINK LOCK OPTIONS PATCH POST PROPFIND PURGE PUT TRACE UNLINK UNLOCK
    VIEW
    """
)
