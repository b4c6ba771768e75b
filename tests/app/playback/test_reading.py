"""A player with decoding in a child process, which may die: frames and events as without it."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from framebrush.gpu.look import Look
from framebrush.media.containers import container_for
from framebrush.media.reading.subtitle_tracks import Cue, SubtitleReader, find_tracks
from framebrush.media.sources.frame_source import open_frame_source
from framebrush.media.video import InputError, Position, VideoFrame
from framebrush.models.style import StyleError
from framebrush.painted.confidence import distances
from framebrush.playback import events
from framebrush.playback.clock import Clock
from framebrush.playback.reading import reading_process as reading_process
from framebrush.playback.reading.crash_list import Deadly, DiedError
from framebrush.playback.reading.film_thumbnails import Thumbnails
from framebrush.playback.reading.reading_process import Far, FilmReader, ReadingProcess, items, opened
from framebrush.playback.reading.reading_worker import Kept
from framebrush.playback.reading.sound_samples import decode, track_names
from framebrush.playback.sound_playback import Sound
from framebrush.playback.subtitle_cues import Subtitles
from framebrush.playback.video_source import VideoSource
from framebrush.styles import reference_pictures
from framebrush.styles.maps import BrushMaps
from framebrush.styles.specs import SizeSpec
from framebrush.window.styles.style_thumbnails import PHOTOGRAPH
from tests.app import crashing
from tests.app.playback.conftest import CLIPS, Watched
from tests.app.styles.test_picture_styles import png
from tests.media.pgs import film_with_pgs
from tests.media.subtitle_clips import film as with_texts
from tests.media.subtitle_clips import srt
from tests.replaced import replace_alike

pytestmark = pytest.mark.media


def at(number: int) -> Position:
    return Position(Fraction(number), "frame")


@pytest.fixture(scope="module")
def reading() -> Iterator[ReadingProcess]:
    made = ReadingProcess()
    yield made
    made.close()


def kill(reading: ReadingProcess, ended: signal.Signals = signal.SIGTERM) -> None:
    """End the process as a crash does, and wait for it."""
    child = reading._process.child
    assert child is not None
    os.kill(child.pid, ended)
    child.wait()


def assert_same(one: VideoFrame, other: VideoFrame) -> None:
    assert (one.number, one.pts, one.duration) == (other.number, other.pts, other.duration)
    assert one.host.format == other.host.format
    for plane, expected in zip(one.host.planes, other.host.planes, strict=True):
        np.testing.assert_array_equal(plane, expected)
    assert (one.host.alpha is None) == (other.host.alpha is None)
    if one.host.alpha is not None and other.host.alpha is not None:
        np.testing.assert_array_equal(one.host.alpha, other.host.alpha)


@pytest.mark.parametrize("clip", ["cfr.mp4", "10bit.mp4", "vfr.mkv", "open-gop.ts", "rgb24.mov", "odd.mp4", "raw.h264"])
def test_frames_facts_and_seeks_are_those_of_the_reader(clip: str, reading: ReadingProcess) -> None:
    path = CLIPS / clip
    with FilmReader(reading, path) as film, open_frame_source(str(path)) as reader:
        assert film.info == reader.info
        assert film.warnings == reader.warnings
        frames = 0
        for one, other in zip(film, reader, strict=True):
            assert_same(one, other)
            frames += 1
        assert film.warnings == reader.warnings
        for place in (at(frames // 2), Position(Fraction(1, 5), "s"), at(100_000), at(0)):
            film.seek(place)
            reader.seek(place)
            assert_same(next(film), next(reader))


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX stops a process")
def test_the_end_does_not_wait_for_a_film_that_opens() -> None:
    reading = ReadingProcess()
    watched = Watched(reading=reading)
    watched.player.start("cpu", "none", Look())
    watched.wait(events.StyleInUse)
    reading.start()
    child = reading._process.child
    assert child is not None
    os.kill(child.pid, signal.SIGSTOP)
    watched.player.open(CLIPS / "cfr.mp4")
    watched.wait(events.Busy, lambda event: event.what == "opening")
    watched.player.quit()
    assert watched.player.join(20)
    assert child.has_ended


def test_alpha_comes_along(tmp_path: Path, reading: ReadingProcess) -> None:
    import av

    path = tmp_path / "alpha.mov"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("png", rate=25)
        stream.width, stream.height, stream.pix_fmt = 33, 17, "rgba"
        noise = np.random.default_rng(0).integers(0, 256, (17, 33, 4), np.uint8)
        container.mux(stream.encode(av.VideoFrame.from_ndarray(noise, "rgba")))
        container.mux(stream.encode(None))
    with FilmReader(reading, path) as film, open_frame_source(str(path)) as reader:
        assert film.info.format.alpha
        assert_same(next(film), next(reader))


def test_maps_of_the_brush_are_those_of_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A film, numbered pictures, and a still; and the process may die of something else."""
    reading = ReadingProcess()
    for number in range(3):
        png(tmp_path / f"lead-{number}.png", np.full((9, 9, 3), (255, 60 * number, 0), np.uint8))
    asked = SizeSpec(brush_sizes=str(CLIPS / "vfr.mkv"), brush_directions=str(tmp_path / "lead-%d.png"))
    still = SizeSpec(brush_sizes=str(png(tmp_path / "still.png", np.full((9, 9, 4), 60, np.uint8))))
    places = [(number, Fraction(number, 24)) for number in (0, 1, 2, 9, 4, 5)]
    expected = []
    for elsewhere in (None, reading):
        monkeypatch.setattr(reference_pictures, "elsewhere", elsewhere)
        with BrushMaps(asked) as moving, BrushMaps(still) as fixed:
            found = [fixed.at(0, None), *(moving.at(*place) for place in places)]
            if elsewhere:
                kill(elsewhere)
                found[-2:] = [moving.at(*place) for place in places[-2:]]
        expected = expected or found
        assert found == expected
    with pytest.raises(StyleError, match=r"lead-7%d\.png cannot be a map of sizes: .*no picture of such a name"):
        BrushMaps(SizeSpec(brush_sizes=str(tmp_path / "lead-7%d.png")))
    reading.close()


