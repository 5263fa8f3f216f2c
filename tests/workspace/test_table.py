"""Columns of what is kept, and files that are changed in a few places, against the plain way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.files import PatchedFile
from toolc.model.artifact import JoinedLines, Owner, read_text
from toolc.snapshot import NO_STAT, as_stat
from toolc.table import FileTable, Known

stats = st.one_of(
    st.just(NO_STAT),
    st.tuples(
        st.integers(-(2**62), 2**62),
        st.integers(0, 2**62),
        st.integers(0, 2**64 - 1),
        st.integers(-(2**62), 2**62),
    ),
)
digests = st.one_of(st.just(""), st.binary(min_size=32, max_size=32).filter(any).map(bytes.hex))
owners = st.sampled_from(["", *(owner.value for owner in Owner)])
rows = st.builds(Known, stats, digests, owners)
paths = st.sampled_from([f"defs/{name}" for name in "abcdef"])


@given(st.lists(st.tuples(paths, st.one_of(st.none(), rows))))
def test_a_table_is_a_dictionary(steps: list[tuple[str, Known | None]]) -> None:
    table, wanted = FileTable(), dict[str, Known]()
    for path, known in steps:
        version, had = table.version, set(wanted)
        if known is None:
            table.drop(path)
            wanted.pop(path, None)
        else:
            table[path] = known
            wanted[path] = known
        assert (table.version != version) == (had != set(wanted))
    kept = FileTable(table.files, table.row)
    for one in (table, kept):
        assert len(one) == len(wanted)
        assert {path: one[path] for path in one} == wanted
        assert one.get("defs/none") is None


def test_a_table_that_does_not_fit_its_keys() -> None:
    with pytest.raises(ValueError, match="column"):
        FileTable(FileTable().files, (bytes(8), b""))


lines = st.lists(st.binary(min_size=1, max_size=20), max_size=8)
changes = st.dictionaries(st.integers(0, 7), st.binary(max_size=20))


def joined(lines: list[bytes]) -> JoinedLines:
    return JoinedLines("{[", lines, "]}", first="\n", last="\n  ", indent="    ")


def patched(place: Path, before: list[bytes], after: list[bytes]) -> PatchedFile:
    """The text of `after`, from a file that has that of `before`."""
    place.write_bytes(b"".join(joined(before).chunks()))
    others = {
        at: (len(old), new)
        for at, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    }
    patches = joined(after).patches([len(line) for line in before], others)
    stat = as_stat(os.stat(place))
    return PatchedFile(str(place.parent), place.name, stat, patches, joined(after))


@given(lines.filter(bool), changes)
def test_a_patched_file_is_the_joined_text(
    tmp_path_factory: pytest.TempPathFactory, before: list[bytes], changed: dict[int, bytes]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    after = [changed.get(at, line) for at, line in enumerate(before)]
    text = patched(folder / "before", before, after)
    wanted = b"".join(joined(after).chunks())
    with (folder / "after").open("w+b") as file:
        text.write_to(file.fileno())
        file.seek(0)
        assert file.read() == wanted
    assert b"".join(text.chunks()) == wanted


@pytest.mark.parametrize("how", ["edited", "gone"])
def test_a_file_that_changed_meanwhile_is_not_taken(tmp_path: Path, how: str) -> None:
    place = tmp_path / "before"
    text = patched(place, [b"a", b"b"], [b"a", b"c"])
    if how == "edited":
        place.write_bytes(place.read_bytes().replace(b"a", b"ab"))
    else:
        place.unlink()
    assert read_text(text) == read_text(joined([b"a", b"c"]))
