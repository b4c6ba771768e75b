"""The resident pipeline from the planes of a frame to the planes of the painted one."""

from __future__ import annotations

import numpy as np
import pytest
from small_styles import identity

from gpu import reference
from gpu.d3d12.device import D3D12Device
from gpu.frame import Frame, FrameFormat, Layout, nv12, rgba8
from gpu.look import Look

pytestmark = pytest.mark.windows


def noise(picture: FrameFormat, seed: int = 0) -> Frame:
    """A frame of legal random codes."""
    random = np.random.default_rng(seed)
    frame = picture.allocate()
    for plane in frame.planes:
        plane[:] = random.integers(0, 1 << picture.bits, plane.shape) << picture.shift
    return frame


def test_identity_reaches_the_reference(device: D3D12Device) -> None:
    source = FrameFormat(96, 64, Layout.PLANAR, subsample=(1, 1))
    look = Look(dither=False)
    frame = noise(source)
    for target in (nv12(96, 64), rgba8(96, 64), nv12(96, 64, bits=10)):
        with device.stylizer(identity(), source, target, look=look) as stylizer:
            painted = stylizer.fetch(stylizer.submit(frame))
            rgb = reference.planes_to_rgb(frame)
            expected = reference.rgb_to_output(reference.look(rgb, rgb, look), target, dither=False)
            for got, want in zip(painted.planes, expected.planes, strict=True):
                difference = np.abs(got.astype(int) - want.astype(int)) >> target.shift
                assert difference.max() <= 1, (target.layout, difference.max())
