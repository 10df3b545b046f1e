"""The journal's JSON: what is written is read back, and anything else is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel.errors import JournalError
from engines.kernel.journal import (
    RETURN,
    Branch,
    Header,
    dump_header,
    dump_record,
    effective,
    followed,
    load_header,
    load_record,
)
from engines.kernel.table import Entry

KEYS = st.from_regex(r"[a-z0-9_.-]{1,40}", fullmatch=True)
ENTRIES = st.builds(
    Entry,
    seat=st.integers(-1, 9),
    question=st.integers(0, 10**6),
    kind=KEYS,
    value=st.none() | st.lists(KEYS, max_size=5).map(tuple),
    by=st.text(max_size=20),
    branch=st.integers(0, 99),
    mark=st.text(max_size=20),
    trace=st.text(max_size=20),
)
BRANCHES = st.builds(
    Branch, number=st.integers(1, 99), keep=st.integers(0, 999), by=st.text(max_size=20)
)
HEADERS = st.builds(
    Header,
    game=KEYS,
    rules=st.integers(1, 99),
    content=st.text(max_size=70),
    key=st.binary(max_size=40).map(bytes.hex),
    seats=st.integers(1, 9),
    options=st.dictionaries(KEYS, KEYS, max_size=4),
    start=st.text(max_size=20),
    hidden=st.binary(max_size=40).map(bytes.hex),
)

ENTRY = Entry(2, 7, "vote", ("aye",), "player", 1, "0123456789ab/3", "fedcba9876543210")
ENTRY_LINE = (
    '{"by":"player","in":1,"kind":"vote","mark":"0123456789ab/3","question":7,"seat":2,'
    '"trace":"fedcba9876543210","value":["aye"]}'
)
HEADER = Header("senate", 1, "toy", "0a" * 4, 4, {"length": "short"}, "1234", "0b0b")
HEADER_LINE = (
    '{"content":"toy","format":1,"game":"senate","hidden":"0b0b","key":"0a0a0a0a",'
    '"options":{"length":"short"},"rules":1,"seats":4,"start":"1234"}'
)


@given(record=ENTRIES | BRANCHES, place=st.integers(1, 10**6))
def test_records_round_trip(record, place):
    """Every record comes back equal, from one line of text."""
    text = dump_record(record)

    assert load_record(text, place) == record
    assert "\n" not in text


@given(header=HEADERS)
def test_headers_round_trip(header):
    """Every header comes back equal, from one line of text."""
    text = dump_header(header)

    assert load_header(text) == header
    assert "\n" not in text


def test_the_form_is_fixed():
    """Stored journals are read by later releases: these lines never change."""
    assert dump_record(ENTRY) == ENTRY_LINE
    assert load_record(ENTRY_LINE, 1) == ENTRY
    assert dump_header(HEADER) == HEADER_LINE
    assert load_header(HEADER_LINE) == HEADER
    assert dump_record(Branch(2, 40)) == '{"branch":2,"by":"moderator","keep":40}'


@pytest.mark.parametrize("line", [ENTRY_LINE, dump_record(Branch(1, 2))])
def test_a_torn_record_is_refused(line):
    """A line that was not written to its end is no record, wherever it was torn."""
    for end in range(len(line)):
        with pytest.raises(JournalError) as caught:
            load_record(line[:end], 5)
        assert caught.value.place == 5


def test_a_torn_header_is_refused():
    """The header is record 0."""
    for end in range(len(HEADER_LINE)):
        with pytest.raises(JournalError) as caught:
            load_header(HEADER_LINE[:end])
        assert caught.value.place == 0


def changed(line, **fields):
    """The line with other fields; `...` removes one."""
    parsed = {**json.loads(line), **fields}
    return json.dumps({name: value for name, value in parsed.items() if value is not ...})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "not a JSON object"),
        ("[" * 100_000, "not JSON"),
        ('{"snapshot":1}', "unknown field 'snapshot'"),
        (changed(ENTRY_LINE, extra=1), "unknown field 'extra'"),
        (changed(ENTRY_LINE, mark=...), "no field 'mark'"),
        (changed(ENTRY_LINE, value=...), "the value"),
        (changed(ENTRY_LINE, value="aye"), "the value"),
        (changed(ENTRY_LINE, value=["aye", 1]), "the value"),
        (changed(ENTRY_LINE, seat="2"), "'seat' is not int"),
        (changed(ENTRY_LINE, seat=True), "'seat' is not int"),
        (changed(ENTRY_LINE, question=7.0), "'question' is not int"),
        (changed(ENTRY_LINE, by=None), "'by' is not str"),
        ('{"branch":1,"keep":0,"by":"x","seat":2}', "unknown field 'seat'"),
        ('{"branch":1,"keep":0}', "no field 'by'"),
        ('{"branch":"1","keep":0,"by":"x"}', "'branch' is not int"),
    ],
)
def test_an_unknown_record_is_refused(text, reason):
    """What this release does not know is never skipped, and the reason is named."""
    with pytest.raises(JournalError) as caught:
        load_record(text, 3)

    assert reason in caught.value.reason
    assert str(caught.value).startswith("record 3: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (changed(HEADER_LINE, format=2), "format 1"),
        (changed(HEADER_LINE, format=...), "format 1"),
        (changed(HEADER_LINE, owner="ann"), "unknown field 'owner'"),
        (changed(HEADER_LINE, seats="4"), "'seats' is not int"),
        (changed(HEADER_LINE, options={"length": 1}), "not text"),
        (changed(HEADER_LINE, key="xyz"), "'key' is not hexadecimal"),
        (changed(HEADER_LINE, hidden="0"), "'hidden' is not hexadecimal"),
        (changed(HEADER_LINE, start=1234), "'start' is not str"),
        (changed(HEADER_LINE, start=...), "no field 'start'"),
    ],
)
def test_an_unknown_header_is_refused(text, reason):
    """A header of another format, or with anything more or less in it, is refused."""
    with pytest.raises(JournalError) as caught:
        load_header(text)

    assert reason in caught.value.reason


def entry(n, branch=0):
    """Some entry."""
    return Entry(0, n, "go", ("on",), branch=branch)


def test_a_return_brings_back_what_the_branch_before_it_had_cut_off():
    """Of two branches in a row only the last; what is played then is of a branch of its own."""
    first = [entry(1), entry(2), entry(3)]
    back = [*first, Branch(1, 1), Branch(2, 3, RETURN)]

    assert effective(back) == (tuple(first), 2)
    assert effective([*back, entry(4, 2)]) == ((*first, entry(4, 2)), 2)
    assert followed([*back, entry(4, 2)]) == ((0, 1, 2, 5), 2)
    twice = [*first, Branch(1, 2), Branch(2, 0), Branch(3, 2, RETURN)]
    assert effective(twice) == ((entry(1), entry(2)), 3)


@pytest.mark.parametrize(
    "records",
    [
        [Branch(1, 0, RETURN)],
        [entry(1), Branch(1, 1, RETURN)],
        [entry(1), entry(2), Branch(1, 1), entry(3, 1), Branch(2, 2, RETURN)],
        [entry(1), entry(2), Branch(1, 1), Branch(2, 1, RETURN)],
        [entry(1), entry(2), Branch(1, 1), Branch(2, 3, RETURN)],
        [entry(1), entry(2), Branch(1, 1), Branch(3, 2, RETURN)],
    ],
)
def test_a_return_to_anything_else_is_refused(records):
    """Without a branch before it, after an entry, or to another length than there was."""
    with pytest.raises(JournalError):
        effective(records)


def test_a_branch_drops_what_came_after_its_ply():
    """Branches count from 1; each keeps a beginning of what still counted."""
    records = [entry(1), entry(2), entry(3), Branch(1, 1), entry(4, 1), Branch(2, 2), entry(5, 2)]

    assert effective(records) == ((entry(1), entry(4, 1), entry(5, 2)), 2)
    assert effective([]) == ((), 0)
    assert effective([entry(1), Branch(1, 0)]) == ((), 1)


@pytest.mark.parametrize(
    "records",
    [
        [entry(1), Branch(2, 1)],
        [entry(1), Branch(1, 2)],
        [entry(1), Branch(1, -1)],
        [entry(1), entry(2, 1)],
        [Branch(1, 0), entry(1)],
        [Branch(1, 0), Branch(1, 0)],
    ],
)
def test_records_out_of_order_are_refused(records):
    """Branches follow each other, keep what there is, and entries belong to the current one."""
    with pytest.raises(JournalError) as caught:
        effective(records)

    assert caught.value.place == len(records)
