"""Encoders: capabilities, quality, bit rate."""

from __future__ import annotations

import ctypes
import difflib
import os
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal, Self

import av
from av.video.codeccontext import VideoCodecContext

from framebrush.base.text import first_line
from framebrush.gpu.frame import FrameFormat, Transfer
from framebrush.media.containers import Container
from framebrush.media.encoding.pixels import (
    ALPHA_FORMATS,
    AUTO,
    GREY_FORMATS,
    LEAST_HDR_BITS,
    OPAQUE_FORMATS,
    PACKED_RGB,
    PALETTE,
    PIXEL_FORMATS,
    SOURCE,
    TO_WATCH_8_BITS,
    Hdr,
    closest,
    cost,
    packing_of,
    planar,
    to_watch,
)
from framebrush.media.encoding.scheduling import kept_scheduling
from framebrush.media.video import OutputError

Kind = Literal[
    "x264",
    "x265",
    "svt",
    "vpx",
    "nvenc",
    "qsv",
    "amf",
    "mf",
    "videotoolbox",
    "prores",
    "dnxhr",
    "cineform",
    "ffv1",
    "jpeg",
    "picture",
    "raw",
    "utvideo",
    "gif",
    "webp",
]

CODECS = {
    "h264": "H.264",
    "hevc": "HEVC",
    "av1": "AV1",
    "vp9": "VP9",
    "prores": "ProRes",
    "dnxhr": "DNxHR",
    "cineform": "CineForm",
    "ffv1": "FFV1",
    "utvideo": "Ut Video",
    "gif": "GIF",
    "webp": "WebP",
}
EXR_BITS = 16
"""Bits of EXR's floats, for any frames."""

PICTURE_CODECS = {"png": "PNG", "tiff": "TIFF", "dpx": "DPX", "exr": "EXR", "jpeg": "JPEG"}
"""Codecs of numbered pictures, by the file suffix."""
RAW_CODECS = {"raw": "raw video", "y4m": "YUV4MPEG"}
"""Codecs of pipes, by `--format`."""
_ALL_CODECS = CODECS | PICTURE_CODECS | RAW_CODECS
ALIASES = {"h265": "hevc", "x265": "hevc", "x264": "h264", "avc": "h264", "dnxhd": "dnxhr", "cfhd": "cineform"}
TO_WATCH = ("h264", "hevc", "av1", "vp9")
"""Codecs for players, which need 4:2:0. Other codecs are for editing and archives, in the source's format."""

IN_HDR = ("h264", "hevc", "av1", "vp9", "prores", "ffv1")
"""Codecs with HDR tags. DNxHR has a field for BT.2020 that FFmpeg does not write."""

IN_FULL_RANGE = ("h264", "hevc", "av1", "vp9", "ffv1", "y4m", "raw")
"""Codecs that keep full range. They tag it; readers of raw video must know it. ProRes, DNxHR and CineForm have no full
range, Ut Video has no tag."""

_FINEST: dict[Kind, int] = {"x264": 19, "x265": 22, "svt": 14, "vpx": 12}
"""Quantisers at which films of free size are up to 1.4 times as large as with the usual quality number, measured.
Encoders' scales differ."""

_SVT_MOST = 100_000_000
"""SVT-AV1's highest bit rate."""

PEAK, PEAK_S = 4, 2
"""Factor of the mean bit rate that an encoder may use, and for how many seconds."""

_LOSSLESS = ("ffv1", "utvideo", "png", "tiff", "dpx", "rawvideo")
_X26X_PRESETS = (
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
)  # fmt: skip
_QSV_PRESETS = ("veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow")
_NVENC_PRESETS = ("p1", "p2", "p3", "p4", "p5", "p6", "p7", "fast", "medium", "slow")
_AMF_PRESETS = ("speed", "balanced", "quality")


@dataclass(frozen=True, slots=True)
class BitRate:
    """Bit rate in bit/s. mean: target. most: peak."""

    mean: int
    most: int

    @classmethod
    def of(cls, mean: int) -> Self:
        return cls(mean, PEAK * mean)


