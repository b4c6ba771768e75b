"""The bar below the picture."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from framebrush.media.reading.timecode import Timecode, first_timecode
from framebrush.media.video import Chapter, Position
from framebrush.playback import events
from framebrush.window.state.actions import Actions
from framebrush.window.transport.curve_lane import CurveLane
from framebrush.window.transport.film_strip import FilmStrip
from framebrush.window.transport.go_to import GoTo
from framebrush.window.transport.keyframe_strip import KeyframeStrip
from framebrush.window.transport.live_bar import LiveBar
from framebrush.window.transport.marker_strip import MarkerStrip, MaskStrip
from framebrush.window.transport.painted_strip import LearnButton, PaintedStrip
from framebrush.window.transport.seek_popup import SeekPopup
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.transport.style_lane import StyleLane
from framebrush.window.transport.subtitle_lane import SubtitleLane
from framebrush.window.transport.timeline import Timeline
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Slider, choice, tool_button, unseen_name
from framebrush.window.widgets.numbers import percent, shortest
from framebrush.window.widgets.theme import SPACE

LONGEST_S = 2_000_000
"""23 days: the bar counts milliseconds in Qt's integers of 32 bits, which end at 24.8."""
CHAPTER_AGAIN_S = 3
"""How far into a chapter one goes back to its own beginning, and not to the one before."""
LOW_PX = 470
"""Height of picture and controls below which the timeline has fewer lanes."""
SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0)

Parts = list[QWidget | None]


