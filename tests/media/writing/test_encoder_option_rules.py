"""Options that encoders get, by hand: most of the encoders need hardware that no test has."""

from __future__ import annotations

import pytest

from framebrush.media.encoding.encoders import ENCODERS, BitRate, Encoder

pytestmark = pytest.mark.unit

USUAL = {
    ("h264_nvenc", "h264"): {"rc": "vbr", "cq": "20", "b": "0", "preset": "p5"},
    ("h264_qsv", "h264"): {"global_quality": "20", "preset": "medium"},
    ("h264_amf", "h264"): {"rc": "cqp", "qp_i": "20", "qp_p": "20", "qp_b": "20", "preset": "quality"},
    ("h264_mf", "h264"): {"rate_control": "quality", "quality": "61"},
    ("h264_videotoolbox", "h264"): {"flags": "qscale", "global_quality": "7173"},
    ("libx264", "h264"): {"crf": "18", "preset": "medium"},
    ("hevc_nvenc", "hevc"): {"rc": "vbr", "cq": "20", "b": "0", "preset": "p5"},
    ("hevc_qsv", "hevc"): {"global_quality": "20", "preset": "medium"},
    ("hevc_amf", "hevc"): {"rc": "cqp", "qp_i": "20", "qp_p": "20", "preset": "quality"},
    ("hevc_mf", "hevc"): {"rate_control": "quality", "quality": "61"},
    ("hevc_videotoolbox", "hevc"): {"flags": "qscale", "global_quality": "7173"},
    ("libx265", "hevc"): {"crf": "20", "x265-params": "log-level=none", "preset": "medium"},
    ("av1_nvenc", "av1"): {"rc": "vbr", "cq": "24", "b": "0", "preset": "p5"},
    ("av1_qsv", "av1"): {"global_quality": "19", "preset": "medium"},
    ("av1_amf", "av1"): {"rc": "cqp", "qp_i": "97", "qp_p": "97", "preset": "quality"},
    ("libsvtav1", "av1"): {"crf": "24", "preset": "7"},
    ("libvpx-vp9", "vp9"): {"crf": "24", "b": "0", "deadline": "good", "row-mt": "1", "cpu-used": "4"},
    ("prores_ks", "prores"): {"profile": "3"},
    ("dnxhd", "dnxhr"): {"profile": "dnxhr_hq"},
    ("cfhd", "cineform"): {"quality": "film1"},
    ("ffv1", "ffv1"): {"level": "3", "slicecrc": "1", "g": "1"},
    ("utvideo", "utvideo"): {},
    ("gif", "gif"): {},
    ("libwebp", "webp"): {"quality": "80"},
    ("rawvideo", "raw"): {},
    ("rawvideo", "y4m"): {},
    ("png", "png"): {},
    ("tiff", "tiff"): {},
    ("dpx", "dpx"): {},
    ("exr", "exr"): {"compression": "zip16", "format": "half"},
    ("mjpeg", "jpeg"): {"flags": "qscale", "global_quality": "236"},
}
"""At the usual quality and preset."""

BOUNDS = {"h264": (0, 51), "hevc": (0, 51), "av1": (1, 63), "vp9": (0, 63), "webp": (0, 100), "jpeg": (1, 31)}
LEAST_PX = {"libx265": (64, 64), "libsvtav1": (64, 64), "dnxhd": (256, 120), "cfhd": (32, 32)}
MULTIPLE_PX = {"cfhd": (16, 4)}

BY_RATE = {
    "libx264": {"qmin": "19", "maxrate": "4000", "bufsize": "8000", "x264-params": "force-cfr=1:ratetol=0.1"},
    "libx265": {"qmin": "22", "maxrate": "4000", "bufsize": "8000", "x265-params": "log-level=none:info=0"},
    "libsvtav1": {"qmin": "14"},
    "libvpx-vp9": {
        "qmin": "12",
        "minrate": "1000",
        "maxrate": "1000",
        "bufsize": "4000",
        "deadline": "good",
        "row-mt": "1",
    },
}


def named(name: str) -> Encoder:
    return next(encoder for encoder in ENCODERS if encoder.name == name)


def test_each_encoder_has_its_options_and_bounds() -> None:
    found = {
        (each.name, each.codec): each.options(each.usual_crf, each.usual_preset_of(each.formats[0]))
        for each in ENCODERS
    }
    assert found == USUAL
    for each in ENCODERS:
        assert (each.crf and each.crf[:2]) == BOUNDS.get(each.codec), each.name
        assert each.min_size_px == LEAST_PX.get(each.name, (1, 1)), each.name
        assert each.multiple_px == MULTIPLE_PX.get(each.name, (1, 1)), each.name
        assert each.takes_bit_rate is (each.name in BY_RATE)


@pytest.mark.parametrize("name", BY_RATE)
def test_a_bit_rate_takes_the_place_of_a_quality(name: str) -> None:
    assert BitRate.of(1000) == BitRate(1000, 4000)
    assert named(name).options(30.0, None, BitRate.of(1000)) == {"b": "1000", **BY_RATE[name]}
    highest = named(name).options(None, None, BitRate.of(200_000_000))["b"]
    assert highest == ("100000000" if name == "libsvtav1" else "200000000")


def test_other_encoders_take_no_bit_rate() -> None:
    with pytest.raises(ValueError, match=r"^h264_nvenc takes no bit rate$"):
        named("h264_nvenc").options(None, None, BitRate.of(1000))


@pytest.mark.parametrize(
    ("name", "best", "worst"),
    [
        ("h264_nvenc", {"cq": "1"}, {"cq": "51"}),
        ("h264_qsv", {"global_quality": "1"}, {"global_quality": "51"}),
        ("av1_qsv", {"global_quality": "1"}, {"global_quality": "51"}),
        ("h264_amf", {"qp_i": "0"}, {"qp_b": "51"}),
        ("av1_amf", {"qp_i": "4"}, {"qp_p": "255"}),
        ("h264_mf", {"quality": "100"}, {"quality": "0"}),
        ("h264_videotoolbox", {"global_quality": "11800"}, {"global_quality": "118"}),
        ("libx264", {"qp": "0"}, {"crf": "51"}),
        ("libx265", {"x265-params": "log-level=none:lossless=1"}, {"x265-params": "log-level=none"}),
        ("libwebp", {"quality": "100"}, {"quality": "0"}),
    ],
)
def test_the_ends_of_the_scale_are_those_of_the_encoder(name: str, best: dict[str, str], worst: dict[str, str]) -> None:
    encoder = named(name)
    assert encoder.crf is not None
    low, high, _ = encoder.crf
    assert best.items() <= encoder.options(low, None).items()
    assert worst.items() <= encoder.options(high, None).items()


def test_profiles_have_their_numbers() -> None:
    numbers = {preset: named("prores_ks").options(None, preset)["profile"] for preset in named("prores_ks").presets}
    assert numbers == {"proxy": "0", "lt": "1", "standard": "2", "hq": "3", "4444": "4", "4444xq": "5"}