@dataclass(frozen=True, slots=True)
class Encoder:
    """FFmpeg encoder.

    Attributes:
        crf: lowest, highest and usual quality number (lower is better), or None.
        profiles: presets by pixel format, the usual one first.
        odd_sizes: allowed with subsampled chroma.
        min_size_px, multiple_px: pictures are padded to these.
    """

    name: str
    codec: str
    kind: Kind
    formats: tuple[str, ...]
    crf: tuple[float, float, float] | None
    presets: tuple[str, ...]
    usual_preset: str | None = None
    profiles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    odd_sizes: bool = False
    min_size_px: tuple[int, int] = (1, 1)
    multiple_px: tuple[int, int] = (1, 1)

    @property
    def is_hardware(self) -> bool:
        return self.kind in ("nvenc", "qsv", "amf", "mf", "videotoolbox")

    def weaves(self, height: int, container: Container) -> bool:
        """Return whether encoder and container support interlacing."""
        if not container.interlaced:
            return False
        if self.kind == "x264":
            return height % 4 == 0
        return self.kind in ("prores", "ffv1") or self.codec == "y4m"

    def announced(self, rate: Fraction) -> Fraction:
        """Return the nearest rate that the encoder accepts."""
        lowest, highest = _HARDWARE_RATES if self.is_hardware else (rate, _SVT_HIGHEST if self.kind == "svt" else rate)
        return min(max(rate, lowest), highest)

    @property
    def header_first(self) -> bool:
        """Whether the header precedes the first picture."""
        return self.kind != "mf"

    def pixel_format(self, wanted: str) -> str | None:
        """Return the encoder's format for one of PIXEL_FORMATS."""
        return next((form for form in self.built if planar(form) == wanted), None)

    @property
    def built(self) -> tuple[str, ...]:
        """Pixel formats in this FFmpeg build."""
        built = _formats_of(self.name)
        return tuple(form for form in self.formats if built is None or form in built)

    def presets_of(self, form: str) -> tuple[str, ...]:
        """Return a pixel format's presets."""
        return dict(self.profiles).get(form, self.presets)

    def usual_preset_of(self, form: str) -> str | None:
        return self.presets_of(form)[0] if self.profiles else self.usual_preset

    @property
    def usual_crf(self) -> float | None:
        return None if self.crf is None else self.crf[2]

    @property
    def takes_bit_rate(self) -> bool:
        """Whether a bit rate can be set; not for hardware."""
        return self.kind in ("x264", "x265", "svt", "vpx")

    def is_lossless(self, crf: float | None) -> bool:
        """Return whether encoding loses nothing."""
        return self.name in _LOSSLESS or (self.kind in ("x264", "x265") and crf == 0)

    def options(self, crf: float | None, preset: str | None, rate: BitRate | None = None) -> dict[str, str]:
        """Return FFmpeg's options for quality or bit rate."""
        chosen = _quality(self, crf or 0.0) if rate is None else _rate(self, rate)
        match self.kind:
            case _ if preset is None:
                pass
            case "prores":
                chosen["profile"] = str(_PRORES_NUMBERS.index(preset))  # names in FFmpeg's numbering
            case "dnxhr":
                chosen["profile"] = f"dnxhr_{preset}"
            case "cineform":
                chosen["quality"] = preset
            case "vpx":
                chosen["cpu-used"] = preset
            case _:
                chosen["preset"] = preset
        return chosen


def with_parameters(options: dict[str, str], name: str, *words: str) -> dict[str, str]:
    """Add private parameters, such as x264-params."""
    return options | {name: ":".join(filter(None, (options.get(name), *words)))}


@cache
def _formats_of(encoder: str) -> frozenset[str] | None:
    try:
        formats = av.codec.Codec(encoder, "w").video_formats
    except av.codec.codec.UnknownCodecError:
        return None
    return None if formats is None else frozenset(form.name for form in formats)


