"""A film's own shape, colours and sound in files that FFmpeg's program wrote, in containers and codecs that we only
read, too: whatever its `ffprobe` says of them, our reader says as well. For rotation see test_orientation.py.

FRAMEBRUSH_REQUIRE_FFMPEG=1 promises `ffmpeg` and `ffprobe`, and then their absence fails.
"""

from __future__ import annotations

import os
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from framebrush.media.reading.open import open_media
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.sound_decoding import layout_of
from framebrush.media.reading.timecode import timecode_of
from tests.media.writing.test_read_by_ffmpeg import MISSING, probed

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_FFMPEG") != "1",
        reason="no FFmpeg without its programs ffmpeg and ffprobe",
    ),
]

WOVEN = "-flags +ildct+ilme"
AAC, AC3, MP2, PCM, VORBIS = "-c:a aac", "-c:a ac3", "-c:a mp2 -ac 2", "-c:a pcm_s16le", "-c:a libvorbis"
DV = "-target pal-dv -ac 2 -ar 48000"

# k: FFmpeg says it. -: it says nothing, or that it is unknown.
FACTS = ("aspect", "fields", "range", "matrix", "transfer", "primaries", "timecode", "channels", "language")
TABLE = {
    "a.mp4": ("-c:v libx264 -x264-params bff=1 " + AAC, "kkkkkkkkk"),
    "b.mp4": ("-c:v libx265 -x265-params log-level=0 " + AAC, "k-kkkkkkk"),
    "c.mp4": ("-c:v mpeg4 " + WOVEN + " " + AAC, "kkkkkkkkk"),
    "a.mov": ("-c:v prores_ks " + WOVEN + " " + PCM, "kkkkkkkk-"),
    "b.mov": ("-c:v mjpeg -pix_fmt yuvj420p " + PCM, "k-kkkkkk-"),
    "c.mov": ("-c:v dnxhd -profile:v dnxhr_hq -s 256x120 -pix_fmt yuv422p " + PCM, "k-kkkkkk-"),
    "a.mkv": ("-c:v libx264 -x264-params bff=1 " + AC3, "kkkkkk-kk"),
    "b.mkv": ("-c:v ffv1 " + AC3, "kkkkkk-kk"),
    "c.mkv": ("-c:v mpeg2video " + WOVEN + " " + AC3, "kkkkkk-kk"),
    "a.webm": ("-c:v libvpx-vp9 " + VORBIS, "k-kkkk-kk"),
    "b.webm": ("-c:v libvpx " + VORBIS, "k-kkkk-kk"),
    "a.ts": ("-c:v mpeg2video " + WOVEN + " " + AC3, "kkkkkk-kk"),
    "b.ts": ("-c:v libx264 -x264-params bff=1 " + AC3, "kkkkkk-kk"),
    "a.vob": ("-c:v mpeg2video " + WOVEN + " " + AC3, "kkkkkk-k-"),
    "a.mxf": ("-c:v mpeg2video " + WOVEN + " -s 720x576 -ac 2 " + PCM, "kkkkkkk--"),
    "a.avi": ("-c:v mjpeg -pix_fmt yuvj420p " + AC3, "k-kk--kk-"),
    "b.avi": (DV, "kk----kk-"),
    "a.dv": (DV, "kk----kk-"),
    "a.flv": ("-c:v libx264 -ac 2 " + AAC, "k-kkkkkk-"),
    "a.nut": ("-c:v ffv1 " + PCM, "k-----k-k"),
    "a.ogv": ("-c:v libtheora " + VORBIS, "k--kkkkkk"),
    "a.wmv": ("-c:v wmv2 -c:a wmav2 -ac 2", "k-----k-k"),
    "a.3gp": ("-c:v mpeg4 " + AAC, "k------kk"),
}


def written(path: Path, how: str) -> Path:
    """A film that is wide, woven with the lower field first, of full range and of BT.601 of 625 lines, with a
    timecode, and German sound of 5.1 channels, as far as its container and codec go."""
    colours = "setparams=field_mode=bff:range=pc:color_primaries=bt470bg:color_trc=smpte170m:colorspace=bt470bg"
    inputs = (
        "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.2 -f lavfi -i anullsrc=channel_layout=5.1:r=48000:d=0.2"
    )
    says = "-color_range pc -color_primaries bt470bg -color_trc smpte170m -colorspace bt470bg -field_order bb"
    tags = "-timecode 01:02:03:04 -metadata:s:a language=deu -shortest"
    before = ["-vf", f"format=yuv420p,setsar=16/11,{colours}", *says.split(), *tags.split()]
    command = ["ffmpeg", "-v", "error", *inputs.split(), *before, "-strict", "-1", *how.split(), str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=60)
    return path


def facts(path: Path) -> dict[str, Any]:
    """What FFmpeg says of each fact; None where it says nothing."""
    found = probed(str(path))
    sound = next(one for one in found["streams"] if one["codec_type"] == "audio")
    frame = next(one for one in found["frames"] if one["media_type"] == "video")
    tags = [one.get("tags", {}) for one in (*found["streams"], found["format"])]
    codecs = {"bt709": 1, "bt470bg": 5, "smpte170m": 6}
    layout, language = sound.get("channel_layout"), sound.get("tags", {}).get("language")
    return {
        "aspect": Fraction(frame["sample_aspect_ratio"].replace(":", "/")) if "sample_aspect_ratio" in frame else None,
        "fields": (True, bool(frame["top_field_first"])) if frame["interlaced_frame"] else None,
        "range": {"pc": True, "tv": False}.get(frame.get("color_range", "")),
        "matrix": codecs.get(frame.get("color_space", "")),
        "transfer": codecs.get(frame.get("color_transfer", "")),
        "primaries": codecs.get(frame.get("color_primaries", "")),
        "timecode": next((one["timecode"] for one in tags if "timecode" in one), None),
        "channels": layout if layout != "unknown" else None,
        "language": None if language in (None, "und") else {"ger": "deu"}.get(language, language),
    }


def read(path: Path) -> dict[str, Any]:
    """What we read of each."""
    with Reader(path, deinterlace="off") as reader:
        next(reader)
        info = reader.info
    with open_media(path) as source:
        timecode = timecode_of(source, source.streams.video[0])
        sound = source.streams.audio[0]
        layout, language = layout_of(sound.codec_context).name, sound.language
    return {
        "aspect": info.sample_aspect,
        "fields": (info.interlaced, info.top_first),
        "range": info.format.full_range,
        "matrix": info.tags.matrix,
        "transfer": info.tags.transfer,
        "primaries": info.tags.primaries,
        "timecode": timecode,
        "channels": layout,
        "language": None if language is None else {"ger": "deu"}.get(language, language),
    }


@pytest.mark.parametrize(("name", "how", "cells"), [(name, *row) for name, row in TABLE.items()])
def test_what_ffmpeg_says_of_its_files_we_say_too(tmp_path: Path, name: str, how: str, cells: str) -> None:
    path = written(tmp_path / name, how)
    said, ours = facts(path), read(path)
    assert {name: (said[name], ours[name]) for name in FACTS if said[name] not in (None, ours[name])} == {}
    assert "".join("-" if said[name] is None else "k" for name in FACTS) == cells
