"""Frames in an encoder's own memory, with the colour tags that are true."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import av
import numpy as np
import numpy.typing as npt
from av.codec.hwaccel import HWAccel
from av.video.codeccontext import VideoCodecContext
from av.video.frame import CudaContext

from framebrush.gpu.device import Device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Layout, Matrix, Plane, Primaries, Siting
from framebrush.media.dlpack import exported
from framebrush.media.video import VideoInfo

# H.273 code points.
_MATRIX = {Matrix.BT601: 6, Matrix.BT709: 1, Matrix.BT2020: 9}
_BT709_PRIMARIES, _SRGB_TRANSFER, _MATRIX_625 = 1, 13, 5
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


@dataclass(frozen=True, slots=True)
class OutputTags:
    """What the file says of its colours: codes of H.273, FFmpeg's range and chroma location."""

    primaries: int
    transfer: int
    matrix: int
    range: int
    location: str

    def apply(self, context: VideoCodecContext) -> None:
        """Writes the tags to an encoder that is not open yet."""
        context.color_primaries = self.primaries
        context.color_trc = self.transfer
        context.colorspace = self.matrix
        context.color_range = self.range
        context.options = {**context.options, "chroma_sample_location": self.location}

    def mark(self, picture: av.VideoFrame) -> None:
        """Writes the tags to a picture for the encoder."""
        picture.color_primaries, picture.color_trc = self.primaries, self.transfer
        picture.colorspace, picture.color_range = self.matrix, self.range


def output_tags(info: VideoInfo, frames: FrameFormat) -> OutputTags:
    """The true tags for `frames` made from the video of `info`.

    Matrix, range and siting are those of the samples. Primaries and transfer pass through, unspecified ones too,
    unless tone mapping has made the picture sRGB: BT.709 primaries, transfer IEC 61966-2-1.
    """
    matrix = _MATRIX[frames.matrix]
    if frames.matrix is Matrix.BT601 and (
        info.tags.matrix == _MATRIX_625 or frames.primaries is Primaries.BT601_625 == info.format.primaries
    ):
        matrix = _MATRIX_625
    toned = frames.transfer is not info.format.transfer
    return OutputTags(
        _BT709_PRIMARIES if toned else info.tags.primaries,
        _SRGB_TRANSFER if toned else info.tags.transfer,
        matrix,
        _FULL if frames.full_range else _LIMITED,
        _LOCATION[frames.siting],
    )


@dataclass(frozen=True, slots=True)
class EncoderFrame(Frame):
    """A frame whose planes are views of a picture that the encoder takes as it is."""

    picture: av.VideoFrame


def encoder_format(frames: FrameFormat, pix_fmt: str) -> FrameFormat:
    """4:2:0 frames in the layout of an encoder's pictures.

    frames: semi-planar or planar. pix_fmt: nv12, p010le, yuv420p or yuv420p10le. Raises ValueError where their bits
    differ.
    """
    if frames.layout not in (Layout.SEMI_PLANAR, Layout.PLANAR) or frames.subsample != (1, 1):
        raise ValueError(f"an encoder takes 4:2:0, not {frames.layout} with subsampling {frames.subsample}")
    if (frames.bits > 8) != ("10" in pix_fmt) or frames.bits not in (8, 10):
        raise ValueError(f"frames of {frames.bits} bits do not become {pix_fmt}")
    semi_planar = pix_fmt in ("nv12", "p010le")
    return replace(
        frames,
        layout=Layout.SEMI_PLANAR if semi_planar else Layout.PLANAR,
        shift=6 if pix_fmt == "p010le" else 0,
    )


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
        picture = av.VideoFrame(*self._size, self._pix_fmt)
        self._tags.mark(picture)
        height, width = self.format.height, self.format.width
        planes = [_samples(picture, 0, 1)[:height, :width, 0]]
        rows, columns = self.format.plane_shapes[1][:2]
        if self.format.layout is Layout.SEMI_PLANAR:
            planes.append(_samples(picture, 1, 2)[:rows, :columns])
        else:
            planes += [_samples(picture, index, 1)[:rows, :columns, 0] for index in (1, 2)]
        return EncoderFrame(self.format, tuple(planes), picture)

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
        for source, target in zip(_components(frame), _components(own), strict=True):
            np.right_shift(source, frame.format.shift, out=target)
            np.left_shift(target, self.format.shift, out=target)
        return own

    def _repeat_edges(self, frame: EncoderFrame) -> None:
        components = 2 if self.format.layout is Layout.SEMI_PLANAR else 1
        for index, plane in enumerate(frame.planes):
            coded = _samples(frame.picture, index, components if index else 1)
            rows, columns = plane.shape[:2]
            coded[:rows, columns:] = coded[:rows, columns - 1 : columns]
            coded[rows:] = coded[rows - 1]


class DeviceEncoderFrames(EncoderFrames):
    """Pictures in the memory of the GPU that paints and encodes, for an encoder that takes them there.

    Each is the encoder's until it is through with it, so none is used twice.
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
        """See EncoderFrames. FFmpeg brings a frame in host memory to the GPU by itself."""
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


def _components(frame: Frame) -> list[Plane]:
    """Y, Cb and Cr, each (rows, columns), of a 4:2:0 frame."""
    luma, *chroma = frame.planes
    return [luma, *(chroma if len(chroma) == 2 else (chroma[0][..., 0], chroma[0][..., 1]))]


def _samples(picture: av.VideoFrame, index: int, components: int) -> Plane:
    """The plane's samples, (rows, columns, components), as a view of the picture's memory."""
    plane = picture.planes[index]
    dtype: type[np.uint8] | type[np.uint16] = np.uint8 if "10" not in picture.format.name else np.uint16
    sample_bytes = np.dtype(dtype).itemsize
    flat: npt.NDArray[np.uint8] | npt.NDArray[np.uint16] = np.frombuffer(plane, dtype)  # type: ignore[call-overload]
    rows = flat.reshape(plane.height, plane.line_size // sample_bytes)
    return rows[:, : plane.width * components].reshape(plane.height, plane.width, components)
