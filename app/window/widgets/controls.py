"""Small widgets for several panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, QSignalBlocker, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDropEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QWidget,
)

from framebrush.base.file_names import proper_name
from framebrush.jobs.look_file import SUFFIX as LOOK_SUFFIX
from framebrush.styles.brush_tips import TIPS
from framebrush.styles.keys_folder import is_keys
from framebrush.styles.style_folder import FILES
from framebrush.window.widgets.theme import SPACE

MOVING_KEYS = frozenset(
    {
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    }
)

NOTCH = 120  # of a wheel, in eighths of a degree
SMALL = 0.86
"""Size of small text, of the window's font."""


def heading(text: str) -> QLabel:
    """Make a section's title."""
    label = QLabel(text)
    label.setObjectName("heading")
    return label


def plain(text: str = "", *, wraps: bool = False) -> QLabel:
    """Make a plain-text label: file names may look like HTML."""
    return QLabel(text, textFormat=Qt.TextFormat.PlainText, wordWrap=wraps)


def faint(text: str = "") -> QLabel:
    """Make a label for secondary text."""
    label = plain(text, wraps=True)
    label.setObjectName("faint")
    return label


def column_of(control: QWidget) -> QScrollArea | None:
    """Return the scrolled column around a control, if any."""
    parent = control.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent


