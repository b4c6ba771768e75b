"""Pictures as planes with explicit colour tags, named as in H.273, DXGI and FFmpeg."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FENCE_LIMIT = 2**64 - 1
"""Value of Direct3D 12 fences whose device is gone."""

Sample: TypeAlias = np.uint8 | np.uint16 | np.float16 | np.float32
Plane = npt.NDArray[Any]
"""Array of a sample type."""


class PlaneOrder(StrEnum):
    """Order of samples in memory. Rows may be padded."""

    GREY = "grey"  # Y (H, W)
    PLANAR = "planar"  # Y (H, W), U and V (ceil(H/2^sy), ceil(W/2^sx))
    SEMI_PLANAR = "semi-planar"  # Y (H, W), UV (ceil(H/2^sy), ceil(W/2^sx), 2): NV12, P010
    GBR = "gbr"  # G, B, R, each (H, W)
    RGBA = "rgba"  # one plane (H, W, 4), alpha ignored on input and opaque on output
    BGRA = "bgra"  # the same with blue first, of 8 bits, a source only: windows and screen capture


class Matrix(StrEnum):
    """R'G'B' to Y'CbCr matrix (H.273 MatrixCoefficients)."""

    RGB = "rgb"  # no matrix: GBR, RGBA and BGRA
    BT601 = "bt601"
    BT709 = "bt709"
    BT2020 = "bt2020"  # non-constant luminance
    FCC = "fcc"
    SMPTE240M = "smpte240m"
    CHROMA_DERIVED = "chroma-derived"  # from the primaries, non-constant luminance
    YCGCO = "ycgco"  # planes: Y, Cg, Co


class Transfer(StrEnum):
    """Transfer function. SDR curves are not distinguished."""

    SDR = "sdr"
    PQ = "pq"  # SMPTE ST 2084
    HLG = "hlg"  # ARIB STD-B67, BT.2100


class Primaries(StrEnum):
    """Gamut of the primaries."""

    BT709 = "bt709"
    BT601_525 = "smpte-c"
    BT601_625 = "bt470bg"
    BT2020 = "bt2020"
    DISPLAY_P3 = "display-p3"


class Siting(StrEnum):
    """Chroma's position among its luma samples (H.273 ChromaSampleLocType)."""

    LEFT = "left"
    CENTRE = "centre"
    TOP_LEFT = "top-left"
    TOP = "top"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class FrameFormat:
    """Complete description of a picture.

    Attributes:
        width, height: in luma samples.
        bits: significant bits of a code, 8..16.
        shift: unused low bits of a sample, 6 for P010.
        subsample: log2 of chroma subsampling in x and y, (1, 1) for 4:2:0.
        peak_nits: brightest light of HDR.
        alpha: has an alpha plane, which devices ignore.
        floating: IEEE floats, only for GBR in full range. Painting clips them to 0..1, NaN to 0; results are neither
            rounded nor dithered.
    """

    width: int
    height: int
    layout: PlaneOrder
    bits: int = 8
    shift: int = 0
    subsample: tuple[int, int] = (0, 0)
    matrix: Matrix = Matrix.BT709
    full_range: bool = False
    transfer: Transfer = Transfer.SDR
    primaries: Primaries = Primaries.BT709
    siting: Siting = Siting.LEFT
    peak_nits: float = 1000.0
    alpha: bool = False
    floating: bool = False

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a picture of {self.width}x{self.height} has no samples")
        if self.floating:
            if self.bits not in (16, 32) or self.shift or self.layout is not PlaneOrder.GBR or not self.full_range:
                what = f"floats of {self.bits} bits in layout {self.layout}"
                raise ValueError(f"{what}; floats are planes of R'G'B' of 16 or 32 bits in full range")
        elif not 8 <= self.bits <= 16 or not 0 <= self.shift <= 16 - self.bits or (self.bits == 8 and self.shift):
            raise ValueError(f"{self.bits} bits shifted by {self.shift} do not fit a sample of 8 or 16 bits")
        if self.layout is PlaneOrder.BGRA and self.bits != 8:
            raise ValueError(f"{self.bits} bits in layout {self.layout}; BGRA has 8 bits")
        if (self.matrix is Matrix.RGB) != (self.layout in (PlaneOrder.GBR, PlaneOrder.RGBA, PlaneOrder.BGRA)):
            raise ValueError(f"layout {self.layout} does not go with matrix {self.matrix}")

    @property
    def size(self) -> tuple[int, int]:
        return self.width, self.height

    @property
    def dtype(self) -> type[Sample]:
        if self.floating:
            return np.float16 if self.bits == 16 else np.float32
        return np.uint8 if self.bits == 8 else np.uint16

    @property
    def top(self) -> int:
        """Highest code; 1 for floats."""
        return 1 if self.floating else (1 << self.bits) - 1

    def codes(self, plane: Plane) -> Plane:
        """Shift samples' unused bits out, or clip floats to 0..1."""
        if self.floating:
            cut: Plane = np.fmin(np.fmax(plane, 0), 1)  # NaN becomes 0
            return cut
        return plane >> self.shift if self.shift else plane

    @property
    def plane_shapes(self) -> tuple[tuple[int, ...], ...]:
        """Planes' shapes, (rows, columns) or (rows, columns, components)."""
        luma = (self.height, self.width)
        chroma = (-(-self.height >> self.subsample[1]), -(-self.width >> self.subsample[0]))
        match self.layout:
            case PlaneOrder.GREY:
                return (luma,)
            case PlaneOrder.PLANAR:
                return (luma, chroma, chroma)
            case PlaneOrder.SEMI_PLANAR:
                return (luma, (*chroma, 2))
            case PlaneOrder.GBR:
                return (luma, luma, luma)
            case PlaneOrder.RGBA | PlaneOrder.BGRA:
                return ((*luma, 4),)

    def holds_as(self, other: FrameFormat) -> bool:
        """Return whether another format holds these colours exactly."""
        planes = (PlaneOrder.PLANAR, PlaneOrder.SEMI_PLANAR)
        own = self
        if self.layout is PlaneOrder.GREY and other.layout in (PlaneOrder.GREY, *planes):  # no specified chroma
            own = replace(
                self, layout=other.layout, subsample=other.subsample, matrix=other.matrix, siting=other.siting
            )
        elif self.layout is PlaneOrder.GREY or other.layout not in (
            planes if self.layout in planes else (PlaneOrder.GBR,)
        ):
            return False
        own = replace(own, layout=other.layout, shift=0, peak_nits=other.peak_nits, alpha=other.alpha)
        return own == replace(other, shift=0)

    def allocate(self) -> Frame:
        """Allocate a frame with contiguous, undefined planes."""
        alpha = np.empty((self.height, self.width), self.dtype) if self.alpha else None
        return Frame(self, tuple(np.empty(shape, self.dtype) for shape in self.plane_shapes), alpha)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Frame:
    """Samples in host memory, which planes keep alive.

    alpha: (H, W), straight, 0 to `FrameFormat.top`, in the low bits. None: opaque.
    """

    format: FrameFormat
    planes: tuple[Plane, ...]
    alpha: Plane | None = None

    def __post_init__(self) -> None:
        shapes = tuple(plane.shape for plane in self.planes)
        if shapes != self.format.plane_shapes:
            raise ValueError(f"planes of {shapes} where {self.format.layout} needs {self.format.plane_shapes}")
        for plane in self.planes:
            if plane.dtype != self.format.dtype:
                raise ValueError(f"samples of {plane.dtype} where {self.format.bits} bits need {self.format.dtype}")
        if self.alpha is not None and (
            not self.format.alpha
            or self.alpha.shape != (self.format.height, self.format.width)
            or self.alpha.dtype != self.format.dtype
        ):
            raise ValueError(f"an alpha plane of {self.alpha.shape}, {self.alpha.dtype} does not go with {self.format}")

    def copy_to(self, into: Frame) -> None:
        for own, plane in zip(self.planes, into.planes, strict=True):
            np.copyto(plane, own)
        self._copy_alpha_to(into)

    @property
    def components(self) -> tuple[Plane, ...]:
        """Y, U, V, or G, B, R, or Y alone."""
        if self.format.layout is PlaneOrder.RGBA:
            return tuple(self.planes[0][..., place] for place in (1, 2, 0))
        if self.format.layout is PlaneOrder.BGRA:
            return tuple(self.planes[0][..., place] for place in (1, 0, 2))
        if self.format.layout is not PlaneOrder.SEMI_PLANAR:
            return self.planes
        luma, chroma = self.planes
        return luma, chroma[..., 0], chroma[..., 1]

    def repack_to(self, into: Frame) -> None:
        """Copy the samples to a layout that `FrameFormat.holds_as` allows."""
        for plane in into.components[len(self.components) :]:
            plane[...] = 1 << into.format.bits - 1 << into.format.shift
        for own, plane in zip(self.components, into.components, strict=False):
            if self.format.floating:
                np.copyto(plane, own)
                continue
            np.right_shift(own, self.format.shift, out=plane)
            np.left_shift(plane, into.format.shift, out=plane)
        self._copy_alpha_to(into)

    def _copy_alpha_to(self, into: Frame) -> None:
        if into.alpha is not None:
            np.copyto(into.alpha, into.format.top if self.alpha is None else self.alpha)