def _quality(encoder: Encoder, crf: float) -> dict[str, str]:
    level = max(1, round(crf))  # NVENC and QSV treat 0 as unset
    match encoder.kind:
        case "x264":
            return {"crf": f"{crf:g}"} if crf else {"qp": "0"}  # lossless also above 8 bits
        case "x265":
            # this encoder writes to stderr past FFmpeg's log; SVT-AV1 does, too, and only obeys an environment variable
            return {"crf": f"{crf:g}", "x265-params": "log-level=none" + ("" if crf else ":lossless=1")}
        case "svt":
            return {"crf": f"{level}"}
        case "vpx":
            return {"crf": f"{round(crf)}", "b": "0", "deadline": "good", "row-mt": "1"}
        case "nvenc":
            return {"rc": "vbr", "cq": f"{level}", "b": "0"}
        case "qsv":
            # ICQ goes to 51 for AV1, too
            highest = 63 if encoder.codec == "av1" else 51
            return {"global_quality": f"{max(1, round(crf * 51 / highest))}"}
        case "amf":
            # AV1's quantiser index goes to 255
            quantiser = f"{round(crf * 255 / 63) if encoder.codec == 'av1' else round(crf)}"
            names = ("qp_i", "qp_p", "qp_b") if encoder.codec == "h264" else ("qp_i", "qp_p")
            return {"rc": "cqp"} | dict.fromkeys(names, quantiser)
        case "mf":
            return {"rate_control": "quality", "quality": f"{round(100 - crf * 100 / 51)}"}
        case "videotoolbox":  # quality 1 to 100, on Apple's own chips
            return {"flags": "qscale", "global_quality": f"{round(118 * max(1.0, 100 - crf * 100 / 51))}"}
        case "ffv1":
            return {"level": "3", "slicecrc": "1", "g": "1"}  # intra-only, with checksums
        case "jpeg":
            return {"flags": "qscale", "global_quality": f"{round(118 * crf)}"}  # FF_QP2LAMBDA
        case "picture":
            return {"compression": "zip16", "format": "half"} if encoder.name == "exr" else {}
        case "webp":
            return {"quality": f"{100 - crf:g}"}
        case "prores" | "dnxhr" | "cineform" | "raw" | "utvideo" | "gif":
            return {}


def _rate(encoder: Encoder, rate: BitRate) -> dict[str, str]:
    told = {"b": f"{rate.mean}", "qmin": f"{_FINEST.get(encoder.kind, 0)}"}
    capped = told | {"maxrate": f"{rate.most}", "bufsize": f"{PEAK_S * rate.most}"}
    match encoder.kind:
        case "x264":
            return capped | {"x264-params": "force-cfr=1:ratetol=0.1"}  # counts frames, for which the rate is computed
        case "x265":
            return capped | {"x265-params": "log-level=none:info=0"}  # otherwise the header would contain the rate
        case "svt":
            return told | {"b": f"{min(rate.mean, _SVT_MOST)}"}  # limits quality, not rate
        case "vpx":
            # The encoder's variable rate misses by a third; a constant rate with a long buffer does not.
            constant = told | {"minrate": f"{rate.mean}", "maxrate": f"{rate.mean}", "bufsize": f"{4 * rate.mean}"}
            return constant | {"deadline": "good", "row-mt": "1"}
        case _:
            raise ValueError(f"{encoder.name} takes no bit rate")


