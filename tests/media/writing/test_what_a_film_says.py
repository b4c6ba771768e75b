"""A film's shape, colours and sound in every container and codec, read by FFmpeg and by the reader.

Each is kept or reported as lost. FRAMEBRUSH_REQUIRE_FFMPEG=1 promises `ffprobe`; its absence then fails.
"""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.gpu.frame import Matrix, yuv420p
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding.encoders import ENCODERS, keeps_full_range, keeps_matrix, pixel_format_for
from framebrush.media.encoding.pixels import AUTO
from framebrush.media.encoding.result_losses import sentence
from framebrush.media.reading.open import open_media
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.sound_decoding import layout_of
from framebrush.media.reading.timecode import timecode_of
from framebrush.media.streams.provenance import Provenance, read_made_of
from framebrush.media.video import ColourTags, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, OutputPlan, plan_output
from tests.media.writing.test_read_by_ffmpeg import MISSING, UNREADABLE, pattern, probed
from tests.media.writing.writer_clips import FAST, info_of

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_FFMPEG") != "1",
        reason="no FFmpeg without its programs ffmpeg and ffprobe",
    ),
]

ASPECT, TIMECODE, COUNT = Fraction(16, 11), "01:02:03:04", 4

# k: kept. -: lost, and our note says so. Of a film that is wide, woven with the lower field first, of full range and of
# BT.601 of 625 lines, turned by a quarter, with a timecode, and German sound of 5.1 channels.
FACTS = ("aspect", "fields", "range", "matrix", "transfer", "primaries", "rotation", "timecode", "channels", "language")
TABLE = {
    #                aspect
    #                |fields
    #                ||range
    #                |||matrix
    #                ||||transfer
    #                |||||primaries
    #                ||||||rotation
    #                |||||||timecode
    #                ||||||||channels
    #                |||||||||language
    "mp4 h264":     "kkkkkkkkkk",
    "mp4 hevc":     "k-kkkkkkkk",
    "mp4 av1":      "k-kkkkkkkk",
    "mp4 vp9":      "k-kkkkkkkk",
    "mov h264":     "kkkkkkkkkk",
    "mov hevc":     "k-kkkkkkkk",
    "mov prores":   "kkkkkkkkkk",
    "mov dnxhr":    "k-kkkkkkkk",
    "mov cineform": "k-kkkkkkkk",
    "mkv h264":     "kkkkkkkkkk",
    "mkv hevc":     "k-kkkkkkkk",
    "mkv av1":      "k-kkkkkkkk",
    "mkv vp9":      "k-kkkkkkkk",
    "mkv prores":   "kkkkkkkkkk",
    "mkv ffv1":     "kkkkkkkkkk",
    "webm av1":     "k-kkkkkkkk",
    "webm vp9":     "k-kkkkkkkk",
    "avi utvideo":  "--kk----k-",
    "avi ffv1":     "-kk-----k-",
    "mxf dnxhr":    "--kkkk-k--",
    "mxf prores":   "k-kkkk-k--",
    "ts h264":      "kkkkkk--kk",
    "ts hevc":      "k-kkkk--kk",
    "m2ts h264":    "kkkkkk--kk",
    "m2ts hevc":    "k-kkkk--kk",
}  # fmt: skip


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
        picture.metadata["timecode"] = TIMECODE
        sound = out.add_stream("ac3", rate=48000, layout="5.1(side)")
        sound.metadata["language"] = "deu"
        out.start_encoding()
        for number in range(COUNT):
            frame = av.VideoFrame(64, 48, "yuv420p")
            frame.pts = number
            out.mux(picture.encode(frame))
        silence = av.AudioFrame.from_ndarray(np.zeros((6, 1536), np.float32), "fltp", "5.1(side)")
        silence.sample_rate, silence.pts, silence.time_base = 48000, 0, Fraction(1, 48000)
        for number in range(5):
            silence.pts = 1536 * number
            out.mux(sound.encode(silence))
        for stream in (picture, sound):
            out.mux(stream.encode(None))
    full = replace(yuv420p(64, 48, matrix=Matrix.BT601), full_range=True)
    return info_of(
        path, format=full, tags=ColourTags(primaries=5, transfer=6, matrix=5), sample_aspect=ASPECT,
        rotation_degrees=90, interlaced=True, top_first=False,
    )  # fmt: skip


