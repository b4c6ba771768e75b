"""Sound with channels in any order: each reaches its speaker, and no order crashes the process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import av
import numpy as np
import pytest
from av.audio.frame import AudioFrame

from framebrush.media.reading.sound_decoding import SoundDecoder, is_in_order, layout_of
from framebrush.playback.sound_playback import decode
from tests.media.writing.writer_clips import info_of, write

pytestmark = pytest.mark.media
RATE = 48_000
SAMPLES = 9_600
STEP = 0.04
"""How much louder a channel is than the one before it in the file."""

# Layout tags of Core Audio (CoreAudioBaseTypes.h), and what they list.
TAGS = {
    "MPEG_5_1_B": (122 << 16 | 6, "FL FR SL SR FC LFE"),
    "MPEG_5_1_D": (124 << 16 | 6, "FC FL FR SL SR LFE"),
    "MPEG_6_1_A": (125 << 16 | 7, "FL FR FC LFE SL SR BC"),
    "MPEG_7_1_A": (126 << 16 | 8, "FL FR FC LFE SL SR FLC FRC"),
    "MPEG_7_1_B": (127 << 16 | 8, "FC FLC FRC FL FR SL SR LFE"),
    "MPEG_7_1_C": (128 << 16 | 8, "FL FR FC LFE SL SR BL BR"),
}
NATIVE = {5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}


def sounding(
    path: Path, codec: str, layout: str, levels: Sequence[float], *, picture: str = "", **options: str
) -> Path:
    """A file of tones, one a channel, of 50 Hz as the fourth may be low. picture: codec of a film beside it, if any."""
    tone = np.sin(np.arange(SAMPLES) * (2 * np.pi * 50 / RATE))
    samples = (tone[:, None] * np.array(levels)).astype(np.float32)
    with av.open(str(path), "w") as out:
        film = out.add_stream(picture, rate=25) if picture else None
        if film is not None:
            film.width, film.height, film.pix_fmt = 64, 48, "yuv420p"
        stream = out.add_stream(codec, rate=RATE, options={"strict": "-2", **options})
        stream.codec_context.layout = layout
        resampler = av.AudioResampler(
            stream.codec_context.format, layout, RATE, stream.codec_context.frame_size or None
        )
        for begin in range(0, SAMPLES, 960):
            frame = AudioFrame.from_ndarray(samples[begin : begin + 960].reshape(1, -1), format="flt", layout=layout)
            frame.sample_rate, frame.pts = RATE, begin
            for piece in resampler.resample(frame):
                out.mux(stream.encode(piece))
        for piece in resampler.resample(None):
            out.mux(stream.encode(piece))
        out.mux(stream.encode(None))
        for number in range(5 if film is not None else 0):
            shown = av.VideoFrame(64, 48, "yuv420p")
            for plane in shown.planes:
                plane.update(bytes([100]) * plane.buffer_size)
            shown.pts = number
            out.mux(film.encode(shown))
        if film is not None:
            out.mux(film.encode(None))
    return path


def tagged(path: Path, tag: int, levels: Sequence[float], *, picture: str = "") -> Path:
    """Write a MOV or CAF of PCM with another channel list."""
    sounding(path, "pcm_s16le", NATIVE[len(levels)], levels, picture=picture)
    data = bytearray(path.read_bytes())
    place = data.index(b"chan") + (8 if path.suffix == ".mov" else 12)  # behind a version, or the size of a chunk
    data[place : place + 4] = tag.to_bytes(4, "big")
    path.write_bytes(data)
    return path


def heard(path: Path) -> dict[str, float]:
    """Return the amplitude of each decoded channel."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        layout = layout_of(stream.codec_context)
        decoder = SoundDecoder(stream.codec_context)
        frames = [
            frame for packet in container.demux(stream) for frame in decoder.decode(packet if packet.size else None)
        ]
        samples = interleaved(frames)
    names = [channel.name for channel in layout.channels]
    return dict(zip(names, loudness(samples), strict=True))


def interleaved(frames: Sequence[AudioFrame]) -> np.ndarray:
    resampler = av.AudioResampler("flt", frames[0].layout.name, RATE)
    pieces = [piece for frame in [*frames, None] for piece in resampler.resample(frame)]
    count = frames[0].layout.nb_channels
    return np.concatenate([piece.to_ndarray().reshape(-1, count) for piece in pieces])


def loudness(samples: np.ndarray) -> list[float]:
    return (np.sqrt(np.mean(np.square(samples[2400:7200]), axis=0)) * np.sqrt(2)).tolist()


def rising(count: int) -> list[float]:
    return [STEP * (place + 1) for place in range(count)]