class WheelToColumn(QObject):
    """Lets the wheel scroll the column over unfocused controls."""

    def __init__(self, control: QWidget) -> None:
        super().__init__(control)
        if control.focusPolicy() is Qt.FocusPolicy.WheelFocus:
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        control.installEventFilter(self)

    def eventFilter(self, control: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() != QEvent.Type.Wheel or not isinstance(control, QWidget) or control.hasFocus():
            return False
        in_column = column_of(control) is not None
        if in_column:
            event.ignore()  # goes on to the parents
        return in_column


def choice(options: Mapping[str, object]) -> QComboBox:
    """Make a combo box of {text: value}."""
    box = QComboBox()
    WheelToColumn(box)
    box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for text, value in options.items():
        box.addItem(text, value)
    return box


def name_control(control: QWidget, name: str, label: QLabel | None = None) -> None:
    """Name a control, and a combo box's list, for screen readers."""
    control.setAccessibleName(name)
    if isinstance(control, QComboBox):
        control.view().setAccessibleName(name)
    # On Linux, Qt announces the value of a combo box as its name; the label makes up for it.
    if label is not None:
        label.setBuddy(control)


def unseen_name(box: QComboBox, parent: QWidget, name: str) -> None:
    """Name a combo box that has no visible label."""
    label = QLabel(name, parent)
    label.hide()
    name_control(box, name, label)


def ask_name(window: QWidget, title: str, label: str, name: str, then: Callable[[str], object]) -> None:
    """Let the user type a name for a file. then: receives it."""
    dialog = QInputDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(then)
    dialog.open()  # opening makes the dialog's buttons
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    confirm = buttons.button(QDialogButtonBox.StandardButton.Ok)
    confirm.setEnabled(bool(proper_name(name)))
    dialog.textValueChanged.connect(lambda text: confirm.setEnabled(bool(proper_name(text))))


def ask_whether(window: QWidget, title: str, text: str, do: str, then: Callable[[], object], more: str = "") -> None:
    """Ask before something is lost. do: text of the button to confirm."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, parent=window)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(more)
    doing = box.addButton(do, QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    doing.clicked.connect(lambda: then())
    box.open()


def push_button(text: str, call: Callable[[], object]) -> QPushButton:
    """Make a button that Enter in a field does not press."""
    button = QPushButton(text, autoDefault=False)
    button.clicked.connect(lambda: call())
    return button


def tool_button(action: QAction) -> QToolButton:
    """Make an action's button."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def shrink(widget: QWidget) -> None:
    """Use a smaller font."""
    font = widget.font()
    font.setPointSizeF(SMALL * font.pointSizeF())
    widget.setFont(font)


@contextmanager
def signals_blocked(*objects: QObject) -> Iterator[None]:
    """Block the signals of these objects."""
    with ExitStack() as stack:
        for each in objects:
            stack.enter_context(QSignalBlocker(each))
        yield


def local_files(data: QMimeData) -> list[Path]:
    """Return dragged files."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def pasted_files(data: QMimeData) -> list[Path]:
    """Return copied files, or lines of paths or file URLs."""
    found = local_files(data)
    if found or not data.hasText():
        return found
    lines = [line.strip().strip("\"'") for line in data.text().splitlines()]
    urls = [QUrl(line).toLocalFile() if line.startswith("file:") else line for line in lines]
    return [path for path in map(Path, filter(None, urls)) if path.is_absolute()]


def accept_copy(event: QDropEvent) -> bool:
    """Accept dragged files as a copy, and return whether there are any.

    If a move is proposed and accepted, the source deletes its files.
    """
    if not local_files(event.mimeData()) or not event.possibleActions() & Qt.DropAction.CopyAction:
        return False
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
    return True


def style_files(data: QMimeData) -> list[Path]:
    """Return dragged networks, pictures and folders of painted frames."""
    return [path for path in local_files(data) if path.suffix.lower() in FILES or is_keys(str(path))]


def look_files(data: QMimeData) -> list[Path]:
    """Return dragged looks that contain their files."""
    return [path for path in local_files(data) if path.suffix.lower() == LOOK_SUFFIX]


def tip_files(data: QMimeData) -> list[Path]:
    """Return dragged files that may be brush tips."""
    return [path for path in local_files(data) if path.suffix.lower() in TIPS]


SHORTEST_PX = 44
"""The minimum width of a slider, enough to be moved."""

AROUND_SHEET_PX = 150
"""The share of a screen's height that a dialog's title bar, margins and buttons take."""


class Column(QScrollArea):
    """Vertical scroll area, never narrower than its content."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = inside
        self.setWidget(inside)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self._inside.minimumSizeHint().width() + bar, 10 * SPACE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class Sheet(Column):
    """Content of a dialog, which scrolls on a low screen.

    Fill it after adding it to the dialog: Qt restyles all content of a widget that gets a parent.
    """

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Include wrapping labels, which Qt omits."""
        inside = self._inside
        least = super().minimumSizeHint()
        width = max(least.width(), self.width() if self.isVisible() else 0)
        wanted = inside.heightForWidth(width) if inside.hasHeightForWidth() else inside.sizeHint().height()
        return QSize(least.width(), min(wanted, self.screen().availableGeometry().height() - AROUND_SHEET_PX))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.minimumSizeHint()


class FileName(QLabel):
    """File name, elided in the middle, in full as tooltip."""

    def __init__(self, name: str, tip: str) -> None:
        super().__init__(name, textFormat=Qt.TextFormat.PlainText)
        self.setToolTip(tip)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(5 * self.fontMetrics().averageCharWidth(), super().minimumSizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        QPainter(self).drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


class Slider(QSlider):
    """Slider with a handle that jumps to a click."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        WheelToColumn(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        option = QStyleOptionSlider()
        self.initStyleOption(option)

        def place(part: QStyle.SubControl) -> QRect:
            return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)

        groove, handle = place(QStyle.SubControl.SC_SliderGroove), place(QStyle.SubControl.SC_SliderHandle)
        at = event.position().toPoint()
        if event.button() is Qt.MouseButton.LeftButton and not handle.contains(at):
            offset, span = at.x() - groove.x() - handle.width() // 2, groove.width() - handle.width()
            self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), offset, span))
        super().mousePressEvent(event)


