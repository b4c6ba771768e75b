"""Words for people."""

from __future__ import annotations

import pytest

from framebrush.base.text import MAX_CHARS, as_sentence, count_of, data_size, first_line

pytestmark = pytest.mark.unit


def test_a_long_error_is_cut_between_words_and_says_so() -> None:
    whole = " ".join(["word"] * 32)
    assert len(whole) == MAX_CHARS - 1
    assert first_line(ValueError(whole)) == whole
    assert first_line(ValueError(f"{whole} word\nmore")) == " ".join(["word"] * 31) + " …"
    assert first_line(ValueError("x" * 200)) == "x" * (MAX_CHARS - 2) + " …"
    assert first_line(ValueError("x" * MAX_CHARS)) == "x" * MAX_CHARS
    assert first_line(ValueError()) == "ValueError"


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (43_210, "43.2 kB"),
        (999_940, "999.9 kB"),
        (1_000_000, "1.0 MB"),
        (12_345_678_901, "12.3 GB"),
        (10**16, "10000.0 TB"),
    ],
)
def test_a_size_is_in_the_unit_that_suits_it(size_bytes: int, words: str) -> None:
    assert data_size(size_bytes) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 frames are"),
        (1, "1 frame is"),
        (1.0, "1 frame is"),
        (29.97003, "29.97 frames are"),
        (100_000, "100000 frames are"),
    ],
)
def test_one_is_no_plural(number: float, words: str) -> None:
    assert count_of(number, "frame", "is/are") == words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("there is no camera 'x'; found: none", "There is no camera 'x'; found: none"),
        ("frame 37: the network failed", "Frame 37: the network failed"),
        ("my film.mp4: no frame of it can be decoded", "my film.mp4: no frame of it can be decoded"),
        ("/films/film: no frame of it can be decoded", "/films/film: no frame of it can be decoded"),
        ("film.mp4 is finished.", "film.mp4 is finished."),
        ("It is finished.", "It is finished."),
        ("", ""),
    ],
)
def test_an_error_s_text_that_stands_alone_is_a_sentence(text: str, sentence: str) -> None:
    assert as_sentence(text) == sentence
