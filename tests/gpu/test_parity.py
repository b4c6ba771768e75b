"""The kernels of the CPU device against the float64 reference, format by format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from framebrush.gpu import colour
from framebrush.gpu.cpu.stages.planes_to_tensor import PlanesToTensor
from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.tensor_to_planes import TensorToPlanes
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import (
    Frame,
    FrameFormat,
    Matrix,
    Plane,
    PlaneOrder,
    Primaries,
    Siting,
    Transfer,
    nv12,
    rgba8,
    yuv420p,
)
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.stages import planes_to_tensor, resample, tensor_to_planes
from framebrush.gpu.stages.resample import TO_TARGET, Filter
from tests import networks
from tests.gpu.pictures import (
    FORMATS,
    HDR,
    KEPT,
    KEPT_TARGETS,
    PLANAR_TARGETS,
    SDR,
    all_colours,
    kept_for_network,
    noise,
    rounding,
)

pytestmark = pytest.mark.parity

TARGETS = {
    "nv12": nv12,
    "p010": lambda width, height: nv12(width, height, bits=10),
    "yuv420p": yuv420p,
    "yuv420p10": lambda width, height: yuv420p(width, height, bits=10),
    "rgba8": rgba8,
    "nv12 centre full bt601": lambda width, height: FrameFormat(
        width,
        height,
        PlaneOrder.SEMI_PLANAR,
        subsample=(1, 1),
        matrix=Matrix.BT601,
        full_range=True,
        siting=Siting.CENTRE,
    ),
    "nv12 top-left": lambda width, height: FrameFormat(
        width, height, PlaneOrder.SEMI_PLANAR, subsample=(1, 1), siting=Siting.TOP_LEFT
    ),
    **{
        name: lambda width, height, target=target: replace(target, width=width, height=height)
        for name, target in PLANAR_TARGETS.items()
    },
    "p010 bottom bt2020": lambda width, height: FrameFormat(
        width, height, PlaneOrder.SEMI_PLANAR, 10, 6, (1, 1), Matrix.BT2020, siting=Siting.BOTTOM
    ),
}
LOOKS = {
    "painted": Look(),
    "half": Look(strength=0.5),
    "source": Look(strength=0.0),
    "no dither": Look(dither=False),
    "keep colours": Look(keep_colours=True),
    "brighter": Look(exposure_ev=1.5),
    "darker, hable": Look(exposure_ev=-2.0, tone_curve=ToneCurve.HABLE),
    "grey": Look(saturation=0.0),
    "stronger colours": Look(saturation=1.5, split=0.3),
    "all": Look(0.7, True, 2.0, ToneCurve.REINHARD, split=0.4),
    "split all": Look(split=1.0, exposure_ev=1.0),
}


def assert_within_a_code(actual: Frame, expected: Frame, share: float = 0.02, codes: int = 1) -> None:
    """1 code apart at most, or `codes`, and not often: only where an exact value lies on the edge between two codes."""
    assert actual.format == expected.format
    for ours, twin in zip(actual.planes, expected.planes, strict=True):
        if actual.format.floating:  # 1e-4 in place of a code, or a step of float16 below 1
            tolerance = codes * 1e-4 if actual.format.bits == 32 else 2**-11
            np.testing.assert_allclose(ours, twin, rtol=0, atol=tolerance)
            continue
        shift = actual.format.shift
        difference = np.abs((ours >> shift).astype(int) - (twin >> shift).astype(int))
        assert difference.max() <= codes * rounding(actual.format.bits)
        if actual.format.bits <= 12:
            assert np.count_nonzero(difference) <= 2 + share * difference.size
        assert not np.any(ours & ((1 << shift) - 1))


def shifted(frame: Frame) -> tuple[Plane, ...]:
    """Its planes as the converter takes them."""
    return tuple(plane >> frame.format.shift if frame.format.shift else plane for plane in frame.planes)


@pytest.mark.parametrize(
    ("name", "method"),
    [*((name, ToneMap.BT2390) for name in SDR), *((name, method) for name in HDR for method in ToneMap)],
)
def test_decoding(name: str, method: ToneMap) -> None:
    picture = FORMATS[name]
    frame = noise(picture)
    expected = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame, method), 8)
    tensor = np.full(expected.shape, np.nan, np.float32)
    PlanesToTensor(picture).run(shifted(frame), tensor, method)
    # Float32 throughout for SDR. HDR goes through tables, and its gamut matrix subtracts lights of very different size.
    tolerance = 2e-6 if picture.transfer is Transfer.SDR else 0.5 / 255
    np.testing.assert_allclose(tensor, expected, atol=tolerance, rtol=0)
    if picture.transfer is not Transfer.SDR:
        assert np.mean(np.abs(tensor - expected)) < 2e-5


@pytest.mark.parametrize("transfer", [Transfer.PQ, Transfer.HLG])
@pytest.mark.parametrize("method", list(ToneMap))
def test_grey_of_hdr_is_right_to_two_thousandths(transfer: Transfer, method: ToneMap) -> None:
    ramp = FrameFormat(1024, 1, PlaneOrder.GREY, 10, full_range=True, transfer=transfer)
    frame = Frame(ramp, (np.arange(1024, dtype=np.uint16)[None],))
    tensor = np.empty((3, 1, 1024), np.float32)
    PlanesToTensor(ramp).run(frame.planes, tensor, method)
    np.testing.assert_allclose(tensor, planes_to_tensor.planes_to_rgb(frame, method), rtol=2e-3, atol=2e-4)


@pytest.mark.parametrize("name", KEPT)
def test_decoding_of_hdr_that_is_kept(name: str) -> None:
    frame = noise(FORMATS[name])
    expected = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame, keeps_hdr=True), 8)
    tensor = np.full(expected.shape, np.nan, np.float32)
    rolled = np.full((3, frame.format.height, frame.format.width), np.nan, np.float32)
    PlanesToTensor(frame.format, keeps_hdr=True).run(shifted(frame), tensor, ToneMap.BT2390, rolled)
    for ours, wanted in ((tensor, expected), (rolled, kept_for_network(frame))):
        np.testing.assert_allclose(ours, wanted, atol=0.5 / 1023, rtol=0)  # a step of a table, where it is steep
        assert np.mean(np.abs(ours - wanted)) < 2e-5


@pytest.mark.parametrize("name", KEPT_TARGETS)
@pytest.mark.parametrize("look", LOOKS)
def test_encoding_of_hdr(name: str, look: str) -> None:
    rng, target = np.random.default_rng(1), KEPT_TARGETS[name]
    peak_nits = colour.HLG_PEAK_NITS if target.transfer is Transfer.HLG else colour.PQ_PEAK_NITS
    most = colour.linear_to_srgb(colour.bt2446c(peak_nits) / colour.kept_white(target))  # PQ has light above the peak
    source = (rng.random((3, target.height, target.width)) * most).astype(np.float32)
    styled = (rng.random(source.shape) * 1.6 - 0.3).astype(np.float32)
    shown = tensor_to_planes.look(source.astype(float), styled.astype(float), LOOKS[look])
    expected = tensor_to_planes.rgb_to_output(shown, target, LOOKS[look].dither)
    actual = expected.format.allocate()
    assert TensorToPlanes(target).run(source, styled, LOOKS[look], actual)
    # The table of grades is too coarse near black for 12 bits of PQ, and for floats.
    assert_within_a_code(actual, expected, share=0.1, codes=4 if LOOKS[look].grades and target.bits >= 12 else 1)


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("half", [False, True])
def test_hdr_that_is_kept_returns_within_a_code_of_1023(name: str, half: bool) -> None:
    """At strength 0 and over all codes of R'G'B', also where the network computes with halves."""
    packed = {"layout": PlaneOrder.GBR, "matrix": Matrix.RGB, "subsample": (0, 0)}
    source = replace(FORMATS[name], bits=10, shift=0, floating=False, **packed)
    source = replace(source, width=1024, height=12)
    frame = all_colours(source)
    look = Look(strength=0.0, dither=False)
    with (
        open_device("cpu") as device,
        device.stylizer(networks.identity(half=half), source, source, look=look) as stylizer,
    ):
        returned = stylizer.fetch(stylizer.submit(frame))
    # Halves have a step of 2^-10 above the peak, which holds two codes.
    nits = colour.source_peak_nits(source)
    top = colour.nits_to_pq(nits) if half and source.transfer is Transfer.PQ else 1.0
    inside = colour.affine(colour.codes_to_rgb(source), np.stack([frame.planes[k] for k in (2, 0, 1)])) <= top
    for ours, own, shown in zip(returned.planes, frame.planes, inside[[1, 2, 0]], strict=True):
        assert np.abs(ours.astype(int) - own)[shown].max() <= 1
        assert np.abs(ours.astype(int) - own).max() <= 2


