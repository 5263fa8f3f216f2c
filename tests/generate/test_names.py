from __future__ import annotations

import builtins
import keyword
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.generate.names import (
    attribute_name,
    class_name,
    is_usable_attribute,
    is_usable_key,
    module_name,
    shared_class_name,
    shorten,
)


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("limit", "limit"),
        ("dueDate", "dueDate"),
        ("BanType", "BanType"),
        ("ban_type", "ban_type"),
        ("x2_b", "x2_b"),
        # reserved
        ("from", "from_"),
        ("None", "None_"),
        ("match", "match"),
        ("type", "type"),
        ("int", "int_"),
        ("self", "self_"),
        ("extra", "extra_"),
        ("ABSENT", "ABSENT_"),
        ("l", "l_"),
        # kebab case
        ("auth-method", "auth_method_"),
        ("If-Match", "If_Match_"),
        # the rest
        ("", "p__e3b0c4"),
        ("_id", "id__b6f746"),
        ("id_", "id__f40b17"),
        ("__debug__", "debug__42d817"),
        ("1st", "p_1st__e01ddf"),
        ("a__b", "a_b__63e5c1"),
        ("DateCreated<", "DateCreated__51c079"),
        ("größe", "gr_e__d353a2"),
        ("auth-method_", "auth_method__034a47"),
    ],
)
def test_attribute_names(wire: str, name: str) -> None:
    assert attribute_name(wire) == name


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("find_notes", "find_notes"),
        ("a1_2", "a1_2"),
        ("import", "import_"),
        ("con", "con_"),
        ("lpt1", "lpt1_"),
        ("str", "str_"),
        ("find-notes", "find_notes_"),
        ("findNotes", "find__notes"),
        ("createFacade", "create_facade__3fb8a3"),
        ("FindNotes", "find_notes__de5eb6"),
        ("getURL", "get_url__5541fe"),
        ("find.notes", "find_notes__663169"),
        ("2fa", "p_2fa__468975"),
    ],
)
def test_module_names(wire: str, name: str) -> None:
    assert module_name(wire) == name


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("find_notes", "FindNotes"),
        ("findNotes", "FindNotes"),
        ("get-URL", "GetURL"),
        ("protocol", "Protocol_"),
        ("i", "I_"),
        ("2fa", "Tool2fa"),
        ("名", "Tool"),
    ],
)
def test_class_names(wire: str, name: str) -> None:
    assert class_name(wire) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Address", "Address"),
        ("postal_address", "postal_address"),
        ("Record", "Record_"),
        ("AddressResult", "AddressResult_"),
        ("postal-address", "postal_address_"),
        ("a.b", "a_b__2e7336"),
    ],
)
def test_shared_class_names(name: str, expected: str) -> None:
    assert shared_class_name(name) == expected


WIRE = st.one_of(
    st.text(max_size=8),
    st.text(alphabet="aBbc1_-. ", max_size=6),
    st.sampled_from([*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "con", "COM1", "ﬁnd"]),
)


@pytest.mark.parametrize("name_of", [attribute_name, module_name, shared_class_name])
@given(one=WIRE, other=WIRE)
def test_names_are_usable_and_different(
    name_of: Callable[[str], str], one: str, other: str
) -> None:
    name = name_of(one)
    assert name.isidentifier()
    assert name.isascii()
    assert not name.startswith("_")
    assert not keyword.iskeyword(name)
    assert (name == name_of(other)) == (one == other)


@given(WIRE, st.sampled_from([str.upper, str.lower, str.title, str.swapcase]))
def test_file_systems_that_fold_case_keep_modules_apart(
    wire: str, change: Callable[[str], str]
) -> None:
    twins = {wire, change(wire), unicodedata.normalize("NFKC", wire), wire.replace("-", "_")}
    folded = {unicodedata.normalize("NFKC", module_name(twin)).casefold() for twin in twins}
    assert len(folded) == len(twins)


@given(st.text(alphabet="abcdefABCDEF0123456789", max_size=14))
def test_a_camel_word_never_takes_a_digest_s_place(wire: str) -> None:
    name = module_name(wire)
    head, mark, tail = name.rpartition("__")
    if mark and len(tail) == 6 and set(tail) <= set("0123456789abcdef"):
        assert name != wire
        assert module_name(head + tail.title()) != name or head + tail.title() == wire


@pytest.mark.parametrize(
    ("name", "usable"),
    [("since", True), ("type", True), ("from_", True), ("int", False), ("class", False)]
    + [("_x", False), ("größe", False), ("", False), ("extra", False)],
)
def test_what_an_author_may_ask_for(name: str, usable: bool) -> None:
    assert is_usable_attribute(name) is usable


@pytest.mark.parametrize(
    ("key", "usable"),
    [("id", True), ("_id", True), ("type", True), ("__x", False), ("class", False)]
    + [("a-b", False), ("str", False), ("größe", False), ("", False)],
)
def test_what_a_class_body_takes_as_a_key(key: str, usable: bool) -> None:
    assert is_usable_key(key) is usable


def test_a_long_name_keeps_its_beginning() -> None:
    assert shorten("Address", 10) == "Address"
    assert shorten("A" * 20, 10) == "AAAAedfcaa"