_H26X, _AV1 = (0.0, 51.0, 20.0), (1.0, 63.0, 24.0)
_SEMI = ("nv12", "p010le")
_H264 = ("nv12", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le")
_TO_12_BITS = (
    *("yuv420p", "yuv422p", "yuv444p", "gbrp", "yuv420p10le", "yuv422p10le", "yuv444p10le", "gbrp10le"),
    *("yuv420p12le", "yuv422p12le", "yuv444p12le", "gbrp12le"),
)
_PRORES = (
    ("yuv422p10le", ("hq", "standard", "lt", "proxy")),
    ("yuv444p10le", ("4444", "4444xq")),
    ("yuva444p10le", ("4444", "4444xq")),
)
_PRORES_NUMBERS = ("proxy", "lt", "standard", "hq", "4444", "4444xq")
_DNXHR = (
    ("yuv422p", ("hq", "sq", "lb")),
    ("yuv422p10le", ("hqx",)),
    ("yuv444p10le", ("444",)),
    ("gbrp10le", ("444",)),
)

_CINEFORM = ("yuv422p10le", "gbrp12le", "gbrap12le")
_CINEFORM_QUALITIES = ("film3", "film2", "film1", "high", "medium", "low")

_SVT_HIGHEST = Fraction(240)  # it refuses more
_HARDWARE_RATES = Fraction(1), Fraction(240)  # what drivers accept beyond is unknown

_Y4M = tuple(name for name in OPAQUE_FORMATS if name.startswith("yuv"))
_FFV1 = (
    *(name for name in OPAQUE_FORMATS + ALPHA_FORMATS if name not in map(planar, PACKED_RGB)),
    *(*PACKED_RGB, *GREY_FORMATS),
)
_AV1_FORMATS = ("yuv420p", "yuv420p10le")
_Profiles = tuple[tuple[str, tuple[str, ...]], ...]


def _forms(profiles: _Profiles) -> tuple[str, ...]:
    return tuple(form for form, _ in profiles)


def _names(profiles: _Profiles) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, names in profiles for name in names))