@pytest.mark.parametrize("changes", [{"transfer": Transfer.HLG}, {"peak_nits": 400.0}, {"primaries": Primaries.BT709}])
def test_hdr_is_made_of_the_same_hdr_only(changes: dict[str, Any]) -> None:
    source, target = FORMATS["hdr10"], replace(FORMATS["hdr10"], **changes)
    with open_device("cpu") as device:
        with pytest.raises(ValueError, match="are not made of"):
            device.stylizer(networks.identity(), source, target)
        with pytest.raises(ValueError, match="are not made of"):
            device.stylizer(networks.identity(), nv12(64, 48), source)


@pytest.mark.parametrize("size", [(64, 48), (61, 47), (1, 1), (1283, 113)])
@pytest.mark.parametrize("target", TARGETS)
def test_encoding(target: str, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    width, height = size
    source = rng.random((3, height, width)).astype(np.float32)
    styled = (rng.random((3, height, width)) * 1.6 - 0.3).astype(np.float32)
    encoder = TensorToPlanes(TARGETS[target](width, height))
    for name, look in LOOKS.items():
        if width > 1000 and name not in ("painted", "all"):
            continue
        shown = tensor_to_planes.look(source.astype(float), styled.astype(float), look)
        expected = tensor_to_planes.rgb_to_output(shown, TARGETS[target](width, height), look.dither)
        actual = expected.format.allocate()
        assert encoder.run(source, styled, look, actual)
        assert_within_a_code(actual, expected)


def test_what_is_not_finite_is_black() -> None:
    styled = np.full((3, 16, 16), 0.5, np.float32)
    styled[:, 3, 5], styled[1, 8, 8] = np.nan, np.inf
    frame = rgba8(16, 16).allocate()
    assert not TensorToPlanes(rgba8(16, 16)).run(styled, styled, Look(dither=False), frame)
    expected = np.full((16, 16, 3), 128)
    expected[3, 5], expected[8, 8, 1] = 0, 0
    np.testing.assert_array_equal(frame.planes[0][..., :3], expected)


RESIZED = [((61, 47), (30, 24)), ((40, 30), (60, 45)), ((5, 7), (1, 1)), ((1, 1), (9, 3)), ((64, 48), (64, 20))]


@pytest.mark.parametrize(("size", "resized"), RESIZED)
@pytest.mark.parametrize("shape", list(Filter))
def test_resizing(size: tuple[int, int], resized: tuple[int, int], shape: Filter) -> None:
    picture = np.random.default_rng(4).random((3, size[1] + 3, size[0] + 2)).astype(np.float32) * 1.6 - 0.3
    inner = picture[:, : size[1], : size[0]].astype(np.float64)
    actual = Resizer(size, resized, shape).run(picture)
    np.testing.assert_allclose(actual, resample.resample(inner, resized, shape), atol=1e-5, rtol=0)
    if shape is TO_TARGET:
        clipped = Resizer(size, resized, shape, top=1.0).run(picture.astype(np.float16))
        expected = resample.to_target(inner.astype(np.float16).astype(np.float64), resized)
        np.testing.assert_allclose(clipped, expected, atol=1e-5, rtol=0)


def test_an_identity_gives_back_the_codes_that_came() -> None:
    """R'G'B' of legal codes, not rounded on the way, is the same code again, dither or not."""
    picture = FrameFormat(64, 48, PlaneOrder.RGBA, matrix=Matrix.RGB, full_range=True)
    frame = noise(picture)
    with open_device("cpu") as device, device.stylizer(networks.identity(), picture, picture) as stylizer:
        actual = stylizer.fetch(stylizer.submit(frame))
        np.testing.assert_array_equal(actual.planes[0][..., :3], frame.planes[0][..., :3])
        assert np.all(actual.planes[0][..., 3] == 255)


def test_half_precision() -> None:
    picture = FORMATS["nv12"]
    frame = noise(picture)
    rgb = planes_to_tensor.planes_to_rgb(frame)
    expected = tensor_to_planes.rgb_to_output(rgb, rgba8(64, 48))
    half = networks.identity(half=True)
    with open_device("cpu") as device, device.stylizer(half, picture, rgba8(64, 48)) as stylizer:
        actual = stylizer.fetch(stylizer.submit(frame))
        assert np.max(np.abs(actual.planes[0].astype(int) - expected.planes[0])) <= 1


def test_saturation_scales_the_distance_from_luma() -> None:
    source, styled = np.random.default_rng(5).uniform(0.2, 0.6, (2, 3, 4, 5))
    luma = np.tensordot([0.2126, 0.7152, 0.0722], styled, axes=1)
    for saturation in (0.0, 0.5, 1.2):
        shown = tensor_to_planes.look(source, styled, Look(saturation=saturation))
        np.testing.assert_allclose(shown, luma + saturation * (styled - luma), atol=1e-12)