@pytest.mark.parametrize(("each_s", "count"), [(0.0, 8), (0.031, 1)])
def test_items_come_together_but_never_late(each_s: float, count: int) -> None:
    kept = Kept(closing(object()))
    kept.items = (time.sleep(each_s) for _ in range(9))
    assert len(kept.some()) == count


def test_a_frame_stays_as_it_is_while_anything_refers_to_it(
    reading: ReadingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "MORE_SLOTS", 3)
    monkeypatch.setattr(reading_process, "CACHE_BYTES", 0)
    with FilmReader(reading, CLIPS / "cfr.mp4") as film:
        first = next(film).host.planes[0][3:9, 4:40]  # a part is enough
        kept = first.copy()
        for _ in range(20):
            assert not next(film).host.planes[0].flags.writeable
        np.testing.assert_array_equal(first, kept)
        held = [next(film), next(film)]
        with pytest.raises(MemoryError):
            next(film)
        del held
        gc.collect()
        next(film)
    np.testing.assert_array_equal(first, kept)


def test_two_films_at_once_and_what_cannot_be_opened(reading: ReadingProcess, tmp_path: Path) -> None:
    (tmp_path / "no.mp4").write_bytes(b"no film")
    with FilmReader(reading, CLIPS / "cfr.mp4") as one, FilmReader(reading, CLIPS / "vfr.mkv") as other:
        with pytest.raises(InputError, match="is not a video that can be read"):
            FilmReader(reading, tmp_path / "no.mp4")
        for number in range(5):
            assert (next(one).number, next(other).number) == (number, number)
    one.close()


@pytest.mark.parametrize("speed", [1.0, 2.0])
def test_sound_is_that_of_this_process(speed: float, film: Path, reading: ReadingProcess) -> None:
    assert reading.call(film, track_names, film) == track_names(film) != ()
    heard = np.concatenate(list(items(reading, film, "sound", decode, film, 0.7, speed, 0)))
    np.testing.assert_array_equal(heard, np.concatenate(list(decode(film, 0.7, speed))))


def test_thumbnails_are_those_of_this_process(film: Path, reading: ReadingProcess) -> None:
    with open_frame_source(str(film)) as reader:
        info = reader.info
    pictures = []
    for process in (None, reading):
        with opened(process, film, "thumbnails", Thumbnails, film, info) as thumbnails:
            picture = thumbnails.do(Thumbnails.picture, 0.0)  # a key frame: no time is too short for it
            assert picture is not None
            pictures.append(picture)
    np.testing.assert_array_equal(*pictures)


def test_subtitles_are_those_of_this_process(tmp_path: Path, reading: ReadingProcess) -> None:
    text = with_texts(tmp_path / "text.mkv", [("srt", srt([(0.2, 0.48, "one"), (0.4, 0.8, "two")]), "eng")])
    for path in (text, film_with_pgs(tmp_path / "pictures.mkv")):
        (track,) = find_tracks(path)
        assert reading.call(path, find_tracks, path) == (track,)
        with Far(reading, path, "subtitles", SubtitleReader, track) as far, SubtitleReader(track) as near:
            for from_s in (0.0, 0.7, 0.0):
                steps = list(map(plain, near.cues(from_s)))
                assert list(map(plain, far.each(SubtitleReader.cues, from_s))) == steps
            assert len([cue for _, cue in steps if cue is not None]) == 2


