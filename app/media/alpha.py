"""Alpha planes on their way past the painting, in host memory: the colours go to the device, alpha stays here."""

from __future__ import annotations

import av
import numpy as np
import numpy.typing as npt
from av.video.reformatter import Interpolation, VideoReformatter

from framebrush.gpu.frame import DeviceFrame, Frame, Plane

_MOST = (1 << 16) - 1


class AlphaCarrier:
    """Gives painted frames the alpha of their sources, code by code where bits and size are the same."""

    def __init__(self) -> None:
        self._swscale = VideoReformatter()

    def carry(self, source: Frame | DeviceFrame, into: Frame | DeviceFrame) -> None:
        """Write the alpha of a source to the frame that was painted from it, if that has a place for it: opaque where
        the source has none, resized where the sizes differ."""
        if not isinstance(into, Frame) or into.alpha is None:
            return
        most = (1 << into.format.bits) - 1
        if isinstance(source, DeviceFrame) or source.alpha is None:
            into.alpha[...] = most
        elif source.alpha.shape != into.alpha.shape:
            wide = _scaled(source.alpha, (1 << source.format.bits) - 1, _MOST).astype(np.uint16)
            into.alpha[...] = _scaled(self._resized(wide, into.alpha.shape), _MOST, most)
        else:
            into.alpha[...] = _scaled(source.alpha, (1 << source.format.bits) - 1, most)

    def _resized(self, alpha: npt.NDArray[np.uint16], shape: tuple[int, ...]) -> npt.NDArray[np.uint16]:
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(alpha), format="gray16le")
        resized = self._swscale.reformat(frame, shape[1], shape[0], interpolation=Interpolation.BICUBIC)
        return resized.to_ndarray().astype(np.uint16, copy=False)


def _scaled(codes: Plane, most: int, new_most: int) -> Plane:
    """Codes of 0 to `most` as those of 0 to `new_most`, rounded."""
    if most == new_most:
        return codes
    return (codes.astype(np.uint32) * new_most + most // 2) // most
