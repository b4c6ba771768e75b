"""Text, sections and links of the documentation's pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGES = (
    *("window", "guide", "options", "styles", "style-from-a-picture", "making-a-style", "painted-keys", "strokes"),
    *("editing", "devices", "clusters", "compositors", "vapoursynth", "comfyui", "licences", "glossary"),
)
"""Names in the order of the menu. Pages of little but pictures, which do not ship, are left out."""

_INSTALLED = Path(__file__).resolve().parents[2] / "docs"
FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parents[3] / "docs"  # setup.py; a clone

_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)\n*")
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
_HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """Heading with the words down to the next heading."""

    page: str
    title: str
    level: int
    words: str

    @property
    def link(self) -> str:
        return f"{self.page}.md" if self.level == 1 else f"{self.page}.md#{anchor(self.title)}"


def anchor(title: str) -> str:
    """Return a heading's anchor, as GitHub names it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def name_of(path: str) -> str:
    """Return a path's page, "" for other files."""
    name = path.removesuffix(".md")
    return name if name != path and name in PAGES else ""


@cache
def text_of(page: str) -> str:
    """Return a page's Markdown without pictures and links that do not ship."""
    text = _PICTURE.sub("", (FOLDER / f"{page}.md").read_text(encoding="utf-8"))
    return LINK.sub(lambda link: link[0] if _leads(link[2]) else link[1], text)


def _leads(target: str) -> bool:
    path = target.partition("#")[0]
    return not path or "://" in path or bool(name_of(path))


def sections(page: str) -> Iterator[Section]:
    """Yield the sections of a page."""
    text = text_of(page)
    code = [fence.span() for fence in _FENCE.finditer(text)]  # `#` begins comments there
    heads = [head for head in _HEADING.finditer(text) if not any(first < head.start() < end for first, end in code)]
    for head, after in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True):
        yield Section(page, _plain(head[2]), len(head[1]), _plain(text[head.end() : after]))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*|]", "", LINK.sub(r"\1", text)).split())


def title_of(page: str) -> str:
    return next(sections(page)).title
