"""Label that tells a preview from an exported frame."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from framebrush.window.state.session import Session


class PreviewBadge(QLabel):
    """Label in one line."""

    def show_state(self, session: Session, *, paints: bool) -> None:
        """Follow the current frame. paints: whether preview and export can differ."""
        sizes, exported = session.shown.sizes, session.shown.is_export
        # An export would be another one, and while another style is awaited, nothing can be said of it.
        is_former = session.awaits_style or (exported and not session.shown.is_up_to_date)
        if sizes is None or not paints or is_former:
            text = tip = ""
        elif exported:
            text = self.tr("As exported")
            tip = self.tr("Painted ahead: an export would encode exactly this frame.")
        elif sizes.reduced:
            width, height = sizes.sizes.working
            text = self.tr("Preview at {width} × {height}").format(width=width, height=height)
            tip = self.tr(
                "This computer cannot paint at full size during playback. Strokes are as wide as in an export, "
                "but finer detail is missing."
            )
        else:
            text = self.tr("Preview at full size")
            tip = self.tr("Painted at the size of an export, but not yet blended with the frames around it.")
        self.setText(text)
        self.setToolTip(tip)
