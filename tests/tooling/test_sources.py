"""What is shipped as text: no tabs in YAML."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_yaml_has_no_tabs():
    """Our own content is an example to authors: it indents with spaces, and carries no BOM."""
    files = sorted((ROOT / "content").rglob("*.yaml"))

    assert [str(path) for path in files if b"\t" in path.read_bytes()] == []
    assert [str(path) for path in files if path.read_bytes().startswith(b"\xef\xbb\xbf")] == []
