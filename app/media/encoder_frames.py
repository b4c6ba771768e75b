"""Frames as an encoder takes them: samples copied into its layout, unchanged, with the colour tags that are true."""

from __future__ import annotations

from dataclasses import dataclass

import av
import numpy as np
import numpy.typing as npt
from av.video.codeccontext import VideoCodecContext

from framebrush.gpu.frame import Frame, FrameFormat, Layout, Matrix, Plane, Primaries, Siting
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


class EncoderFrames:
    """Makes an encoder's picture of each frame.

    pix_fmt: nv12, p010le, yuv420p or yuv420p10le. width, height: of the coded picture, at least that of the frames;
    what lies beyond them repeats the last column and row. reuse: whether one picture serves all frames, for encoders
    that have copied it when they return.

    Plain array copies do it, for they are lossless by construction, take strided planes, and no colour conversion can
    creep in.
    """

    def __init__(
        self, frames: FrameFormat, pix_fmt: str, width: int, height: int, tags: OutputTags, *, reuse: bool
    ) -> None:
        if frames.layout not in (Layout.SEMI_PLANAR, Layout.PLANAR) or frames.subsample != (1, 1):
            raise ValueError(f"an encoder takes 4:2:0, not {frames.layout} with subsampling {frames.subsample}")
        if (frames.bits > 8) != ("10" in pix_fmt) or frames.bits not in (8, 10):
            raise ValueError(f"frames of {frames.bits} bits do not become {pix_fmt}")
        self._format = frames
        self._pix_fmt, self._size, self._tags = pix_fmt, (width, height), tags
        self._semi_planar = pix_fmt in ("nv12", "p010le")
        self._shift = 6 if pix_fmt == "p010le" else 0
        self._picture = self._make() if reuse else None

    def _make(self) -> av.VideoFrame:
        picture = av.VideoFrame(*self._size, self._pix_fmt)
        picture.color_primaries, picture.color_trc = self._tags.primaries, self._tags.transfer
        picture.colorspace, picture.color_range = self._tags.matrix, self._tags.range
        return picture

    def picture(self, frame: Frame) -> av.VideoFrame:
        """The frame as the encoder takes it, without a time. Raises ValueError for one of another format."""
        if frame.format != self._format:
            raise ValueError(f"a frame of {frame.format} among frames of {self._format}")
        picture = self._picture or self._make()
        luma, *chroma = frame.planes
        if self._format.layout is Layout.SEMI_PLANAR:
            chroma = [chroma[0][..., 0], chroma[0][..., 1]]
        self._copy(luma, _samples(picture, 0, 1)[..., 0])
        for component, plane in enumerate(chroma):
            target = (
                _samples(picture, 1, 2)[..., component]
                if self._semi_planar
                else _samples(picture, 1 + component, 1)[..., 0]
            )
            self._copy(plane, target)
        return picture

    def _copy(self, source: Plane, target: Plane) -> None:
        rows, columns = source.shape
        inner = target[:rows, :columns]
        if self._format.shift > self._shift:
            np.right_shift(source, self._format.shift - self._shift, out=inner)
        elif self._format.shift < self._shift:
            np.left_shift(source, self._shift - self._format.shift, out=inner)
        else:
            inner[...] = source
        if target.shape[1] > columns:
            target[:rows, columns:] = inner[:, -1:]
        if target.shape[0] > rows:
            target[rows:] = target[rows - 1]


def _samples(picture: av.VideoFrame, index: int, components: int) -> Plane:
    """The plane's samples, (rows, columns, components), as a view of the picture's memory."""
    plane = picture.planes[index]
    dtype: type[np.uint8] | type[np.uint16] = np.uint8 if "10" not in picture.format.name else np.uint16
    sample_bytes = np.dtype(dtype).itemsize
    flat: npt.NDArray[np.uint8] | npt.NDArray[np.uint16] = np.frombuffer(plane, dtype)  # type: ignore[call-overload]
    rows = flat.reshape(plane.height, plane.line_size // sample_bytes)
    return rows[:, : plane.width * components].reshape(plane.height, plane.width, components)