# Order within a codec for "auto": hardware first, software last.
ENCODERS = (
    Encoder("h264_nvenc", "h264", "nvenc", ("nv12",), _H26X, _NVENC_PRESETS, "p5"),
    Encoder("h264_qsv", "h264", "qsv", ("nv12",), _H26X, _QSV_PRESETS, "medium"),
    Encoder("h264_amf", "h264", "amf", ("nv12",), _H26X, _AMF_PRESETS, "quality"),
    Encoder("h264_mf", "h264", "mf", ("nv12",), _H26X, ()),
    Encoder("h264_videotoolbox", "h264", "videotoolbox", ("nv12",), _H26X, ()),
    Encoder("libx264", "h264", "x264", _H264, (0.0, 51.0, 18.0), _X26X_PRESETS, "medium"),
    Encoder("hevc_nvenc", "hevc", "nvenc", _SEMI, _H26X, _NVENC_PRESETS, "p5"),
    Encoder("hevc_qsv", "hevc", "qsv", _SEMI, _H26X, _QSV_PRESETS, "medium"),
    Encoder("hevc_amf", "hevc", "amf", _SEMI, _H26X, _AMF_PRESETS, "quality"),
    Encoder("hevc_mf", "hevc", "mf", ("nv12",), _H26X, ()),
    Encoder("hevc_videotoolbox", "hevc", "videotoolbox", _SEMI, _H26X, ()),
    # x265 4.1 overruns buffers at sides of 34 to 48 px; SVT-AV1 hangs at 10 to 24.
    Encoder("libx265", "hevc", "x265", _TO_12_BITS, _H26X, _X26X_PRESETS, "medium", min_size_px=(64, 64)),
    Encoder("av1_nvenc", "av1", "nvenc", _SEMI, _AV1, _NVENC_PRESETS, "p5"),
    Encoder("av1_qsv", "av1", "qsv", _SEMI, _AV1, _QSV_PRESETS, "medium"),
    Encoder("av1_amf", "av1", "amf", _SEMI, _AV1, _AMF_PRESETS, "quality"),
    # From preset 8 on SVT-AV1 4.1 can blend flat 10-bit pictures with neighbours at any quality.
    Encoder(
        "libsvtav1",
        "av1",
        "svt",
        _AV1_FORMATS,
        _AV1,
        tuple(map(str, range(14))),
        "7",
        odd_sizes=True,
        min_size_px=(64, 64),
    ),
    Encoder("libvpx-vp9", "vp9", "vpx", _TO_12_BITS, (0.0, 63.0, 24.0), tuple(map(str, range(9))), "4", odd_sizes=True),
    Encoder("prores_ks", "prores", "prores", _forms(_PRORES), None, _names(_PRORES), profiles=_PRORES),
    Encoder("dnxhd", "dnxhr", "dnxhr", _forms(_DNXHR), None, _names(_DNXHR), profiles=_DNXHR, min_size_px=(256, 120)),
    Encoder(
        "cfhd",
        "cineform",
        "cineform",
        _CINEFORM,
        None,
        _CINEFORM_QUALITIES,
        "film1",
        min_size_px=(32, 32),
        multiple_px=(16, 4),
    ),
    Encoder("ffv1", "ffv1", "ffv1", _FFV1, None, (), odd_sizes=True),
    Encoder("utvideo", "utvideo", "utvideo", ("yuv420p", "yuv422p", "yuv444p", "gbrp", "gbrap"), None, ()),
    Encoder("gif", "gif", "gif", (PALETTE,), None, (), odd_sizes=True),
    Encoder("libwebp", "webp", "webp", ("yuv420p", "yuva420p"), (0.0, 100.0, 20.0), (), odd_sizes=True),
    Encoder("rawvideo", "raw", "raw", PIXEL_FORMATS, None, (), odd_sizes=True),
    Encoder("rawvideo", "y4m", "raw", _Y4M, None, (), odd_sizes=True),
    Encoder("png", "png", "picture", ("rgb24", "rgb48be", "rgba", "rgba64be"), None, (), odd_sizes=True),
    Encoder("tiff", "tiff", "picture", ("rgb24", "rgb48le", "rgba", "rgba64le"), None, (), odd_sizes=True),
    Encoder("dpx", "dpx", "picture", ("rgb24", "gbrp10le", "gbrp12le", "rgb48le"), None, (), odd_sizes=True),
    Encoder("exr", "exr", "picture", ("gbrpf32le", "gbrapf32le"), None, (), odd_sizes=True),
    Encoder("mjpeg", "jpeg", "jpeg", ("yuvj420p", "yuvj444p"), (1.0, 31.0, 2.0), (), odd_sizes=True),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Encoder with settings. width, height: coded. rate: overrides crf."""

    encoder: Encoder
    pix_fmt: str
    width: int
    height: int
    crf: float | None
    preset: str | None
    tried: tuple[str, ...]
    rate: BitRate | None = None

    @property
    def options(self) -> dict[str, str]:
        return self.encoder.options(self.crf, self.preset, self.rate)

    @property
    def frame_pixel_format(self) -> str:
        """Pixel format of frames to encode."""
        return planar(self.pix_fmt) if self.pix_fmt in (PALETTE, *PACKED_RGB) else self.pix_fmt

    def configure(self, context: VideoCodecContext, time_base: Fraction, rate: Fraction) -> None:
        """Set an encoder's parameters. rate: frames per second."""
        _silence_svt()
        context.width, context.height, context.pix_fmt = self.width, self.height, self.pix_fmt
        context.time_base = time_base
        context.framerate = self.encoder.announced(rate)
        context.options = {**context.options, **self.options}


def segment_settings(choice: Choice, size: tuple[int, int]) -> Choice:
    """Return segments' settings: lossless for animations."""
    if choice.encoder.kind not in ("gif", "webp"):
        return choice
    encoder = next(one for one in ENCODERS if one.codec == "ffv1")
    form = encoder.pixel_format(choice.frame_pixel_format)
    assert form is not None
    return Choice(encoder, form, *size, None, None, ())


@cache
def _silence_svt() -> None:
    os.environ.setdefault("SVT_LOG", "0")
    if sys.platform == "win32":  # Windows' C library has its own environment
        ctypes.CDLL("msvcrt")._putenv(f"SVT_LOG={os.environ['SVT_LOG']}".encode())


def choose_encoder(
    codec: str,
    crf: float | None,
    preset: str | None,
    container: Container,
    size: tuple[int, int],
    pix_fmt: str,
    *,
    sized: bool = False,
    full_range: bool = False,
) -> Choice:
    """Choose a working encoder by codec or name, hardware first. Raises OutputError.

    sized: with a size limit. full_range: not tagged by Media Foundation.
    """
    fitting, failures = _fitting(_plain(codec), crf, preset, container, pix_fmt, sized, full_range), list[str]()
    halved = packing_of(pix_fmt).subsample
    for encoder, form in fitting.items():
        if crf is not None and _is_outside(crf, encoder):
            low, high, _ = encoder.crf or (0.0, 0.0, 0.0)
            failures.append(f"{encoder.name} (its quality goes from {low:g} to {high:g})")
            continue
        width, height = _coded_size(size, encoder, halved)
        choice = Choice(
            encoder,
            form,
            width,
            height,
            None if sized else encoder.usual_crf if crf is None else crf,
            preset or encoder.usual_preset_of(form),
            tuple(failures),
            BitRate.of(width * height) if sized else None,
        )
        reason = unavailable_reason(choice)
        if reason is None:
            return choice
        failures.append(f"{encoder.name} ({reason})")
    raise OutputError(f"no encoder for {size[0]}x{size[1]} in {pix_fmt} works here: {'; '.join(failures)}")


def _fitting(
    codec: str,
    crf: float | None,
    preset: str | None,
    container: Container,
    pix_fmt: str,
    sized: bool,
    full_range: bool,
) -> dict[Encoder, str]:
    candidates = _candidates(codec, container, pix_fmt)
    whose = candidates[0].name if codec == candidates[0].name else _ALL_CODECS[candidates[0].codec]
    if sized:
        candidates = [encoder for encoder in candidates if encoder.takes_bit_rate]
        if not candidates:
            raise OutputError(f"{whose} cannot aim at a size; x264, x265, SVT-AV1 and VP9 can")
    if full_range:
        candidates = [encoder for encoder in candidates if encoder.kind != "mf"]
    if crf is not None and candidates[0].crf is None:
        raise OutputError(f"quality {crf:g}: {whose} has no quality numbers", do=_instead(candidates[0]))
    if crf is not None and _is_outside(crf, candidates[0]):
        low, high, _ = candidates[0].crf or (0.0, 0.0, 0.0)
        raise OutputError(
            f"quality {crf:g} is outside {low:g} to {high:g}, the range of {whose}", do="choose --crf in it"
        )
    fed = {encoder: form for encoder in candidates if (form := encoder.pixel_format(pix_fmt))}
    if not fed:
        whose = candidates[-1].name if codec != "auto" else f"no encoder for {container.name}"
        can = list(dict.fromkeys(planar(form) for encoder in candidates for form in encoder.built))
        verb = "cannot write" if codec != "auto" else "writes"
        raise OutputError(f"{whose} {verb} {pix_fmt} here", do=f"use --pix-fmt {' or '.join(can)}, or another --codec")
    fitting = {encoder: form for encoder, form in fed.items() if preset is None or preset in encoder.presets_of(form)}
    if not fitting:
        last, form = list(fed.items())[-1]
        of_form = f" for {pix_fmt}" if last.profiles else ""
        has = ", ".join(last.presets_of(form)) or "none"
        others = [planar(other) for other in last.built if preset in last.presets_of(other)]
        hint = f"use --pix-fmt {' or '.join(others)} for {preset!r}" if others else ""
        raise OutputError(f"{last.name} has no preset {preset!r}{of_form}; it has {has}", do=hint)
    return fitting


def pixel_format_for(
    asked: str, codec: str, container: Container, source: FrameFormat, hdr: Hdr = "sdr", *, painted: bool = True
) -> str:
    """Choose a result's format from PIXEL_FORMATS. Raises OutputError.

    asked: a format, SOURCE for the closest, or AUTO: SOURCE for editing codecs, else `to_watch`. painted: grey gets
    colours.
    """
    if asked not in (AUTO, SOURCE):
        return asked
    if hdr == "keep" and source.transfer is not Transfer.SDR:
        source = replace(source, bits=max(source.bits, LEAST_HDR_BITS))
    usual = to_watch(source)
    candidates = _candidates(_plain(codec), container, usual if asked == AUTO else None)
    if asked == AUTO and candidates[0].codec in TO_WATCH:
        # Some libvpx builds only have 8 bits. HDR needs more; `choose_encoder` says so.
        if hdr != "keep" and not any(encoder.pixel_format(usual) for encoder in candidates):
            return TO_WATCH_8_BITS
        return usual
    best = [closest(source, map(planar, encoder.built), painted=painted) for encoder in candidates]
    # among equals the first: the container's usual codec matters more than a smaller format
    return min(best, key=lambda form: cost(source, form, painted=painted))


def keeps_full_range(codec: str, container: Container, pix_fmt: str) -> bool:
    """Return whether full range is kept. Raises OutputError."""
    first = _candidates(_plain(codec), container, pix_fmt)[0]
    return first.codec in IN_FULL_RANGE and first.kind != "mf" and container.records_range


def keeps_matrix(codec: str, container: Container, pix_fmt: str) -> bool:
    """Return whether players heed a codec's matrix tag. Raises OutputError."""
    return _candidates(_plain(codec), container, pix_fmt)[0].codec != "dnxhr"


def codec_of(encoder: str) -> str:
    """Return an encoder's codec."""
    return next(one.codec for one in ENCODERS if one.name == encoder)


def _plain(codec: str) -> str:
    codec = codec.lower()
    return ALIASES.get(codec, codec)


def _is_outside(crf: float, encoder: Encoder) -> bool:
    return encoder.crf is None or not encoder.crf[0] <= crf <= encoder.crf[1]


def _instead(encoder: Encoder) -> str:
    if encoder.presets:
        return f"use --preset {', '.join(encoder.presets)}"
    return "it has one quality" if encoder.kind == "gif" else "it keeps everything"


def _coded_size(size: tuple[int, int], encoder: Encoder, halved: tuple[int, int]) -> list[int]:
    even = [
        side + side % 2 if axis and not encoder.odd_sizes else side for side, axis in zip(size, halved, strict=True)
    ]
    least = [max(sides) for sides in zip(even, encoder.min_size_px, strict=True)]
    return [side + -side % multiple for side, multiple in zip(least, encoder.multiple_px, strict=True)]


def _candidates(codec: str, container: Container, pix_fmt: str | None) -> list[Encoder]:
    if codec == "auto":
        kind = packing_of(pix_fmt) if pix_fmt else None
        plain = kind is not None and kind.subsample == (1, 1)
        usual = [name for name in container.codecs if name not in container.on_request]
        wanted = [name for name in usual if not plain or name in TO_WATCH] or usual
        if kind is not None and kind.bits > 8 and len(wanted) > 1:
            # H.264 plays everywhere in 8 bits; for 10 bits HEVC does
            wanted = [name for name in wanted if name != "h264"]
        ordered = [encoder for name in wanted for encoder in ENCODERS if encoder.codec == name]
        first = [encoder for encoder in ordered if encoder.codec == wanted[0]]
        return first + [encoder for encoder in ordered if encoder not in first and not encoder.is_hardware]
    known = [encoder for encoder in ENCODERS if codec in (encoder.codec, encoder.name)]
    if not known:
        usable = [one.name for one in ENCODERS if one.codec in CODECS and one.name in av.codecs_available]
        names = ["auto", *CODECS, *usable]
        close = difflib.get_close_matches(codec.lower(), names, n=3)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        raise OutputError(f"unknown codec {codec!r}", do=f"{hint}--codec takes {', '.join(names)}")
    if known[0].codec not in container.codecs:
        can = ", ".join(_ALL_CODECS[name] for name in container.codecs)
        cannot = f"{container.name} cannot hold {_ALL_CODECS[known[0].codec]} ({codec})"
        raise OutputError(f"{cannot}; it holds {can}", do="--codec auto chooses one")
    return known


def unavailable_reason(choice: Choice) -> str | None:
    """Return why an encoder fails here, if so."""
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
                return "returned no picture"
    except (av.FFmpegError, ValueError, RuntimeError) as error:
        return first_line(error)
    return None
