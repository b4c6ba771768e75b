"""Every text that a person can see goes through a translator, and the translations are whole."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QListWidget,
    QMenu,
    QTabWidget,
    QWidget,
)

from framebrush.media.live.camera_list import Devices
from framebrush.models.library import bundled, card_of
from framebrush.playback import engine, events, film_screen, player, recorder
from framebrush.playback.display import screen
from framebrush.window.application import TRANSLATIONS
from framebrush.window.exports.export_queue import State
from framebrush.window.picture.statistics import StatisticsOverlay
from framebrush.window.styles.catalog import catalog
from framebrush.window.transport.camera_dialog import CameraDialog
from tests.app.window.conftest import CLIPS, Desk, speaking
from tests.app.window.exports.test_exports import job

pytestmark = pytest.mark.media

NUMBERS = re.compile(r"[\d\s.,:/×x%–·+=-]*|\(?.?\)?")
"""Numbers, sizes, times and what stands between them, as the whole text; or one key, such as S."""

NAMES = {
    *("Framebrush", "Reinhard", "Hable", "BT.2390", "English", "Deutsch"),
    *("H.264", "HEVC", "AV1", "VP9", "ProRes", "DNxHR", "CineForm", "FFV1", "Ut Video", "GIF", "WebP"),
}
"""Of people, standards, codecs and this program."""


class Brackets(QTranslator):
    """A language in which every text is itself in brackets."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"⟦{text}⟧"


@pytest.fixture
def bracketed(application: QApplication) -> Iterator[None]:
    translator = Brackets()
    application.installTranslator(translator)
    yield
    application.removeTranslator(translator)


def texts(widget: QWidget | QAction) -> Iterator[str]:
    """Yield the texts of a widget or action that a person reads or hears."""
    yield from (widget.toolTip(), widget.statusTip(), widget.whatsThis())
    if isinstance(widget, QAction):
        yield widget.text()
        return
    yield from (widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, QDialog):
        yield widget.windowTitle()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QMenu):
        yield widget.title()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(index) for index in range(widget.count()))
    if isinstance(widget, QTabWidget):
        yield from (widget.tabText(index) for index in range(widget.count()))
    if isinstance(widget, QListWidget):
        for row in range(widget.count()):
            yield from (widget.item(row).text(), widget.item(row).toolTip())


def untranslated(top: QWidget, data: set[str]) -> list[str]:
    """Lines of a window that no translator saw and that are no names, numbers or data."""
    found = []
    things: list[QWidget | QAction] = [top, *top.findChildren(QWidget), *top.findChildren(QAction)]
    for thing in things:
        if isinstance(thing, QWidget) and thing.objectName().startswith("qt_scrollarea"):
            continue
        if isinstance(thing.parent(), StatisticsOverlay):
            continue  # its rows are looked at by themselves
        for text in texts(thing):
            rest = text
            while rest != (rest := re.sub("⟦[^⟦⟧]*⟧", "", rest)):
                pass
            for line in map(str.strip, rest.splitlines()):
                if line not in data | NAMES and not NUMBERS.fullmatch(line):
                    found.append(f"{type(thing).__name__}: {line!r} of {text!r}")
    return sorted(set(found))


