"""Golden files: compared letter by letter, written only when asked to."""

import pytest

from tests.golden_files import check_golden, difference


def test_a_missing_file_fails_and_is_written_on_request(tmp_path):
    """A new golden file comes from `--regenerate` and then holds."""
    path = tmp_path / "deep" / "new.txt"
    with pytest.raises(pytest.fail.Exception, match=r"new\.txt does not exist"):
        check_golden(path, "a\n", regenerate=False)

    check_golden(path, "a\n", regenerate=True)

    check_golden(path, "a\n", regenerate=False)
    assert path.read_bytes() == b"a\n"


def test_what_differs_is_shown_and_the_file_is_kept(tmp_path):
    """The failure shows old and new lines and how to accept them; the file stays as it was."""
    path = tmp_path / "kept.txt"
    path.write_bytes(b"a\nb\n")

    with pytest.raises(pytest.fail.Exception) as caught:
        check_golden(path, "a\nc\n", regenerate=False)

    assert "-b\n+c" in str(caught.value)
    assert "--regenerate" in str(caught.value)
    assert path.read_bytes() == b"a\nb\n"


def test_line_ends_count(tmp_path):
    """A file with other line ends is another file."""
    path = tmp_path / "kept.txt"
    path.write_bytes(b"a\r\n")

    assert "line ends" in difference(path, "a\n")


def test_a_long_difference_is_cut(tmp_path):
    """Hundreds of changed lines are counted, not printed."""
    path = tmp_path / "kept.txt"
    path.write_text("".join(f"{n}\n" for n in range(300)), encoding="utf-8")

    shown = difference(path, "".join(f"x{n}\n" for n in range(300)))

    assert shown.endswith("lines more")
    assert len(shown.splitlines()) < 70
