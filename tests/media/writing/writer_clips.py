"""Small sources with known streams and samples, and readers of packets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.stream import Disposition, Stream
from av.subtitles.stream import SubtitleStream
from av.subtitles.subtitle import SubtitleSet

from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, nv12
from framebrush.media.encoding.encoders import ENCODERS, Choice, unavailable_reason
from framebrush.media.reading.timecode import timecode_of
from framebrush.media.video import ColourTags, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer, WriteResult
from framebrush.media.writing.output_plan import OutputOptions, plan_output

WHOLE = TimeRange()
CFR = tuple(range(0, 512 * 10, 512))  # 10 frames at the clips' 25 fps, in ticks
FAST = {"libx264": "ultrafast", "libx265": "ultrafast", "libsvtav1": "7", "libvpx-vp9": "8"}
ASS_HEADER = (
    b"[Script Info]\nScriptType: v4.00+\nPlayResX: 384\nPlayResY: 288\n\n[V4+ Styles]\nFormat: Name, Fontname, "
    b"Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, "
    b"ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n"
    b"Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1\n\n"
    b"[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)
JPEG_SIZE = (32, 32)


def jpeg() -> bytes:
    context = av.CodecContext.create("mjpeg", "w")
    context.width, context.height, context.pix_fmt, context.time_base = *JPEG_SIZE, "yuvj420p", Fraction(1, 25)
    frame = av.VideoFrame(*JPEG_SIZE, "yuvj420p")
    for plane in frame.planes:
        plane.update(b"\x60" * plane.buffer_size)
    frame.pts = 0
    return b"".join(bytes(packet) for packet in [*context.encode(frame), *context.encode(None)])


def source(
    path: Path,
    *,
    audio: Sequence[str] = (),
    subtitles: Sequence[str] = (),
    cover: bool = False,
    font: bytes | None = None,
    chapters: bool = False,
    seconds: int = 4,
    starts_s: Fraction = Fraction(0),
    timecode: str = "",
) -> Path:
    """Write a film of 64x48 at 25 fps.

    audio, subtitles: codecs, one stream each: a tone, or a line per second.
    """
    with av.open(str(path), "w") as out:
        out.metadata.update({"title": "A film", "artist": "Somebody"})
        if chapters:
            cuts = [(0, 1000, "First"), (1000, 3000, "Second"), (3000, seconds * 1000, "Third")]
            out.set_chapters(
                [
                    {"id": i, "start": a, "end": b, "time_base": Fraction(1, 1000), "metadata": {"title": title}}
                    for i, (a, b, title) in enumerate(cuts)
                ]
            )
        picture = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
        if timecode:
            picture.metadata["timecode"] = timecode
        tones = []
        for number, codec in enumerate(audio):
            stream = out.add_stream(codec, rate=48000)
            stream.metadata.update({"language": ("eng", "deu")[number % 2], "title": f"Sound {number}"})
            tones.append(stream)
        texts = []
        for number, codec in enumerate(subtitles):
            stream = out.add_stream(codec)
            stream.codec_context.subtitle_header = ASS_HEADER
            stream.metadata.update({"language": ("fra", "spa")[number % 2]})
            texts.append(stream)
        if font is not None:
            out.add_attachment("font.ttf", "font/ttf", font)
        if cover and path.suffix == ".mkv":
            out.add_attachment("cover.jpg", "image/jpeg", jpeg())
        elif cover:
            art = out.add_stream("mjpeg", rate=25)
            art.width, art.height, art.pix_fmt = *JPEG_SIZE, "yuvj420p"
            art.disposition = Disposition.attached_pic
        for number, stream in enumerate(tones):
            stream.disposition = Disposition.comment | Disposition.dub if number else Disposition.default
        out.start_encoding()
        if cover and path.suffix != ".mkv":
            packet = av.Packet(jpeg())
            packet.stream, packet.pts, packet.dts, packet.time_base = art, 0, 0, Fraction(1, 25)
            packet.is_keyframe = True
            out.mux(packet)
        shapers = [
            av.AudioResampler(tone.codec_context.format, "stereo", 48000, tone.codec_context.frame_size or None)
            for tone in tones
        ]
        for second in range(seconds):
            for stream in texts:
                out.mux(line_of_text(stream, second, starts_s))
            for number in range(second * 25, second * 25 + 25):
                frame = av.VideoFrame(64, 48, "yuv420p")
                for plane in frame.planes:
                    plane.update(bytes([16 + number % 200]) * plane.buffer_size)
                frame.time_base, frame.pts = Fraction(1, 25), number + int(starts_s * 25)
                out.mux(picture.encode(frame))
            for stream, shaper in zip(tones, shapers, strict=True):
                for piece in shaper.resample(_tone(second, starts_s)):
                    out.mux(stream.encode(piece))
        for stream, shaper in zip(tones, shapers, strict=True):
            for piece in shaper.resample(None):
                out.mux(stream.encode(piece))
        for stream in (picture, *tones):
            out.mux(stream.encode(None))
    return path


def line_of_text(stream: SubtitleStream, second: int, starts_s: Fraction) -> av.Packet[SubtitleStream]:
    """Return a subtitle from .2 to .7 s of a second."""
    words = SubtitleSet.create(b"%d,0,Default,,0,0,0,,Line %d" % (second, second), 0, 500, 0)
    packet = stream.codec_context.encode_subtitle(words)
    packet.time_base, packet.stream = Fraction(1, 1000), stream
    packet.pts = packet.dts = second * 1000 + 200 + int(starts_s * 1000)
    packet.duration = 500
    return packet


def _tone(second: int, starts_s: Fraction) -> av.AudioFrame:
    wave = (np.sin((second * 48000 + np.arange(48000)) / 20) * 9000).astype(np.int16)
    sound = av.AudioFrame.from_ndarray(np.repeat(wave, 2)[None], "s16", "stereo")
    sound.sample_rate, sound.time_base = 48000, Fraction(1, 48000)
    sound.pts = second * 48000 + int(starts_s * 48000)
    return sound


def info_of(path: Path, **changes: object) -> VideoInfo:
    """Return `source`'s info of a clip, with changes."""
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        assert stream.time_base is not None
        known = VideoInfo(
            path=path,
            container=film.format.name,
            codec=stream.name or "",
            stream_index=stream.index,
            pix_fmt="yuv420p",
            format=FrameFormat(stream.width, stream.height, PlaneOrder.PLANAR, subsample=(1, 1)),
            tags=ColourTags(2, 2, 2),
            time_base=stream.time_base,
            rate=stream.average_rate,
            start_pts=stream.start_time or 0,
            duration_s=None,
            frame_count=None,
            sample_aspect=Fraction(1),
            rotation_degrees=0,
            interlaced=False,
            timecode=timecode_of(film, stream),
        )
    return replace(known, **changes)  # type: ignore[arg-type]


