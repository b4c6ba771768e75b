"""Which encoder does the work, and how quality and speed are said to it."""

from __future__ import annotations

import ctypes
import difflib
import os
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

import av
from av.video.codeccontext import VideoCodecContext

from framebrush.media.containers import Container
from framebrush.media.scheduling import kept_scheduling
from framebrush.media.video import OutputError
from framebrush.models.text import first_line

Kind = Literal["x264", "x265", "svt", "vpx", "nvenc", "qsv", "amf", "mf"]

CODECS = {"h264": "H.264", "hevc": "HEVC", "av1": "AV1", "vp9": "VP9"}
ALIASES = {"h265": "hevc", "x265": "hevc", "x264": "h264", "avc": "h264"}

_X26X_PRESETS = (
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
)  # fmt: skip
_QSV_PRESETS = ("veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow")
_NVENC_PRESETS = ("p1", "p2", "p3", "p4", "p5", "p6", "p7", "fast", "medium", "slow")
_AMF_PRESETS = ("speed", "balanced", "quality")


@dataclass(frozen=True, slots=True)
class Encoder:
    """One of FFmpeg's encoders.

    formats: the pixel format it is fed for 8 and for 10 bits, None where it has none. crf: lowest, highest and usual
    quality number, lower being better. odd_sizes: whether 4:2:0 pictures may have odd width or height; H.264 and HEVC
    crop in units of chroma samples, so for them such a size does not exist. min_side_px: smaller pictures are padded to
    it.
    """

    name: str
    codec: str
    kind: Kind
    formats: tuple[str | None, str | None]
    crf: tuple[float, float, float]
    presets: tuple[str, ...]
    usual_preset: str | None = None
    odd_sizes: bool = False
    min_side_px: int = 1

    @property
    def is_hardware(self) -> bool:
        return self.kind in ("nvenc", "qsv", "amf", "mf")

    @property
    def header_first(self) -> bool:
        """Whether the encoder has said what stands in a file's header before the first picture comes."""
        return self.kind != "mf"

    def pixel_format(self, bits: int) -> str | None:
        """What pictures of 8 or 10 bits are fed as, None where the encoder has no such depth, or was built without it:
        libvpx is, in most builds of FFmpeg."""
        wanted = self.formats[0] if bits == 8 else self.formats[1]
        built = _formats_of(self.name)
        return wanted if built is None or wanted in built else None

    def options(self, crf: float, preset: str | None) -> dict[str, str]:
        """FFmpeg's options for a quality number in this encoder's range of `crf`, and a preset of its own."""
        chosen = _quality(self, crf) | _QUIET.get(self.kind, {})
        if preset is not None:
            chosen["cpu-used" if self.kind == "vpx" else "preset"] = preset
        return chosen


@cache
def _formats_of(encoder: str) -> frozenset[str] | None:
    """The pixel formats that an encoder of this build of FFmpeg takes, None where it is not there or does not say."""
    try:
        formats = av.codec.Codec(encoder, "w").video_formats
    except av.codec.codec.UnknownCodecError:
        return None
    return None if formats is None else frozenset(form.name for form in formats)


def _quality(encoder: Encoder, crf: float) -> dict[str, str]:
    """The same wish in each encoder's own words. Their scales are not equal; what they share is the direction."""
    level = max(1, round(crf))  # 0 means "unset" to NVENC and QSV
    match encoder.kind:
        case "x264" | "x265":
            return {"crf": f"{crf:g}"}
        case "svt":
            return {"crf": f"{level}"}
        case "vpx":
            return {"crf": f"{round(crf)}", "b": "0", "deadline": "good", "row-mt": "1"}
        case "nvenc":
            return {"rc": "vbr", "cq": f"{level}", "b": "0"}
        case "qsv":
            # ICQ counts to 51 for AV1 too.
            return {"global_quality": f"{max(1, round(crf * 51 / encoder.crf[1]))}"}
        case "amf":
            # The quantiser index of AV1 counts to 255.
            quantiser = f"{round(crf * 255 / 63) if encoder.codec == 'av1' else round(crf)}"
            names = ("qp_i", "qp_p", "qp_b") if encoder.codec == "h264" else ("qp_i", "qp_p")
            return {"rc": "cqp"} | dict.fromkeys(names, quantiser)
        case "mf":
            return {"rate_control": "quality", "quality": f"{round(100 - crf * 100 / 51)}"}