def plain(step: tuple[float, Cue | None]) -> tuple[float, tuple[object, ...] | None]:
    """A step of the reading of subtitles as values that can be compared."""
    at_s, cue = step
    if cue is None:
        return at_s, None
    pictures = [(picture.x, picture.y, picture.rgba.tolist()) for picture in cue.pictures]
    return at_s, (cue.start_s, cue.end_s, cue.text, cue.open, pictures)


def test_an_error_of_what_is_called_is_one_of_the_input(reading: ReadingProcess, tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"no\.png"):
        reading.picture(str(tmp_path / "no.png"), None)
    with pytest.raises(InputError, match="cannot tell the file format"):
        reading.call(tmp_path, container_for, tmp_path / "no.xyz")
    assert reading.deaths == 0


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_items_come_as_they_are_asked_for_and_others_between(film: Path, reading: ReadingProcess) -> None:
    found = items(reading, film, "distances", distances, film, [0], 0, 6)
    first = next(found)
    with closing(FilmReader(reading, film)) as other:
        assert next(other).number == 0
    assert [first, *found] == list(distances(film, [0], 0, 6))
    with pytest.raises(InputError):
        next(items(reading, film, "distances", distances, film, [10**6], 0, None))
    begun = items(reading, film, "distances", distances, film, [0], 0, 6)
    next(begun)
    begun.close()  # what was begun there ends


def test_subtitles_go_on_where_something_else_was_deadly(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    path.with_suffix(".srt").write_text(srt([(5, 6, "early"), (100, 101, "not yet"), (500, 501, "late")]))
    reading, fresh = ReadingProcess(), threading.Event()
    subtitles = Subtitles(find_tracks(path)[0], 0.0, fresh.set, reading)

    def wait(at_s: float, text: str) -> None:
        end = time.monotonic() + 60
        while [cue.text for cue in subtitles.at(at_s)] != [text]:
            assert time.monotonic() < end, text
            time.sleep(0.002)

    wait(5.5, "early")
    wait(100.5, "not yet")  # then it has read enough, and asks nothing while the process dies
    kill(reading)
    with pytest.raises(InputError):
        reading.call(path, find_tracks, path)
    wait(500.5, "late")
    assert reading.deaths == 1
    subtitles.close()
    assert subtitles.join(60)
    reading.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_film_goes_on_where_its_sound_was_deadly(film: Path) -> None:
    reading = ReadingProcess()
    sound = Sound(film, 0.0, Clock(), reading.call(film, track_names, film), reading)
    with FilmReader(reading, film) as frames, open_frame_source(str(film)) as reader:
        assert_same(next(frames), next(reader))
        kill(reading)
        sound.start(0.0, 1.0)
        end = time.monotonic() + 60
        while not reading.deaths and time.monotonic() < end:
            time.sleep(0.002)
        sound.stop()
        assert reading.deaths == 1
        assert_same(next(frames), next(reader))
        frames.seek(at(30))
        reader.seek(at(30))
        assert_same(next(frames), next(reader))
    reading.close()


@pytest.fixture
def deadly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ReadingProcess]]:
    """Make reading processes that abort in a function, and so do their successors."""
    made: list[ReadingProcess] = []

    def make(function: str) -> ReadingProcess:
        for name, value in crashing.environment(tmp_path, function).items():
            monkeypatch.setenv(name, value)
        made.append(ReadingProcess())
        return made[-1]

    yield make
    for reading in made:
        reading.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="how it ended is said in the words of POSIX")
def test_a_picture_of_which_the_process_has_died_is_not_tried_again_until_it_changes(
    tmp_path: Path, deadly: Callable[[str], ReadingProcess]
) -> None:
    reading, path = deadly("is_damaged_jpeg"), tmp_path / "deadly.jpg"
    path.write_bytes(PHOTOGRAPH.read_bytes())
    said = []
    for _ in range(3):
        with pytest.raises(InputError) as raised:
            reading.picture(str(path), None)
        said.append(str(raised.value))
    words = "was ended by SIGABRT; check that the file is whole, or convert it to H.264 first"
    assert said == [f"{path}: the process that decodes it {words}"] * 3
    assert reading.deaths == 1
    path.write_bytes(PHOTOGRAPH.read_bytes() + b"\0")
    with pytest.raises(InputError, match="SIGABRT"):
        reading.picture(str(path), None)
    assert reading.deaths == 2


