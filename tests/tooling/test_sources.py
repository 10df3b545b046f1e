"""What import contracts cannot say, and what is shipped as text."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_yaml_has_no_tabs():
    """Our own content is an example to authors: it indents with spaces, and carries no BOM."""
    files = sorted((ROOT / "content").rglob("*.yaml"))

    assert [str(path) for path in files if b"\t" in path.read_bytes()] == []
    assert [str(path) for path in files if path.read_bytes().startswith(b"\xef\xbb\xbf")] == []


def test_pictures_know_views_alone():
    """Of engines, a renderer imports nothing but a game's view: a new module is no way round."""
    files = sorted((ROOT / "bot" / "render").rglob("*.py"))
    imported = [
        (path.name, name)
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imported(node)
        if name.split(".")[0] == "engines"
    ]

    assert files
    assert [pair for pair in imported if not re.fullmatch(r"engines\.\w+\.view", pair[1])] == []


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
