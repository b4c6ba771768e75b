"""The bar below the picture: position, time and frame, playback buttons, marks, speed and volume."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from framebrush.media.video import Position, VideoInfo
from framebrush.playback import events
from framebrush.window.actions import Actions
from framebrush.window.transport.go_to import GoTo
from framebrush.window.transport.key_strip import KeyStrip
from framebrush.window.transport.live_bar import LiveBar
from framebrush.window.transport.seek_popup import SeekPopup
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.controls import Slider, unseen_name
from framebrush.window.widgets.numbers import shortest
from framebrush.window.widgets.theme import SPACE

LONGEST_S = 2_000_000  # 23 days
SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0)


class Transport(QWidget):
    """Shows the position and takes commands."""

    sought = Signal(int)  # milliseconds
    place_asked = Signal(object)  # a Position
    speed_chosen = Signal(float)
    volume_moved = Signal(float)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("transport")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.bar = SeekBar()
        self.bar.sought.connect(self.sought)
        self.popup = SeekPopup(self.bar)
        self.strip = KeyStrip(self.bar)
        self.strip.sought.connect(lambda number: self.place_asked.emit(Position(Fraction(number), "frame")))
        self.time, self.length, self.frame = QToolButton(), QLabel(), QToolButton()
        self.go_to = GoTo(self)
        self.go_to.asked.connect(self.place_asked)
        names = {self.time: self.tr("Time"), self.length: self.tr("Length"), self.frame: self.tr("Frame number")}
        for label, name in names.items():
            label.setFont(_figures(label.font()))
            label.setToolTip(name)  # and its name, for a screen reader, is what it shows
            label.setObjectName("place" if label is self.time else "faint")
        for button in (self.time, self.frame):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(f"{names[button]}\n{actions['go-to'].toolTip()}")
            actions["go-to"].enabledChanged.connect(button.setEnabled)
        self.time.clicked.connect(self.ask_place)
        self.frame.clicked.connect(self._ask_frame)
        self.speed = QComboBox()
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        unseen_name(self.speed, self, self.tr("Speed"))
        self.speed.setToolTip(self.tr("Speed ([ and ])"))
        for speed in SPEEDS:
            self.speed.addItem(f"{shortest(speed)}×", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.speed.currentIndexChanged.connect(lambda index: self.speed_chosen.emit(SPEEDS[index]))
        self.volume = Slider(Qt.Orientation.Horizontal)
        self.volume.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.volume.setRange(0, 100)
        self.volume.setFixedWidth(64)
        self.volume.setAccessibleName(self.tr("Volume"))
        self.volume.valueChanged.connect(lambda value: self.volume_moved.emit(value / 100))
        self.more = QToolButton()
        self.more.setText("»")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setAccessibleName(self.tr("More controls"))
        self.more.setToolTip(self.more.accessibleName())
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(lambda: self._fill_more(actions))
        self.more.hide()
        self.live = LiveBar(actions)
        self._spared: dict[QWidget, tuple[str, ...]] = {}  # what gives way to a menu with these actions, last to first
        self._of_files: list[QWidget] = [self.bar, self.length, self.frame, self.speed]  # not for live sources
        self._duration_s: float | None = None
        self._count: int | None = None
        self._number = 0
        self._lay_out(actions)
        self.show_video(None)
        self.show_silence("")
        self.show_live(None)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The size with the menu in place of the controls that can be hidden, whether they are or not."""
        shown = [widget for widget in (*self._spared, self.more) if not widget.isHidden()]
        return super().minimumSizeHint() + QSize(_room(self.more) - sum(map(_room, shown)), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        room = event.size().width() - self.minimumSizeHint().width()
        fits = room + _room(self.more) >= sum(map(_room, self._spared))
        self.more.setVisible(not fits)
        for widget in self._spared:
            room -= _room(widget)
            widget.setVisible(fits or room >= 0)

    def _fill_more(self, actions: Actions) -> None:
        menu = self.more.menu()
        menu.clear()
        for widget, names in self._spared.items():
            if widget.isHidden():
                menu.addActions([actions[name] for name in names])

    def ask_place(self) -> None:
        """Let the user type a position in the film."""
        self.go_to.ask(self.time, self.time.text(), takes_frames=False)

    def _ask_frame(self) -> None:
        self.go_to.ask(self.frame, f"{self._number}", takes_frames=True)

    def step_speed(self, by: int) -> None:
        """Change to the next faster (1) or slower (-1) speed; 0 resets it."""
        index = self.speed.currentIndex() + by if by else SPEEDS.index(1.0)
        self.speed.setCurrentIndex(min(len(SPEEDS) - 1, max(0, index)))

    def multiply_speed(self, factor: float) -> None:
        """Multiply the speed, rounded to the nearest in the list; 0 resets it."""
        wanted = factor * self.speed.currentData() if factor else 1.0
        self.speed.setCurrentIndex(SPEEDS.index(min(SPEEDS, key=lambda speed: abs(speed - wanted))))

    def show_video(self, info: VideoInfo | None, *, sound: bool = False, can_seek: bool = True) -> None:
        """Follow the opening or closing of a video."""
        length_s = info.duration_s if info else None
        self._duration_s = length_s if length_s is not None and length_s < LONGEST_S else None
        self._count = info.frame_count if info else None
        self.bar.setRange(0, _ms(self._duration_s or 0))
        self.bar.setValue(0)
        self.bar.setEnabled(info is not None and can_seek)
        self.popup.show_video(info if can_seek else None)
        self.strip.show_film(info.rate if info and can_seek else None, info.frame_count if info else None)
        self.go_to.show_rate(info.rate if info else None)
        self.speed.setEnabled(info is not None)
        self.volume.setEnabled(info is None or sound)
        self.time.setText(clock(0))
        self.length.setText(clock(self._duration_s) if self._duration_s else "")
        # Room for the last number, so that the layout does not move as the number grows.
        self.frame.setMinimumWidth(0)
        self.frame.setText(self._frame_text(max(0, self._count - 1) if self._count else 99_999))
        self.frame.setMinimumWidth(self.frame.sizeHint().width() if info else 0)
        self.frame.setText("")
        self.frame.setAccessibleName("" if info else self.tr("Frame number"))  # its text, where there is one

    def show_silence(self, why: str) -> None:
        """Say why the video is not heard; empty where it is."""
        self.volume.setToolTip(why or self.tr("Volume (↑ and ↓)"))

    def show_live(self, name: str | None) -> None:
        """Follow the opening of a live source, or of a file (None). To be called after `show_video`."""
        self.live.setVisible(name is not None)
        self.live.show_source(name or "")
        for widget in self._of_files:
            widget.setVisible(name is None)

    def show_position(self, at: events.Mark) -> None:
        """Show the position of the current frame."""
        ms = _ms(at.time_s)
        if ms > self.bar.maximum():  # the container's duration was too short, or missing
            self.bar.setMaximum(ms)
        if not self.bar.isSliderDown():
            self.bar.setValue(ms)
        self._number = at.number
        self.time.setText(clock(at.time_s))
        self.frame.setText(self._frame_text(at.number))

    def show_marks(self, marks: events.Marked) -> None:
        """Show the marks, or that there are none."""
        first, last = marks.first, marks.last
        self.bar.set_marks(_ms(first.time_s) if first else None, _ms(last.time_s) if last else None)

    def show_ready(self, ready: events.Ready) -> None:
        """Show which frames are painted ahead."""
        self.bar.set_ready([(_ms(start), _ms(end)) for start, end in ready.spans])

    def _frame_text(self, number: int) -> str:
        if not self._count:
            return self.tr("Frame {number}").format(number=number)
        return self.tr("Frame {number} / {last}").format(number=number, last=max(number, self._count - 1))

    def _lay_out(self, actions: Actions) -> None:
        top, left, middle, right = QGridLayout(), QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        top.setContentsMargins(SPACE // 2, 0, SPACE // 2, 0)
        top.setHorizontalSpacing(SPACE)
        top.setVerticalSpacing(0)
        for column, widget in enumerate((self.time, self.bar, self.length, self.frame)):
            top.addWidget(widget, 0, column)
        top.addWidget(self.live, 0, 1)  # a live source has no bar
        top.addWidget(self.strip, 1, 1)
        top.setColumnStretch(1, 1)
        for name in ("mark-in", "mark-out", "loop"):
            button = _button(actions, name)
            left.addWidget(button)
            self._of_files.append(button)
        left.addWidget(self.speed)
        left.addStretch()
        for name, size in (("step-back", 20), ("play", 26), ("step-forward", 20)):
            middle.addWidget(_button(actions, name, size))
        right.addStretch()
        right.addWidget(_button(actions, "mute"))
        right.addWidget(self.volume)
        right.addSpacing(SPACE)
        for name in ("split", "screenshot", "panel", "full-screen"):
            button = _button(actions, name)
            right.addWidget(button)
            if name in ("split", "screenshot"):
                self._spared[button] = (name,)
            if name == "split":
                self._spared[self.volume] = ("louder", "quieter")
        right.addWidget(self.more)
        for layout in (left, middle, right):
            layout.setSpacing(SPACE // 2)
        row = QGridLayout()
        for column, part in enumerate((left, middle, right)):
            row.addLayout(part, 0, column)
        row.setColumnStretch(0, 1)
        row.setColumnStretch(2, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE)
        rows.setSpacing(SPACE // 2)
        rows.addLayout(top)
        rows.addLayout(row)


def _room(widget: QWidget) -> int:
    """The width that a control needs in its row."""
    return max(widget.sizeHint().width(), widget.minimumWidth()) + SPACE // 2


def _ms(seconds: float) -> int:
    """Milliseconds for the bar, clipped because a file may claim a duration beyond Qt's integers."""
    return round(1000 * min(seconds, LONGEST_S))


def _button(actions: Actions, name: str, size: int = 20) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(actions[name])
    button.setIconSize(QSize(size, size))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(actions[name].text().rstrip("…"))
    button.setAutoRaise(True)
    return button


def _figures(font: QFont) -> QFont:
    """The font with digits of equal width, so that running figures do not move."""
    figures = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    figures.setPointSizeF(font.pointSizeF())
    return figures