@dataclass(frozen=True, slots=True)
class PlaneAddresses:
    """Planes in CUDA memory. pitches: bytes between rows. owner: keeps them alive."""

    pointers: Sequence[int]
    pitches: Sequence[int]
    owner: object


@dataclass(frozen=True, slots=True)
class SharedPlanes:
    """Planes in another program's Direct3D 12 resources, with a fence.

    Attributes:
        resources: a texture per plane in state COMMON, of the plane's type (R8_UNORM, R8G8B8A8_UNORM, for `bgra8`
            B8G8R8A8_UNORM; sRGB and typeless too); or one buffer with planes at `offsets` (multiples of 512 bytes) and
            `pitches` (of 256).
        fence: reaches `ready` before the device reads; the device then sets `done`, a larger value.
        handles: True for NT handles, which the caller may close; else addresses of ID3D12Resource and ID3D12Fence.
    """

    resources: Sequence[int]
    fence: int
    ready: int
    done: int
    offsets: Sequence[int] = ()
    pitches: Sequence[int] = ()
    handles: bool = True

    def __post_init__(self) -> None:
        if not self.resources or not all(self.resources) or not self.fence:
            raise ValueError(
                "a picture of another program needs its resources and a fence; one of them is missing or 0"
            )
        if not 0 <= self.ready < self.done < FENCE_LIMIT:
            raise ValueError(
                f"the fence cannot go from {self.ready} to {self.done}; give ready >= 0, and done greater than that"
            )


