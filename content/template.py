"""Templates: a sentence with places for facts.

    {field}                     the fact, worded by the rules of `content.words`
    {field:table}               looked up among the names of that table
    {field:seat}                the display name of a seat (an int)
    {field:number}              a plain number
    {field:text}                text that is made of words already; never escaped
    {count#space|spaces}        the first when the number is 1, else the second
    {flag?if true|if false}     the first when the fact is true, non-zero or non-empty

Branches are templates themselves; a branch may be empty, and the second of a flag may be left out.
A brace that is meant literally is doubled ({{ and, outside of branches, }}), a bar within a branch,
too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

FIELD: Final = re.compile(r"[a-z][a-z0-9_]*")


class TemplateError(ValueError):
    """A template that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A place for a fact; `table` is empty where the field's own name tells how to word it."""

    field: str
    table: str


@dataclass(frozen=True, slots=True)
class Fork:
    """A choice between two texts by a fact: its number being one, or its being true."""

    field: str
    by_number: bool
    yes: Template
    no: Template

    def branch(self, fact: object) -> Template:
        """The text for that fact. TypeError if a number is needed and it is none."""
        if not self.by_number:
            return self.yes if fact else self.no
        if isinstance(fact, (list, tuple, dict)):
            fact = len(fact)
        if type(fact) is not int:
            raise TypeError(f"{fact!r} is no number")
        return self.yes if fact == 1 else self.no


Part = str | Fact | Fork
Template = tuple[Part, ...]


def parse(text: str) -> Template:
    """The template that the text is. TemplateError if its braces, bars or fields are wrong."""
    reader = _Reader(text)
    parts = reader.parts(nested=False)
    if reader.at < len(text):
        raise TemplateError("a } without its {; write }} for a brace")
    return parts


def tables(template: Template) -> Iterator[str]:
    """The tables that the template names, at any depth."""
    for part in template:
        if isinstance(part, Fact) and part.table:
            yield part.table
        elif isinstance(part, Fork):
            yield from tables(part.yes)
            yield from tables(part.no)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parts(self, *, nested: bool) -> Template:
        """Everything up to the } or | that ends a branch, or to the end of the text."""
        found: list[Part] = []
        plain = ""
        stops = "{}|" if nested else "{}"
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign not in stops:
                plain += sign
                self.at += 1
            elif self.text[self.at : self.at + 2] == sign * 2 and not (nested and sign == "}"):
                plain += sign
                self.at += 2
            elif sign == "{":
                if plain:
                    found.append(plain)
                    plain = ""
                self.at += 1
                found.append(self.place())
            else:
                break
        if plain:
            found.append(plain)
        return tuple(found)

    def place(self) -> Fact | Fork:
        """What stands between braces; the opening one has been read."""
        field = self.word()
        sign = self.take()
        if sign == "}":
            return Fact(field, "")
        if sign == ":":
            table = self.word()
            self.expect("}", field)
            return Fact(field, table)
        if sign not in ("#", "?"):
            raise TemplateError(f"{{{field}: expected }}, :, # or ?, not {sign or 'the end'!r}")
        yes = self.parts(nested=True)
        no: Template = ()
        sign_after = self.take()
        if sign_after == "|":
            no = self.parts(nested=True)
            sign_after = self.take()
        elif sign == "#" and sign_after == "}":
            raise TemplateError(
                f"{{{field}#: expected two texts with a | between, for one and more"
            )
        if sign_after != "}":
            raise TemplateError(f"{{{field}{sign}: its }} is missing, or there are three branches")
        return Fork(field, sign == "#", yes, no)

    def word(self) -> str:
        """A field's or table's name."""
        match = FIELD.match(self.text, self.at)
        if not match:
            near = self.text[self.at : self.at + 12]
            raise TemplateError(f"expected a field's name (small letters) at {near!r}")
        self.at = match.end()
        return match.group()

    def take(self) -> str:
        """The next character, empty at the end."""
        sign = self.text[self.at : self.at + 1]
        self.at += len(sign)
        return sign

    def expect(self, sign: str, field: str) -> None:
        """That character must come next."""
        if self.take() != sign:
            raise TemplateError(f"{{{field}: expected {sign}")
