"""gpu.colour and the references against every group of the golden values, which other programs computed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu import colour
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, PlaneOrder, Primaries, Siting, Transfer, nv12, rgba8
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.stages import planes_to_tensor, tensor_to_planes
from tests.gpu.pictures import FORMATS, KEPT, all_colours

pytestmark = pytest.mark.unit

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
MATRICES = {"601": Matrix.BT601, "709": Matrix.BT709, "2020": Matrix.BT2020}
SITINGS = {"left": Siting.LEFT, "center": Siting.CENTRE, "topleft": Siting.TOP_LEFT, "top": Siting.TOP}
SITINGS |= {"bottomleft": Siting.BOTTOM_LEFT, "bottom": Siting.BOTTOM}
Vector = dict[str, Any]
CHECKS: dict[str, Callable[[Vector, Vector], None]] = {}


def covers(group: str) -> Callable[[Callable[[Vector, Vector], None]], Callable[[Vector, Vector], None]]:
    """Register the check of one vector of a golden group."""

    def register(check: Callable[[Vector, Vector], None]) -> Callable[[Vector, Vector], None]:
        CHECKS[group] = check
        return check

    return register


def picture(vector: Vector) -> FrameFormat:
    return FrameFormat(
        1, 1, PlaneOrder.PLANAR, vector["bits"], matrix=MATRICES[vector["matrix"]], full_range=vector["range"] == "full"
    )


def close(actual: object, expected: object, group: Vector) -> None:
    np.testing.assert_allclose(
        np.asarray(actual), np.asarray(expected), rtol=group.get("tol_rel", 0), atol=group.get("tol", 1e-9)
    )


@covers("ycbcr_to_rgb")
def check_decode(vector: Vector, group: Vector) -> None:
    close(colour.affine(colour.codes_to_rgb(picture(vector)), np.array(vector["ycbcr"], float)), vector["rgb"], group)


@covers("rgb_to_ycbcr")
def check_encode(vector: Vector, group: Vector) -> None:
    exact = colour.affine(colour.rgb_to_codes(picture(vector)), np.array(vector["rgb"], float))
    np.testing.assert_allclose(exact, vector["code_exact"], atol=1e-6)
    top = (1 << vector["bits"]) - 1
    assert np.clip(np.floor(exact + 0.5), 0, top).tolist() == vector["ycbcr"]


@covers("pq_code_to_nits")
def check_pq_decode(vector: Vector, group: Vector) -> None:
    close(colour.pq_to_nits(vector["code"]), vector["nits"], group)


@covers("pq_nits_to_code")
def check_pq_encode(vector: Vector, group: Vector) -> None:
    code = colour.nits_to_pq(vector["nits"])
    close(code, vector["code"], group)
    limited = colour.code_range(10, full_range=False)
    assert np.floor(code * limited.luma_scale + limited.luma_offset + 0.5) == vector["code10_limited"]


@covers("hlg_to_nits")
def check_hlg(vector: Vector, group: Vector) -> None:
    assert colour.hlg_system_gamma(vector["L_W"]) == pytest.approx(vector["system_gamma"], abs=1e-6)
    nits = colour.hlg_to_nits(np.array(vector["hlg_rgb"]), white_nits=vector["L_W"], black_nits=vector["L_B"])
    close(nits, vector["nits"], group)
    if not vector["L_B"]:
        encoded = colour.nits_to_hlg(np.array(vector["nits"]), white_nits=vector["L_W"])
        np.testing.assert_allclose(encoded, vector["hlg_rgb"], atol=1e-6)


@covers("hlg_inverse_oetf")
def check_hlg_scene(vector: Vector, group: Vector) -> None:
    close(colour.hlg_to_scene(vector["hlg"]), vector["scene_linear"], group)
    np.testing.assert_allclose(colour.scene_to_hlg(vector["scene_linear"]), vector["hlg"], atol=1e-6)


@covers("srgb_eotf")
def check_srgb_decode(vector: Vector, group: Vector) -> None:
    close(colour.srgb_to_linear(vector["V"]), vector["linear"], group)


@covers("srgb_inverse_eotf")
def check_srgb_encode(vector: Vector, group: Vector) -> None:
    encoded = colour.linear_to_srgb(vector["linear"])
    close(encoded, vector["V"], group)
    assert np.floor(encoded * 255 + 0.5) == vector["code8"]


@covers("gamut")
def check_gamut(vector: Vector, group: Vector) -> None:
    matrix = colour.gamut_matrix(Primaries.BT2020, Primaries.BT709)
    close(matrix @ np.array(vector["bt2020_linear"]), vector["bt709_linear"], group)


@covers("bt2390_eetf")
def check_bt2390(vector: Vector, group: Vector) -> None:
    mapped = colour.bt2390_eetf(vector["nits_in"], vector["src_peak"], vector["dst_peak"], vector["dst_black"])
    close(mapped, vector["nits_out"], group)


@covers("libplacebo_curves")
def check_libplacebo(vector: Vector, group: Vector) -> None:
    """A record of libplacebo's own curves: only Hable is one that Framebrush shares, and of BT.2390 the top."""
    source, target, nits = vector["src_peak"], vector["dst_peak"], vector["nits_in"]
    if vector["curve"] == "hable":
        close(colour.hable(nits / target, source / target) * target, vector["nits_out"], group)
    elif vector["curve"] == "bt2390" and nits == source:
        close(colour.bt2390_eetf(nits, source, target), vector["nits_out"], group)


