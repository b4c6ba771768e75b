"""Makes the test clips: `python -m assets.make_clips [NAME ...]` writes assets/clips (all of them by default).

Every frame carries its number (assets/frame_number.py) above a moving picture. Encoders run in one thread with fixed
settings: another run gives the same frames at the same times, if not the same bytes.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream

from assets import frame_number, landscape

CLIPS = Path(__file__).parent / "clips"
BT709, BT601, BT2020 = 1, 6, 9  # H.273 codes of matrix and primaries
PQ, HLG = 16, 18
SPACES = {BT709: Colorspace.ITU709, BT601: Colorspace.ITU601, BT2020: Colorspace.BT2020}
X265 = "log-level=none:pools=none:frame-threads=1:"
SUBTITLES = "1\n00:00:00,200 --> 00:00:00,800\nFirst line\n\n2\n00:00:01,000 --> 00:00:01,500\n<i>Second</i> line\n"


@dataclass(frozen=True)
class Clip:
    """One clip to make.

    times: of the frames, in units of time_base; an MP4 edit list cuts away what is below zero. tags: H.273 codes of
    primaries, transfer and matrix; 2 is "unspecified".
    """

    name: str
    codec: str = "libx264"
    pix_fmt: str = "yuv420p"
    size: tuple[int, int] = (160, 96)
    times: tuple[int, ...] = tuple(range(30))
    time_base: Fraction = Fraction(1, 25)
    codec_options: dict[str, str] = field(default_factory=dict)
    container_options: dict[str, str] = field(default_factory=dict)
    tags: tuple[int, int, int] = (BT709, BT709, BT709)
    full_range: bool = False
    rotation: int = 0
    sample_aspect: Fraction = Fraction(1)
    interlaced: bool = False
    extras: bool = False
    codec_tag: str = ""
    landscape: bool = False

    @property
    def shown(self) -> tuple[int, ...]:
        """Numbers of the frames that a player shows, in order."""
        cut = self.name.endswith("mp4")
        return tuple(number for number, time in enumerate(self.times) if time >= 0 or not cut)


def x264(**more: str) -> dict[str, str]:
    """Small, and with a GOP short enough that seeking has something to do."""
    return {"crf": "30", "preset": "veryslow", "g": "10", "threads": "1"} | more


def x265(params: str = "") -> dict[str, str]:
    """As `x264`."""
    return {"crf": "30", "preset": "fast", "x265-params": X265 + "keyint=10:min-keyint=10:scenecut=0:" + params}


RGB = (BT709, BT709, 0)
SHORT = tuple(range(12))
VARIABLE = tuple(
    int(t) for t in np.cumsum([0, 33, 33, 34, 100, 17, 16, 250, 40, 40, 5, 33, 33, 34, 400, 33] + [20] * 14)
)
NO_B, PYRAMID = {"bf": "0"}, {"bf": "3", "x264-params": "b-pyramid=normal:scenecut=0"}
OPEN_GOP = {"bf": "3", "x264-params": "open-gop=1:scenecut=0:b-adapt=0"}
HDR10 = "hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50):max-cll=1200,300:"
KEEP_NEGATIVE = {"avoid_negative_ts": "disabled"}

LIST = (
    Clip("cfr.mp4", codec_options=x264(**NO_B)),
    Clip("vfr.mkv", times=VARIABLE, time_base=Fraction(1, 1000), codec_options=x264(**PYRAMID)),
    Clip("vfr.mp4", times=VARIABLE, time_base=Fraction(1, 1000), codec_options=x264(**PYRAMID)),
    Clip("bframes.mp4", codec_options=x264(**PYRAMID)),
    Clip("bframes.ts", codec_options=x264(**PYRAMID)),
    Clip("bframes.avi", codec_options=x264(**PYRAMID)),
    Clip("raw.h264", codec_options=x264(**PYRAMID)),
    Clip("open-gop.mp4", codec_options=x264(**OPEN_GOP)),
    Clip("open-gop.mkv", codec="libx265", codec_options=x265("open-gop=1:bframes=3:b-adapt=0:")),
    Clip("open-gop.ts", codec="mpeg2video", codec_options={"bf": "2", "g": "10", "qscale": "8", "threads": "1"}),
    Clip(
        "10bit.mp4",
        codec="libx265",
        pix_fmt="yuv420p10le",
        codec_options=x265("open-gop=0:bframes=3:"),
        codec_tag="hvc1",
    ),
    Clip("422.mp4", pix_fmt="yuv422p", codec_options=x264()),
    Clip("444.mp4", pix_fmt="yuv444p", codec_options=x264()),
    Clip("grey.mkv", codec="ffv1", pix_fmt="gray", codec_options={"threads": "1"}, times=SHORT),
    Clip("rgb.mkv", codec="libx264rgb", pix_fmt="rgb24", codec_options=x264(), tags=RGB, full_range=True, times=SHORT),
    Clip(
        "odd.webm",
        codec="libvpx-vp9",
        size=(853, 479),
        codec_options={"crf": "45", "b": "0", "g": "10", "threads": "1"},
        times=SHORT,
    ),
    Clip(
        "odd.mp4", codec="mpeg4", size=(161, 121), codec_options={"bf": "2", "g": "10", "qscale": "6", "threads": "1"}
    ),
    Clip("rotated.mp4", codec_options=x264(), rotation=90),
    Clip("anamorphic.mp4", size=(180, 144), codec_options=x264(), sample_aspect=Fraction(16, 11), tags=(5, 6, 5)),
    Clip(
        "interlaced.mp4",
        codec_options=x264(**{"flags": "+ildct+ilme", "x264-params": "tff=1:scenecut=0", "bf": "2"}),
        interlaced=True,
    ),
    Clip(
        "hlg.mp4",
        codec="libx265",
        pix_fmt="yuv420p10le",
        codec_options=x265("open-gop=0:"),
        tags=(BT2020, HLG, BT2020),
        codec_tag="hvc1",
    ),
    Clip(
        "pq.mp4",
        codec="libx265",
        pix_fmt="yuv420p10le",
        codec_options=x265("open-gop=0:" + HDR10),
        tags=(BT2020, PQ, BT2020),
        codec_tag="hvc1",
    ),
    Clip("full-range.mp4", pix_fmt="yuv420p", codec_options=x264(), full_range=True),
    Clip("untagged.mp4", codec_options=x264(), tags=(2, 2, 2)),
    Clip("extras.mkv", codec_options=x264(), extras=True),
    Clip("extras.mp4", codec_options=x264(), extras=True),
    Clip("edit-list.mp4", times=tuple(range(-7, 23)), codec_options=x264(**PYRAMID), container_options=KEEP_NEGATIVE),
    Clip("negative.ts", times=tuple(range(-7, 23)), codec_options=x264(**PYRAMID), container_options=KEEP_NEGATIVE),
    Clip("av1.mp4", codec="libsvtav1", codec_options={"crf": "45", "preset": "8", "g": "10", "svtav1-params": "lp=1"}),
    Clip("prores.mov", codec="prores_ks", pix_fmt="yuv422p10le", codec_options={"qscale": "20"}, times=SHORT),
    Clip("rgb24.mov", codec="qtrle", pix_fmt="rgb24", tags=RGB, full_range=True, times=SHORT),
    Clip(
        "landscape.mp4",
        size=(640, 360),
        times=tuple(range(96)),
        time_base=Fraction(1, 24),
        codec_options={"crf": "27", "preset": "veryslow", "threads": "1", "bf": "3", "g": "48"},
        landscape=True,
    ),
)


def picture(clip: Clip, number: int) -> npt.NDArray[np.uint8]:
    """Frame `number` of a clip as (H, W, 3) uint8 R'G'B': a gradient, a moving bar, and the number on top.

    Of an interlaced clip the odd rows are half a frame later.
    """
    width, height = clip.size
    if clip.landscape:
        return landscape.draw(width, height, number / len(clip.times))
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    time = number + (y % 2) * 0.5 if clip.interlaced else np.full_like(y, number, dtype=float)
    bar = np.abs(x - (time * 5) % width) < width / 16
    grey = clip.pix_fmt == "gray"
    rgb = np.stack(
        [
            np.where(bar, 230, 40 + 120 * x / width),
            np.where(bar, 200, 60 + 100 * y / height),
            np.where(bar, 40, 150 - 90 * x / width),
        ],
        axis=-1,
    ).astype(np.uint8)
    if grey:
        rgb[:] = rgb[:, :, :1]
    frame_number.draw(rgb, number)
    return rgb


def frames(clip: Clip) -> Iterator[VideoFrame]:
    """The frames of a clip in its pixel format, tagged and timed."""
    primaries, transfer, matrix = clip.tags
    space = SPACES.get(matrix, Colorspace.ITU601)  # untagged video of this size is BT.601
    full = ColorRange.JPEG if clip.full_range else ColorRange.MPEG
    ends = [*clip.times[1:], 2 * clip.times[-1] - clip.times[-2]]
    for number, (time, end) in enumerate(zip(clip.times, ends, strict=True)):
        frame = VideoFrame.from_ndarray(picture(clip, number), "rgb24")
        if clip.pix_fmt != "rgb24":
            frame = frame.reformat(format=clip.pix_fmt, dst_colorspace=space, dst_color_range=full)
            frame.color_range = full if matrix != 2 else 0
        frame.colorspace, frame.color_primaries, frame.color_trc = matrix, primaries, transfer
        frame.pts, frame.duration, frame.time_base = time - min(clip.times), end - time, clip.time_base
        yield frame


def _add_video(container: OutputContainer, clip: Clip) -> VideoStream:
    rate = 1 / clip.time_base if clip.time_base > Fraction(1, 200) else Fraction(25)
    stream = container.add_stream(clip.codec, rate=rate, options=clip.codec_options)
    assert isinstance(stream, VideoStream)
    stream.width, stream.height = clip.size
    stream.pix_fmt = clip.pix_fmt
    stream.time_base = stream.codec_context.time_base = clip.time_base
    context = stream.codec_context
    context.sample_aspect_ratio = clip.sample_aspect
    context.color_primaries, context.color_trc, context.colorspace = clip.tags
    context.color_range = (2 if clip.full_range else 1) if clip.tags[2] != 2 else 0
    context.flags |= 1 << 23  # AV_CODEC_FLAG_BITEXACT
    if clip.codec_tag:
        context.codec_tag = clip.codec_tag
    if clip.rotation:
        stream.set_display_rotation(clip.rotation)
    return stream


def _add_extras(container: OutputContainer, clip: Clip) -> Iterator[av.Packet[av.stream.Stream]]:
    """Sound in two languages, chapters, tags; in Matroska also subtitles and an attachment. Yields their packets."""
    container.metadata.update({"title": "Framebrush test clip", "artist": "make_clips"})
    container.set_chapters(
        [
            {"id": 1, "start": 0, "end": 600, "time_base": Fraction(1, 1000), "metadata": {"title": "Begin"}},
            {"id": 2, "start": 600, "end": 1200, "time_base": Fraction(1, 1000), "metadata": {"title": "End"}},
        ]
    )
    matroska = clip.name.endswith("mkv")
    sounds = []
    for language, hertz in (("eng", 440), ("fra", 660)):
        stream = container.add_stream("aac", rate=16000, options={"b": "24k"}, layout="mono")
        stream.metadata["language"] = language
        sounds.append((stream, hertz))
    sounds[0][0].disposition = av.stream.Disposition.default
    sounds[1][0].disposition = av.stream.Disposition.comment
    if matroska:
        with av.open(io.BytesIO(SUBTITLES.encode()), "r", format="srt") as text:
            lines = container.add_stream_from_template(text.streams[0])
            lines.metadata["language"] = "deu"
            lines.disposition = av.stream.Disposition.forced
            container.add_attachment("note.txt", "text/plain", b"An attachment.\n")
            for packet in text.demux():
                if packet.size:
                    packet.stream = lines
                    yield packet
    for stream, hertz in sounds:
        samples = np.sin(np.arange(1024 * 18) * 2 * np.pi * hertz / 16000).astype(np.float32) * 0.2
        for start in range(0, samples.size, 1024):
            sound = av.AudioFrame.from_ndarray(samples[None, start : start + 1024], "fltp", "mono")
            sound.sample_rate, sound.pts, sound.time_base = 16000, start, Fraction(1, 16000)
            yield from stream.encode(sound)
        yield from stream.encode(None)


def make(clip: Clip, folder: Path = CLIPS) -> Path:
    """Write one clip; returns its path."""
    path = folder / clip.name
    options = {"fflags": "+bitexact"} | clip.container_options
    if clip.name.endswith("mp4"):
        options["movflags"] = "+faststart"
    with av.open(str(path), "w", container_options=options) as container:
        stream = _add_video(container, clip)
        packets = list(_add_extras(container, clip)) if clip.extras else []
        shift = min(clip.times)
        for frame in [*frames(clip), None]:
            for packet in stream.encode(frame):
                if shift:
                    unit = clip.time_base / packet.time_base
                    packet.pts = round((packet.pts or 0) + shift * unit)
                    packet.dts = round((packet.dts or 0) + shift * unit)
                packets.append(packet)
        packets.sort(key=lambda packet: Fraction(packet.dts or 0) * Fraction(packet.time_base))
        container.mux(packets)
    return path


def main() -> None:
    """Make the clips named on the command line, or all."""
    CLIPS.mkdir(exist_ok=True)
    for clip in LIST:
        if len(sys.argv) < 2 or clip.name in sys.argv[1:]:
            path = make(clip)
            print(f"{path.stat().st_size:8d}  {clip.name}")


if __name__ == "__main__":
    main()
