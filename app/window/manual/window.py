"""Window of the documentation, with a search."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextBlock, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from framebrush.window.manual import pages
from framebrush.window.manual.pages import Section
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import AROUND_SHEET_PX
from framebrush.window.widgets.theme import SPACE

LIST_PX, WIDTH_PX, HEIGHT_PX = 250, 980, 700
MOST_MARKS = 500
MARKDOWN = QTextDocument.ResourceType.MarkdownResource


class PageBrowser(QTextBrowser):
    """Page of the documentation; other links open in the desktop's browser."""

    def __init__(self) -> None:
        super().__init__(openLinks=False)
        self.document().setDocumentMargin(2 * SPACE)
        self.anchorClicked.connect(self._follow)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: ANN401, N802 - Qt's
        """Return a page's Markdown; nothing else is read."""
        page = pages.name_of(QUrl(name).path())
        return pages.text_of(page) if page and kind == MARKDOWN.value else None

    def doSetSource(self, name: QUrl | str, type: QTextDocument.ResourceType = MARKDOWN) -> None:  # noqa: A002, N802
        """Show a page from the link's section; Qt makes no anchors of headings."""
        super().doSetSource(name, type)
        self._dress()
        section = QUrl(name).fragment()
        block = self._heading(section) if section else self.document().begin()
        self.setTextCursor(QTextCursor(block))
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) if section else 0)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and not self.source().isEmpty():
            self.reload()  # the page has colours of the former theme

    def _dress(self) -> None:
        palette, block = self.palette(), self.document().begin()
        while block.isValid():
            form = block.blockFormat()
            is_code = form.hasProperty(QTextFormat.Property.BlockCodeFence.value)
            if is_code:
                form.setNonBreakableLines(False)
                form.setBackground(palette.window())
            if is_code or form.headingLevel():
                before, after = block.previous().blockFormat(), block.next().blockFormat()
                inside = QTextFormat.Property.BlockCodeFence.value
                form.setTopMargin(0 if is_code and before.hasProperty(inside) else 2 * SPACE)
                form.setBottomMargin(0 if is_code and after.hasProperty(inside) else SPACE)
                QTextCursor(block).setBlockFormat(form)
            block = block.next()
        for frame in self.document().rootFrame().childFrames():
            table = frame.frameFormat()
            table.setTopMargin(SPACE)
            table.setBottomMargin(2 * SPACE)
            table.setBorderBrush(palette.mid())
            frame.setFrameFormat(table)

    def _heading(self, anchor: str) -> QTextBlock:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and pages.anchor(block.text()) == anchor:
                return block
            block = block.next()
        return self.document().begin()

    def _follow(self, url: QUrl) -> None:
        if pages.name_of(url.path()):
            self.setSource(url, MARKDOWN)
        else:
            QDesktopServices.openUrl(url)

    def mark(self, text: str) -> None:
        """Mark a text's places and go to the next one."""
        marks: list[QTextEdit.ExtraSelection] = []
        found = self.document().find(text) if text else QTextCursor()
        while not found.isNull() and len(marks) < MOST_MARKS:
            mark: Any = QTextEdit.ExtraSelection()
            mark.cursor = found
            mark.format.setBackground(self.palette().alternateBase())
            mark.format.setFontUnderline(True)
            marks.append(mark)
            found = self.document().find(text, found)
        self.setExtraSelections(marks)
        cursor = self.textCursor()
        cursor.setPosition(cursor.selectionStart())  # so that a text that is being typed stays where it is
        self.setTextCursor(cursor)
        if text and not self.find(text) and marks:
            self.setTextCursor(QTextCursor(self.document()))
            self.find(text)


class ManualWindow(QDialog):
    """List of pages and sections, and the chosen page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Documentation"))
        available = self.screen().availableGeometry().size()
        self.resize(min(WIDTH_PX, available.width() - 4 * SPACE), min(HEIGHT_PX, available.height() - AROUND_SHEET_PX))
        self.search, self.list, self.page = QLineEdit(), QTreeWidget(), PageBrowser()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search the documentation"))
        self.search.setClearButtonEnabled(True)
        self.list.setAccessibleName(self.tr("Pages and sections"))
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.page.setAccessibleName(self.tr("Page"))
        left = QWidget()
        left.setFixedWidth(LIST_PX)
        fill(QVBoxLayout(left), self.search, self.list, around=0, between=SPACE)
        fill(QHBoxLayout(self), left, self.page, around=SPACE, between=SPACE, grows=self.page)
        self.items: list[tuple[Section, QTreeWidgetItem]] = []
        self._fill()
        self.list.currentItemChanged.connect(self._choose)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._go_on)
        self.page.sourceChanged.connect(self._follow)
        self.search.setFocus()

    def show_page(self, page: str) -> None:
        self.page.setSource(QUrl(f"{page}.md"), MARKDOWN)

    def _fill(self) -> None:
        for page in pages.PAGES:
            parents: list[QTreeWidgetItem] = []
            for section in pages.sections(page):
                del parents[section.level - 1 :]
                item = QTreeWidgetItem(parents[-1] if parents else self.list, [section.title])
                item.setToolTip(0, section.title)
                parents.append(item)
                self.items.append((section, item))

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        chosen = next((section for section, each in self.items if each is item), None)
        if chosen is not None:
            self.page.setSource(QUrl(chosen.link), MARKDOWN)
            self.page.mark(self.search.text().strip())

    def _follow(self, url: QUrl) -> None:
        for section, item in self.items:
            if section.link == url.toString():
                self.list.blockSignals(True)
                self.list.setCurrentItem(item)
                self.list.blockSignals(False)

    def _filter(self, text: str) -> None:
        found = self._with(text)
        for _, item in self.items:
            item.setHidden(True)
        for _, item in found:
            shown: QTreeWidgetItem | None = item
            while shown is not None:
                shown.setHidden(False)
                shown.setExpanded(bool(text.strip()))
                shown = shown.parent()
        self.page.mark(text.strip())

    def _with(self, text: str) -> list[tuple[Section, QTreeWidgetItem]]:
        wanted = text.strip().lower()
        return [each for each in self.items if wanted in f"{each[0].title}\n{each[0].words}".lower()]

    def _go_on(self) -> None:
        """Go to the text's next place, also on later pages."""
        text, here = self.search.text().strip(), pages.name_of(self.page.source().path())
        if not text or self.page.find(text):
            return
        at = pages.PAGES.index(here)
        others = (*pages.PAGES[at + 1 :], *pages.PAGES[: at + 1])
        found = sorted(self._with(text), key=lambda each: others.index(each[0].page))
        if found:
            self.list.setCurrentItem(found[0][1])


def show_page(parent: QWidget, page: str) -> None:
    """Show a page in the documentation's window."""
    window = parent.findChild(ManualWindow) or ManualWindow(parent)
    window.show_page(page)
    window.show()
    window.raise_()
    window.activateWindow()
