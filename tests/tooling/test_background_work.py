"""Work in the background is held by somebody, so that it cannot vanish, and its failure is told."""

from __future__ import annotations

import ast
import asyncio
import gc
import logging
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.desk import Desk, SystemTime

ROOT = Path(__file__).resolve().parents[2]

STARTS = ("create_task", "ensure_future")


def let_go(source: str) -> Iterator[int]:
    """The lines at which a task is started and neither kept nor waited for."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        read = {
            one.id
            for one in ast.walk(function)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
        }
        for one in ast.walk(function):
            if isinstance(one, ast.Expr) and _starts(one.value):
                yield one.lineno
            if isinstance(one, ast.Assign) and _starts(one.value):
                names = [to.id for to in one.targets if isinstance(to, ast.Name)]
                if len(names) == len(one.targets) and not read & set(names):
                    yield one.lineno


def _starts(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in STARTS


def test_no_task_is_started_and_let_go() -> None:
    """NET-17: in all sources, by whichever call; ruff knows only some of the ways."""
    sources = [
        path for part in ("bot", "content", "engines") for path in (ROOT / part).rglob("*.py")
    ]
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources
        for line in let_go(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("line", "is_held"),
    [
        ("asyncio.create_task(work())", False),
        ("asyncio.get_running_loop().create_task(work())", False),
        ("task = loop.create_task(work())", False),
        ("self.task = loop.create_task(work())", True),
        ("task = asyncio.ensure_future(work())\n    await task", True),
    ],
)
def test_the_search_finds_what_is_let_go(line: str, is_held: bool) -> None:
    """The search itself can fail."""
    assert list(let_go(f"async def start(self, loop):\n    {line}\n")) == ([] if is_held else [2])


async def test_work_of_the_tables_is_held_and_its_failure_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """NET-17: what a table starts stays alive though nothing else refers to it, however often
    garbage is collected; if it fails the log has its name and the traceback.
    """
    nothing: Any = None
    desk = Desk({}, nothing, nothing, SystemTime())

    async def waits() -> None:
        await asyncio.get_running_loop().create_future()  # which only this work refers to

    async def fails() -> None:
        raise ZeroDivisionError("a bug")

    found = weakref.ref(desk.spawn(waits(), "a timer"))
    await asyncio.sleep(0)
    for _ in range(5):
        gc.collect()
    task = found()
    assert task is not None
    assert not task.done()
    task.cancel()
    with caplog.at_level(logging.ERROR):
        desk.spawn(fails(), "a broken timer")
        await asyncio.sleep(0.01)
    (line,) = caplog.records
    assert "a broken timer failed" in line.getMessage()
    assert line.exc_info is not None
