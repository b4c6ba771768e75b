"""Private members of the package that tests use: they may only become fewer.

A test of behaviour that users or other rooms see survives a change inside.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[1]
MOST = 86  # lower it whenever fewer are left

DEFINED = re.compile(r"^_(\w+)(?::.*)? =|^\s*(?:def|class) _(\w+)|\b(?:self|cls)\._(\w+)", re.MULTILINE)
USED = re.compile(
    r"""(?<!\bself)(?<!\bcls)\._(?P<member>[a-zA-Z]\w*)
    |^(?:from\ framebrush|\ {4})[^\n(]*[ ,]_(?P<imported>[a-zA-Z]\w*)(?=,|$)
    |,\ "_(?P<patched>[a-z]\w*)",""",
    re.MULTILINE | re.VERBOSE,
)


def defined() -> frozenset[str]:
    """Return the private names of the package, without their underscores."""
    sources = (
        path.read_text(encoding="utf-8") for room in ("app", "gpu", "models") for path in (ROOT / room).rglob("*.py")
    )
    return frozenset(filter(None, (name for source in sources for names in DEFINED.findall(source) for name in names)))


def used(source: str, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the line and name of each private member that a test uses."""
    for match in USED.finditer(source):
        name = next(filter(None, match.groups()))
        if name in names:
            yield source.count("\n", 0, match.start()) + 1, name


def test_private_members_in_tests_become_fewer() -> None:
    names = defined()
    found = [
        f"{path.relative_to(ROOT)}:{line}: _{name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line, name in used(path.read_text(encoding="utf-8"), names)
    ]
    assert len(found) <= MOST, "use what others see:\n" + "\n".join(found)


def test_each_way_to_a_private_member_is_counted() -> None:
    source = """
from framebrush.gpu.device import Device, _matchbox
reader._inner.close()
self._own = self.engine._inner
monkeypatch.setattr(reader, "_inner", None)
os._exit(1)
"""
    assert [*used(source, frozenset({"matchbox", "inner", "own"}))] == [
        (2, "matchbox"),
        (3, "inner"),
        (4, "inner"),
        (5, "inner"),
    ]
