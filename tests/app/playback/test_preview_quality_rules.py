"""Size of previews: automatic by measured times, or chosen."""

from __future__ import annotations

import pytest

from framebrush.playback.display.preview_quality import (
    MIN_FRAMES,
    PreviewMode,
    PreviewQuality,
    best_divisor,
    is_too_slow,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("now", "network_ms", "expected"),
    [
        (1.0, 10.0, 1.0),
        (1.0, 30.0, 1.0),  # 34 of 40 ms
        (1.0, 32.0, 1.0),  # 36 of 40 ms: the limit
        (1.0, 32.02, 1.5),
        (1.0, 34.0, 1.5),
        (1.0, 100.0, 2.0),
        (1.0, 200.0, 3.0),
        (1.0, 400.0, 4.0),
        (1.0, 9000.0, 4.0),  # nothing fits: the smallest there is
        (2.0, 20.0, 2.0),  # 1.5 would take 39.6 ms
        (2.0, 5.0, 1.0),  # 24 ms at full size
        (2.0, 7.0, 1.5),  # 32 ms at full size fits, but not well: it would go to and fro
    ],
)
def test_the_size_that_fits(now: float, network_ms: float, expected: float) -> None:
    stages_ms = {"upload": 1.0, "convert": 1.0, "network": network_ms, "output": 2.0}
    assert best_divisor(now, stages_ms, 0.04, 720) == expected


@pytest.mark.parametrize(("output_ms", "expected"), [(25.0, 1.0), (27.0, 2.0)])
def test_without_a_network_only_the_other_parts_count(output_ms: float, expected: float) -> None:
    """At most 26 ms, or it would go to and fro."""
    assert best_divisor(2.0, {"output": output_ms}, 0.04, 720) == expected


@pytest.mark.parametrize(
    ("lines", "expected"), [(1080, 4.0), (720, 4.0), (540, 3.0), (450, 2.5), (200, 200 / 180), (180, 1.0), (96, 1.0)]
)
def test_no_automatic_size_is_below_180_lines_and_none_above_the_videos(lines: int, expected: float) -> None:
    for network_ms in (9000.0, 36.0 * expected**2 + 1.0):  # the next smaller one would fit
        assert best_divisor(1.0, {"network": network_ms}, 0.04, lines) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("now", "network_ms", "output_ms", "expected"),
    [
        (1.0, 600.0, 2.0, False),  # 37.5 and 2 of 40 ms at a quarter of the size
        (1.0, 600.0, 2.5, False),
        (1.0, 600.0, 2.52, True),
        (4.0, 37.5, 2.0, False),  # measured there
        (4.0, 37.5, 3.0, True),
        (1.0, 1.0, 40.5, True),  # strokes are drawn at the whole size
    ],
)
def test_a_device_that_no_size_is_small_enough_for(
    now: float, network_ms: float, output_ms: float, expected: bool
) -> None:
    stages_ms = {"network": network_ms, "output": output_ms}
    assert is_too_slow(now, stages_ms, 0.04, 720) == expected
    quality = PreviewQuality()
    assert not quality.is_too_slow(now, stages_ms, 0.04, 720)  # before enough is known
    for _ in range(MIN_FRAMES):
        quality.shown()
    assert quality.is_too_slow(now, {**stages_ms, "fetch": 100.0}, 0.04, 720) == expected
    quality.mode = "full"  # as the person wants it
    assert not quality.is_too_slow(now, stages_ms, 0.04, 720)


def test_nothing_changes_before_times_are_known() -> None:
    quality = PreviewQuality()
    for _ in range(2):
        for _ in range(3):
            assert quality.divisor(1.0, {"network": 500.0}, 0.04, 720) == 1.0
            quality.shown()
        assert quality.divisor(1.0, {"network": 500.0, "fetch": 900.0}, 0.04, 720) == 4.0
        quality.begun()


@pytest.mark.parametrize(("mode", "divisor"), [("full", 1.0), ("half", 2.0), ("quarter", 4.0)])
def test_the_size_that_the_person_wants(mode: PreviewMode, divisor: float) -> None:
    """However small, and whatever it takes."""
    quality = PreviewQuality()
    quality.mode = mode
    assert quality.divisor(1.0, {"network": 500.0}, 0.04, 200) == divisor
