"""Frames in an encoder's own memory, with the colour tags that are true."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

import av
import numpy as np
from av.codec.hwaccel import HWAccel
from av.video.codeccontext import VideoCodecContext
from av.video.frame import CudaContext

from framebrush.gpu.device import Device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Layout, Matrix, Plane, Primaries, Siting, Transfer
from framebrush.media.dlpack import exported
from framebrush.media.encoding.encoders import with_parameters
from framebrush.media.encoding.pixels import packing_of
from framebrush.media.filters import picture_filters, through
from framebrush.media.tags import PRIMARIES
from framebrush.media.video import VideoInfo

# H.273 code points.
_MATRIX = {Matrix.RGB: 0, Matrix.BT601: 6, Matrix.BT709: 1, Matrix.BT2020: 9}
_BT709_PRIMARIES, _BT2020_PRIMARIES, _SRGB_TRANSFER, _MATRIX_625 = 1, 9, 13, 5
# FFmpeg's own numbers, AVColorRange and AVChromaLocation.
_LIMITED, _FULL = 1, 2
_LOCATION = {
    Siting.LEFT: "left",
    Siting.CENTRE: "center",
    Siting.TOP_LEFT: "topleft",
    Siting.TOP: "top",
    Siting.BOTTOM_LEFT: "bottomleft",
    Siting.BOTTOM: "bottom",
}


ALPHA_PLANE = 3
"""In pictures of Y'CbCr and R'G'B' alike."""


@dataclass(frozen=True, slots=True)
class OutputTags:
    """What the file says of its pictures. Of their colours: codes of H.273, FFmpeg's range and chroma location. fields:
    which of the two that they are woven of is shown first, None for progressive ones."""

    primaries: int
    transfer: int
    matrix: int
    range: int
    location: str
    fields: Literal["top", "bottom"] | None = None

    def apply(self, context: VideoCodecContext) -> None:
        """Writes the tags to an encoder that is not open yet."""
        context.color_primaries = self.primaries
        context.color_trc = self.transfer
        context.colorspace = self.matrix
        context.color_range = self.range
        context.options = {**context.options, "chroma_sample_location": self.location}
        if self.fields is not None:
            context.options |= {"flags": "+ildct+ilme", "field_order": {"top": "tt", "bottom": "bb"}[self.fields]}
        if (
            self.fields == "bottom" and context.name == "libx264"
        ):  # which says so of frames only, if it hears of it late
            context.options = with_parameters(context.options, "x264-params", "bff=1")

    def woven(self, picture: av.VideoFrame) -> av.VideoFrame:
        """The picture, flagged as woven where it is. PyAV cannot set the flag, a filter does."""
        if self.fields is None:
            return picture
        flag = ("setfield", {"mode": {"top": "tff", "bottom": "bff"}[self.fields]})
        return next(through(picture_filters(picture, Fraction(1), flag), picture))

    def mark(self, picture: av.VideoFrame) -> None:
        """Writes the tags of its colours to a picture for the encoder."""
        picture.color_primaries, picture.color_trc = self.primaries, self.transfer
        picture.colorspace, picture.color_range = self.matrix, self.range


def output_tags(info: VideoInfo, frames: FrameFormat) -> OutputTags:
    """The true tags for `frames` made from the video of `info`.

    Matrix, range and siting are those of the samples. Primaries and transfer pass through, unspecified ones too,
    unless tone mapping has made the picture sRGB: BT.709 primaries, transfer IEC 61966-2-1. HDR says its primaries
    where the source leaves them to be guessed.
    """
    matrix = _MATRIX[frames.matrix]
    if frames.matrix is Matrix.BT601 and (
        info.tags.matrix == _MATRIX_625 or frames.primaries is Primaries.BT601_625 == info.format.primaries
    ):
        matrix = _MATRIX_625
    toned = frames.transfer is not info.format.transfer
    primaries, transfer = info.tags.primaries, info.tags.transfer
    if toned:
        primaries, transfer = _BT709_PRIMARIES, _SRGB_TRANSFER
    elif frames.transfer is not Transfer.SDR and primaries not in PRIMARIES:
        primaries = _BT2020_PRIMARIES
    return OutputTags(
        primaries,
        transfer,
        matrix,
        _FULL if frames.full_range else _LIMITED,
        _LOCATION[frames.siting] if any(frames.subsample) else "unspecified",
    )


@dataclass(frozen=True, slots=True)
class EncoderFrame(Frame):
    """A frame whose planes are views of a picture that the encoder takes as it is."""

    picture: av.VideoFrame = field(kw_only=True)


def encoder_format(frames: FrameFormat, pix_fmt: str) -> FrameFormat:
    """Frames in the layout of an encoder's pictures.

    frames: semi-planar, planar or GBR. pix_fmt: a planar format of these, nv12 or p010le. Raises ValueError where they
    hold other samples.
    """
    kind = packing_of(pix_fmt)
    theirs, ours = (
        (one.layout in (Layout.GBR, Layout.GREY) and one.layout, one.subsample, one.bits, one.floating, one.alpha)
        for one in (kind, frames)
    )
    if frames.layout is Layout.RGBA or theirs != ours:
        raise ValueError(
            f"frames of {frames.layout} with subsampling {frames.subsample} of {frames.bits} bits"
            f"{' with alpha' if frames.alpha else ''} do not become "
            f"{pix_fmt}"
        )
    return replace(frames, layout=kind.layout, shift=kind.shift)


@dataclass(frozen=True, slots=True)
class DevicePicture:
    """A picture in the memory of the GPU that encodes."""

    picture: av.VideoFrame


class EncoderFrames:
    """A pool of an encoder's pictures. `allocate` may be called in one thread and `picture` in another.

    frames: what `picture` converts besides frames of its own. pix_fmt: as of `encoder_format`. width, height: of the
    coded picture, at least that of the frames; what lies beyond them repeats the last column and row. reuse: whether
    the encoder has copied a picture when it returns, so that it can be used again.
    """

    def __init__(
        self, frames: FrameFormat, pix_fmt: str, width: int, height: int, tags: OutputTags, *, reuse: bool
    ) -> None:
        self._frames = frames
        self.format = encoder_format(frames, pix_fmt)
        self._pix_fmt, self._size, self._tags = pix_fmt, (width, height), tags
        self._reuse = reuse
        self._spare: deque[EncoderFrame] = deque()

    accelerator: HWAccel | None = None
    """The device that the encoder takes pictures of."""

    def allocate(self) -> Frame | DeviceFrame:
        """A frame of `format` to write to; undefined content."""
        return self._allocate()

    def _allocate(self) -> EncoderFrame:
        return self._spare.pop() if self._spare else self._make()

    def recycle(self, frame: EncoderFrame | DevicePicture) -> None:
        """The encoder has returned from a frame."""
        if self._reuse and isinstance(frame, EncoderFrame):
            self._spare.append(frame)

    def _make(self) -> EncoderFrame:
        picture = self._tags.woven(av.VideoFrame(*self._size, self._pix_fmt))
        self._tags.mark(picture)
        planes = []
        for index, (rows, columns, *components) in enumerate(self.format.plane_shapes):
            samples = self._samples(picture, index)[:rows, :columns]
            planes.append(samples if components else samples[..., 0])
        alpha = None
        if self.format.alpha:
            alpha = self._samples(picture, ALPHA_PLANE)[: self.format.height, : self.format.width, 0]
        return EncoderFrame(self.format, tuple(planes), alpha, picture=picture)

    def filled(self, frame: Frame | DeviceFrame) -> EncoderFrame | DevicePicture:
        """A frame as the encoder takes it. One of `allocate` is given back as it is, with its edge repeated where the
        coded picture is larger; any other is copied. Raises ValueError for one of another format than promised."""
        if isinstance(frame, DeviceFrame):
            raise ValueError("a frame on a device among frames in host memory")
        if not isinstance(frame, EncoderFrame):
            frame = self._copied(frame)
        elif frame.format != self.format:
            raise ValueError(f"a frame of {frame.format} among frames of {self.format}")
        if self._size != (self.format.width, self.format.height):
            self._repeat_edges(frame)
        return frame

    def _copied(self, frame: Frame) -> EncoderFrame:
        if frame.format != self._frames:
            raise ValueError(f"a frame of {frame.format} among frames of {self._frames}")
        own = self._allocate()
        frame.repack_to(own)
        return own

    def _repeat_edges(self, frame: EncoderFrame) -> None:
        for index, plane in enumerate(frame.planes if frame.alpha is None else (*frame.planes, frame.alpha)):
            coded = self._samples(frame.picture, index)
            rows, columns = plane.shape[:2]
            coded[:rows, columns:] = coded[:rows, columns - 1 : columns]
            coded[rows:] = coded[rows - 1]

    def _samples(self, picture: av.VideoFrame, index: int) -> Plane:
        """A plane's samples, (rows, columns, components), as a view of the picture's memory."""
        plane, dtype = picture.planes[index], self.format.dtype
        components = 2 if index and self.format.layout is Layout.SEMI_PLANAR else 1
        flat: Plane = np.frombuffer(plane, dtype)  # type: ignore[call-overload]
        rows = flat.reshape(plane.height, plane.line_size // np.dtype(dtype).itemsize)
        return rows[:, : plane.width * components].reshape(plane.height, plane.width, components)


class DeviceEncoderFrames(EncoderFrames):
    """Pictures in the memory of the GPU that paints and encodes, for an encoder that takes them there.

    Each is the encoder's until it is done with it, so none is used twice.
    """

    def __init__(self, device: Device, frames: FrameFormat, pix_fmt: str, tags: OutputTags) -> None:
        super().__init__(frames, pix_fmt, frames.width, frames.height, tags, reuse=False)
        kind, self._number = device.decoder or ("", 0)
        self._device = device
        self._context = CudaContext(self._number)
        self.accelerator = HWAccel(kind, str(self._number), allow_software_fallback=False, is_hw_owned=True)

    def allocate(self) -> DeviceFrame:
        """See EncoderFrames. Raises OutOfMemoryError."""
        return self._device.allocate(self.format)

    def filled(self, frame: Frame | DeviceFrame) -> EncoderFrame | DevicePicture:
        """See EncoderFrames. FFmpeg itself uploads a frame that is in host memory."""
        if isinstance(frame, Frame):
            return super().filled(frame)
        if frame.format != self.format:
            raise ValueError(f"a frame of {frame.format} among frames of {self.format}")
        width, height = self._size
        picture = av.VideoFrame.from_dlpack(
            tuple(exported(frame, self._number)), self._pix_fmt, width, height, cuda_context=self._context
        )
        self._tags.mark(picture)
        return DevicePicture(picture)