def test_a_file_that_replaced_a_deadly_one_is_tried(tmp_path: Path) -> None:
    path, dead = tmp_path / "picture.jpg", Deadly()
    path.write_bytes(b"former")
    dead.add(dead.check(path, "picture"), "died", certain=True)
    with pytest.raises(DiedError):
        dead.check(path, "picture")
    replace_alike(path, b"latter")
    assert dead.check(path, "picture")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_what_may_have_died_of_a_film_is_tried_twice(tmp_path: Path, deadly: Callable[[str], ReadingProcess]) -> None:
    """A death during another request may be the fault of the film, decoded ahead meanwhile."""
    reading, path = deadly("is_damaged_jpeg"), tmp_path / "deadly.jpg"
    path.write_bytes(PHOTOGRAPH.read_bytes())
    for deaths in (1, 2, 2):
        with FilmReader(reading, CLIPS / "cfr.mp4") as film:
            assert next(film).number == 0
            with pytest.raises(InputError, match=r"deadly\.jpg: the process that decodes it was"):
                reading.picture(str(path), None)
            assert reading.deaths == deaths
            assert next(film).number == 1
    alone = tmp_path / "alone.jpg"
    alone.write_bytes(PHOTOGRAPH.read_bytes() + b"\0")
    for _ in range(2):
        with pytest.raises(InputError, match=r"alone\.jpg: the process that decodes it was"):
            reading.picture(str(alone), None)
        assert reading.deaths == 3


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    "function", ["Thumbnails.picture", "SubtitleReader.cues", "SoundDecoder.decode", "track_names", "open_media"]
)
def test_whatever_else_is_deadly_is_tried_once(
    function: str, film: Path, tmp_path: Path, deadly: Callable[[str], ReadingProcess]
) -> None:
    text = with_texts(tmp_path / "text.mkv", [("srt", srt([(0.2, 0.48, "one")]), "eng")])
    with open_frame_source(str(film)) as reader:
        info = reader.info
    (track,) = find_tracks(text)
    reading = deadly(function)

    def thumbnail() -> None:
        with Far(reading, film, "thumbnails", Thumbnails, film, info) as far:
            far.do(Thumbnails.picture, 0.0)

    def cues() -> None:
        with Far(reading, text, "subtitles", SubtitleReader, track) as far:
            list(far.each(SubtitleReader.cues, 0.0))

    asked = {
        "Thumbnails.picture": thumbnail,
        "SubtitleReader.cues": cues,
        "SoundDecoder.decode": lambda: list(items(reading, film, "sound", decode, film, 0.0, 1.0)),
        "track_names": lambda: reading.call(film, track_names, film),
        "open_media": lambda: FilmReader(reading, film),
    }
    for _ in range(3):
        with pytest.raises(InputError, match="was ended by SIGABRT"):
            asked[function]()
    assert reading.deaths == 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_what_a_process_had_died_of_before_it_was_asked_blames_nothing() -> None:
    reading = ReadingProcess()
    reading.start()
    kill(reading)
    with pytest.raises(InputError, match="SIGTERM"):
        reading.picture(str(PHOTOGRAPH), None)
    assert reading.picture(str(PHOTOGRAPH), None).rgb.ndim == 3
    reading.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_the_death_of_the_process_is_an_error_of_the_film_and_the_next_call_begins_anew() -> None:
    reading = ReadingProcess()
    video = VideoSource(str(CLIPS / "cfr.mp4"), reading=reading)
    kept = video.seek(at(5))
    assert kept is not None
    before = [plane.copy() for plane in kept.host.planes]
    kill(reading, signal.SIGSEGV)
    with pytest.raises(InputError, match=r"cfr.mp4: the process that decodes it was ended by SIGSEGV; check that"):
        video.forward(5)
    following = video.forward(5)
    assert following is not None
    assert following.number == 6
    for plane, expected in zip(kept.host.planes, before, strict=True):
        np.testing.assert_array_equal(plane, expected)
    video.close()
    reading.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_player_survives_a_decoder_that_crashes_while_it_plays() -> None:
    reading = ReadingProcess()
    watched = Watched(reading=reading)
    watched.player.start("cpu", "none", Look())
    watched.open("landscape.mp4")
    watched.player.play(True)
    watched.wait(events.Shown, lambda shown: shown.at.number > 2)
    kill(reading, signal.SIGABRT)
    said = watched.wait(events.Notification)
    assert said.text.endswith(
        "landscape.mp4: the process that decodes it was ended by SIGABRT; check that the file is whole, or convert it "
        "to H.264 first"
    )
    watched.player.seek(at(1))
    assert watched.wait(events.Shown, lambda shown: shown.at.number == 1)
    watched.open("cfr.mp4")
    assert watched.number == 0
    watched.player.quit()
    assert watched.player.join(60)
