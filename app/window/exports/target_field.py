"""Field for an export's file name."""

from __future__ import annotations

from collections.abc import Container as Collection
from contextlib import suppress
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from framebrush.media.containers import CONTAINERS, Container
from framebrush.window.exports.targets import free_like, with_tilde
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import push_button
from framebrush.window.widgets.theme import SPACE


class TargetField(QWidget):
    """File name with a button to browse."""

    def __init__(self, proposed: Path) -> None:
        super().__init__()
        self._proposed = proposed
        self.name_field = QLineEdit(with_tilde(proposed))
        browse = push_button(self.tr("Choose…"), self._browse)
        fill(QHBoxLayout(self), self.name_field, browse, around=0, between=SPACE, grows=self.name_field)

    @property
    def path(self) -> Path:
        """Return the file; relative names belong to the proposed folder."""
        path = Path(self.name_field.text())
        with suppress(RuntimeError):  # "~user" with an unknown user
            path = path.expanduser()
        return self._proposed.parent / path if path.name else path

    @property
    def container(self) -> Container | None:
        """Return the container by the file extension."""
        return CONTAINERS.get(self.path.suffix.lower())

    def use_suffix(self, suffix: str, taken: Collection[str]) -> None:
        """Use a file extension; "" for the proposed one."""
        path, suffix = self.path, suffix or self._proposed.suffix
        if path.suffix.lower() != suffix and path.name:
            self.name_field.setText(with_tilde(free_like(path.with_suffix(suffix), taken)))

    def _browse(self) -> None:
        patterns = " ".join(f"*{ending}" for ending in CONTAINERS)
        name, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Export"),
            str(self.path),
            self.tr("Videos ({patterns})").format(patterns=patterns),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if name:
            self.name_field.setText(with_tilde(Path(name)))
