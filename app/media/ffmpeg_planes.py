"""Conversion of FFmpeg frames to `gpu.frame`, as views or by swscale."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from av.video.format import VideoFormat
from av.video.frame import VideoFrame
from av.video.plane import VideoPlane
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

from framebrush.gpu import colour
from framebrush.gpu.device import Device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Matrix, Plane, PlaneAddresses, PlaneOrder
from framebrush.media.boxes import Rectangle
from framebrush.media.dlpack import described
from framebrush.media.filters import swscale_threads
from framebrush.media.tags import LINEAR, SRGB, resolve, tags_of
from framebrush.media.to_srgb import ToSrgb

SUBSAMPLING = {"420": (1, 1), "422": (1, 0), "444": (0, 0), "440": (0, 1), "411": (2, 0), "410": (2, 2)}
_YUV_PLANAR = re.compile(r"yuv([aj]?)(420|422|444|440|411|410)p(?:(9|10|12|14|16)le)?")
_GBR = re.compile(r"gbr(a?)p(?:(9|10|12|14|16)le)?")
_FLOATS = re.compile(r"(?:gbr(a?)p|gray)f(16|32)le")
_GREY = re.compile(r"gray(?:(9|10|12|14|16)le)?")
_P0XX = re.compile(r"p([024])(10|12|16)le")
_SEMI_PLANAR = {"nv12": ((1, 1), 8), "nv16": ((1, 0), 8), "nv24": ((0, 0), 8), "nv20le": ((1, 0), 10)}
_EXPORTED = ("nv12", "p010le", "p016le")
"""Formats with addresses in PyAV."""

_FATAL = ("yaf32le", "yaf32be")
"""Formats on which swscale crashes by an assertion."""

_OF_LIGHT = ("hdr",)
"""Codecs with linear light (Radiance), which FFmpeg does not tag."""

_COLOURSPACE = {
    Matrix.BT601: Colorspace.ITU601,
    Matrix.BT709: Colorspace.ITU709,
    Matrix.BT2020: Colorspace.BT2020,
    Matrix.FCC: Colorspace.FCC,
    Matrix.SMPTE240M: Colorspace.SMPTE240M,
}
"""Matrices that swscale converts."""

_EXPANDED = np.rint(np.clip((np.arange(256) - 16) * 255 / 219, 0, 255)).astype(np.uint8)
"""Full range for each code of limited range, which swscale does not convert in grey."""

_STRIP_ROWS = 128
"""Rows per conversion to sRGB: 6 MiB for the widest picture."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Memory layout of a pixel format, as for `FrameFormat`."""

    layout: PlaneOrder
    bits: int = 8
    shift: int = 0
    subsample: tuple[int, int] = (0, 0)
    alpha: bool = False
    floating: bool = False


def packing(name: str) -> Packing | None:
    """Return a pixel format's layout, None if unusable. Alpha comes last."""
    if name in ("rgba", "rgb0"):
        return Packing(PlaneOrder.RGBA, alpha=name == "rgba")
    if match := _YUV_PLANAR.fullmatch(name):
        return Packing(PlaneOrder.PLANAR, int(match[3] or 8), subsample=SUBSAMPLING[match[2]], alpha=match[1] == "a")
    if match := _GBR.fullmatch(name):
        return Packing(PlaneOrder.GBR, int(match[2] or 8), alpha=match[1] == "a")
    if match := _FLOATS.fullmatch(name):  # grey floats are read as three equal planes
        return Packing(PlaneOrder.GBR, int(match[2]), alpha=match[1] == "a", floating=True)
    if match := _GREY.fullmatch(name):
        return Packing(PlaneOrder.GREY, int(match[1] or 8))
    if match := _P0XX.fullmatch(name):
        bits = int(match[2])
        subsample = {"0": (1, 1), "2": (1, 0), "4": (0, 0)}[match[1]]
        return Packing(PlaneOrder.SEMI_PLANAR, bits, 16 - bits, subsample)
    if name in _SEMI_PLANAR:
        subsample, bits = _SEMI_PLANAR[name]
        return Packing(PlaneOrder.SEMI_PLANAR, bits, subsample=subsample)
    return None


