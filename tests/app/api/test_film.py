"""`framebrush.open`: the painted frames of a film from Python."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

import framebrush
from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.api.film import PaintedFrame
from framebrush.cli.command_line import run
from framebrush.gpu.device import Device, open_device
from framebrush.jobs.still import encoded
from framebrush.media.video import InputError
from framebrush.models.style import StyleError

pytestmark = pytest.mark.media

CLIP = CLIPS / "cfr.mp4"
PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Whatever becomes of a film, its threads end."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before]
    if left:
        gc.collect()  # a film that an exception holds
    for thread in left:
        thread.join(PATIENCE_S)
    assert [thread.name for thread in left if thread.is_alive()] == []


def still(folder: Path, clip: Path, at: str, *options: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """What `framebrush frame` writes."""
    target = folder / "still.png"
    assert run(["frame", str(clip), str(target), "-y", "--at", at, "--device", "cpu", *options]) == 0
    with av.open(str(target)) as written:
        return next(written.decode(video=0)).to_ndarray(format="rgb24").astype(np.uint8, copy=False)


def number(frame: PaintedFrame) -> int | None:
    """Return the number that is drawn in the clip's frame."""
    return frame_number.read(frame.picture.mean(axis=-1))


@pytest.mark.slow
def test_frames_are_those_of_the_command(tmp_path: Path) -> None:
    with framebrush.open(CLIP, "great-wave", device="cpu", strength=0.75, relief=0.5, start="7f", frames=3) as film:
        frames = list(film)
    assert [number(frame) for frame in frames] == [7, 8, 9]
    for count, frame in enumerate(frames):
        options = ("--style", "great-wave", "--strength", "0.75", "--relief", "0.5")
        assert np.array_equal(frame.picture, still(tmp_path, CLIP, f"{7 + count}f", *options))
        assert frame.picture.flags.c_contiguous
        assert frame.picture.flags.writeable


@pytest.mark.parametrize("name", ["rotated.mp4", "anamorphic.mp4", "10bit.mp4"])
def test_pictures_are_as_they_are_to_be_seen(tmp_path: Path, name: str) -> None:
    with framebrush.open(CLIPS / name, "none", device="cpu", size="0.5x", dither=False) as film:
        picture = next(film).picture
    expected = still(tmp_path, CLIPS / name, "0", "--style", "none", "--size", "0.5x", "--no-dither")
    assert np.array_equal(picture, expected)
    assert film.size == (picture.shape[1], picture.shape[0])


def test_sixteen_bits() -> None:
    pictures = []
    for bits in (8, 16):
        with framebrush.open(CLIPS / "10bit.mp4", "none", device="cpu", bits=bits, dither=False) as film:  # type: ignore[arg-type]
            pictures.append(next(film).picture)
    coarse, fine = pictures
    assert (coarse.dtype, fine.dtype) == (np.uint8, np.uint16)
    assert np.abs(fine / 257 - coarse).max() <= 0.51
    assert len(np.unique(fine)) > 256


@pytest.mark.parametrize("name", ["cfr.mp4", "vfr.mkv", "edit-list.mp4"])
def test_times_and_numbers_of_all_frames(name: str) -> None:
    with framebrush.open(CLIPS / name, "none", device="cpu") as film:
        frames = list(film)
    with av.open(str(CLIPS / name)) as container:
        shown = [frame for frame in container.decode(video=0) if frame.pts >= 0]
    assert [frame.time_s for frame in frames] == pytest.approx([frame.time - shown[0].time for frame in shown])
    numbers = [number(frame) for frame in frames]
    assert numbers == list(range(numbers[0], numbers[0] + len(shown)))


def test_a_range_keeps_the_times_of_the_film() -> None:
    with framebrush.open(CLIP, "none", device="cpu", start=0.4, end=0.52) as film:
        assert [(number(frame), frame.time_s) for frame in film] == [(10, 0.4), (11, 0.44), (12, 0.48)]