class Transport(QWidget):
    """Timeline, position, playback buttons, speed and volume."""

    sought = Signal(int)  # milliseconds
    place_asked = Signal(object)  # a Position
    speed_chosen = Signal(float)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("transport")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.bar = SeekBar()
        self.bar.sought.connect(self.sought)
        self.chapters: tuple[Chapter, ...] = ()
        """Of the film that is open."""
        self.silence = ""
        """Why the film has no sound."""
        self._frame_s = Fraction(0)
        self.popup = SeekPopup(self.bar)
        self.film, self.styles = FilmStrip(self.bar), StyleLane(self.bar)
        self.subtitles = SubtitleLane(self.bar)
        self.markers = MarkerStrip(self.bar, actions["marker"])
        self.masks = MaskStrip(self.bar, actions["mask-brush"])
        self.strip, self.curves = KeyframeStrip(self.bar), CurveLane(self.bar)
        self.strip.dragged.connect(self.curves.show_dragged)
        self.painted = PaintedStrip(self.bar, actions["paint-frame"], actions["paint-another"])
        self.learn = LearnButton()
        self._strips = self.markers, self.strip, self.masks, self.painted
        for strip in self._strips:
            strip.sought.connect(lambda number: self.place_asked.emit(Position.of_frame(number)))
        self._add_places(actions)
        self._add_speed_and_volume()
        self._add_more(actions)
        self.live = LiveBar(actions)
        spared = self.film, self.subtitles, self.styles, self.markers, self.curves, self.masks
        lanes = self.film, self.subtitles, self.styles, self.markers, self.curves, self.strip, self.masks, self.painted
        self.timeline = Timeline(self.bar, self.live, lanes, spared)
        self._of_files: list[QWidget] = [self.bar, self.length, self.timecode, self.frame, self.speed]
        """Controls that live sources lack."""
        self._is_live = False
        self._start: Timecode | None = None
        """Of the first frame, if the film has its own."""
        self._count: int | None = None
        self._number = 0
        self._lay_out(actions)
        self.show_opened(None)

    def _add_places(self, actions: Actions) -> None:
        self.time, self.length, self.timecode, self.frame = QToolButton(), QLabel(), QToolButton(), QToolButton()
        self.go_to = GoTo(self)
        self.go_to.asked.connect(self.place_asked)
        names = {
            self.time: self.tr("Time"),
            self.length: self.tr("Length"),
            self.timecode: self.tr("Timecode of the film"),
            self.frame: self.tr("Frame number"),
        }
        for label, name in names.items():
            label.setFont(_figures(label.font()))
            label.setToolTip(name)  # screen readers say the label's text
            label.setObjectName("place" if label is self.time else "faint")
        for button in (self.time, self.timecode, self.frame):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(f"{names[button]}\n{actions['go-to'].toolTip()}")
            actions["go-to"].enabledChanged.connect(button.setEnabled)
        self.time.clicked.connect(self.ask_place)
        self.timecode.clicked.connect(lambda: self.go_to.ask(self.timecode, self.timecode.text(), takes_frames=False))
        self.frame.clicked.connect(lambda: self.go_to.ask(self.frame, f"{self._number}", takes_frames=True))

    def _add_speed_and_volume(self) -> None:
        self.speed = choice({f"{shortest(speed)}×": speed for speed in SPEEDS})
        unseen_name(self.speed, self, self.tr("Speed"))
        self.speed.setToolTip(self.tr("Speed ([ and ])"))
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.speed.currentIndexChanged.connect(lambda index: self.speed_chosen.emit(SPEEDS[index]))
        self.volume = Slider(Qt.Orientation.Horizontal)
        self.volume.setRange(0, 100)
        self.volume.setFixedWidth(64)
        self.volume.setAccessibleName(self.tr("Volume"))
        self.volume.valueChanged.connect(self._tell_volume)

    def _add_more(self, actions: Actions) -> None:
        self.more = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setText("»")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setAccessibleName(self.tr("More controls"))
        self.more.setToolTip(self.more.accessibleName())
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(lambda: self._fill_more(actions))
        self.more.hide()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size with a menu in place of dispensable controls."""
        least = max(self._top.minimumSize().width(), self._least(self._row) + _room(self.more))
        margins = self._rows.contentsMargins()
        lanes, row = self.timeline.minimumSizeHint().height(), self._row.minimumSize().height()
        height = margins.top() + lanes + self._rows.spacing() + row + margins.bottom()
        return QSize(least + self._around_px, height)

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._share_out()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # a longer film has longer times
            self._share_out()
        return done

    def fit(self, height_px: int) -> None:
        """Choose the lanes. height_px: of picture and controls."""
        is_low = height_px < LOW_PX
        if is_low != self.timeline.is_low:
            self.timeline.fit(low=is_low)
            self._share_out()

    @property
    def _around_px(self) -> int:
        margins = self._rows.contentsMargins()
        return margins.left() + margins.right()

    def _least(self, row: QLayout) -> int:
        others = [*self._spared, self.more]
        return row.minimumSize().width() - sum(_room(each) for each in others if not each.isHidden())

    def _share_out(self) -> None:
        for label in self._facts:
            label.setVisible(self._applies(label) and not self.timeline.is_low)
        wanted = [each for each in self._spared if self._applies(each)]
        room = self.width() - self._around_px - self._least(self._row)
        is_short = room < sum(map(_room, wanted))
        self.more.setVisible(is_short or self.timeline.is_low)
        room -= _room(self.more) if self.more.isVisibleTo(self) else 0
        for widget in wanted:
            room -= _room(widget)
            widget.setVisible(room >= 0)

    def _applies(self, widget: QWidget) -> bool:
        if widget is self.timecode and self._start is None:
            return False
        return not self._is_live or widget not in self._of_files

    def _fill_more(self, actions: Actions) -> None:
        menu = self.more.menu()
        menu.clear()
        for widget, names in chain(self._spared.items(), self._facts.items()):
            if widget.isHidden() and self._applies(widget):
                menu.addActions([actions[name] for name in names])

    def ask_place(self) -> None:
        """Let the user type a position."""
        self.go_to.ask(self.time, self.time.text(), takes_frames=False)

    def step_speed(self, by: int) -> None:
        """Change to the next faster (1) or slower (-1) speed; 0 resets."""
        index = self.speed.currentIndex() + by if by else SPEEDS.index(1.0)
        self.speed.setCurrentIndex(min(len(SPEEDS) - 1, max(0, index)))

    def multiply_speed(self, factor: float) -> None:
        """Multiply the speed, rounded to the list; 0 resets."""
        wanted = factor * self.speed.currentData() if factor else 1.0
        self.speed.setCurrentIndex(SPEEDS.index(min(SPEEDS, key=lambda speed: abs(speed - wanted))))

    def show_opened(self, opened: events.Opened | None) -> None:
        """Follow a video's opening or closing."""
        info = opened.info if opened is not None else None
        can_seek = opened is None or opened.can_seek
        self._is_live = opened is not None and opened.live
        told_s = info.duration_s if info else None
        length_s = told_s if told_s is not None and told_s < LONGEST_S else 0.0
        self._count = info.frame_count if info else None
        self.bar.setRange(0, _ms(length_s))
        self.bar.setValue(0)
        self.bar.setEnabled(info is not None and can_seek)
        self.chapters = info.chapters if info and can_seek else ()
        self._frame_s = 1 / info.rate if info and info.rate else Fraction(1, 10)
        self.bar.set_chapters([_ms(float(each.start_s)) for each in self.chapters])
        self.bar.axis.show_whole()
        self.popup.show_video(info if can_seek else None)
        self.film.show_video(info if can_seek else None)
        rate = info.rate if info and can_seek else None
        for lane in (self.styles, self.curves):
            lane.show_film(rate)
        for strip in self._strips:
            strip.show_film(rate, info.frame_count if info else None)
        self._start = first_timecode(info) if info and can_seek else None
        self.go_to.show_film(info.rate if info else None, self._start, self._count)
        self.speed.setEnabled(info is not None)
        self.volume.setEnabled(opened is None or opened.sound)
        self.silence = _silence_of(opened)
        self.volume.setToolTip(self.silence or self.tr("Volume (↑ and ↓)"))
        self._tell_volume()
        self.time.setText(clock(0))
        self.timecode.setText(str(self._start or ""))
        self.length.setText(clock(length_s) if length_s else "")
        # Room for the last number, so that the layout does not move as the number grows.
        self.frame.setMinimumWidth(0)
        self.frame.setText(self._frame_text(max(0, self._count - 1) if self._count else 99_999))
        self.frame.setMinimumWidth(self.frame.sizeHint().width() if info else 0)
        self.frame.setText("")
        self.frame.setAccessibleName(self.tr("Frame number"))  # until there is a text, which says it then
        self.live.setVisible(self._is_live)
        self.live.show_source(info.name if info is not None and self._is_live else "")
        for widget in self._of_files:
            widget.setVisible(self._applies(widget))
        self._share_out()

    def chapter_beside(self, later: bool) -> Fraction | None:
        """Return the next or previous chapter's start, if any.

        In a chapter's first seconds, previous is the chapter before.
        """
        here = Fraction(self.bar.value(), 1000)
        starts = [each.start_s for each in self.chapters]
        if later:
            # The frame on which a chapter begins may have begun before it.
            return next((start for start in starts if start >= here + self._frame_s), None)
        return next((start for start in reversed(starts) if start < here - CHAPTER_AGAIN_S), min(starts, default=None))

    def _tell_volume(self) -> None:
        self.volume.setAccessibleDescription(self.silence or percent(self.volume.value() / 100))

    def show_position(self, at: events.InOutPoint) -> None:
        """Show the position of the current frame."""
        ms = _ms(at.time_s)
        if ms > self.bar.maximum():  # the container's duration was too short, or missing
            self.bar.setMaximum(ms)
        if not self.bar.isSliderDown():
            self.bar.setValue(ms)
        self._number = at.number
        self.time.setText(clock(at.time_s))
        if self._start is not None:
            self.timecode.setText(str(self._start.after(at.number)))
        self.frame.setText(self._frame_text(at.number))
        self.frame.setAccessibleName("")

    def show_marks(self, marks: events.InOutChanged) -> None:
        first, last = marks.first, marks.last
        self.bar.set_marks(_ms(first.time_s) if first else None, _ms(last.time_s) if last else None)

    def show_ready(self, ready: events.Ready) -> None:
        self.bar.set_ready([(_ms(start), _ms(end)) for start, end in ready.spans])

    def _frame_text(self, number: int) -> str:
        if not self._count:
            return self.tr("Frame {number}").format(number=number)
        return self.tr("Frame {number} / {last}").format(number=number, last=max(number, self._count - 1))

    def _lay_out(self, actions: Actions) -> None:
        left = fill(QVBoxLayout(), self.time, self.frame, self.timecode, self.length, None, self.learn, between=0)
        for label in (self.time, self.frame, self.timecode, self.length, self.learn):
            left.setAlignment(label, Qt.AlignmentFlag.AlignHCenter)
        top = fill(QHBoxLayout(), left, self.timeline, around=(SPACE // 2, 0, SPACE // 2, 0), between=SPACE // 2)
        top.setStretch(1, 1)
        sizes = {"play": 26}
        named = "mark-in mark-out loop step-back play step-forward mute split paint-frame screenshot panel full-screen"
        buttons = {name: _button(actions, name, sizes.get(name, 20)) for name in named.split()}
        self._of_files += (buttons[name] for name in ("mark-in", "mark-out", "loop"))
        self.export = _button(actions, "export")
        self.export.setObjectName("export")
        self.export.setAutoRaise(False)
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        begin: Parts = [*(buttons[name] for name in ("mark-in", "mark-out", "loop")), self.speed, None]
        middle: Parts = [buttons[name] for name in ("step-back", "play", "step-forward")]
        painted = buttons["mute"], self.volume, buttons["split"], buttons["paint-frame"], buttons["screenshot"]
        right: Parts = [None, *painted, self.more, buttons["panel"], buttons["full-screen"], self.export]
        row = QGridLayout()
        spared = "step-back", "step-forward", "mark-in", "mark-out", "split", "loop", "paint-frame"
        # Controls that give way to a menu with these actions: facts in a low window, controls in a narrow one, from
        # the last.
        self._facts: dict[QWidget, tuple[str, ...]] = {self.frame: ("go-to",), self.timecode: (), self.length: ()}
        self._spared: dict[QWidget, tuple[str, ...]] = {
            **{buttons[name]: (name,) for name in spared},
            self.volume: ("louder", "quieter"),
            self.speed: ("slower", "faster", "normal-speed"),
            buttons["screenshot"]: ("screenshot",),
        }
        for column, part in enumerate((begin, middle, right)):
            row.addLayout(fill(QHBoxLayout(), *part, between=SPACE // 2), 0, column)
        row.setColumnStretch(0, 1)
        row.setColumnStretch(2, 1)
        row.setHorizontalSpacing(SPACE // 2)
        rows = fill(QVBoxLayout(self), top, row, around=(SPACE, SPACE // 2, SPACE, SPACE), between=SPACE // 2)
        self._top, self._row, self._rows = top, row, rows


def _room(widget: QWidget) -> int:
    return max(widget.sizeHint().width(), widget.minimumWidth()) + SPACE // 2


def _ms(seconds: float) -> int:
    return round(1000 * min(seconds, LONGEST_S))


def _button(actions: Actions, name: str, size: int = 20) -> QToolButton:
    button = tool_button(actions[name])
    button.setIconSize(QSize(size, size))
    button.setAccessibleName(actions[name].text().rstrip("…"))
    button.setAutoRaise(True)
    return button


def _figures(font: QFont) -> QFont:
    figures = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    figures.setPointSizeF(font.pointSizeF())
    return figures


def _silence_of(opened: events.Opened | None) -> str:
    if opened is None or opened.sound or opened.live:
        return ""
    if opened.lacks_output:
        return QCoreApplication.translate(
            "Transport", "There is no sound output: connect one, and open the video again."
        )
    return QCoreApplication.translate("Transport", "This video has no sound.")
