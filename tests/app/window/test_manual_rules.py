"""The documentation's window by itself: its list, its search, and the places of words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QPalette, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.window.manual import pages, window
from framebrush.window.manual.window import HEIGHT_PX, LIST_PX, MARKDOWN, WIDTH_PX, ManualWindow, PageBrowser, show_page
from framebrush.window.widgets.theme import SPACE
from tests.app.window.test_dialogs import unnamed

pytestmark = pytest.mark.unit


@pytest.fixture
def manual(application: QApplication) -> Iterator[ManualWindow]:
    parent = QWidget()
    show_page(parent, "guide")
    yield parent.findChildren(ManualWindow)[0]
    shiboken6.delete(parent)


def shown(manual: ManualWindow) -> dict[str, bool]:
    """Return links of the listed sections, and whether each is unfolded."""
    return {section.link: item.isExpanded() for section, item in manual.items if not item.isHidden()}


def test_pages_and_sections_are_listed_and_named(manual: ManualWindow) -> None:
    assert manual.isVisible()
    assert unnamed(manual) == []
    assert manual.list.accessibleName() == "Pages and sections"
    assert manual.search.isClearButtonEnabled()
    assert manual.list.isHeaderHidden()
    assert manual.search.parentWidget().width() == LIST_PX
    room = manual.screen().availableGeometry()
    assert manual.width() == min(WIDTH_PX, room.width() - 4 * SPACE)
    assert manual.height() <= min(HEIGHT_PX, room.height())
    tops = [manual.list.topLevelItem(row).text(0) for row in range(manual.list.topLevelItemCount())]
    assert tops == [pages.title_of(page) for page in pages.PAGES]
    for section, item in manual.items:
        depth, above = 1, item.parent()
        while above is not None:
            depth, above = depth + 1, above.parent()
        assert depth == section.level
        assert item.toolTip(0) == item.text(0) == section.title
    assert not any(shown(manual).values())  # folded


def test_a_chosen_section_is_shown_from_its_heading(manual: ManualWindow) -> None:
    assert manual.list.currentItem().text(0) == pages.title_of("guide")
    first, later = [(section, item) for section, item in manual.items if section.page == "styles"][:2]
    manual.list.setCurrentItem(later[1])
    assert manual.page.source().toString() == later[0].link
    assert manual.page.textCursor().block().text() == later[0].title
    manual.list.setCurrentItem(first[1])
    assert manual.page.verticalScrollBar().value() == 0
    assert manual.page.textCursor().position() == 0
    manual.page.setSource(QUrl("styles.md#no-such-section"), MARKDOWN)
    assert manual.page.textCursor().position() == 0
    assert manual.page.loadResource(2, QUrl("styles.md")) is None  # no picture
    assert manual.page.loadResource(MARKDOWN.value, QUrl("/etc/passwd")) is None
    parent = manual.parentWidget()
    assert parent is not None
    show_page(parent, "devices")
    assert parent.findChildren(ManualWindow) == [manual]
    assert manual.list.currentItem().text(0) == pages.title_of("devices")


def test_the_search_lists_unfolds_and_goes_on(manual: ManualWindow) -> None:
    every = shown(manual)
    manual.search.setText("  PRORES ")
    found = shown(manual)
    assert 0 < len(found) < len(every)
    assert all(found.values())  # unfolded
    matching = {section.link for section, _ in manual.items if "prores" in f"{section.title}\n{section.words}".lower()}
    assert matching <= set(found)
    seen = set[str]()
    for _ in range(60):
        assert manual.page.textCursor().selectedText().lower() == "prores"
        seen.add(manual.page.source().path())
        QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert seen == {link.partition("#")[0] for link in matching}  # of the last page it goes on to the first
    manual.search.setText("no such words anywhere")
    assert shown(manual) == {}
    place = manual.page.source()
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.page.source() == place
    manual.search.clear()
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert (set(shown(manual)), any(shown(manual).values())) == (set(every), False)
    assert manual.page.extraSelections() == []


def test_every_place_of_a_text_is_marked_and_one_selected(
    application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PageBrowser()
    page.setSource(QUrl("guide.md"), MARKDOWN)
    count = page.document().toPlainText().lower().count("frame")
    page.mark("frame")
    marks = page.extraSelections()
    assert len(marks) == count > 3
    assert all(each.format.fontUnderline() for each in marks)  # type: ignore[attr-defined]
    assert marks[0].format.background().color() == page.palette().color(QPalette.ColorRole.AlternateBase)  # type: ignore[attr-defined]
    first = page.textCursor().selectionStart()
    page.mark("frame")
    assert page.textCursor().selectionStart() == first  # as it is typed
    page.moveCursor(QTextCursor.MoveOperation.End)
    page.mark("frame")
    assert page.textCursor().selectionStart() == first
    page.mark("no such words")
    assert page.extraSelections() == []
    monkeypatch.setattr(window, "MOST_MARKS", 3)
    page.mark("frame")
    assert len(page.extraSelections()) == 3
    page.mark("")
    assert page.extraSelections() == []


def test_a_page_has_the_colours_of_another_theme_at_once(application: QApplication) -> None:
    page = PageBrowser()
    palette = page.palette()
    palette.setColor(QPalette.ColorRole.Window, "#123456")
    page.setPalette(palette)  # without a page
    page.setSource(QUrl("guide.md"), MARKDOWN)
    palette.setColor(QPalette.ColorRole.Window, "#654321")
    palette.setColor(QPalette.ColorRole.Mid, "#abcdef")
    page.setPalette(palette)
    block, grounds = page.document().begin(), set[str]()
    while block.isValid():
        if block.blockFormat().background().style() != Qt.BrushStyle.NoBrush:
            grounds.add(block.blockFormat().background().color().name())
        block = block.next()
    assert grounds == {"#654321"}
    tables = [frame.frameFormat() for frame in page.document().rootFrame().childFrames()]
    assert {table.borderBrush().color().name() for table in tables} == {"#abcdef"}
    assert all(table.bottomMargin() > table.topMargin() > 0 for table in tables)