class DeviceFrame(ABC):
    """Samples in device memory. Stylizers release submitted frames, callers others.

    pointers, pitches: in bytes, for codecs that share the memory.
    """

    def __init__(
        self, picture: FrameFormat, device: object, pointers: tuple[int, ...] = (), pitches: tuple[int, ...] = ()
    ) -> None:
        self.format, self.device = picture, device
        self.pointers, self.pitches = pointers, pitches

    @abstractmethod
    def download(self, into: Frame) -> None:
        """Wait for the samples and copy them to a frame."""

    @abstractmethod
    def release(self) -> None:
        """Release the memory after queued work. Idempotent."""


class HostMemoryFrame(DeviceFrame):
    """Copy of a frame, in host memory."""

    def __init__(self, frame: Frame, device: object) -> None:
        super().__init__(frame.format, device)
        self.content = frame.format.allocate()
        frame.copy_to(self.content)

    def download(self, into: Frame) -> None:
        self.content.copy_to(into)

    def release(self) -> None: ...


def nv12(width: int, height: int, *, bits: int = 8, matrix: Matrix = Matrix.BT709) -> FrameFormat:
    """Return 4:2:0 with interleaved chroma in limited range; P010 for 10 bits."""
    return FrameFormat(
        width, height, PlaneOrder.SEMI_PLANAR, bits, shift=16 - bits if bits > 8 else 0, subsample=(1, 1), matrix=matrix
    )


def yuv420p(width: int, height: int, *, bits: int = 8, matrix: Matrix = Matrix.BT709) -> FrameFormat:
    """Return planar 4:2:0 in limited range, codes in the low bits."""
    return FrameFormat(width, height, PlaneOrder.PLANAR, bits, subsample=(1, 1), matrix=matrix)


def gbrp(width: int, height: int, *, bits: int = 8, floating: bool = False) -> FrameFormat:
    """Return planar R'G'B' in full range, as codes or floats."""
    return FrameFormat(width, height, PlaneOrder.GBR, bits, matrix=Matrix.RGB, full_range=True, floating=floating)


def rgba8(width: int, height: int) -> FrameFormat:
    """Return the full-range format of screens and picture files."""
    return FrameFormat(width, height, PlaneOrder.RGBA, matrix=Matrix.RGB, full_range=True)


def bgra8(width: int, height: int) -> FrameFormat:
    """Return the full-range format of captured screens, blue first."""
    return FrameFormat(width, height, PlaneOrder.BGRA, matrix=Matrix.RGB, full_range=True)


def check_target(target: FrameFormat) -> None:
    """Raise ValueError for a format that no device can write."""
    match target.layout:
        case PlaneOrder.PLANAR:
            written = target.subsample in ((1, 1), (1, 0), (0, 0))
        case PlaneOrder.SEMI_PLANAR:
            written = target.subsample == (1, 1)
        case PlaneOrder.RGBA:
            written = target.bits == 8
        case _:
            written = target.layout is PlaneOrder.GBR
    if not written:
        raise ValueError(
            "frames are written as 4:2:0, as planes of 4:2:2, 4:4:4 or R'G'B', or as RGBA of 8 bits, not as "
            f"{target.layout} of {target.bits} bits with subsampling {target.subsample}"
        )


def check_light(source: FrameFormat, target: FrameFormat) -> None:
    """Raise ValueError for an HDR target of another kind than the source."""
    if target.transfer is Transfer.SDR:
        return
    wanted, given = ((one.transfer, one.primaries, one.peak_nits) for one in (target, source))
    if wanted != given or target.layout is PlaneOrder.RGBA:
        raise ValueError(f"frames of {target.transfer} in {target.primaries} are not made of {source}")
