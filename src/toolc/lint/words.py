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
    press process promote rebase redo refund reject release rename reopen replace reorder reply resolve
    restart restore resume retry rollback rotate run save select set share sign skip snooze stop
    swap switch sync tag toggle transfer trigger type unarchive unassign unban unblock undo
    unfollow unlock unmute unpin update
    """
)
SURE_CHANGES = _words(
    """
    activate approve archive assign book cancel change deactivate decline deploy disable edit enable
    grant kill merge migrate modify move overwrite patch pause pay post publish refund reject rename
    reopen replace restart restore resume revoke rotate schedule set suspend truncate unarchive
    unassign unpublish update upgrade
    """
)
"""Verbs of which a name and a description together leave no doubt."""
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

ALL_VERBS = VERBS | _words(
    """
    access adjust aggregate align allow annotate answer apply arrange attempt audit back backup
    begin bind calc capture chat clean collect combine compact compile compress compute confirm
    construct crop decode decompress decrypt deduplicate define deliver derive determine drag
    draw embed encode encrypt end ensure enter enumerate expand extend forget format forward gather
    give grep group guide hash highlight identify initialise initialize initiate inject
    interpolate issue join keep launch leave lint listen manage map match minify navigate
    normalise normalize notify obtain optimise optimize order outline paginate paste perform
    persist pick plan plot prepare present print produce provide prune pull randomise randomize
    rank rasterize rate rebuild receive recognize recommend reconnect redirect refresh
    regenerate reindex reload remember repeat replay request rescan reserve resize respond
    return rewrite route sample sanitise sanitize scale scroll serialise serialize serve shorten
    simulate sort speak split stage store stream take tell tokenise tokenize train transform
    trim turn undelete unpack unzip upgrade wrap zip
    """
)
"""Those too that say nothing of whether something is changed."""

GENERIC_NAMES = _words(
    """
    action api call command data do exec execute fn func function get go handle handler invoke main
    helper method operation perform process request run something stuff task test thing tool tools
    use util utils
    """
)
"""Names of tools that say nothing when they stand alone."""

GENERIC_VERBS = _words("call do execute fetch get handle invoke perform process run use")
GENERIC_THINGS = _words(
    """
    anything data everything operation operations request requests something stuff thing things
    """
)
"""What they say nothing with."""

FILLERS = _words(
    "a an and are as can for function in is it its of on that the this to tool used using which"
)
"""Words that a description has besides those that say something."""

VAGUE_PARAMETERS = _words(
    """
    arg argument args data foo info input inputs misc obj object param parameter params payload
    stuff temp thing tmp val value var
    """
)

SECRET_PARAMETERS = _words(
    """
    accesstoken apikey apisecret apitoken authorizationheader authtoken bearer bearertoken
    cardnumber clientsecret connectionstring creditcard creditcardnumber credential credentials cvc
    cvv jwt passphrase passwd password privatekey pwd refreshtoken secret secretaccesskey
    secretkey sessiontoken signingkey ssn sshkey
    """
)
"""Names of parameters, without separators and in small letters, that hold what nobody should say."""

SECRET_ENDINGS = (
    *_words(
        """
        accesstoken apikey apisecret apitoken authtoken bottoken clientsecret githubtoken gitlabtoken
        oauthtoken passphrase passwd password personaltoken privatekey refreshtoken secretkey
        sessiontoken slacktoken usertoken
        """
    ),
)
"""What such a name can end with, behind whose secret it is: `openai_api_key`."""

HTTP_METHODS = _words(
    """
    CONNECT COPY DELETE GET HEAD LINK LOCK OPTIONS PATCH POST PROPFIND PURGE PUT TRACE UNLINK UNLOCK
    VIEW
    """
)