def stored(frame: VideoFrame) -> VideoFormat:
    """Return the pixel format of a frame's samples."""
    return frame.sw_format or frame.format


def has_alpha(pixel_format: VideoFormat) -> bool:
    return any(component.is_alpha for component in pixel_format.components)


def downloaded(frame: VideoFrame) -> VideoFrame:
    """Return the frame in host memory."""
    return frame if frame.sw_format is None else frame.reformat(format=frame.sw_format.name)


def is_grey(frame: VideoFrame) -> bool:
    """Return whether a frame is grey."""
    if nearest(frame.format).startswith("gray"):
        return True
    rgb = frame.reformat(format="rgb24", threads=swscale_threads(frame.format)).to_ndarray()
    return bool((rgb == rgb[..., :1]).all())


def nearest(pixel_format: VideoFormat) -> str:
    """Return the closest usable pixel format, lossless if possible."""
    name = pixel_format.name
    little_endian = name[:-2] + "le" if name.endswith("be") else name
    if packing(little_endian):
        return little_endian
    components = [component for component in pixel_format.components if not component.is_alpha]
    bits = max((component.bits for component in components), default=8)
    if pixel_format.is_bayer:
        bits = 16 if "16" in name else 8  # by component depths
    depth = next((depth for depth in (8, 9, 10, 12, 14) if bits <= depth), 16)
    suffix = "" if depth == 8 else f"{depth}le"
    if has_alpha(pixel_format) and pixel_format.is_rgb:
        return f"gbrap{suffix}" if suffix else "rgba"
    if pixel_format.is_rgb or pixel_format.has_palette or pixel_format.is_bayer or name.startswith("xyz"):
        return f"gbrp{suffix}" if suffix else "rgba"
    if len(components) < 3:
        return f"gray{suffix}"
    ratios = 64 // pixel_format.chroma_width(64), 64 // pixel_format.chroma_height(64)
    chroma = next(name for name, (x, y) in SUBSAMPLING.items() if ratios == (1 << x, 1 << y))
    return f"yuv{'a' if has_alpha(pixel_format) else ''}{chroma}p{suffix}"