def solid(frames: FrameFormat, *codes: int) -> Frame:
    frame = frames.allocate()
    for plane, code in zip(frame.planes, (codes[0], codes[1:]) if len(frame.planes) == 2 else codes, strict=True):
        plane[...] = np.left_shift(code, frames.shift)
    return frame


def write(
    info: VideoInfo,
    target: Path,
    *,
    frames: FrameFormat | None = None,
    times: Sequence[int] = CFR,
    duration: int = 0,
    span: TimeRange = WHOLE,
    pictures: Sequence[Frame] | None = None,
    **options: object,
) -> WriteResult:
    """Write frames at `times`, in source ticks."""
    frames = frames or nv12(64, 48)
    options = {"preset": FAST.get(str(options.get("codec", "libx264"))), "codec": "libx264"} | options
    plan = plan_output(info, target, OutputOptions(**options), frames, span)  # type: ignore[arg-type]
    with Writer(plan) as writer:
        for number, pts in enumerate(times):
            picture = pictures[number % len(pictures)] if pictures else solid(frames, 16 + number % 200, 128, 128)
            writer.write(picture, pts, duration)
        return writer.finish()


def packets(path: Path, index: int) -> list[av.Packet[Stream]]:
    with av.open(str(path)) as film:
        return [packet for packet in film.demux(film.streams[index]) if packet.size]


def payloads(path: Path, index: int) -> list[bytes]:
    return [bytes(packet) for packet in packets(path, index)]


def seconds(path: Path, index: int = 0) -> list[Fraction]:
    return sorted(packet.pts * packet.time_base for packet in packets(path, index) if packet.pts is not None)


def stream_types(path: Path) -> list[tuple[str, str | None]]:
    with av.open(str(path)) as film:
        return [(stream.type, stream.name) for stream in film.streams]


def left_behind(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if ".part-" in path.name]


def working_encoders() -> tuple[str, ...]:
    return tuple(
        encoder.name
        for encoder in ENCODERS
        if unavailable_reason(Choice(encoder, encoder.formats[0], 640, 360, encoder.usual_crf, None, ())) is None
    )
