"""What may not stand in an engine's source, beyond what import contracts can see."""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "engines").rglob("*.py"))

CALLS = ("__import__", "eval", "exec", "float", "hash", "id", "input", "open", "print", "round")
BROAD = ("Exception", "BaseException")

Found = Iterator[tuple[int, str]]


def faults(
    source: str,
    sets_elsewhere: Mapping[str, frozenset[str]] | None = None,
    *,
    weighs: bool = False,
) -> list[str]:
    """Say 'line N: what' for every construct that makes a replay, or a rule, untrustworthy.

    `sets_elsewhere` names, by module, the constants of other modules that are sets. What `weighs`,
    a computer player, may reckon with fractions: a replay takes its answers from the journal.
    """
    tree = ast.parse(source)
    constants = set_constants(tree)
    names = {name for name, _ in constants} | imported_sets(tree, sets_elsewhere or {})
    allowed = {id(value) for _, value in constants}
    members = {
        id(side)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for operator, side in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn)
    }
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        found += imports(node)
        found += calls_and_words(node)
        found += () if weighs else arithmetic(node)
        if is_set(node) and id(node) not in allowed:
            found.append((node.lineno, "a set that is no module constant"))
        if is_use_of(node, names) and id(node) not in members:
            found.append((node.lineno, "a set used otherwise than with `in`"))
    return [f"line {line}: {what}" for line, what in sorted(found)]


def imports(node: ast.AST) -> Found:
    """Only the standard library and the engines themselves."""
    if isinstance(node, ast.Import):
        roots = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        roots = [node.module or ""]
    else:
        return
    for name in roots:
        root = name.split(".")[0]
        if root not in sys.stdlib_module_names and root != "engines":
            yield node.lineno, f"imports {name}"


def calls_and_words(node: ast.AST) -> Found:
    """What differs from run to run, reaches outside, or hides a mistake."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
        yield node.lineno, f"{node.func.id}()"
    if isinstance(node, ast.Global):
        yield node.lineno, "global"
    if isinstance(node, ast.ExceptHandler):
        caught = node.type
        kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
        if caught is None:
            yield node.lineno, "bare except"
        for kind in kinds:
            if isinstance(kind, ast.Name) and kind.id in BROAD:
                yield node.lineno, f"except {kind.id}"


def arithmetic(node: ast.AST) -> Found:
    """Rules count in whole numbers."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
        yield node.lineno, "true division"
    if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
        yield node.lineno, f"{node.value!r} is no whole number"


def is_use_of(node: ast.AST, names: set[str]) -> TypeGuard[ast.Name]:
    """Whether the node reads one of these names."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names


def is_set(node: ast.AST) -> TypeGuard[ast.expr]:
    """Whether the node makes a set."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("set", "frozenset")
    return isinstance(node, ast.Set | ast.SetComp)


def set_constants(tree: ast.Module) -> list[tuple[str, ast.AST]]:
    """Names bound to a set at module level, with the value's node."""
    found: list[tuple[str, ast.AST]] = []
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is None or not is_set(value):
            continue
        inner = value.args if isinstance(value, ast.Call) else []
        for target in targets:
            if isinstance(target, ast.Name):
                found += [(target.id, made) for made in (value, *inner) if is_set(made)]
    return found


def imported_sets(tree: ast.Module, sets_elsewhere: Mapping[str, frozenset[str]]) -> set[str]:
    """Names imported from elsewhere that are sets there."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in sets_elsewhere.get(node.module or "", frozenset())
    }


def module_name(path: Path) -> str:
    """The dotted name under which the file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_engines_are_clean():
    """No engine holds a construct whose outcome could differ from one run to the next."""
    assert SOURCES

    known = {
        module_name(path): frozenset(
            name for name, _ in set_constants(ast.parse(path.read_text(encoding="utf-8")))
        )
        for path in SOURCES
    }
    found = [
        f"{path.relative_to(ROOT)}, {fault}"
        for path in SOURCES
        for fault in faults(path.read_text(encoding="utf-8"), known, weighs="agents" in path.parts)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import numpy", "imports numpy"),
        ("from bot.config import Settings", "imports bot.config"),
        ("x = hash('a')", "hash()"),
        ("x = id(3)", "id()"),
        ("x = open('f')", "open()"),
        ("print(1)", "print()"),
        ("x = round(3)", "round()"),
        ("x = float(3)", "float()"),
        ("def f():\n    global x", "global"),
        ("try:\n    pass\nexcept:\n    pass", "bare except"),
        ("try:\n    pass\nexcept Exception:\n    pass", "except Exception"),
        ("try:\n    pass\nexcept (KeyError, BaseException):\n    pass", "except BaseException"),
        ("x = 1 / 2", "true division"),
        ("x = 4\nx /= 2", "true division"),
        ("x = 0.5", "0.5 is no whole number"),
        ("def f():\n    return {1, 2}", "a set that is no module constant"),
        ("def f(xs):\n    return {x for x in xs}", "a set that is no module constant"),
        ("def f(xs):\n    return set(xs)", "a set that is no module constant"),
        ("A = {1, 2}\nB = [x for x in A]", "a set used otherwise than with `in`"),
        ("A = frozenset({1, 2})\nB = list(A)", "a set used otherwise than with `in`"),
        ("from engines.other import C\nB = list(C)", "a set used otherwise than with `in`"),
    ],
)
def test_each_construct_is_found(source, what):
    """The check sees every construct that it forbids."""
    found = faults(source, {"engines.other": frozenset({"C"})})

    assert [what] == [fault.split(": ", 1)[1] for fault in found]


@pytest.mark.parametrize(
    "source",
    [
        "from collections.abc import Sequence",
        "from engines.kernel.event import Event",
        "A = frozenset({'x', 'y'})\ndef f(x):\n    return x in A and x not in A",
        "A: frozenset[int] = frozenset((1, 2))\nB = 3 in A",
        "try:\n    pass\nexcept (KeyError, ValueError):\n    pass",
        "x = 7 // 2\nx -= 1",
    ],
)
def test_plain_rules_pass(source):
    """The check leaves ordinary rule code alone."""
    assert faults(source) == []
