"""Frames in an encoder's memory, with tags."""

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
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Matrix, Plane, PlaneOrder, Primaries, Siting, Transfer
from framebrush.media.dlpack import exported
from framebrush.media.encoding.encoders import with_parameters
from framebrush.media.encoding.pixels import packing_of
from framebrush.media.filters import picture_filters, through
from framebrush.media.tags import PRIMARIES
from framebrush.media.video import VideoInfo

# H.273 code points
_MATRIX = {Matrix.RGB: 0, Matrix.BT601: 6, Matrix.BT709: 1, Matrix.BT2020: 9}
_BT709_PRIMARIES, _BT2020_PRIMARIES = 1, 9
_SRGB_TRANSFER = 13
_MATRIX_625 = 5
# FFmpeg's AVColorRange and AVChromaLocation
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
"""Index of the alpha plane in Y'CbCr and R'G'B'."""


@dataclass(frozen=True, slots=True)
class OutputTags:
    """Tags of pictures, as H.273 codes and FFmpeg's values.

    fields: first field if interlaced.
    """

    primaries: int
    transfer: int
    matrix: int
    range: int
    location: str
    fields: Literal["top", "bottom"] | None = None

    def apply(self, context: VideoCodecContext) -> None:
        """Set the tags on an unopened encoder."""
        context.color_primaries = self.primaries
        context.color_trc = self.transfer
        context.colorspace = self.matrix
        context.color_range = self.range
        context.options = {**context.options, "chroma_sample_location": self.location}
        if self.fields is not None:
            context.options |= {"flags": "+ildct+ilme", "field_order": {"top": "tt", "bottom": "bb"}[self.fields]}
        if self.fields == "bottom" and context.name == "libx264":  # its field tags cover frames only if set here
            context.options = with_parameters(context.options, "x264-params", "bff=1")

    def woven(self, picture: av.VideoFrame) -> av.VideoFrame:
        """Flag a picture as interlaced; PyAV cannot."""
        if self.fields is None:
            return picture
        flag = ("setfield", {"mode": {"top": "tff", "bottom": "bff"}[self.fields]})
        return next(through(picture_filters(picture, Fraction(1), flag), picture))

    def mark(self, picture: av.VideoFrame) -> None:
        """Set the colour tags on a picture."""
        picture.color_primaries, picture.color_trc = self.primaries, self.transfer
        picture.colorspace, picture.color_range = self.matrix, self.range


def output_tags(info: VideoInfo, frames: FrameFormat) -> OutputTags:
    """Return the tags of `frames` made from a video.

    Primaries and transfer are the source's, or sRGB's after tone mapping; others follow the samples.
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
    """Frame that views an encoder's picture."""

    picture: av.VideoFrame = field(kw_only=True)


def encoder_format(frames: FrameFormat, pix_fmt: str) -> FrameFormat:
    """Return frames' format in an encoder's layout. Raises ValueError."""
    kind = packing_of(pix_fmt)
    theirs, ours = (
        (
            one.layout in (PlaneOrder.GBR, PlaneOrder.GREY) and one.layout,
            one.subsample,
            one.bits,
            one.floating,
            one.alpha,
        )
        for one in (kind, frames)
    )
    if frames.layout is PlaneOrder.RGBA or theirs != ours:
        raise ValueError(
            f"frames of {frames.layout} with subsampling {frames.subsample} of {frames.bits} bits"
            f"{' with alpha' if frames.alpha else ''} do not become "
            f"{pix_fmt}"
        )
    return replace(frames, layout=kind.layout, shift=kind.shift)


@dataclass(frozen=True, slots=True)
class DevicePicture:
    """Picture on the encoding GPU."""

    picture: av.VideoFrame


class EncoderFrames:
    """Pool of an encoder's pictures; allocation and filling may run in different threads.

    width, height: coded size. reuse: pictures are free after encoding.
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
    """Device that the encoder takes pictures from."""

    def allocate(self) -> Frame | DeviceFrame:
        """Return an undefined frame of `format`."""
        return self._allocate()

    def _allocate(self) -> EncoderFrame:
        return self._spare.pop() if self._spare else self._make()

    def recycle(self, frame: EncoderFrame | DevicePicture) -> None:
        """Take back a frame after encoding."""
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
        """Return an encoder's frame, copied unless allocated here. Raises ValueError."""
        if isinstance(frame, DeviceFrame):
            raise ValueError("a frame on a device among frames in host memory")
        if not isinstance(frame, EncoderFrame):
            frame = self._copied(frame)
        elif frame.format != self.format:
            raise ValueError(f"a frame of {frame.format} among frames of {self.format}")
        if self._size != self.format.size:
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
        plane, dtype = picture.planes[index], self.format.dtype
        components = 2 if index and self.format.layout is PlaneOrder.SEMI_PLANAR else 1
        flat: Plane = np.frombuffer(plane, dtype)  # type: ignore[call-overload]
        rows = flat.reshape(plane.height, plane.line_size // np.dtype(dtype).itemsize)
        return rows[:, : plane.width * components].reshape(plane.height, plane.width, components)


class DeviceEncoderFrames(EncoderFrames):
    """Pictures of a GPU that paints and encodes."""

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
        """See EncoderFrames; host frames are uploaded."""
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