@covers("curves_relative")
def check_curves(vector: Vector, group: Vector) -> None:
    close(colour.hable(vector["x"], 10.0), vector["hable_norm_peak10"], group)
    close(colour.reinhard(vector["x"], 10.0), vector["reinhard_extended_white10"], group)


@covers("chroma_siting_bilinear")
def check_siting(vector: Vector, group: Vector) -> None:
    assert vector["subsampling"] in ("4:2:0", "4:2:2")
    samples = np.array(vector["chroma_samples"], float)
    subsample = (1, 1 if vector["subsampling"] == "4:2:0" else 0)
    size = 2 * len(samples)
    sited = FrameFormat(size, size, PlaneOrder.PLANAR, 10, subsample=subsample, siting=SITINGS[vector["location"]])
    rows, columns = sited.plane_shapes[1]
    along_x = planes_to_tensor.upsample(np.tile(samples, (rows, 1)), sited)
    close(along_x, np.tile(vector["along_x"], (size, 1)), group)
    if subsample[1]:
        along_y = planes_to_tensor.upsample(np.tile(samples[:, None], (1, columns)), sited)
        close(along_y, np.tile(np.array(vector["along_y"])[:, None], (1, size)), group)


@covers("end_to_end_hdr_to_srgb")
def check_end_to_end(vector: Vector, group: Vector) -> None:
    hdr = FrameFormat(
        1,
        1,
        PlaneOrder.PLANAR,
        10,
        matrix=Matrix.BT2020,
        transfer=Transfer(vector["transfer"]),
        primaries=Primaries.BT2020,
    )
    frame = Frame(hdr, tuple(np.array([[code]], np.uint16) for code in vector["ycbcr10_limited_bt2020"]))
    rgb = planes_to_tensor.planes_to_rgb(frame)
    close(rgb[:, 0, 0], vector["srgb"], group)
    shown = tensor_to_planes.rgb_to_output(rgb, rgba8(1, 1), dither=False)
    assert shown.planes[0][0, 0].tolist() == [*vector["rgba8_round"], 255]


@pytest.mark.parametrize("name", list(GOLDEN["groups"]))
def test_golden_group(name: str) -> None:
    group = GOLDEN["groups"][name]
    assert group["vectors"]
    for vector in group["vectors"]:
        CHECKS[name](vector, group)


def test_every_check_has_its_group() -> None:
    assert set(CHECKS) == set(GOLDEN["groups"])


def test_gamut_matrices() -> None:
    group = GOLDEN["groups"]["gamut"]
    named = {"bt709": Primaries.BT709, "bt2020": Primaries.BT2020}
    named |= {"display_p3": Primaries.DISPLAY_P3, "smpte_c": Primaries.BT601_525}
    assert len(group["matrices"]) == 4
    for name, expected in group["matrices"].items():
        source, target = name.split("_to_")
        close(colour.gamut_matrix(named[source], named[target]), expected, group)


def test_external_anchors() -> None:
    matrix, pq100, pq400 = GOLDEN["external_golden"]
    bt709 = FrameFormat(1, 1, PlaneOrder.PLANAR, 10)
    rgb = colour.affine(colour.codes_to_rgb(bt709), np.array([575.0, 336.0, 640.0]))
    np.testing.assert_allclose(rgb, matrix["rgb"], atol=matrix["tol"])
    assert colour.nits_to_pq(100.0) == pytest.approx(pq100["code"], abs=pq100["tol"])
    assert colour.nits_to_pq(100.0) == pytest.approx(0.508078, abs=5e-7)
    assert colour.nits_to_pq(400.0) == pytest.approx(pq400["code"], abs=pq400["tol"])