class RowName(QLabel):
    """Name of a control; names of a column share one width."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setContentsMargins(0, 0, SPACE // 2, 0)


class Disclosure(QToolButton):
    """Button with an arrow that shows or hides a widget."""

    def __init__(self, text: str, hidden: QWidget) -> None:
        super().__init__(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setObjectName("disclosure")
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._hidden = hidden
        self.toggled.connect(self._show)
        self._show(False)

    def open_around(self, widget: QWidget) -> None:
        """Open if the hidden part holds a widget."""
        if self._hidden.isAncestorOf(widget):
            self.setChecked(True)

    def _show(self, on: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self._hidden.setVisible(on)


class LabelledSlider(QWidget):
    """Name, slider and value as text, reset by a double click."""

    moved = Signal(float)

    def __init__(
        self,
        name: str,
        low: int,
        high: int,
        start: int,
        *,
        per_unit: float,
        to_text: Callable[[float], str],
        tip: str,
        bipolar: bool = False,
        inline: bool = False,
        alone: bool = False,
    ) -> None:
        """Create the row.

        per_unit: steps per 1.0. bipolar: a neutral middle, so no part is filled. inline: everything in one row, for
        `in_columns`. alone: no name.
        """
        super().__init__()
        self._per_unit, self._to_text = per_unit, to_text
        self.alone, self.name, self.value_label = alone, RowName(name), QLabel()
        if alone:  # never setVisible(True): without a parent yet, that would open a window
            self.name.hide()
        self.value_label.setObjectName("faint")
        self.value_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.value_label.setToolTip(self.tr("Double-click to reset"))
        self.value_label.installEventFilter(self)
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.set_scale(low, high, start)
        self.slider.setProperty("bipolar", bipolar)
        self.slider.setAccessibleName(name)
        self.slider.setMinimumWidth(SHORTEST_PX)
        for widget in (self.name, self.slider):
            widget.setToolTip(tip)
        self.name.setBuddy(self.slider)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(SPACE // 2)
        layout.setVerticalSpacing(SPACE // 4)
        layout.addWidget(self.name, 0, 0)
        layout.addWidget(self.value_label, 0, 2)
        layout.addWidget(self.slider, *((0, 1) if inline else (1, 0, 1, 3)))
        self.slider.valueChanged.connect(self._moved)
        self.slider.setValue(start)
        self._moved(start)

    @property
    def value(self) -> float:
        return self.slider.value() / self._per_unit

    def show_value(self, value: float) -> None:
        with signals_blocked(self.slider):
            self.slider.setValue(round(value * self._per_unit))
        self.show_text()

    def show_text(self) -> None:
        text = self._to_text(self.value)
        self.value_label.setText(text)
        self.slider.setAccessibleDescription(text)

    @property
    def value_px(self) -> int:
        """Width that the value's text needs."""
        width = self.value_label.fontMetrics().horizontalAdvance
        values = (self.slider.minimum(), self._start, self.slider.maximum())
        widest = max(width(self._to_text(value / self._per_unit)) for value in values)
        return widest + 2  # a label rounds up

    def add(self, widget: QWidget) -> None:
        """Add a widget behind the value."""
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addWidget(widget, 0, 3)
        self.setTabOrder(self.slider, widget)

    def reset(self) -> None:
        """Return to the start value."""
        self.slider.setValue(self._start)

    def set_scale(self, low: int, high: int, start: int) -> None:
        """Change range and start value without a signal; then call `show_value`."""
        self._start = start
        with signals_blocked(self.slider):
            self.slider.setRange(low, high)
            self.slider.setPageStep(max(1, (high - low) // 10))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            self.reset()
            return True
        return super().eventFilter(watched, event)

    def _moved(self, step: int) -> None:
        self.show_text()
        self.moved.emit(step / self._per_unit)


def in_columns(sliders: Sequence[LabelledSlider], names: Sequence[RowName]) -> None:
    """Align the edges of several rows' controls and sliders."""
    name_px = max((name.sizeHint().width() for name in names), default=0)
    value_px = max((each.value_px for each in sliders), default=0)
    for name in names:
        name.setFixedWidth(name_px)
    for each in sliders:
        each.value_label.setFixedWidth(each.value_px if each.alone else value_px)


def application() -> QApplication:
    """Return the running application."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


class KeysToFocus(QObject):
    """Lets the focused widget use its keys before shortcuts."""

    def follow(self, left: QWidget | None, entered: QWidget | None) -> None:
        if left is not None:
            left.removeEventFilter(self)
        if entered is not None:
            entered.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.ShortcutOverride:
            key = event.key()  # type: ignore[attr-defined]  # it is a QKeyEvent
            plain = event.modifiers() in (  # type: ignore[attr-defined]
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.ShiftModifier,
                Qt.KeyboardModifier.KeypadModifier,
            )
            if plain and _wants(watched, Qt.Key(key)):
                event.accept()
                return True
        return False


def _wants(widget: QObject, key: Qt.Key) -> bool:
    if isinstance(widget, QLineEdit | QPlainTextEdit | QAbstractSpinBox):
        return key not in (Qt.Key.Key_Escape, Qt.Key.Key_F1)
    if isinstance(widget, QAbstractSlider | QAbstractItemView | QComboBox):
        return key in MOVING_KEYS or (key == Qt.Key.Key_Space and not isinstance(widget, QAbstractSlider))
    if isinstance(widget, QAbstractButton) and widget.group() is not None and key in MOVING_KEYS:
        return True  # to the next of the group
    return key == Qt.Key.Key_Space and widget.inherits("QAbstractButton")
