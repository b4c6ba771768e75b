"""The clips in assets: equal to their script's output, and numbers that survive processing."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from assets import frame_number
from assets.make_clips import CLIPS, LIST, Clip, make, picture

pytestmark = pytest.mark.media
CODECS = {"libx264": "h264", "libx264rgb": "h264", "libx265": "hevc", "libsvtav1": "av1", "libvpx-vp9": "vp9"} | {
    "prores_ks": "prores"
}


def test_the_folder_holds_the_clips_of_the_script_and_no_other() -> None:
    assert sorted(path.name for path in CLIPS.iterdir()) == sorted(clip.name for clip in LIST)
    assert sum(path.stat().st_size for path in CLIPS.iterdir()) < 1_500_000


@pytest.mark.parametrize("clip", LIST, ids=lambda clip: clip.name)
def test_a_clip_is_what_the_script_says(clip: Clip) -> None:
    with av.open(str(CLIPS / clip.name)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.codec.canonical_name == CODECS.get(clip.codec, clip.codec)
        frame = next(container.decode(video=0))
        assert (frame.width, frame.height) == clip.size
        full = {"yuv420p": "yuvj420p"}.get(clip.pix_fmt) if clip.full_range else None
        assert frame.format.name == (full or ("gbrp" if clip.codec == "libx264rgb" else clip.pix_fmt))
        assert frame.interlaced_frame == clip.interlaced
        assert frame.rotation == clip.rotation
        assert (stream.sample_aspect_ratio or 1) == clip.sample_aspect
        if clip.codec not in ("qtrle", "mpeg4", "ffv1", "libvpx-vp9"):  # these hold fewer tags, or none
            assert (frame.color_primaries, frame.color_trc, frame.colorspace) == clip.tags


@pytest.mark.parametrize("name", ["extras.mkv", "extras.mp4"])
def test_the_extras_are_there(name: str) -> None:
    with av.open(str(CLIPS / name)) as container:
        assert [chapter["metadata"]["title"] for chapter in container.chapters()] == ["Begin", "End"]
        assert [stream.language for stream in container.streams.audio] == ["eng", "fra"]
        assert container.metadata["title"] == "Framebrush test clip"
        kinds = {stream.type for stream in container.streams}
        assert kinds == {"video", "audio", "subtitle", "attachment"} if name == "extras.mkv" else {"video", "audio"}


def test_open_gops_are_open() -> None:
    """Frames that are shown before their keyframe come after it in the file."""
    for name in ("open-gop.mp4", "open-gop.mkv", "open-gop.ts"):
        with av.open(str(CLIPS / name)) as container:
            packets = [packet for packet in container.demux(video=0) if packet.size]
        keys = [place for place, packet in enumerate(packets) if packet.is_keyframe][1:]
        assert any((packets[place + 1].pts or 0) < (packets[place].pts or 0) for place in keys), name


def test_the_edit_list_cuts_frames_that_are_in_the_file() -> None:
    with av.open(str(CLIPS / "edit-list.mp4")) as container:
        assert sum(packet.is_discard for packet in container.demux(video=0)) == 7


def test_making_a_clip_again_gives_a_file_of_the_same_frames(tmp_path: Path) -> None:
    clip = next(clip for clip in LIST if clip.name == "bframes.mp4")
    again = make(clip, tmp_path)
    for path in (again, CLIPS / clip.name):
        with av.open(str(path)) as container:
            numbers = [frame_number.read(frame.to_ndarray(format="gray")) for frame in container.decode(video=0)]
        assert numbers == list(range(30))


@pytest.mark.slow
def test_every_number_can_be_read() -> None:
    canvas = np.zeros((32, 64), np.uint8)
    for number in range(frame_number.MAX_NUMBER + 1):
        frame_number.draw(canvas, number)
        assert frame_number.read(canvas) == number
    with pytest.raises(ValueError, match=r"not within 0\.\.4095"):
        frame_number.draw(canvas, frame_number.MAX_NUMBER + 1)


@pytest.mark.parametrize("number", [0, 1, 1365, 2730, 4095])
def test_a_number_survives_encoding_scaling_contrast_and_noise(number: int) -> None:
    rgb = picture(LIST[0], number)
    encoder = av.CodecContext.create("libx264", "w")
    assert isinstance(encoder, av.video.codeccontext.VideoCodecContext)
    encoder.width, encoder.height, encoder.pix_fmt = 160, 96, "yuv420p"
    encoder.time_base, encoder.options = Fraction(1, 25), {"crf": "35", "preset": "ultrafast"}
    decoder = av.CodecContext.create("h264", "r")
    packets = [*encoder.encode(av.VideoFrame.from_ndarray(rgb, "rgb24")), *encoder.encode(None)]
    coded = next(frame for packet in [*packets, None] for frame in decoder.decode(packet)).to_ndarray(format="gray")
    assert frame_number.read(coded) == number
    wide = np.repeat(np.repeat(coded, 3, axis=0), 2, axis=1)
    assert frame_number.read(wide) == number
    assert frame_number.read(coded[::2, ::2]) == number
    noise = np.random.default_rng(number).normal(0, 20, coded.shape)
    assert frame_number.read(80 + coded * 0.4 + noise) == number


def test_a_one_wrongwithout_a_number_has_none() -> None:
    chance = np.random.default_rng(1)
    assert frame_number.read(np.full((96, 160), 90, np.uint8)) is None
    assert frame_number.read(chance.integers(0, 255, (96, 160), np.uint8)) is None
    one_wrong = picture(LIST[0], 77)[:, :, 1].copy()
    one_wrong[:24, 20:40] = 255 - one_wrong[:24, 20:40]  # one block the other way round
    assert frame_number.read(one_wrong) is None
