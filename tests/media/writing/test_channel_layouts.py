"""Sound of more than two channels that has to be encoded again: every channel is where it was, or it is said."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.streams.stream_conversion import layout_for, layout_words
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.writing.writer_clips import WHOLE, info_of, write

pytestmark = pytest.mark.media

# encoder, the layout of the source, that of the result, what is said
CASES = [
    ("libopus", "stereo", "stereo", ""),
    ("libopus", "quad", "quad", ""),
    ("libopus", "5.0", "5.1", "; 5.0 becomes 5.1"),
    ("libopus", "6.1", "5.1", "; its 7 channels are mixed down to 5.1"),
    ("libopus", "5.1(side)", "5.1", ""),
    ("libopus", "2.1", "5.1", "; 2.1 becomes 5.1"),
    ("libopus", "4.0", "quad", "; 4.0 becomes quad"),
    ("libopus", "7.1(wide)", "7.1", "; 7.1(wide) becomes 7.1"),
    ("aac", "4.0", "4.0", ""),
    ("aac", "5.1(side)", "5.1", ""),
    ("aac", "quad", "5.0", "; quad becomes 5.0"),
    ("aac", "6.1", "5.1", "; its 7 channels are mixed down to 5.1"),
    ("alac", "6.1", "6.1(back)", ""),
    ("alac", "7.1", "7.1(wide)", "; 7.1 becomes 7.1(wide)"),
    ("flac", "7.1(wide)", "7.1(wide)", ""),
    ("pcm_s16le", "quad", "quad", ""),
]


@pytest.mark.parametrize(("encoder", "source", "becomes", "words"), CASES)
def test_the_layout_of_an_encoder(encoder: str, source: str, becomes: str, words: str) -> None:
    layout = av.AudioLayout(source)
    assert layout_for(encoder, layout).name == becomes
    assert layout_words(encoder, layout) == words
    context = av.CodecContext.create(encoder, "w")
    assert isinstance(context, av.AudioCodecContext)
    assert context.codec.audio_formats is not None
    context.sample_rate, context.layout, context.format = 48000, becomes, context.codec.audio_formats[0]
    context.open()


def film(path: Path, layout: str, codec: str) -> Path:
    """A film with a tone in the last channel alone."""
    count = av.AudioLayout(layout).nb_channels
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
        sound = out.add_stream(codec, rate=48000, layout=layout)
        samples = np.zeros((24000, count), np.int16)
        samples[:, -1] = np.sin(np.arange(24000) / 100) * 9000
        out.start_encoding()
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), "s16", layout)
        frame.sample_rate, frame.pts, frame.time_base = 48000, 0, Fraction(1, 48000)
        shaper = av.AudioResampler(sound.codec_context.format, layout, 48000, sound.codec_context.frame_size or None)
        for piece in (*shaper.resample(frame), *shaper.resample(None)):
            out.mux(sound.encode(piece))
        for number in range(12):
            shown = av.VideoFrame(64, 48, "yuv420p")
            shown.pts = number
            out.mux(picture.encode(shown))
        for stream in (picture, sound):
            out.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("layout", "ending", "becomes", "loud"),
    [
        ("quad", ".webm", "quad", "BR"),
        ("2.1", ".webm", "5.1", "LFE"),
        ("3.0", ".webm", "3.0", "FC"),
        ("5.0", ".webm", "5.1", "BR"),
        ("5.1", ".webm", "5.1", "BR"),
        ("quad", ".avi", "quad", "BR"),
    ],
)
def test_a_channel_stays_where_it_was(tmp_path: Path, layout: str, ending: str, becomes: str, loud: str) -> None:
    info = info_of(film(tmp_path / "film.mkv", layout, "flac"))
    target = tmp_path / f"out{ending}"
    codec = {".webm": "libvpx-vp9", ".avi": "ffv1"}.get(ending, "libx264")
    write(info, target, codec=codec, times=range(0, 480, 40))
    with av.open(str(target)) as out:
        found = out.streams.audio[0].layout
        heard = [frame.to_ndarray() for frame in out.decode(audio=0)]
    assert found.name == becomes
    pieces = [part if len(part) > 1 else part.reshape(-1, found.nb_channels).T for part in heard]
    power = np.square(np.concatenate(pieces, axis=1).astype(float)).mean(axis=1)
    assert found.channels[int(power.argmax())].name == loud
    assert power.max() > 10 * np.sort(power)[-2]


def test_flac_whose_channels_a_copy_would_not_say_is_not_copied(tmp_path: Path) -> None:
    for layout, copied in (("2.1", False), ("quad", True)):
        info = info_of(film(tmp_path / f"{layout}.mkv", layout, "flac"))
        plan = plan_output(info, tmp_path / "o.mp4", OutputOptions("libx264"), nv12(64, 48), WHOLE)
        assert [item.treatment for item in plan.items] == ["copy" if copied else "convert"]


@pytest.mark.parametrize(
    ("layout", "codec", "treatment", "loses"),
    [
        ("quad", "pcm_s16le", "convert", False),
        ("3.0(back)", "pcm_s16le", "convert", False),
        ("4.0", "pcm_s16le", "copy", False),
        ("5.1(side)", "pcm_s16le", "copy", False),
        ("quad", "pcm_f32le", "copy", True),
    ],
)
def test_pcm_whose_channels_mkv_would_not_say_becomes_flac(
    tmp_path: Path, layout: str, codec: str, treatment: str, loses: bool
) -> None:
    """MKV says of PCM how many channels there are; four are taken for left, right, centre and back."""
    info, target = info_of(film(tmp_path / "film.mov", layout, codec)), tmp_path / "out.mkv"
    plan = plan_output(info, target, OutputOptions("libx264"), nv12(64, 48), WHOLE)
    assert [item.treatment for item in plan.items] == [treatment]
    assert any("where its channels are heard" in loss.text for loss in plan.losses) is loses
    if treatment == "convert":
        write(info, target, codec="libx264", times=range(0, 480, 40))
        with av.open(str(target)) as out:
            assert out.streams.audio[0].layout.name == layout


def test_a_channel_without_a_place_is_no_loss(tmp_path: Path) -> None:
    """FFmpeg gives a single channel of PCM in MKV no place: where it is heard was never said."""
    info = info_of(film(tmp_path / "film.mkv", "mono", "pcm_s16le"))
    plan = plan_output(info, tmp_path / "out.ts", OutputOptions("libx264"), nv12(64, 48), WHOLE)
    assert [loss.text.partition(": ")[2] for loss in plan.losses] == ["MPEG-TS cannot hold it"]