class Planes:
    """Converter of decoded frames to the first frame's format.

    EXR becomes sRGB; frames with an ICC profile become 8-bit R'G'B' or grey.
    changed: number of frames with another size, format or tags. note: why GPU frames are downloaded, or "".
    """

    def __init__(
        self,
        first: VideoFrame,
        codec: str,
        crop: Rectangle | None = None,
        device: Device | None = None,
        to_srgb: ToSrgb | None = None,
        size: tuple[int, int] | None = None,
    ) -> None:
        """Take the format from a first frame. Raises ValueError.

        crop: (left, top, width, height), rounded to chroma samples. device: owner of GPU frames. size: (width, height).
        """
        self._codec, self._to_srgb = codec, to_srgb
        pixels = stored(first)
        self._given = self._name = nearest(pixels)
        self._alike = _tags(first)  # frames with these need no look at their format
        self._swscale = VideoReformatter()
        self._own = self._whole = self._format_of(first)
        if to_srgb is not None:
            grey = to_srgb.of_greys and self._own.layout is PlaneOrder.GREY
            self._name = "gray" if grey else "rgba"
            self._whole = FrameFormat(
                first.width,
                first.height,
                PlaneOrder.GREY if grey else PlaneOrder.RGBA,
                matrix=self._own.matrix if grey else Matrix.RGB,
                full_range=True,
                alpha=self._own.alpha,
            )
        if size is not None:
            self._whole = replace(self._whole, width=size[0], height=size[1])
        self._left, self._top, self.format = _cropped(self._whole, crop)
        self.changed = 0
        self._in_light = self._whole.floating and (tags_of(first).transfer == LINEAR or codec in _OF_LIGHT)
        self.tags = tags_of(first)
        if self._in_light:  # dark parts need more than halves
            self.format = replace(self.format, bits=32)
            self.tags = replace(self.tags, transfer=SRGB.transfer)
        self._always = self._name != pixels.name or size is not None
        if self._always:
            self._convert(downloaded(first), self._own)  # fail now, not in mid-stream
        self._device = device if first.sw_format is not None and self._name in _EXPORTED else None
        self.note = ""
        if first.sw_format is not None and self._device is None:
            self.note = f"frames of {self._name} cannot stay on the GPU: each is downloaded and uploaded again"

    def _format_of(self, frame: VideoFrame) -> FrameFormat:
        pixels = stored(frame)
        name, own_name = nearest(pixels), pixels.name
        kind = packing(name)
        if kind is None or own_name in _FATAL:
            raise ValueError(f"pixel format {own_name} has no samples that can be read")
        if pixels.is_bayer and frame.height < 2:
            raise ValueError("a Bayer pattern of one row has no colours")
        tags = resolve(frame, kind.layout, kind.subsample, self._codec)
        return FrameFormat(
            frame.width,
            frame.height,
            kind.layout,
            kind.bits,
            kind.shift,
            kind.subsample,
            tags.matrix,
            # swscale only makes full-range R'G'B', and grey from bi-level pictures
            tags.full_range or kind.floating or (name != own_name and kind.layout is not PlaneOrder.PLANAR),
            tags.transfer,
            tags.primaries,
            tags.siting,
            tags.peak_nits,
            kind.alpha and has_alpha(pixels),
            kind.floating,
        )

    def wrap(self, frame: VideoFrame) -> Frame | DeviceFrame:
        """Return a frame in `format`, as views if possible. Raises ValueError."""
        own, changed, tags = self._own, False, _tags(frame)
        if tags != self._alike:
            own = self._format_of(frame)
            changed = _facts(own) != _facts(self._own) or nearest(stored(frame)) != self._given
            self._alike = self._alike if changed else tags
        self.changed += changed
        if self._device is not None and frame.sw_format is not None and not (changed or self._always):
            return self._adopted(frame, self._device)
        frame = downloaded(frame)
        if changed or self._always:
            frame = self._convert(frame, own)
        alpha = self._alpha(frame) if self.format.alpha else None
        return Frame(self.format, tuple(self._view(frame, i) for i in range(len(self.format.plane_shapes))), alpha)

    def _convert(self, frame: VideoFrame, own: FrameFormat) -> VideoFrame:
        goal = self._whole
        if own.matrix is not goal.matrix and not {own.matrix, goal.matrix} <= {*_COLOURSPACE, Matrix.RGB}:
            raise ValueError(f"its colours change from {goal.matrix.name} to {own.matrix.name}")
        if (own.transfer, own.primaries) != (self._own.transfer, self._own.primaries):
            frame, own = self._recoded(frame, own)
        return self._scaled(frame, own, goal, self._name)

    def _recoded(self, frame: VideoFrame, own: FrameFormat) -> tuple[VideoFrame, FrameFormat]:
        wide = replace(
            self._own,
            width=own.width,
            height=own.height,
            layout=PlaneOrder.GBR,
            bits=16,
            shift=0,
            subsample=(0, 0),
            matrix=Matrix.RGB,
            full_range=True,
            floating=False,
        )
        name = "gbrap16le" if has_alpha(frame.format) else "gbrp16le"
        samples = self._scaled(frame, own, wide, name).to_ndarray()  # (H, W, 3 or 4): R, G, B, alpha
        for top in range(0, len(samples), _STRIP_ROWS):
            strip = samples[top : top + _STRIP_ROWS, :, :3]
            rgb = np.moveaxis(strip, -1, 0).astype(np.float64) / 65535.0
            values = colour.recoded(rgb, own, self._own)
            strip[...] = np.rint(np.moveaxis(values, 0, -1) * 65535.0)
        return VideoFrame.from_ndarray(samples, name), wide

    def _scaled(self, frame: VideoFrame, own: FrameFormat, goal: FrameFormat, name: str) -> VideoFrame:
        # a matrix unknown to swscale is not applied either, so any name will do
        space = _COLOURSPACE.get(own.matrix) or _COLOURSPACE.get(goal.matrix) or Colorspace.ITU709
        return self._swscale.reformat(
            frame,
            goal.width,
            goal.height,
            name,
            src_colorspace=space,
            dst_colorspace=_COLOURSPACE.get(goal.matrix) or space,
            src_color_range=ColorRange.JPEG if own.full_range else ColorRange.MPEG,
            dst_color_range=ColorRange.JPEG if goal.full_range else ColorRange.MPEG,
            interpolation=Interpolation.BICUBIC | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT,
            threads=swscale_threads(frame.format),
        )

    def _adopted(self, frame: VideoFrame, device: Device) -> DeviceFrame:
        pointers, pitches = [], []
        for index, plane in enumerate(frame.planes[: len(self.format.plane_shapes)]):
            across, down = self._whole.subsample if index else (0, 0)
            sample = np.dtype(self.format.dtype).itemsize * (2 if index else 1)
            corner = (self._top >> down) * plane.line_size + (self._left >> across) * sample
            pointers.append(_address(plane) + corner)
            pitches.append(plane.line_size)
        return device.adopt(self.format, PlaneAddresses(pointers, pitches, frame))

    def _view(self, frame: VideoFrame, index: int) -> Plane:
        shape = self._whole.plane_shapes[index]
        plane = frame.planes[min(index, len(frame.planes) - 1)]
        view = self._cut(plane, shape, self._whole.subsample if index else (0, 0))
        if self._to_srgb is not None:
            limited = self._own.layout is PlaneOrder.GREY and not self._own.full_range
            return _in_srgb(_EXPANDED[view] if limited else view, self._to_srgb)
        return colour.linear_to_srgb(view).astype(np.float32) if self._in_light else view

    def _alpha(self, frame: VideoFrame) -> Plane:
        if self.format.layout is PlaneOrder.RGBA:
            (plane,), (shape,) = frame.planes, self._whole.plane_shapes
            return self._cut(plane, shape, (0, 0))[..., 3]
        return self._cut(frame.planes[3], (self._whole.height, self._whole.width), (0, 0)).astype(
            self.format.dtype, copy=False
        )

    def _cut(self, plane: VideoPlane, shape: tuple[int, ...], subsample: tuple[int, int]) -> Plane:
        dtype = self._whole.dtype
        sample = np.dtype(dtype).itemsize
        row = abs(plane.line_size)
        strides = (row, sample) if len(shape) == 2 else (row, shape[2] * sample, sample)
        view: Plane = np.ndarray(shape, dtype, plane, strides=strides)  # type: ignore[arg-type]
        if plane.line_size < 0:
            view = view[::-1]
        across, down = subsample
        top, left = self._top >> down, self._left >> across
        rows, columns = -(-self.format.height >> down), -(-self.format.width >> across)
        view = view[top : top + rows, left : left + columns]
        view.flags.writeable = False  # the decoder still predicts from it
        return view


def _tags(frame: VideoFrame) -> tuple[object, ...]:
    return frame.format.name, stored(frame).name, frame.width, frame.height, frame.color_range, tags_of(frame)


def _facts(picture: FrameFormat) -> tuple[object, ...]:
    return (
        picture.width,
        picture.height,
        picture.matrix,
        picture.full_range,
        picture.transfer,
        picture.primaries,
    )


def _in_srgb(plane: Plane, to_srgb: ToSrgb) -> Plane:
    made = np.array(plane)
    for top in range(0, len(plane), _STRIP_ROWS):
        rows = slice(top, top + _STRIP_ROWS)
        if plane.ndim == 2:
            made[rows] = to_srgb(plane[rows, :, None])[..., 1]
        else:
            made[rows, :, :3] = to_srgb(plane[rows, :, :3])
    return made


def _address(plane: VideoPlane) -> int:
    return described(plane.__dlpack__()).pointer


def _cropped(whole: FrameFormat, crop: Rectangle | None) -> tuple[int, int, FrameFormat]:
    if crop is None:
        return 0, 0, whole
    across, down = whole.subsample
    left, top = crop[0] >> across << across, crop[1] >> down << down
    return left, top, replace(whole, width=crop[2], height=crop[3])