@pytest.mark.parametrize("ending", [".mov", ".caf"])
@pytest.mark.parametrize("name", TAGS)
def test_channels_that_a_file_lists_in_its_own_order_come_in_ffmpegs(name: str, ending: str, tmp_path: Path) -> None:
    tag, listed = TAGS[name]
    coded = listed.split()
    path = tagged(tmp_path / f"sound{ending}", tag, rising(len(coded)))
    with av.open(str(path)) as container:
        assert not is_in_order(container.streams.audio[0].codec_context)
    levels = heard(path)
    order = [channel.name for channel in av.AudioLayout("22.2").channels]
    assert list(levels) == sorted(coded, key=order.index)
    assert levels == pytest.approx(dict(zip(coded, rising(len(coded)), strict=True)), abs=1e-4)


@pytest.mark.parametrize("layout", ["5.1", "6.1", "7.1", "7.1(wide)"])
@pytest.mark.parametrize(
    ("ending", "codec"),
    [(".wav", "pcm_s16le"), (".avi", "pcm_s16le"), (".mov", "pcm_s16le"), (".mkv", "flac")],
)
def test_channels_of_the_usual_layouts_stay_where_they_are(
    ending: str, codec: str, layout: str, tmp_path: Path
) -> None:
    names = [channel.name for channel in av.AudioLayout(layout).channels]
    levels = heard(sounding(tmp_path / f"sound{ending}", codec, layout, rising(len(names))))
    assert levels == pytest.approx(dict(zip(names, rising(len(names)), strict=True)), abs=1e-4)


@pytest.mark.parametrize("layout", ["5.1", "7.1"])
def test_channels_of_a_transport_stream_stay_where_they_are(layout: str, tmp_path: Path) -> None:
    names = [channel.name for channel in av.AudioLayout(layout).channels]
    levels = heard(sounding(tmp_path / "sound.ts", "aac", layout, rising(len(names)), b="768k"))
    assert levels == pytest.approx(dict(zip(names, rising(len(names)), strict=True)), rel=0.1)


def test_channels_that_are_only_counted_come_as_they_are(tmp_path: Path) -> None:
    path = sounding(tmp_path / "film.mxf", "pcm_s16le", "7.1", rising(8), picture="mpeg2video")
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        assert layout_of(stream.codec_context).name == "8 channels"
        decoder = SoundDecoder(stream.codec_context)
        frames = [frame for packet in container.demux(stream) if packet.size for frame in decoder.decode(packet)]
        assert loudness(interleaved(frames)) == pytest.approx(rising(8), abs=1e-4)


@pytest.mark.parametrize("layout", ["ambisonic 1", "ambisonic 1+stereo"])
@pytest.mark.parametrize("ending", [".mkv", ".mp4", ".ogg"])
def test_ambisonic_sound_becomes_stereo(ending: str, layout: str, tmp_path: Path) -> None:
    """What comes from the left is as loud in the channel to the left as in that all around."""
    levels = [0.5, 0.5, *[0.0] * (av.AudioLayout(layout).nb_channels - 2)]
    path = sounding(tmp_path / f"sound{ending}", "libopus", layout, levels, mapping_family="2")
    assert heard(path) == pytest.approx({"FL": 0.5, "FR": 0.0}, abs=0.03)


@pytest.mark.parametrize("ending", [".mkv", ".mov"])
def test_a_result_has_each_channel_where_it_belongs(ending: str, tmp_path: Path) -> None:
    """Copied where the container tells the order, and otherwise converted without loss."""
    tag, listed = TAGS["MPEG_7_1_C"]
    source = tagged(tmp_path / "film.mov", tag, rising(8), picture="mpeg4")
    target = tmp_path / f"out{ending}"
    write(info_of(source), target)
    with av.open(str(target)) as container:
        assert container.streams.audio[0].codec_context.name == {".mkv": "flac", ".mov": "pcm_s16le"}[ending]
    assert heard(target) == pytest.approx(dict(zip(listed.split(), rising(8), strict=True)), abs=1e-4)


def test_the_player_hears_the_left_side_on_the_left(tmp_path: Path) -> None:
    tag, listed = TAGS["MPEG_7_1_B"]
    left = ["FL", "FLC", "SL"]
    path = tagged(tmp_path / "sound.mov", tag, [0.1 * (name in left) for name in listed.split()])
    levels = loudness(np.concatenate(list(decode(path, 0.0, 1.0))))
    assert levels[0] > 0.05
    assert levels[1] == pytest.approx(0.0, abs=1e-4)


def test_the_player_hears_ambisonic_sound(tmp_path: Path) -> None:
    path = sounding(tmp_path / "sound.mkv", "libopus", "ambisonic 1", [0.5, 0.5, 0, 0], mapping_family="2")
    assert loudness(np.concatenate(list(decode(path, 0.0, 1.0)))) == pytest.approx([0.5, 0.0], abs=0.03)
