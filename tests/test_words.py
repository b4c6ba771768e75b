"""Docstrings and documentation in plain words: CONTRIBUTING.md, "Six rules of writing", and docs/glossary.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

RIDDLE = re.compile(
    r"\b(what (?:is|a|an|the|of|it|they|becomes|was|does|has|stands|lies)|of which|of whom|whose|whom"
    r"|those (?:that|of|who)|that of|the one (?:that|who|for|of)|of (?:its|one's|ours|theirs|our)(?: own)?"
    r"|as (?:it is|they are)|so many|is (?:there|told|asked for)|that is to be|which is|all of (?:it|them))\b",
    re.IGNORECASE,
)

MOST_PER_100_WORDS = 0.2

MOST_WORDS = {
    "app": 30_950,
    "gpu": 14_760,
    "models": 4_120,
    "tools": 2_360,
    "benchmarks": 5_245,
    "tests' helpers": 3_195,
}

UNCLEAR = re.compile(
    r"(?:what|that|those|these|this|it|its|they|them|their|theirs|which|who|whose|whom|he|she|his|her|we|us|our|you|your"
    r"|both|another|none|such|something|others|the (?:same|ones?)|how|when|where|why|of|in|at|after|before|as|not|only"
    r"|to be|there)\b",
    re.IGNORECASE,
)
"""First words that need another sentence, or stand for a verb or noun."""


MOST_CHARS = 89
"""Most characters of a docstring's first line."""

MOST_TERMS = 25
"""Most terms of the glossary."""

PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / folder / "README.md" for folder in ("gpu", "models")),
]
WRITTEN = [page for page in PAGES if page.name not in ("CHANGELOG.md", "glossary.md")]
"""Pages that follow the glossary; the changelog has the words of its day."""


def docstrings(source: str) -> list[str]:
    """Return the docstrings of a module's text."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(ast.parse(source)) if isinstance(node, kinds))
    return [text for text in found if text]


@cache
def docstrings_of(package: str) -> tuple[tuple[str, str], ...]:
    """Return (path, docstring) for every docstring of a package."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return tuple(
        (path.relative_to(ROOT).as_posix(), text)
        for path in paths
        for text in docstrings(path.read_text(encoding="utf-8"))
    )


def riddles(texts: list[str]) -> float:
    """Return the number of riddles per 100 words."""
    words = sum(len(text.split()) for text in texts)
    return 100 * sum(len(RIDDLE.findall(text)) for text in texts) / words


TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
HELPERS = sorted({*(ROOT / "tests").rglob("*.py")} - {*TESTS})
FILES = {
    **{folder: sorted((ROOT / folder).rglob("*.py")) for folder in ("app", "gpu", "models", "tools", "benchmarks")},
    "tests' helpers": [ROOT / "setup.py", ROOT / "conftest.py", *sorted((ROOT / "packaging").glob("*.py")), *HELPERS],
}


@pytest.mark.parametrize("part", FILES)
def test_docstrings_name_things(part: str) -> None:
    texts = [text for path in FILES[part] for text in docstrings(path.read_text(encoding="utf-8"))]
    assert len(texts) > 100
    assert riddles(texts) <= MOST_PER_100_WORDS
    assert sum(len(text.split()) for text in texts) <= MOST_WORDS[part]


def test_docstrings_of_tests_name_things() -> None:
    texts = [text for path in TESTS for text in docstrings(path.read_text(encoding="utf-8"))]
    assert len(texts) > 1000
    assert riddles(texts) <= MOST_PER_100_WORDS


def test_a_riddle_is_found() -> None:
    assert docstrings('"""One."""\ndef f():\n    """What it reads alone, and those that it writes."""') == [
        "One.",
        "What it reads alone, and those that it writes.",
    ]
    assert riddles(["What it reads alone, and those that it writes."]) == pytest.approx(2 / 9 * 100)
    assert riddles(["The read-only and the written resources of a pass."]) == 0