def facts(plan: OutputPlan, target: Path) -> dict[str, bool]:
    """Return for each fact whether FFmpeg reads it from a result."""
    found = probed(str(target))
    picture, sound = (next(one for one in found["streams"] if one["codec_type"] == kind) for kind in ("video", "audio"))
    frame = next(one for one in found["frames"] if one["media_type"] == "video")
    tags = [one.get("tags", {}) for one in (*found["streams"], found["format"])]
    wide = Fraction(frame["sample_aspect_ratio"].replace(":", "/")) if "sample_aspect_ratio" in frame else 1
    turns = [data["rotation"] for data in picture.get("side_data_list", ()) if "rotation" in data]
    order = picture.get("field_order"), frame["interlaced_frame"], frame["top_field_first"]
    matrices = {Matrix.BT601: "bt470bg", Matrix.BT709: "bt709"}
    return {
        "aspect": abs(wide - ASPECT) * 48 < 1,  # within a sample, as WebM has whole ones only
        "fields": order in (("bb", 1, 0), (None, 1, 0)),  # AVI has no place for it, and FFV1 says it
        "range": frame.get("color_range", "tv") == ("pc" if plan.frames.full_range else "tv"),
        "matrix": frame.get("color_space") == matrices[plan.frames.matrix],
        "transfer": frame.get("color_transfer") in ("smpte170m", "bt709"),  # which are one curve
        "primaries": frame.get("color_primaries") == "bt470bg",
        "rotation": turns == [90],
        "timecode": any(value == TIMECODE for some in tags for key, value in some.items() if key.lower() == "timecode"),
        "channels": sound.get("channel_layout") in ("5.1", "5.1(side)"),
        "language": sound.get("tags", {}).get("language") in ("deu", "ger"),
    }


def read(plan: OutputPlan, target: Path) -> dict[str, bool]:
    """Return for each fact whether Framebrush reads it from a result."""
    with Reader(target, deinterlace="off") as reader:
        info = reader.info
    with open_media(target) as source:
        timecode = timecode_of(source, source.streams.video[0])
        sound = source.streams.audio[0]
        layout, language = layout_of(sound.codec_context).name, sound.language
    return {
        "aspect": abs(info.sample_aspect - ASPECT) * 48 < 1,
        "fields": info.interlaced and not info.top_first,
        "range": info.format.full_range == plan.frames.full_range,
        "matrix": info.format.matrix is plan.frames.matrix,
        "transfer": info.tags.transfer in (1, 6),
        "primaries": info.tags.primaries == 5,
        "rotation": info.rotation_degrees == 90,
        "timecode": timecode == TIMECODE,
        "channels": layout in ("5.1", "5.1(side)"),
        "language": language in ("deu", "ger"),
    }


NAMED = {
    "aspect": "the sample aspect 16/11",
    "fields": "the order of the fields",
    "range": "which AVI does not record",
    "matrix": "the matrix",
    "transfer": "transfer of the colours",
    "primaries": "primaries",
    "rotation": "the rotation",
    "timecode": "the timecode",
    "channels": "where its channels are heard is not recorded",
    "language": "language",
}
"""What our note of a loss says."""


def test_the_table_has_every_container_and_codec() -> None:
    """But for animations, which are pictures, and for what FFmpeg 5.1 cannot read."""
    films = {ending: container for ending, container in CONTAINERS.items() if not container.is_animation}
    written = {(ending, codec) for ending, container in films.items() for codec in container.codecs}
    assert {f"{ending[1:]} {codec}" for ending, codec in written - set(UNREADABLE)} == set(TABLE)


@pytest.mark.slow
@pytest.mark.parametrize(("row", "cells"), TABLE.items())
def test_what_a_film_says_is_kept_or_named(tmp_path: Path, film: VideoInfo, row: str, cells: str) -> None:
    ending, codec = f".{row.split()[0]}", row.split()[1]
    container = CONTAINERS[ending]
    pix_fmt = pixel_format_for(AUTO, codec, container, film.format)
    ranged, own = (keeps(codec, container, pix_fmt) for keeps in (keeps_full_range, keeps_matrix))
    frames = video_target(film.format, pix_fmt, full_range=ranged, own_matrix=own)
    software = next(encoder.name for encoder in ENCODERS if encoder.codec == codec and not encoder.is_hardware)
    target = tmp_path / f"o{ending}"
    plan = plan_output(film, target, OutputOptions(software, preset=FAST.get(software)), frames, TimeRange())
    with Writer(replace(plan, made_of="a test")) as writer:
        for number in range(COUNT):
            writer.write(pattern(plan.frames, number), 512 * number, 0)
        writer.finish()
    kept = facts(plan, target)
    said = sentence(plan.losses)
    assert "".join("k" if kept[name] else "-" if NAMED[name] in said else "?" for name in FACTS) == cells
    if container.keeps_films:
        assert read_made_of(target) == Provenance("a test", plan.losses)
    # What FFmpeg's programs find in a file we find, too.
    assert {name for name, found in read(plan, target).items() if kept[name] and not found} == set()