# x265 writes to stderr itself, past FFmpeg's log; so does SVT-AV1, which listens to an environment variable only.
_QUIET: dict[Kind, dict[str, str]] = {"x265": {"x265-params": "log-level=none"}}

_H26X, _AV1 = (0.0, 51.0, 20.0), (1.0, 63.0, 24.0)
_PLANAR, _SEMI = ("yuv420p", "yuv420p10le"), ("nv12", "p010le")

_LOWEST_RATE, _HIGHEST_RATE = Fraction(1), Fraction(240)

# Within a codec, the order in which "auto" tries them: hardware first, and the software that always works last.
ENCODERS = (
    Encoder("h264_nvenc", "h264", "nvenc", ("nv12", None), _H26X, _NVENC_PRESETS, "p5"),
    Encoder("h264_qsv", "h264", "qsv", ("nv12", None), _H26X, _QSV_PRESETS, "medium"),
    Encoder("h264_amf", "h264", "amf", ("nv12", None), _H26X, _AMF_PRESETS, "quality"),
    Encoder("h264_mf", "h264", "mf", ("nv12", None), _H26X, ()),
    Encoder("libx264", "h264", "x264", ("nv12", "yuv420p10le"), (0.0, 51.0, 18.0), _X26X_PRESETS, "medium"),
    Encoder("hevc_nvenc", "hevc", "nvenc", _SEMI, _H26X, _NVENC_PRESETS, "p5"),
    Encoder("hevc_qsv", "hevc", "qsv", _SEMI, _H26X, _QSV_PRESETS, "medium"),
    Encoder("hevc_amf", "hevc", "amf", _SEMI, _H26X, _AMF_PRESETS, "quality"),
    Encoder("hevc_mf", "hevc", "mf", ("nv12", None), _H26X, ()),
    # x265 4.1 writes past its buffers where a side has 34 to 48 px, SVT-AV1 hangs where one has 10 to 24.
    Encoder("libx265", "hevc", "x265", _PLANAR, _H26X, _X26X_PRESETS, "medium", min_side_px=64),
    Encoder("av1_nvenc", "av1", "nvenc", _SEMI, _AV1, _NVENC_PRESETS, "p5"),
    Encoder("av1_qsv", "av1", "qsv", _SEMI, _AV1, _QSV_PRESETS, "medium"),
    Encoder("av1_amf", "av1", "amf", _SEMI, _AV1, _AMF_PRESETS, "quality"),
    # From preset 8 on SVT-AV1 4.1 can blend flat pictures of 10 bits with their neighbours at any quality.
    Encoder("libsvtav1", "av1", "svt", _PLANAR, _AV1, tuple(map(str, range(14))), "7", odd_sizes=True, min_side_px=64),
    Encoder("libvpx-vp9", "vp9", "vpx", _PLANAR, (0.0, 63.0, 24.0), tuple(map(str, range(9))), "4", odd_sizes=True),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """An encoder with everything it is opened with. width, height: of the coded picture."""

    encoder: Encoder
    pix_fmt: str
    width: int
    height: int
    crf: float
    preset: str | None
    tried: tuple[str, ...]

    @property
    def options(self) -> dict[str, str]:
        return self.encoder.options(self.crf, self.preset)

    def configure(self, context: VideoCodecContext, time_base: Fraction, rate: Fraction) -> None:
        """Sets what the encoder must know before it is opened, except for colours and aspect.

        rate: frames per second, a hint for its rate control; the times of the frames are what counts.
        """
        _silence_svt()
        context.width, context.height, context.pix_fmt = self.width, self.height, self.pix_fmt
        context.time_base = time_base
        context.framerate = min(max(rate, _LOWEST_RATE), _HIGHEST_RATE)  # SVT-AV1 refuses more
        context.options = {**context.options, **self.options}


@cache
def _silence_svt() -> None:
    """Fatal errors only; the others come as error codes."""
    os.environ.setdefault("SVT_LOG", "0")
    if sys.platform == "win32":  # its C library is not Python's, and has an environment of its own
        ctypes.CDLL("msvcrt")._putenv(f"SVT_LOG={os.environ['SVT_LOG']}".encode())


def choose_encoder(
    codec: str, crf: float | None, preset: str | None, container: Container, size: tuple[int, int], bits: int
) -> Choice:
    """The encoder for `codec`: "auto", a codec of CODECS, or the exact name of one of ENCODERS.

    Where a codec leaves several, hardware that works on this machine at this size comes first, then software. A preset
    narrows them to those that have it. size: (width, height) of the pictures. bits: 8 or 10. Raises OutputError for
    what is unknown or does not go together, with the reason.
    """
    codec = codec.lower()
    codec = ALIASES.get(codec, codec)
    candidates = _candidates(codec, container, bits)
    low, high, _ = candidates[0].crf
    if crf is not None and not low <= crf <= high:
        whose = candidates[0].name if codec == candidates[0].name else CODECS[candidates[0].codec]
        raise OutputError(f"--crf {crf:g} is outside {low:g} to {high:g}, the range of {whose}")
    depth = [encoder for encoder in candidates if encoder.pixel_format(bits)]
    if not depth:
        raise OutputError(
            f"{candidates[-1].name} cannot write {bits} bits here; use --pix-fmt yuv420p or another --codec"
        )
    fitting = [encoder for encoder in depth if preset is None or preset in encoder.presets]
    if not fitting:
        raise OutputError(f"{depth[-1].name} has no preset {preset!r}; it has {', '.join(depth[-1].presets) or 'none'}")
    failures: list[str] = []
    for encoder in fitting:
        low, high, usual = encoder.crf
        if crf is not None and not low <= crf <= high:
            failures.append(f"{encoder.name} (its --crf goes from {low:g} to {high:g})")
            continue
        width, height = (_coded_side(side, encoder) for side in size)
        choice = Choice(
            encoder,
            encoder.pixel_format(bits) or "",
            width,
            height,
            usual if crf is None else crf,
            preset or encoder.usual_preset,
            tuple(failures),
        )
        reason = why_not(choice)
        if reason is None:
            return choice
        failures.append(f"{encoder.name} ({reason})")
    raise OutputError(f"no encoder for {width}x{height} in {bits} bits works here: {'; '.join(failures)}")


def _coded_side(side: int, encoder: Encoder) -> int:
    even = side if encoder.odd_sizes else side + side % 2
    return max(even, encoder.min_side_px)


def _candidates(codec: str, container: Container, bits: int) -> list[Encoder]:
    """The encoders that a name of the command line stands for, best first, never none."""
    if codec == "auto":
        # Players take H.264 everywhere, but in 8 bits only; HEVC is its successor for 10.
        wanted = [name for name in container.codecs if not (bits > 8 and name == "h264")]
        ordered = [encoder for name in wanted for encoder in ENCODERS if encoder.codec == name]
        first = [encoder for encoder in ordered if encoder.codec == wanted[0]]
        return first + [encoder for encoder in ordered if encoder not in first and not encoder.is_hardware]
    known = [encoder for encoder in ENCODERS if codec in (encoder.codec, encoder.name)]
    if not known:
        names = ["auto", *CODECS, *(encoder.name for encoder in ENCODERS if encoder.name in av.codecs_available)]
        close = difflib.get_close_matches(codec.lower(), names, n=3)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        raise OutputError(f"unknown codec {codec!r}; {hint}--codec takes {', '.join(names)}")
    if known[0].codec not in container.codecs:
        can = ", ".join(CODECS[name] for name in container.codecs)
        raise OutputError(f"{container.name} cannot hold {CODECS[known[0].codec]} ({codec}); it holds {can}")
    return known


def why_not(choice: Choice) -> str | None:
    """Why this encoder does not work on this machine at this size, None if it does.

    That FFmpeg knows an encoder says nothing of the driver behind it, so it is opened, and hardware has to encode one
    grey picture as well.
    """
    try:
        context = av.CodecContext.create(choice.encoder.name, "w")
    except av.codec.codec.UnknownCodecError:
        return "not in this build of FFmpeg"
    assert isinstance(context, VideoCodecContext)
    choice.configure(context, Fraction(1, 25), Fraction(25))
    try:
        with kept_scheduling():
            context.open()
        if choice.encoder.is_hardware:
            frame = av.VideoFrame(choice.width, choice.height, choice.pix_fmt)
            for plane in frame.planes:
                plane.update(b"\x80" * plane.buffer_size)
            frame.pts = 0
            if not [*context.encode(frame), *context.encode(None)]:
                return "gave no picture back"
    except (av.FFmpegError, ValueError, RuntimeError) as error:
        return first_line(error)
    return None