def faults(text: str) -> Iterator[str]:
    """Yield the faults of a docstring's first line."""
    first, _, rest = text.partition("\n")
    if len(first) > MOST_CHARS:
        yield f"{len(first)} characters: {first}"
    if UNCLEAR.match(first):
        yield f"begins unclearly: {first}"
    if not first.endswith("."):
        yield f"does not end with a period: {first}"
    if rest.partition("\n")[0]:
        yield f"no empty line after it: {first}"


@pytest.mark.parametrize("package", ["app", "gpu", "models"])
def test_first_lines_are_understood_alone(package: str) -> None:
    assert [f"{path}: {fault}" for path, text in docstrings_of(package) for fault in faults(text)] == []


def test_faults_of_first_lines_are_found() -> None:
    long = "Return " + "a" * 82
    assert [*faults(f"{long}.")] == [f"90 characters: {long}."]
    assert [*faults(f"{long[:-1]}.")] == []
    assert [*faults("What it reads.")] == ["begins unclearly: What it reads."]
    assert [*faults("To be called at the end.")] == ["begins unclearly: To be called at the end."]
    assert [*faults("Whatever module.")] == []
    assert [*faults("Return a size")] == ["does not end with a period: Return a size"]
    assert [*faults("Return.\nA size.\n")] == ["no empty line after it: Return."]
    assert [*faults("Return.\n\nA size.\n")] == []


def terms(page: str) -> dict[str, list[str]]:
    """Return the terms of a glossary, each with the expressions that it replaces."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("| ")
    ]
    return {row[0].removesuffix(" (f)"): [each.strip() for each in row[2].split(",") if each] for row in rows[1:]}


GLOSSARY = terms((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))


def prose(page: str) -> str:
    """Return a page or docstring without code, links' targets and names of arguments, its lines joined."""
    text = re.sub(r"^```.*?^```|^ +[a-z_]+(?:, [a-z_]+)*:", " ", page, flags=re.MULTILINE | re.DOTALL)
    return " ".join(re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text).split())


def replaced(text: str) -> list[str]:
    """Return the expressions in a text that the glossary replaces."""
    banned = [each for words in GLOSSARY.values() for each in words]
    return [each for each in banned if re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", text, re.IGNORECASE)]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_use_the_glossary(page: Path) -> None:
    assert replaced(prose(page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("package", ["app", "gpu", "models"])
def test_docstrings_use_the_glossary(package: str) -> None:
    assert [
        (path, found, text.partition("\n")[0])
        for path, text in docstrings_of(package)
        for found in replaced(prose(text))
    ] == []


def test_replaced_expressions_are_found() -> None:
    assert replaced(prose("A stroke\nrides; the **key frame**")) == ["rides", "key frame"]
    assert replaced(prose("`rides` [a](seat.md), override, rides-on")) == []
    assert replaced(prose("Return.\n\nArgs:\n    seats: of a worker.")) == []


def test_the_glossary_is_short_and_in_order() -> None:
    assert 20 <= len(GLOSSARY) <= MOST_TERMS
    assert list(GLOSSARY) == sorted(GLOSSARY)
    assert sum(map(bool, GLOSSARY.values())) >= 10
    assert {each for words in GLOSSARY.values() for each in words}.isdisjoint(GLOSSARY)


@pytest.mark.parametrize("term", GLOSSARY)
def test_terms_are_in_use(term: str) -> None:
    texts = [text for package in ("app", "gpu") for _, text in docstrings_of(package)]
    forms = rf"\b{term}(?:e?[sd]|ing)?\b"
    uses = sum(bool(re.search(forms, " ".join(text.split()), re.IGNORECASE)) for text in texts)
    assert uses >= 3, f"{term}: {uses} docstrings have it"


def test_the_first_pages_link_to_the_glossary() -> None:
    for page in (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "how-it-works.md"):
        assert "glossary.md)" in page.read_text(encoding="utf-8")
