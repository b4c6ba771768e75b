"""Maximum file size, for any encoder's rate control; easy films stay smaller."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import av
import numpy as np
import pytest

from framebrush.gpu.device import Device
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Outcome, Status
from framebrush.jobs.workers.doing import MOST_TRIES
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import OverSizeError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec

pytestmark = pytest.mark.media
MOST = 80_000


def noisy(path: Path, count: int, spread: int) -> Path:
    """Noise around grey, at 25 frames a second."""
    chance = np.random.default_rng(1)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast", "crf": "10"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 192, 108, "yuv420p"
        for _ in range(count):
            codes = chance.integers(128 - spread, 128 + spread, (162, 192), np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(codes, "yuv420p")))
        out.mux(stream.encode(None))
    return path


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return noisy(tmp_path_factory.mktemp("film") / "film.mp4", 50, 20)


def made(
    film: Path | str,
    target: Path,
    device: Device,
    said: list[str],
    *,
    segments: Literal["off"] | int = "off",
    span: TimeRange | None = None,
    **options: object,
) -> Outcome:
    output = OutputOptions(**options)  # type: ignore[arg-type]
    spec = JobSpec(
        str(film), str(target), Recipe(StyleSpec("none")), output=output, segments=segments, range=span or TimeRange()
    )
    return run_job(spec, device, Listener(said.append))


@pytest.mark.slow
@pytest.mark.parametrize("segments", ["off", 20])
def test_what_comes_out_larger_is_made_again(
    segments: Literal["off"] | int, film: Path, device: Device, tmp_path: Path
) -> None:
    said: list[str] = []
    target = tmp_path / "out.mp4"
    outcome = made(film, target, device, said, segments=segments, codec="libsvtav1", preset="12", target_bytes=MOST)
    assert outcome.status is Status.DONE
    assert target.stat().st_size <= MOST
    assert any("in this attempt, above the limit" in words for words in said)
    assert [path.name for path in tmp_path.iterdir()] == ["out.mp4"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [56_000, 52_000])
def test_an_encoder_that_hardly_follows_its_rate_gets_a_much_lower_one(
    size: int, device: Device, tmp_path: Path
) -> None:
    """SVT-AV1 makes the same 59 kB of this film at 133 and at 256 kbit/s."""
    film, target, said = tmp_path / "film.mp4", tmp_path / "out.mp4", list[str]()
    with av.open("testsrc2=size=192x108:duration=2", format="lavfi") as drawn, av.open(str(film), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast", "crf": "10"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 192, 108, "yuv420p"
        for frame in drawn.decode(video=0):
            out.mux(stream.encode(frame.reformat(format="yuv420p")))
        out.mux(stream.encode(None))
    outcome = made(film, target, device, said, codec="libsvtav1", target_bytes=size)
    assert outcome.status is Status.DONE
    assert size * 0.6 < target.stat().st_size <= size
    assert any("in this attempt, above the limit" in words for words in said)


def test_what_cannot_become_smaller_is_refused(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    hard = noisy(tmp_path / "hard.mp4", 10, 128)
    with pytest.raises(OverSizeError, match=r"^out.mp4 would take .* MB and may take 0.0\d+ MB; give a larger"):
        made(hard, tmp_path / "out.mp4", device, said, codec="libsvtav1", preset="12", target_bytes=10_500)
    assert 1 <= sum("above the limit" in words for words in said) <= MOST_TRIES
    assert [path.name for path in tmp_path.iterdir()] == ["hard.mp4"]


def test_what_is_read_once_is_kept_as_it_is(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    source, target = "live:testsrc2=size=192x108:rate=25", tmp_path / "out.mp4"
    span = TimeRange(frames=10)
    made(source, target, device, said, span=span, codec="libsvtav1", preset="12", target_bytes=13_000)
    assert any("cannot be encoded again" in words for words in said)
    assert target.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("codec", "preset"), [("libx264", "veryfast"), ("libx265", "ultrafast"), ("libsvtav1", "12"), ("libvpx-vp9", "8")]
)
def test_a_film_is_not_made_larger_than_its_quality(
    codec: str, preset: str, device: Device, film: Path, tmp_path: Path
) -> None:
    sizes = []
    for number, size in enumerate((None, 25_000_000)):
        target = tmp_path / f"{number}.mkv"
        made(film, target, device, [], codec=codec, preset=preset, target_bytes=size)
        sizes.append(target.stat().st_size)
    assert sizes[1] < 1.6 * sizes[0]