@pytest.mark.slow
@pytest.mark.usefixtures("bracketed")
def test_every_text_goes_through_a_translator(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    assert [offer.title for offer in catalog([]) if not offer.title.startswith("⟦") and offer.name != "none"] == []
    cards = {card_of(path).licence for path in bundled().values()}
    device_names = {"cfr.mp4", f"<qt>{CLIPS / 'cfr.mp4'}</qt>", str(tmp_path / "out.mp4"), "out.mp4"}
    window.player.list_devices()
    desk.open("cfr.mp4")
    desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")
    desk.key("1")
    desk.wait(lambda: bool(window.inspector.gallery.blend.sliders), "the blend")
    desk.key("i")
    window.player.play(True)
    desk.wait(lambda: window.overlays.statistics.text().count("\n") > 4, "the figures")
    window.player.play(False)
    desk.settle()  # or the dialog of exports waits for the frame at which it stops
    assert [row for row in window.overlays.statistics.text().splitlines()[2:] if row and not row.startswith("⟦")] == []
    desk.exports.stop()
    for state in State:
        made = job(tmp_path)
        made.state = state
        desk.exports.queue.jobs.append(made)
        desk.exports.changed.emit(made)
        desk.exports.progressed.emit(made, {"frame": 3, "frames": 9, "fps": 1.5, "left_s": 4.0})
    desk.exports.begin()
    device = window.player.engine.presenter.device.info.name
    assert window.session.opened is not None
    info = window.session.opened.info
    data = cards | device_names | {device, str(info.path), f"{info.format.width} × {info.format.height}   h264"}
    statistics = window.findChildren(StatisticsOverlay)
    assert statistics
    missing = [line for line in untranslated(window, data) if not line.startswith("StatisticsOverlay")]
    assert not missing, "\n".join(missing)
    window.actions_["help"].trigger()
    window.exporting.ask()
    window.messages.show_notification(events.Notification.of(player.NOT_SHOWN, ValueError("why"), reason="why"))
    window.messages.show_details()
    dialogs = window.findChildren(QDialog)
    assert len(dialogs) == 3
    desk.rest(0.2)
    for dialog in dialogs:
        assert untranslated(dialog, data | {"cfr.mp4   ·"}) == []
        dialog.reject()
    window.session.events.dispatch(events.Closed())
    desk.rest(0.1)
    assert [line for line in untranslated(window, data) if not line.startswith("StatisticsOverlay")] == []
    desk.exports.queue.jobs.clear()


@pytest.mark.slow
@pytest.mark.usefixtures("bracketed")
def test_every_text_of_a_live_source_goes_through_a_translator(desk: Desk) -> None:
    window, source = desk.window, "live:testsrc2=size=64x48"
    window.opening.open(source)
    desk.wait(lambda: window.session.opened is not None, "the source")
    window.actions_["open-camera"].trigger()
    (dialog,) = window.findChildren(QDialog)
    assert isinstance(dialog, CameraDialog)
    assert untranslated(dialog, set()) == []
    desk.wait(dialog.refresh_button.isEnabled, "the list")
    dialog.show_devices(Devices())
    assert untranslated(dialog, set()) == []
    dialog.reject()
    window.session.events.dispatch(events.Recording(True, 1.0))
    assert untranslated(window.transport, {source}) == []
    assert window.actions_["record"].text() == "⟦Stop recording⟧"


@pytest.mark.usefixtures("bracketed")
@pytest.mark.parametrize("room", [engine, film_screen, player, recorder, screen])
def test_what_the_player_says_is_translated(desk: Desk, room: object) -> None:
    templates = [text for name, text in vars(room).items() if name.isupper() and isinstance(text, str) and " " in text]
    assert len(templates) >= 2
    for template in templates:
        values = {name: f"<{name}>" for name in re.findall(r"{(\w+)}", template)}
        desk.window.messages.show_notification(events.Notification.of(template, ValueError(), **values))
        assert desk.window.messages.text == f"⟦{template}⟧".format(**values)
    desk.window.messages.show_notification(events.Notification("{name} is a file's name", severity="problem"))
    assert desk.window.messages.text == "{name} is a file's name"


def test_the_player_says_nothing_that_is_not_listed() -> None:
    """The player's own sentences are marked for translators; others come from the rooms below."""
    for room in (engine, film_screen, player, recorder, screen):
        source = Path(room.__file__).read_text(encoding="utf-8")
        assert not re.search(r'Notification(\.of)?\(\s*f?"', source)


Message = tuple[str, str, bool]
"""Context, source text, whether it has plural forms."""


def tool(name: str, *arguments: str) -> None:
    """Run one of Qt's tools for translators, which come with PySide6."""
    program = Path(sys.executable).with_name(f"pyside6-{name}" + (".exe" if sys.platform == "win32" else ""))
    done = subprocess.run([str(program), "-silent", *arguments], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def messages(path: Path) -> dict[Message, ElementTree.Element]:
    return {
        (context.findtext("name") or "", message.findtext("source") or "", message.get("numerus") == "yes"): message
        for context in ElementTree.parse(path).getroot().findall("context")
        for message in context.findall("message")
    }


@pytest.mark.parametrize("path", sorted(TRANSLATIONS.glob("*.ts")), ids=lambda path: path.stem)
def test_translations_are_whole_and_of_today(path: Path, tmp_path: Path) -> None:
    """A failure here is mended as CONTRIBUTING.md says under "A language"."""
    found = tmp_path / "found.ts"
    only = ["-pluralonly"] if path.stem.endswith("_en") else []
    root = Path(__file__).parents[3]
    folders = [str(root / folder) for folder in ("app/window", "app/playback", "app/styles", "gpu/look.py")]
    tool("lupdate", *only, "-extensions", "py", *folders, "-ts", str(found))
    written = messages(path)
    assert set(written) == set(messages(found))
    for (context, source, plural), message in written.items():
        translation = message.find("translation")
        assert translation is not None
        assert translation.get("type") is None, f"{context}: {source!r} is {translation.get('type')}"
        forms = [form.text or "" for form in translation.findall("numerusform")] if plural else [translation.text or ""]
        for form in forms:
            assert form, f"{context}: {source!r} has no translation"
            assert sorted(re.findall("{.*?}|%n", form)) == sorted(re.findall("{.*?}|%n", source)), form
            assert form.endswith("…") == source.endswith("…"), form
    made = tmp_path / "made.qm"
    tool("lrelease", str(path), "-qm", str(made))
    assert path.with_suffix(".qm").read_bytes() == made.read_bytes(), "the .qm is not made of this .ts"


@pytest.mark.slow
def test_the_language_is_that_of_the_desktop(application: QApplication, tmp_path: Path) -> None:
    with speaking(application, "de_AT"):
        desk = Desk(tmp_path / "de")
        assert desk.window.actions_["quit"].text() == "Beenden"
        assert desk.window.actions_["quit"].toolTip() == "Beenden (Strg+Q)"  # Qt's own words too
        assert "1,25×" in [desk.window.transport.speed.itemText(index) for index in range(9)]
        desk.close()
    for locale, count, said in (
        ("de_DE", 1, "1 Export wurde"),
        ("en_US", 1, "1 export did"),
        ("is_IS", 2, "2 exports"),
    ):
        with speaking(application, locale):
            desk = Desk(tmp_path / f"{locale}{count}")
            queue = desk.exports.queue
            queue.jobs = [job(tmp_path) for _ in range(count)]
            for made in queue.jobs:
                made.state = State.INTERRUPTED
            desk.exports.begin()
            assert said in desk.window.notes.text
            desk.close()


def test_translations_are_installed_with_the_program() -> None:
    root = Path(__file__).parents[3]
    with (root / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["framebrush.window"]
    installed = {path.resolve() for pattern in patterns for path in (root / "app" / "window").glob(pattern)}
    compiled = {path.with_suffix(".qm").resolve() for path in TRANSLATIONS.glob("*.ts")}
    assert len(compiled) >= 2
    assert compiled <= installed
