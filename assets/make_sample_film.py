"""Cut app/sample/sample.mp4, the film that comes with the program, from its sources.

    python assets/make_sample_film.py walk.mkv bird.mp4 night.mkv

walk.mkv and night.mkv are of Intel's IoT DevKit sample videos (asl_gestures), bird.mp4 is
bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4 of androidx/media, from Big Buck Bunny. docs/licences.md has the
credits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import av
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush import sample

SIZE, RATE = (960, 540), 30
SHOTS = ((0, 89, 0.1), (10, 100, 0.5), (0, 68, 0.1))
"""Of each source the first frame, how many, and which share of what is cut away to get 16:9 lies above."""

QUALITY = 25


def pictures(path: str, first: int, count: int, above: float) -> Iterator[Image.Image]:
    """Some frames of a film at SIZE."""
    with av.open(path) as container:
        shape = container.streams.video[0].sample_aspect_ratio or 1
        for frame in islice(container.decode(video=0), first, first + count):
            width, height = frame.width, frame.height
            kept = min(height, round(width * shape * SIZE[1] / SIZE[0]))
            top = round((height - kept) * above)
            yield frame.to_image().resize(SIZE, Image.Resampling.LANCZOS, (0, top, width, top + kept))


def main(sources: list[str]) -> None:
    """Write the film."""
    if len(sources) != len(SHOTS):
        raise SystemExit(__doc__)
    options = {"crf": str(QUALITY), "preset": "veryslow", "tune": "film", "threads": "1"}
    with av.open(str(sample.PATH), "w", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=RATE, options=options)
        (stream.width, stream.height), stream.pix_fmt = SIZE, "yuv420p"
        begins, number = [], 0
        for source, shot in zip(sources, SHOTS, strict=True):
            begins.append(number)
            for picture in pictures(source, *shot):
                container.mux(stream.encode(av.VideoFrame.from_image(picture)))
                number += 1
        container.mux(stream.encode())
    assert tuple(begins) == sample.SHOTS, begins


if __name__ == "__main__":
    main(sys.argv[1:])
