"""Styles of a person's, which two windows add, rename and remove."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from framebrush.base.file_names import proper_name
from framebrush.styles.style_folder import OwnStyle, StyleFolder

pytestmark = pytest.mark.unit

NAMES = st.sampled_from(["sea", "Sea", "SEA 2", "shore", "a:b/c", "con", "  ", "é"])
WINDOWS = st.integers(0, 1)


class Styles(RuleBasedStateMachine):
    """The model: what each style's file and picture hold, by its name. What another window has done meanwhile, a window
    learns by an error, and by nothing that is lost."""

    styles = Bundle("styles")

    @initialize()
    def begin(self) -> None:
        self.work = tempfile.TemporaryDirectory()
        root = Path(self.work.name)
        self.windows = [StyleFolder(root / "styles") for _ in range(2)]
        self.given = root / "given.png"
        self.count = 0
        self.model: dict[Path, bytes] = {}

    def teardown(self) -> None:
        if hasattr(self, "work"):
            self.work.cleanup()

    @rule(target=styles, window=WINDOWS, name=NAMES)
    def add(self, window: int, name: str) -> Path:
        self.count += 1
        content = b"%d" % self.count
        self.given.write_bytes(content)
        made = self.windows[window].keep(self.given, name)
        assert made not in self.model
        wanted = proper_name(name) or "style"
        assert made.stem == wanted or made.stem.rpartition(" ")[0] == wanted
        self.model[made] = content
        OwnStyle(made).picture.write_bytes(content)
        return made

    @rule(window=WINDOWS, style=styles)
    def add_again(self, window: int, style: Path) -> None:
        if style in self.model:
            self.given.write_bytes(self.model[style])
            assert self.windows[window].keep(self.given, "another name") == style

    @rule(target=styles, window=WINDOWS, style=consumes(styles), name=NAMES)
    def rename(self, window: int, style: Path, name: str) -> Path:
        name = proper_name(name) or "style"
        others = {path.stem.casefold() for path in self.model if path != style}
        try:
            target = self.windows[window].rename(style, name)
        except FileExistsError:
            assert name.casefold() in others
            return style
        except FileNotFoundError:
            assert style not in self.model
            return style
        assert name.casefold() not in others
        self.model[target] = self.model.pop(style)
        return target

    @rule(window=WINDOWS, style=styles)
    def remove(self, window: int, style: Path) -> None:
        self.windows[window].remove(style)
        self.model.pop(style, None)

    @invariant()
    def everything_is_there_and_nothing_else(self) -> None:
        if not hasattr(self, "model"):
            return
        for window in self.windows:
            assert {style.path: style.path.read_bytes() for style in window} == self.model
            for path in self.model:
                assert OwnStyle(path).picture.read_bytes() == self.model[path]
        names = [path.stem.casefold() for path in self.model]
        assert len(set(names)) == len(names)
        pictures = {OwnStyle(path).picture for path in self.model}
        assert set(self.windows[0].path.glob("*.jpg")) == pictures


TestStyles = Styles.TestCase
TestStyles.settings = settings(max_examples=25, stateful_step_count=25)