@pytest.mark.slow
def test_colours_of_a_film_are_taken_before_it_is_painted() -> None:
    said: list[str] = []
    with framebrush.open(CLIP, "scream", device="cpu", palette="film", frames=2, on_message=said.append) as film:
        coloured = [frame.picture for frame in film]
    with framebrush.open(CLIP, "scream", device="cpu", frames=2) as film:
        own = [frame.picture for frame in film]
    assert any("shot found" in sentence for sentence in said)
    assert all(not np.array_equal(one, other) for one, other in zip(coloured, own, strict=True))


@pytest.mark.slow
def test_what_the_command_reports_is_a_warning(tmp_path: Path) -> None:
    """Of a style, and of the film, at the line that uses it; what goes well is none."""
    grey, damaged = tmp_path / "grey.png", tmp_path / "damaged.h264"
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 1), np.uint8)
    grey.write_bytes(encoded(noise.repeat(3, 2), "png", "rgb24"))
    data = bytearray((CLIPS / "raw.h264").read_bytes())
    data[len(data) // 2 :: 50] = bytes(len(data[len(data) // 2 :: 50]))
    damaged.write_bytes(data)
    with pytest.warns(framebrush.PaintingWarning) as told, framebrush.open(damaged, grey, device="cpu") as film:
        list(film)
    style, *of_film = [str(each.message) for each in told]
    assert style == "grey is grey: the film becomes grey, too"
    assert len(of_film) == 1
    assert "damaged" in of_film[0]
    assert told[0].filename == __file__


def test_a_device_that_is_given_stays_open() -> None:
    with open_device("cpu") as device:
        for _ in range(2):
            with framebrush.open(CLIP, "none", device=device) as film:
                assert number(next(film)) == 0


def test_a_source_without_an_end_and_a_film_that_is_closed() -> None:
    film = framebrush.open("lavfi:testsrc2=size=64x48", "none", device="cpu")
    assert [frame.time_s for frame in islice(film, 3)] == pytest.approx([0.0, 0.04, 0.08])
    film.close()
    film.close()
    with pytest.raises(RuntimeError, match="the film is closed"):
        next(film)


def test_a_film_ends_once() -> None:
    with framebrush.open(CLIP, "none", device="cpu", frames=1) as film:
        assert len(list(film)) == 1
        assert list(film) == []


@pytest.mark.parametrize("begun", [False, True])
def test_a_film_that_nobody_refers_to_is_closed(monkeypatch: pytest.MonkeyPatch, begun: bool) -> None:
    devices: list[Device] = []

    def opened(name: str) -> Device:
        devices.append(open_device(name))
        return devices[-1]

    monkeypatch.setattr("framebrush.api.film.open_device", opened)
    film = framebrush.open("lavfi:testsrc2=size=64x48", "none", device="cpu")
    if begun:
        next(film)
    assert begun == any(thread.name == "paint" for thread in threading.enumerate())
    (device,) = devices
    assert not device.closed
    del film
    gc.collect()
    assert device.closed


@pytest.mark.slow
def test_a_program_that_closes_nothing_ends() -> None:
    code = (
        "import asyncio, framebrush\n"
        "film = framebrush.open('lavfi:testsrc2=size=64x48', 'none', device='cpu')\n"
        "other = framebrush.open('lavfi:testsrc2=size=64x48', 'none', device='cpu')\n"
        "async def one(): return await anext(other)\n"
        "print(next(film).time_s, asyncio.run(one()).time_s)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0.0 0.0\n", "")


def test_frames_are_awaited_while_other_tasks_go_on() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def main() -> list[int | None]:
        task = asyncio.create_task(others())
        async with framebrush.open(CLIP, "none", device="cpu") as film:
            found = [number(frame) async for frame in film]
        task.cancel()
        return found

    found = asyncio.run(main())
    assert found == list(range(len(found)))
    assert turns > len(found)


@pytest.mark.parametrize("busy", [False, True])
def test_a_frame_whose_wait_is_cancelled_is_not_lost(busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = threading.Event()

    def busy_thread(*arguments: Any, **options: Any) -> ThreadPoolExecutor:  # noqa: ANN401
        made = ThreadPoolExecutor(*arguments, **options)
        made.submit(turn.wait, PATIENCE_S)
        return made

    if busy:  # so that the frame's turn has not come
        monkeypatch.setattr("framebrush.api.film.ThreadPoolExecutor", busy_thread)

    async def main() -> list[int | None]:
        async with framebrush.open(CLIP, "none", device="cpu", frames=4) as film:
            impatient = asyncio.ensure_future(anext(film))
            await asyncio.sleep(0)
            impatient.cancel()
            with pytest.raises(asyncio.CancelledError):
                await impatient
            turn.set()
            return [number(frame) async for frame in film]

    assert asyncio.run(main()) == [0, 1, 2, 3]


def test_threads_share_a_film() -> None:
    """Each frame goes to one of them, whoever asks first."""
    found: list[int | None] = []

    def take(film: framebrush.Film) -> None:
        found.extend(number(frame) for frame in film)

    with framebrush.open(CLIP, "none", device="cpu") as film, ThreadPoolExecutor(4) as threads:
        for taken in [threads.submit(take, film) for _ in range(4)]:
            taken.result(PATIENCE_S)
    assert sorted(number for number in found if number is not None) == list(range(len(found)))
    assert len(found) > 20


@pytest.mark.slow
def test_a_film_is_closed_while_another_thread_waits_for_a_frame() -> None:
    film = framebrush.open("live:testsrc2=size=64x48:rate=5", "none", device="cpu")
    next(film)
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(lambda: [None for _ in film])
        while not waiting.running():
            pass
        film.close()
        with pytest.raises(RuntimeError, match="the film is closed"):
            waiting.result(PATIENCE_S)


def test_closing_ends_the_look_for_shots() -> None:
    said = threading.Event()

    async def main() -> None:
        endless = framebrush.open(
            "lavfi:testsrc2=size=64x48", "scream", device="cpu", palette="film", on_message=lambda _: said.set()
        )
        async with endless as film:
            waiting = asyncio.ensure_future(anext(film))
            assert await asyncio.to_thread(said.wait, PATIENCE_S)
        for asked in (waiting, anext(film)):
            with pytest.raises(RuntimeError, match="the film is closed"):
                await asyncio.wait_for(asked, PATIENCE_S)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("source", "options", "error", "reason"),
    [
        ("nowhere.mp4", {}, InputError, "nowhere.mp4"),
        (b"nowhere.mp4", {}, TypeError, "^source is b'nowhere.mp4'; it must be a text or a path$"),
        (5, {}, TypeError, "^source is 5; it must be a text or a path$"),
        (None, {}, TypeError, "^source is None; it must be a text or a path$"),
        (CLIP, {"style": b"scream"}, TypeError, "^style is b'scream'; it must be a text or a path$"),
        (CLIP, {"style": "nonsense"}, StyleError, "nonsense"),
        (CLIP, {"bits": 10}, ValueError, "8 or 16 bits, not 10"),
        (CLIP, {"start": "1:99"}, ValueError, "'1:99' is not a time"),
        (CLIP, {"crf": 20}, TypeError, "there is no option 'crf'"),
        (
            "live:testsrc2=size=64x48",
            {"palette": "film"},
            InputError,
            "is live, so its colours are not known in advance",
        ),
    ],
)
def test_what_cannot_be(source: Any, options: dict[str, Any], error: type[Exception], reason: str) -> None:  # noqa: ANN401 - of any kind
    with pytest.raises(error, match=reason):
        framebrush.open(source, **{"device": "cpu", **options})
