"""Which of the two is seen: a preview, or what an export gives."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from framebrush.playback import events


class SeenQuality(QLabel):
    """One line."""

    def __init__(self) -> None:
        super().__init__()
        self._sizes: events.SizesInUse | None = None
        self._paints = self._exported = False
        self.setAccessibleName(self.tr("Quality of the picture"))

    def show_sizes(self, sizes: events.SizesInUse | None) -> None:
        """The sizes in which frames are painted now; None: no video is open."""
        self._sizes = sizes
        self._show()

    def show_painting(self, on: bool) -> None:
        """Whether a style or a brush paints: without them both are the same."""
        self._paints = on
        self._show()

    def show_frame(self, exported: bool) -> None:
        """What the frame on the screen is."""
        if exported != self._exported:
            self._exported = exported
            self._show()

    def _show(self) -> None:
        sizes = self._sizes
        if sizes is None or not self._paints:
            self.setText("")
            self.setToolTip("")
        elif self._exported:
            self.setText(self.tr("As exported"))
            self.setToolTip(self.tr("Painted ahead, and kept: an export gives this frame to its encoder."))
        elif sizes.reduced:
            width, height = sizes.sizes.working
            self.setText(self.tr("Preview at {width} × {height}").format(width=width, height=height))
            self.setToolTip(
                self.tr(
                    "This computer cannot paint the whole size while it plays. Strokes have the width that an export "
                    "gives them; what is finer than that is not there yet."
                )
            )
        else:
            self.setText(self.tr("Preview at full size"))
            self.setToolTip(
                self.tr("Painted as large as an export, but not yet mixed with the frames around it as there.")
            )
