"""Pictures of a few pixels, at which some encoders overwrite memory or hang: padded, said, and decodable."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.cli.command_line import run
from framebrush.gpu.frame import nv12
from framebrush.media.reading.index import NO_PICTURE_BYTES
from framebrush.media.video import OutputError, TimeRange, VideoInfo
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.writing.writer_clips import info_of, solid, source, write

pytestmark = pytest.mark.media


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    return info_of(source(tmp_path_factory.mktemp("film") / "film.mp4", seconds=1))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("size", [(2, 2), (4, 200), (16, 16), (34, 34), (40, 48), (12, 128), (128, 20), (63, 63)])
@pytest.mark.parametrize("codec", ["libx264", "libx265", "libsvtav1", "libvpx-vp9"])
def test_every_size(tmp_path: Path, film: VideoInfo, codec: str, size: tuple[int, int]) -> None:
    target = tmp_path / "out.mkv"
    frames = nv12(*size)
    said = plan_output(film, target, OutputOptions(codec=codec), frames, TimeRange()).decisions
    result = write(
        film,
        target,
        frames=frames,
        pictures=[solid(frames, 120, 128, 128)],
        times=[512 * n for n in range(40)],
        codec=codec,
    )
    assert result.frames == 40
    with av.open(str(target)) as container:
        shown = [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]
    assert len(shown) == 40
    height, width = shown[0].shape
    assert (width, height) >= size
    if codec in ("libx265", "libsvtav1"):
        assert min(width, height) >= 64
        assert any(f"{codec} writes no side of less than 64 px" in line for line in said)
    assert np.ptp(shown[0]) < 16


def test_no_size_at_all_is_refused(tmp_path: Path, film: VideoInfo) -> None:
    with pytest.raises((OutputError, ValueError)):
        plan_output(film, tmp_path / "out.mp4", OutputOptions(codec="h264"), nv12(0, 2), TimeRange())


def test_every_frame_of_a_few_pixels_is_found(tmp_path: Path) -> None:
    film, stored, picture = tmp_path / "film.mkv", tmp_path / "stored.mkv", np.full((5, 3, 3), 80, np.uint8)
    with av.open(str(film), "w") as out:
        stream = out.add_stream("ffv1", rate=25, options={"level": "1"})
        stream.width, stream.height, stream.pix_fmt = 3, 5, "bgr0"
        for _ in range(4):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
        out.mux(stream.encode())
    with av.open(str(film)) as container:
        assert any(0 < packet.size <= NO_PICTURE_BYTES for packet in container.demux(video=0))
    words = ["--style", "none", "--codec", "ffv1", "--device", "cpu", "--progress", "none"]
    assert run(["transcode", str(film), str(stored), "--start", "3f", *words]) == 0
    with av.open(str(stored)) as container:
        assert len([*container.decode(video=0)]) == 1
