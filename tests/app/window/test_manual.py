"""The documentation in a window: pages, sections, links, search."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QTextCursor, QTextFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.window.manual import pages as manual
from framebrush.window.manual.window import MARKDOWN, ManualWindow, PageBrowser
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

DOCS = Path(__file__).parents[3] / "docs"
LEFT_OUT = {"gallery", "how-it-works", "measured"}
"""Pictures, a page for engineers with drawings, figures."""


class Desktop(QObject):
    """Takes the addresses that the desktop would open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.opened.append(url.toString())


def open_page(desk: Desk, page: str) -> ManualWindow:
    """Choose a page in the menu, by hand."""
    hand, menus = Hand(desk), desk.window.menus
    bar = desk.window.menuBar()
    hand.click(bar, bar.actionGeometry(bar.actions()[-1]).center())
    hand.choose(menus.pages.menuAction())
    desk.wait(menus.pages.isVisible, "the list of pages")
    hand.choose(menus.pages.actions()[manual.PAGES.index(page)])
    desk.wait(lambda: bool(desk.window.findChildren(ManualWindow)), "the documentation")
    found: ManualWindow = desk.window.findChildren(ManualWindow)[0]
    desk.wait(lambda: found.page.source().toString() == f"{page}.md", "the page")
    return found


def click_link(found: ManualWindow, target: str) -> None:
    """Click the first link to a target."""
    cursor = QTextCursor(found.page.document())
    while cursor.charFormat().anchorHref() != target:
        assert cursor.movePosition(QTextCursor.MoveOperation.NextCharacter), target
    found.page.setTextCursor(cursor)
    found.page.ensureCursorVisible()
    QTest.mouseClick(found.page.viewport(), Qt.MouseButton.LeftButton, pos=found.page.cursorRect(cursor).center())


def heading_at_top(found: ManualWindow) -> str:
    return str(found.page.cursorForPosition(QPoint(40, 12)).block().text())


def test_every_page_of_docs_is_listed_or_left_out() -> None:
    assert {page.stem for page in DOCS.glob("*.md")} == set(manual.PAGES) | LEFT_OUT
    assert manual.FOLDER == DOCS


def test_links_of_pages_lead_to_sections_and_pictures_are_left_out() -> None:
    links = {section.link for page in manual.PAGES for section in manual.sections(page)}
    for page in manual.PAGES:
        text = manual.text_of(page)
        assert "![" not in text
        for target in manual.LINK.findall(text):
            where = target[1]
            if "://" not in where:
                assert (f"{page}.md{where}" if where.startswith("#") else where) in links, f"{page}: {where}"


def test_a_comment_in_code_is_no_section() -> None:
    titles = [section.title for section in manual.sections("guide")]
    assert titles[:2] == ["Guide", "Paint a video"]
    assert "the default style, on the best device here" not in " ".join(titles)


def test_code_has_a_background_and_space_around_it(application: QApplication) -> None:
    """Many pages begin with it; a heading has space only."""
    page = PageBrowser()
    page.setSource(QUrl("guide.md"), MARKDOWN)
    block, seen = page.document().begin(), set[str]()
    while block.isValid():
        form = block.blockFormat()
        is_code = form.hasProperty(QTextFormat.Property.BlockCodeFence.value)
        assert (form.background() == page.palette().window()) == is_code, block.text()
        assert not (is_code and form.nonBreakableLines())
        kind = "code" if is_code else "heading" if form.headingLevel() else "text"
        if kind not in seen and kind != "text":
            assert form.topMargin() > 0, block.text()
        seen.add(kind)
        block = block.next()
    assert seen == {"code", "heading", "text"}


def test_pages_are_read_and_their_links_work(desk: Desk) -> None:
    found = open_page(desk, "guide")
    assert heading_at_top(found) == "Guide"
    click_link(found, "styles.md")
    desk.wait(lambda: found.page.source().toString() == "styles.md", "the other page")
    assert found.list.currentItem().text(0) == "Styles"
    found.page.backward()
    assert found.page.source().toString() == "guide.md"
    click_link(found, "editing.md#hdr")
    assert found.page.source().toString() == "editing.md#hdr"
    assert heading_at_top(found) == "HDR"
    assert found.list.currentItem().text(0) == "HDR"
    assert open_page(desk, "devices") is found


def test_only_a_click_lets_the_desktop_open_an_address(desk: Desk) -> None:
    desktop = Desktop()
    QDesktopServices.setUrlHandler("https", desktop, "take")
    try:
        found = open_page(desk, "vapoursynth")
        desk.rest(0.1)
        assert desktop.opened == []
        click_link(found, "https://www.vapoursynth.com")
        assert desktop.opened == ["https://www.vapoursynth.com"]
        assert found.page.source().toString() == "vapoursynth.md"
    finally:
        QDesktopServices.unsetUrlHandler("https")


def test_the_search_lists_sections_and_goes_from_place_to_place(desk: Desk) -> None:
    found = open_page(desk, "window")
    desk.wait(found.search.hasFocus, "the focus")
    QTest.keyClicks(found.search, "stroke size")
    listed = [section.title for section, item in found.items if not item.isHidden()]
    assert "Choose a painting" in listed
    assert "Markers" not in listed
    places = set()
    for _ in range(4):
        cursor = found.page.textCursor()
        assert cursor.selectedText().lower() == "stroke size"
        places.add((found.page.source().path(), cursor.position()))
        QTest.keyClick(found.search, Qt.Key.Key_Return)
    assert len(places) > 2
    assert {path for path, _ in places} > {"window.md"}
    found.search.clear()
    assert not any(item.isHidden() for _, item in found.items)
    QTest.keyClicks(found.search, "ffmpeg")  # on the next page, and on later ones
    QTest.keyClick(found.search, Qt.Key.Key_Return)
    desk.wait(lambda: found.page.source().path() == "guide.md", "the next page")
    places.clear()
    for start in (QTextCursor.MoveOperation.Start, QTextCursor.MoveOperation.End):
        found.page.moveCursor(start)
        found.page.mark("ffmpeg")  # after the last one comes the first
        assert found.page.textCursor().selectedText().lower() == "ffmpeg"
        places.add(("", found.page.textCursor().position()))
    assert len(places) == 1