def test_luminance_weights_are_those_of_the_standards() -> None:
    np.testing.assert_allclose(colour.luminance_weights(Primaries.BT2020), [0.2627, 0.6780, 0.0593], atol=5e-5)
    np.testing.assert_allclose(colour.luminance_weights(Primaries.BT709), [0.2126, 0.7152, 0.0722], atol=5e-5)


def test_dither_is_the_bayer_matrix_and_keeps_whole_codes_and_the_mean() -> None:
    assert (colour.DITHER[:2, :4] * 64 - 0.5).tolist() == [[0, 32, 8, 40], [48, 16, 56, 24]]
    assert sorted((colour.DITHER * 64 - 0.5).ravel().tolist()) == list(range(64))
    whole = np.full((3, 8, 8), 77 / 255)
    assert np.all(tensor_to_planes.rgb_to_output(whole, rgba8(8, 8)).planes[0][..., :3] == 77)
    between = tensor_to_planes.rgb_to_output(np.full((3, 8, 8), 77.25 / 255), rgba8(8, 8)).planes[0][..., :3]
    assert set(np.unique(between)) == {77, 78}
    assert between.mean() == pytest.approx(77.25)


def test_exposure_without_stops_or_curve_changes_nothing() -> None:
    ramp = np.linspace(0, 1, 101)
    np.testing.assert_allclose(colour.expose(ramp, 0.0, ToneCurve.CLIP), ramp, atol=1e-6)
    np.testing.assert_allclose(colour.expose(ramp, 0.0, ToneCurve.REINHARD), ramp, atol=1e-6)
    assert colour.expose(1.0, 2.0, ToneCurve.HABLE) == pytest.approx(1.0)
    assert colour.expose(0.5, 1.0, ToneCurve.CLIP) == pytest.approx(0.68584, abs=1e-5)  # 0.21404 doubled, encoded


def test_tone_maps_meet_at_white_and_black() -> None:
    for method in ToneMap:
        assert colour.tone_map(1000.0, 1000.0, method) == pytest.approx(1.0, abs=1e-6)
        assert colour.tone_map(4000.0, 1000.0, method) == pytest.approx(1.0, abs=1e-6)
        assert colour.tone_map(0.0, 1000.0, method) == pytest.approx(0.0, abs=1e-6)
    assert colour.tone_map(100.0, 100.0, ToneMap.BT2390) == pytest.approx(100 / 203)


def test_look_keeps_the_colours_of_the_source() -> None:
    source = np.array([0.6, 0.3, 0.2]).reshape(3, 1, 1)
    styled = np.array([0.2, 0.7, 0.5]).reshape(3, 1, 1)
    kept = tensor_to_planes.look(source, styled, Look(keep_colours=True))
    codes = colour.affine(colour.rgb_to_codes(nv12(1, 1)), np.stack([source, styled, kept], axis=1)[..., 0, 0])
    np.testing.assert_allclose(codes[0, 2], codes[0, 1])
    np.testing.assert_allclose(codes[1:, 2], codes[1:, 0])


def test_look_in_order() -> None:
    source, styled = np.full((3, 2, 4), 0.25), np.full((3, 2, 4), 1.5)
    half = tensor_to_planes.look(source, styled, Look(strength=0.5, split=0.5))
    np.testing.assert_allclose(half[:, :, :2], 0.25)
    np.testing.assert_allclose(half[:, :, 2:], 0.625, atol=1e-6)  # clipped before the mix


@pytest.mark.parametrize("siting", list(Siting))
def test_down_and_up_sampling_agree_on_where_chroma_sits(siting: Siting) -> None:
    sited = FrameFormat(16, 16, PlaneOrder.SEMI_PLANAR, subsample=(1, 1), siting=siting)
    for ramp in np.mgrid[0:16, 0:16].astype(float):
        again = planes_to_tensor.upsample(tensor_to_planes.downsample(ramp, sited), sited)
        np.testing.assert_allclose(again[3:-3, 3:-3], ramp[3:-3, 3:-3], atol=1e-12)


def test_pad_repeats_the_edge() -> None:
    padded = planes_to_tensor.pad(np.arange(3 * 2 * 3, dtype=float).reshape(3, 2, 3), 4)
    assert padded.shape == (3, 4, 4)
    assert padded[0].tolist() == [[0, 1, 2, 2], [3, 4, 5, 5], [3, 4, 5, 5], [3, 4, 5, 5]]


