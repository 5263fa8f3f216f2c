"""The notebook: one SQLite table, and what the tools do with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from toolc_runtime import ToolError

from ._storage import data_folder

MOST_NOTES = 10_000
"""In one notebook."""

_TABLE = """
CREATE TABLE IF NOT EXISTS notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- the id's; never used again
    notebook TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,      -- a JSON list, as fields and source are JSON objects
    priority TEXT NOT NULL,
    due TEXT,                -- ISO 8601 with an offset, as changed is, in UTC
    remind_before INTEGER,
    source TEXT,
    fields TEXT NOT NULL,
    changed TEXT NOT NULL
)
"""
_COLUMNS = "number, title, text, tags, priority, due, remind_before, fields, changed"

_INSERT = """
INSERT INTO notes
    (notebook, title, text, tags, priority, due, remind_before, source, fields, changed)
SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
WHERE (SELECT count(*) FROM notes WHERE notebook = ?) < ?
"""


class Note(NamedTuple):
    number: int
    title: str
    text: str
    tags: tuple[str, ...]
    priority: str
    due: datetime | None
    remind_before: int | None
    """Minutes before `due`."""
    fields: dict[str, Any]
    changed: datetime

    @property
    def id(self) -> str:
        return f"n{self.number}"


class Added(NamedTuple):
    id: str
    created: datetime


def add(
    notebook: str,
    title: str,
    text: str,
    *,
    tags: Sequence[str],
    priority: str,
    due: str | None,
    remind_before: int | None,
    source: Mapping[str, Any] | None,
    fields: Mapping[str, Any],
) -> Added:
    """Add a note; NOTEBOOK_FULL where the notebook has no room for it."""
    now = datetime.now(UTC)
    values = (
        notebook,
        title,
        text,
        _json(list(tags)),
        priority,
        None if due is None else _moment(due).isoformat(),
        remind_before,
        None if source is None else _json(source),
        _json(fields),
        now.isoformat(),
    )
    with _opened() as database:
        cursor = database.execute(_INSERT, (*values, notebook, MOST_NOTES))
        if cursor.rowcount != 1:
            raise ToolError(
                "NOTEBOOK_FULL", f'the notebook "{notebook}" holds {MOST_NOTES} notes already'
            )
        return Added(f"n{cursor.lastrowid}", now)


def find(
    notebook: str,
    words: Sequence[str] = (),
    *,
    since: str | None = None,
    until: str | None = None,
    limit: int | None = None,
) -> list[Note]:
    """The notes that contain all the words, in whatever case, the last changed first.

    `since` and `until` are days of the change in UTC, both inclusive.
    """
    conditions, values = ["notebook = ?"], [notebook]
    for word in words:
        conditions.append("instr(fold(title || ' ' || text), ?) > 0")
        values.append(word.casefold())
    for day, comparison in ((since, ">="), (until, "<=")):
        if day is not None:
            conditions.append(f"substr(changed, 1, 10) {comparison} ?")
            values.append(day)
    # Only the constants above are put together; whatever a caller says is bound.
    query = (
        f"SELECT {_COLUMNS} FROM notes WHERE {' AND '.join(conditions)}"
        " ORDER BY changed DESC, number DESC LIMIT ?"
    )
    with _opened() as database:
        rows = database.execute(query, (*values, -1 if limit is None else limit))
        return [_note(row) for row in rows]


def update(note_id: str, changes: Mapping[str, str | None]) -> list[str]:
    """Set `title`, `text` or `due` of a note; returns the fields that have another value now.

    NOT_FOUND where no note has the id.
    """
    wanted = {
        name: _moment(value).isoformat() if name == "due" and value is not None else value
        for name, value in changes.items()
    }
    number = int(note_id.removeprefix("n"))
    with _opened() as database:
        query = "SELECT title, text, due FROM notes WHERE number = ?"
        row = database.execute(query, (number,)).fetchone()
        if row is None:
            raise ToolError(
                "NOT_FOUND",
                f'no note has the id "{note_id}"',
                suggestion="look the id up with find_notes",
            )
        held: dict[str, str | None] = dict(zip(("title", "text", "due"), row, strict=True))
        changed = [name for name, value in wanted.items() if held[name] != value]
        if changed:
            held |= wanted
            database.execute(
                "UPDATE notes SET title = ?, text = ?, due = ?, changed = ? WHERE number = ?",
                (held["title"], held["text"], held["due"], datetime.now(UTC).isoformat(), number),
            )
        return changed


@contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    """The database, for one transaction: kept at the end, undone by an exception.

    A connection of its own for each call, since handlers run in threads.
    """
    path = data_folder() / "notes.sqlite3"
    with closing(sqlite3.connect(path, timeout=5, isolation_level=None)) as database:
        database.create_function("fold", 1, str.casefold, deterministic=True)
        database.execute("BEGIN IMMEDIATE")
        with database:
            database.execute(_TABLE)
            yield database


def _note(row: tuple[Any, ...]) -> Note:
    number, title, text, tags, priority, due, remind_before, fields, changed = row
    return Note(
        number,
        title,
        text,
        tuple(json.loads(tags)),
        priority,
        None if due is None else datetime.fromisoformat(due),
        remind_before,
        json.loads(fields),
        datetime.fromisoformat(changed),
    )


def _moment(text: str) -> datetime:
    """A date-time of RFC 3339, which allows small letters and a leap second too."""
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        raise ToolError("INVALID_INPUT", f'there is no such time as "{text}"') from None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
