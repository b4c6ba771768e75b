"""The dialog for opening a camera."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from framebrush.media.live import camera
from framebrush.media.live.camera_list import Devices, find_devices
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import choice, faint, name_control, plain
from framebrush.window.widgets.theme import SPACE

SIZES = ("640x480", "1280x720", "1920x1080")
LEAST_WIDTH_PX = 440


class CameraDialog(QDialog):
    """Choice of camera, microphone and size. Show it with `open`."""

    chosen = Signal(str)  # a source for `open_frame_source`

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open camera"))
        self.setMinimumWidth(LEAST_WIDTH_PX)
        self.cameras, self.microphones = choice({}), choice({})
        as_camera = {self.tr("Camera's default"): ""}
        self.sizes = choice(as_camera | {size.replace("x", " × "): size for size in SIZES})
        self.state = plain(wraps=True)
        form = QFormLayout(horizontalSpacing=2 * SPACE, verticalSpacing=SPACE)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows = {
            self.tr("Camera"): self.cameras,
            self.tr("Microphone"): self.microphones,
            self.tr("Size"): self.sizes,
        }
        for name, box in rows.items():
            name_control(box, name)
            form.addRow(name, box)  # with a label
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self.open_button = buttons.button(QDialogButtonBox.StandardButton.Open)
        self.refresh_button = buttons.addButton(self.tr("Refresh"), QDialogButtonBox.ButtonRole.ResetRole)
        buttons.accepted.connect(self.open_chosen)
        buttons.rejected.connect(self.reject)
        self.refresh_button.clicked.connect(self.refresh)
        private = faint(self.tr("The camera is on while it is open here. Nothing leaves this computer."))
        fill(QVBoxLayout(self), form, self.state, private, buttons, around=2 * SPACE, between=2 * SPACE)
        self.refresh()

    def refresh(self) -> None:
        """Look for devices again."""
        self._fill(Devices())
        self.state.setText(self.tr("Looking for cameras…"))
        self.state.show()
        self.refresh_button.setEnabled(False)
        Background(find_devices, self.show_devices, self)

    def show_devices(self, found: Devices) -> None:
        """List the devices found."""
        self._fill(found)
        self.refresh_button.setEnabled(True)
        nothing = "" if found.cameras else self.tr("No camera was found. Plug one in, then press Refresh.")
        self.state.setText("\n".join(filter(None, (nothing, found.problem))))
        self.state.setVisible(bool(self.state.text()))
        if found.cameras:
            self.cameras.setFocus()

    def _fill(self, found: Devices) -> None:
        for box in (self.cameras, self.microphones):
            box.clear()
        names = Counter(each.name for each in found.cameras)
        for number, each in enumerate(found.cameras):
            one_of_many = names[each.name] > 1
            text = f"{each.name} ({number})" if one_of_many else each.name
            self.cameras.addItem(text, str(number) if one_of_many else each.name)
        self.microphones.addItem(self.tr("None"), "")
        for name in found.microphones:
            self.microphones.addItem(name, name)
        for widget in (self.cameras, self.microphones, self.sizes, self.open_button):
            widget.setEnabled(bool(found.cameras))

    def open_chosen(self) -> None:
        """Open the chosen camera."""
        size, microphone = self.sizes.currentData(), self.microphones.currentData()
        source = camera.PREFIX + self.cameras.currentData()
        source += f":size={size}" if size else ""
        source += f"+microphone:{microphone}" if microphone else ""
        self.accept()
        self.chosen.emit(source)
