"""Alpha planes, copied from source to painted frames in host memory."""

from __future__ import annotations

import av
import numpy as np
import numpy.typing as npt
from av.video.reformatter import Interpolation, VideoReformatter

from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Plane, gbrp

_WIDE = gbrp(1, 1, bits=16)
"""Format in which alpha is resized."""


class AlphaCarrier:
    """Copies alpha, exactly if bits and size are equal."""

    def __init__(self) -> None:
        self._swscale = VideoReformatter()

    def carry(self, source: Frame | DeviceFrame, into: Frame | DeviceFrame) -> None:
        """Copy alpha, if any, into a painted frame; opaque by default."""
        if not isinstance(into, Frame) or into.alpha is None:
            return
        if isinstance(source, DeviceFrame) or source.alpha is None:
            into.alpha[...] = into.format.top
        elif source.alpha.shape != into.alpha.shape:
            wide = scaled(source.alpha, source.format, _WIDE)
            into.alpha[...] = scaled(self._resized(wide, into.alpha.shape), _WIDE, into.format)
        else:
            into.alpha[...] = scaled(source.alpha, source.format, into.format)

    def _resized(self, alpha: npt.NDArray[np.uint16], shape: tuple[int, ...]) -> npt.NDArray[np.uint16]:
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(alpha), format="gray16le")
        resized = self._swscale.reformat(frame, shape[1], shape[0], interpolation=Interpolation.BICUBIC)
        return resized.to_ndarray().astype(np.uint16, copy=False)


def scaled(alpha: Plane, form: FrameFormat, wanted: FrameFormat) -> Plane:
    """Convert alpha codes to another format's bits."""
    if (form.top, form.floating) == (wanted.top, wanted.floating):
        return alpha
    if wanted.floating:
        return alpha.astype(np.float32) / np.float32(form.top)
    if form.floating:
        return np.rint(form.codes(alpha).astype(np.float32) * wanted.top).astype(wanted.dtype)
    return ((alpha.astype(np.uint32) * wanted.top + form.top // 2) // form.top).astype(wanted.dtype)
