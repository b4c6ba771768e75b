"""The label that says whether a preview or an exported frame is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from framebrush.playback import events


class SeenQuality(QLabel):
    """A one-line label."""

    def __init__(self) -> None:
        super().__init__()
        self._sizes: events.SizesInUse | None = None
        self._paints = self._exported = self._awaited = False
        self._obeyed = True

    def show_sizes(self, sizes: events.SizesInUse | None) -> None:
        """Set the sizes in which frames are painted; None: no video is open."""
        self._sizes = sizes
        self._show()

    def show_painting(self, on: bool) -> None:
        """Set whether a style or the brush paints: otherwise a preview equals an export."""
        self._paints = on
        self._show()

    def show_frame(self, exported: bool) -> None:
        """Set what the frame on the screen is."""
        if exported != self._exported:
            self._exported = exported
            self._show()

    def show_awaited(self, on: bool) -> None:
        """Set whether another style is chosen than that of the frame on the screen."""
        self._awaited = on
        self._show()

    def show_obeyed(self, on: bool) -> None:
        """Set whether the frame on the screen is as it is chosen, but for its style: an export would be another one."""
        if on != self._obeyed:
            self._obeyed = on
            self._show()

    def _show(self) -> None:
        sizes = self._sizes
        if sizes is None or not self._paints or self._awaited or (self._exported and not self._obeyed):
            self.setText("")
            self.setToolTip("")
        elif self._exported:
            self.setText(self.tr("As exported"))
            self.setToolTip(self.tr("Painted ahead: an export would encode exactly this frame."))
        elif sizes.reduced:
            width, height = sizes.sizes.working
            self.setText(self.tr("Preview at {width} × {height}").format(width=width, height=height))
            self.setToolTip(
                self.tr(
                    "This computer cannot paint at full size during playback. Strokes are as wide as in an export, "
                    "but finer detail is missing."
                )
            )
        else:
            self.setText(self.tr("Preview at full size"))
            self.setToolTip(self.tr("Painted at the size of an export, but not yet blended with the frames around it."))