METHOD_C = [(10, 8.3802), (60, 50.2812), (100, 73.401791), (203, 90.664391), (1000, 118.38682), (10000, 153.879846)]
"""Light in nits, and in per cent of SDR's white: the formulas of BT.2446-1, evaluated apart from the code."""


def test_the_curve_of_method_c_and_its_inverse() -> None:
    nits, percent = np.array(METHOD_C).T
    np.testing.assert_allclose(colour.bt2446c(nits), percent, atol=1e-5)
    np.testing.assert_allclose(colour.bt2446c_inverse(percent), nits, rtol=1e-6)
    fine = np.linspace(0.0, 10000.0, 200_001)
    assert np.all(np.diff(colour.bt2446c(fine)) > 0)
    np.testing.assert_allclose(colour.bt2446c_inverse(colour.bt2446c(fine)), fine, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in KEPT if not FORMATS[name].floating])
def test_hdr_that_is_kept_returns_code_for_code(name: str) -> None:
    """Greys, primaries and random colours of the source's gamut, over all codes: saturated, and far over the knee."""
    source = FORMATS[name]
    source = replace(source, layout=PlaneOrder.GBR, matrix=Matrix.RGB, subsample=(0, 0), shift=0)
    frame = all_colours(replace(source, width=1 << source.bits, height=12))
    kept = planes_to_tensor.planes_to_rgb(frame, keeps_hdr=True)
    assert kept.min() >= 0.0
    returned = tensor_to_planes.rgb_to_output(kept, frame.format, dither=False)
    for ours, own in zip(returned.planes, frame.planes, strict=True):
        np.testing.assert_array_equal(ours, own)


PEAKS = [100.0, 203.0, 400.0, 1000.0, 4000.0, 9900.0]


@pytest.mark.parametrize("peak", PEAKS)
def test_light_above_the_peak_rolls_off(peak: float) -> None:
    """Equal below the knee, growing above it without a kink, and 1 at 10,000 nits."""
    picture = replace(FORMATS["pq display p3 rgb"], peak_nits=peak)
    kept = colour.hdr_to_kept(np.tile(np.linspace(0.0, 1.0, 65_536), (3, 1)), picture)
    curve = colour.roll_off(picture)
    rolled = colour.rolled_off(kept, curve)
    below = kept[0] <= curve.knee
    np.testing.assert_array_equal(rolled[:, below], kept[:, below])
    assert rolled[0, -1] == pytest.approx(1.0, abs=1e-12)
    slope = np.diff(rolled[0]) / np.diff(kept[0])
    assert slope.min() > 0.01  # also in float32 every code has its level
    assert slope.max() <= 1.0 + 1e-6
    assert np.abs(np.diff(slope)).max() < 0.02
    assert np.all(np.diff(rolled[0].astype(np.float32)[:: 65_535 // 4095]) > 0)
    assert rolled[0, np.searchsorted(kept[0], 1.0)] > 0.98  # a peak that is right loses little


@pytest.mark.parametrize("name", ["hlg", "hlg 8 bits odd", "nv12", "pq to the end"])
def test_a_format_without_light_above_the_peak_has_no_roll_off(name: str) -> None:
    last = replace(FORMATS["hdr10"], peak_nits=colour.PQ_PEAK_NITS)
    curve = colour.roll_off(last if name == "pq to the end" else FORMATS[name])
    assert curve == (pytest.approx(1.0), 0.0)


def test_colours_above_the_peak_keep_their_ratios() -> None:
    picture = FORMATS["pq display p3 rgb"]
    kept = np.array([[1.1, 0.5], [0.55, 0.25], [0.0, 0.0]])
    rolled = colour.rolled_off(kept, colour.roll_off(picture))
    assert 0.98 < rolled[0, 0] < 1.0
    assert rolled[1, 0] == pytest.approx(0.5 * rolled[0, 0])
    np.testing.assert_array_equal(rolled[:, 1], kept[:, 1])


def test_the_peak_of_kept_hdr_is_white_and_black_is_black() -> None:
    for peak in (400.0, 1000.0, 4000.0):
        picture = replace(FORMATS["pq display p3 rgb"], peak_nits=peak)
        codes = colour.nits_to_pq(np.array([[0.0, peak, 203.0]] * 3))
        black, white, paper = colour.hdr_to_kept(codes, picture)[0]
        assert black == pytest.approx(0.0, abs=1e-6)
        assert white == pytest.approx(1.0)
        assert 0.8 < paper < 0.97  # diffuse white has room above it
