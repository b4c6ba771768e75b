"""The render cache: bit-identical to an export, shown in real time, kept for earlier looks."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import open_device
from framebrush.gpu.errors import OutOfMemoryError
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.jobs.keyframes import parse_keys
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import Position, VideoInfo
from framebrush.playback import events, film_screen
from framebrush.playback.ahead import ahead_process, renderer
from framebrush.playback.ahead import store as disk
from framebrush.playback.ahead.ahead_process import PaintingProcess
from framebrush.playback.ahead.render_cache import Course, Painted, RenderCache
from framebrush.playback.ahead.renderer import Renderer
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.display.preview_quality import PreviewMode
from framebrush.playback.display.screen import Emit
from framebrush.playback.playback_stats import PlaybackStats
from framebrush.styles.specs import SOURCE_SIZE, ColourSpec, StyleSpec
from tests.app.playback.ahead.lending import LentProcess
from tests.app.playback.conftest import CLIPS, Watched
from tests.app.styles.test_picture_styles import png
from tests.inside import key_of, painter_of, renderer_of, shown_by

pytestmark = [pytest.mark.media, pytest.mark.slow]

LOOK = Look(brush=0.8, relief=0.6, canvas=0.3, steady=0.5)
"""All that makes a frame depend on those before it."""

FRAMES = 30
CLIP = "cfr.mp4"  # 160x96, 25 frames a second

PEOPLE = Path(__file__).parents[2] / "subject" / "people.mp4"
LIBRARY = Path(__file__).parents[4] / "models" / "library"


@pytest.fixture(autouse=True)
def has_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a process that gives way to all others would hardly come to paint."""
    monkeypatch.setattr(ahead_process, "NICENESS", 0)
    monkeypatch.setattr(renderer, "PaintingProcess", LentProcess)


class Rendering(Watched):
    """A player that paints ahead."""

    def __init__(self, limit_bytes: int = 64 << 20, store: RenderStore | None = None) -> None:
        self.cache = RenderCache(limit_bytes)
        super().__init__(self.cache, store)

    def begin(self, style: str = "ink", look: Look = LOOK, clip: str = CLIP) -> None:
        self.player.start("cpu", style, look)
        self.open(clip)

    def wait_ready(self, seconds: float) -> events.Ready:
        """Until so much of the film is ready."""
        return self.wait(events.Ready, lambda event: sum(end - start for start, end in event.spans) > seconds - 0.01)

    @property
    def process(self) -> LentProcess:
        """What paints."""
        process = painter_of(renderer_of(self.player))
        assert isinstance(process, LentProcess)
        return process

    @property
    def frames(self) -> list[Painted]:
        """Return the cached frames of the look in use."""
        return self.cache.all(key_of(renderer_of(self.player)))


@pytest.fixture
def rendering_() -> Iterator[Rendering]:
    made = Rendering()
    yield made
    made.player.quit()
    assert made.player.join(60)


Codes = list[npt.NDArray[np.unsignedinteger[Any]]]


def codes(frame: Frame) -> Codes:
    """Y, U and V, however they lie in memory: encoders have layouts of their own."""
    luma, *chroma = (plane >> frame.format.shift for plane in frame.planes)
    return [luma, *([chroma[0][..., 0], chroma[0][..., 1]] if len(chroma) == 1 else chroma)]


def exported(folder: Path, spec: JobSpec) -> dict[int, Codes]:
    """The codes that the encoder of an export is given, by the numbers of the frames."""
    found = {}

    def keep(painted: OutputFrame, _: VideoInfo) -> None:
        found[painted.number] = codes(painted.host)

    with open_device("cpu") as device:
        run_job(replace(spec, target=str(folder / "out.mkv")), device, Listener(frame=keep))
    return found


def check(frames: list[Painted], wanted: dict[int, Codes]) -> None:
    for painted in frames:
        for own, export in zip(codes(painted.frame), wanted[painted.number], strict=True):
            np.testing.assert_array_equal(own, export)


@pytest.mark.parametrize(
    ("look", "style", "clip", "first"),
    [
        (LOOK, "ink", CLIP, 0),
        (LOOK, "ink", CLIP, 21),
        (Look(steady=0.0, keep_colours=True, detail=0.5), "starry-night:0.4,udnie:0.6", "vfr.mkv", 11),
        (Look(brush=1.0, relief=1.0), "none", "10bit.mp4", 7),
        (Look(faces=0.6, film_inside=1.0), "great-wave", str(PEOPLE), 13),
    ],
)
def test_what_is_kept_is_what_an_export_has(
    rendering_: Rendering, tmp_path: Path, look: Look, style: str, clip: str, first: int
) -> None:
    rendering_.begin(style, look, clip)
    rendering_.player.seek(Position(Fraction(first), "frame"))
    spec = JobSpec(str(CLIPS / clip), str(tmp_path / "out.mkv"), Recipe(StyleSpec(style), look))
    wanted = exported(tmp_path, spec)
    rendering_.wait(events.Ready, lambda event: len(rendering_.frames) == len(wanted))
    check(rendering_.frames, wanted)


def test_colours_of_each_shot_are_those_of_an_export(rendering_: Rendering, tmp_path: Path) -> None:
    colours = ColourSpec(palette="film")
    rendering_.player.start("cpu", "ink", LOOK, colours)
    rendering_.open(CLIP)
    spec = JobSpec(str(CLIPS / CLIP), str(tmp_path / "out.mkv"), Recipe(StyleSpec("ink"), LOOK, colours=colours))
    wanted = exported(tmp_path, spec)
    rendering_.wait(events.Ready, lambda event: len(rendering_.frames) == len(wanted))
    check(rendering_.frames, wanted)


def test_values_that_change_with_the_film_are_those_of_an_export(rendering_: Rendering, tmp_path: Path) -> None:
    look = "strength@0f=0.2", "strength@20f=1", "relief@4f=0", "relief@25f=1", "steady@9f=0", "steady@19f=1"
    keys = parse_keys((*look, "stroke@0f=1", "stroke@13f=2"))
    rendering_.begin()
    rendering_.wait(events.Shown, lambda event: event.exported)
    plain = rendering_.picture
    rendering_.player.use_keys(keys)
    spec = JobSpec(str(CLIPS / CLIP), str(tmp_path / "out.mkv"), Recipe(StyleSpec("ink"), LOOK, keys=keys))
    wanted = exported(tmp_path, spec)
    rendering_.wait(
        events.Ready, lambda event: sum(end - start for start, end in event.spans) > 1.19 and differs(rendering_, plain)
    )
    assert len(rendering_.frames) == len(wanted) == FRAMES
    check(rendering_.frames, wanted)


def differs(rendering_: Rendering, picture: npt.NDArray[np.unsignedinteger[Any]]) -> bool:
    return bool(np.any(rendering_.picture != picture))


def test_a_pause_paints_ahead_and_shows_it(rendering_: Rendering) -> None:
    rendering_.begin()
    first = rendering_.wait(events.Shown, lambda event: event.exported)
    assert first.at.number == rendering_.number == 0
    ready = rendering_.wait_ready(FRAMES / 25)
    assert ready.spans == ((0.0, pytest.approx(FRAMES / 25)),)
    rendering_.player.seek(Position(Fraction(20), "frame"))
    assert rendering_.wait(events.Shown, lambda event: event.at.number == 20).exported
    assert rendering_.number == 20
    rendering_.player.play(True)
    rendering_.wait(events.Playing, lambda event: not event.on)
    shown = [event for event in rendering_.seen if isinstance(event, events.Shown)][-8:]
    assert all(event.exported for event in shown)
    assert rendering_.number == shown[-1].at.number == FRAMES - 1


@pytest.fixture
def unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Renderers that tell nobody of fresh frames."""

    class Unheard(Renderer):
        def __init__(
            self, cache: RenderCache, emit: Emit, on_fresh: Callable[[int], None], store: RenderStore | None = None
        ) -> None:
            super().__init__(cache, emit, lambda _: None, store)

    monkeypatch.setattr(film_screen, "Renderer", Unheard)


def test_a_frame_that_was_ready_before_it_was_awaited_is_shown(unheard: None, rendering_: Rendering) -> None:
    """The renderer told of it while the preview was being painted, which nobody waited behind yet."""
    rendering_.begin()
    rendering_.wait_ready(FRAMES / 25)
    rendering_.player.clear_marks()
    assert rendering_.wait(events.Shown, lambda event: event.exported).at.number == 0


def test_comparing_shows_the_preview_that_has_the_source_with_it(rendering_: Rendering) -> None:
    rendering_.begin()
    rendering_.wait(events.Shown, lambda event: event.exported)
    painted = rendering_.picture
    rendering_.player.use_look(replace(LOOK, split=1.0))
    assert not rendering_.wait(events.Shown).exported
    assert np.any(rendering_.picture != painted)
    rendering_.player.use_look(LOOK)
    assert rendering_.wait(events.Shown).exported
    np.testing.assert_array_equal(rendering_.picture, painted)


def test_comparing_runs_no_network_where_a_frame_has_stood_still(rendering_: Rendering) -> None:
    rendering_.begin()
    rendering_.wait_ready(FRAMES / 25)
    rendering_.player.seek(Position(Fraction(20), "frame"))
    assert rendering_.wait(events.Shown, lambda event: event.at.number == 20).exported
    presenter = rendering_.player.engine.presenter
    end_s = time.monotonic() + 60
    while (shown := shown_by(presenter)) is None or shown.place[0] != 20:
        assert time.monotonic() < end_s
        time.sleep(0.01)
    begun = presenter.counters.uploads
    rendering_.player.use_look(replace(LOOK, split=0.5))
    assert not rendering_.wait(events.Shown).exported
    assert rendering_.number == 20
    rendering_.player.use_look(LOOK)
    assert rendering_.wait(events.Shown).exported
    rendering_.settle()
    assert presenter.counters.uploads == begun


def test_another_look_starts_anew_and_the_old_one_is_still_there(
    rendering_: Rendering,
) -> None:
    asked = rendering_.process.asked
    rendering_.begin()
    rendering_.wait_ready(FRAMES / 25)
    before = {painted.number: codes(painted.frame) for painted in rendering_.frames}
    begun = len(rendering_.seen)
    rendering_.player.use_look(replace(LOOK, strength=0.5))
    rendering_.wait_ready(FRAMES / 25)
    since = rendering_.seen[begun:]
    assert not next(event for event in since if isinstance(event, events.Shown)).exported
    assert next(event for event in since if isinstance(event, events.Ready)).spans == ()
    assert any(np.any(painted.frame.planes[0] != before[painted.number][0]) for painted in rendering_.frames)
    assert asked.count(0) == asked.count(FRAMES - 1) == 2
    begun = len(asked)
    rendering_.player.use_look(LOOK)
    rendering_.wait(events.Shown, lambda event: event.exported)
    check(rendering_.frames, before)
    assert len(rendering_.frames) == FRAMES
    assert len(asked) == begun


def test_the_frames_of_a_former_film_are_ready_no_longer_once_another_is_open(
    rendering_: Rendering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the renderer is busy with."""
    rendering_.begin()
    rendering_.wait_ready(FRAMES / 25)
    over = threading.Event()

    def be_busy(_: object) -> None:
        assert over.wait(60)

    monkeypatch.setattr(RenderCache, "clear", be_busy)
    renderer_of(rendering_.player).clear()
    before = len(rendering_.seen)
    opened = rendering_.open("vfr.mkv")
    over.set()
    since = rendering_.seen[before:]
    assert events.Ready(()) in since[: since.index(opened)]
    assert all(event.spans == () for event in since if isinstance(event, events.Ready))


def test_work_goes_on_around_the_loop_first(rendering_: Rendering, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []
    real = RenderCache.add

    def add(self: RenderCache, key: str, painted: Painted, course: Course) -> bool:
        order.append(painted.number)
        return real(self, key, painted, course)

    monkeypatch.setattr(RenderCache, "add", add)
    rendering_.begin("none", Look())
    for number, first in ((10, True), (19, False)):
        rendering_.player.seek(Position(Fraction(number), "frame"))
        rendering_.player.mark(first=first)
    rendering_.player.seek(Position(Fraction(15), "frame"))
    rendering_.player.set_loop(True)
    rendering_.player.use_style("ink")
    ready = rendering_.wait_ready(10 / 25)
    assert order == [15, 16, 17, 18, 19, 10, 11, 12, 13, 14]
    assert ready.spans == ((pytest.approx(10 / 25), pytest.approx(20 / 25)),)


def test_a_slow_device_previews_and_plays_the_second_round_as_exported(
    rendering_: Rendering, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendering_.begin("ink", Look())
    rendering_.wait_ready(FRAMES / 25)
    rendering_.player.set_preview("quarter")
    rendering_.player.set_loop(True)
    rendering_.player.use_look(Look(strength=0.9))
    rendering_.player.play(True)
    rendering_.wait(events.Shown, lambda event: not event.exported)
    sizes = rendering_.wait(events.SizesInUse, lambda event: event.reduced)
    assert sizes.sizes.working < sizes.whole.working
    for number in (5, 25):
        rendering_.wait(events.Shown, lambda event, number=number: event.exported and event.at.number >= number)
    rendering_.player.play(False)


@pytest.mark.parametrize("mode", ["full", "half"])
def test_while_playing_in_time_nothing_is_painted_ahead(
    rendering_: Rendering, mode: PreviewMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "REST_S", 1.5)  # it plays by then
    monkeypatch.setattr(PlaybackStats, "in_time", True)  # whatever else this machine does
    rendering_.begin("ink", Look())
    rendering_.player.set_preview(mode)
    rendering_.player.set_loop(True)
    rendering_.player.play(True)
    for _ in range(3):
        rendering_.wait(events.Shown, lambda event: event.at.number in range(5, 20))
        rendering_.wait(events.Shown, lambda event: event.at.number >= 25)
    ready = [event for event in rendering_.seen if isinstance(event, events.Ready)]
    assert bool(ready) == (mode == "half")


def test_a_small_budget_keeps_what_is_played_next(tmp_path: Path) -> None:
    frame_bytes = 160 * 96 * 3 // 2
    small = Rendering(10 * frame_bytes)
    try:
        small.begin()
        assert small.wait_ready(10 / 25).spans == ((0.0, pytest.approx(10 / 25)),)
        small.player.seek(Position(Fraction(15), "frame"))
        small.wait(events.Ready, lambda event: event.spans == ((pytest.approx(0.6), pytest.approx(1.0)),))
    finally:
        small.player.quit()
        assert small.player.join(60)


def test_a_screenshot_is_what_is_seen(rendering_: Rendering, tmp_path: Path) -> None:
    rendering_.begin()
    rendering_.wait(events.Shown, lambda event: event.exported)
    rendering_.settle()
    rendering_.player.screenshot(lambda *_: tmp_path / "shot.png")
    rendering_.wait(events.Saved)
    np.testing.assert_array_equal(rendering_.saved[0][0].planes[0], rendering_.picture)


def replaced(path: Path, content: bytes) -> None:
    """Another content under a name, with the old one's time of change, as a copy may have it."""
    before = path.stat() if path.exists() else None
    other = path.with_name(f"other{path.suffix}")
    other.write_bytes(content)
    if before is not None:
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


def picture(folder: Path, seed: int) -> bytes:
    """A file with a picture of soft patches."""
    random = np.random.default_rng(seed)
    patches = random.integers(0, 256, (3, 4, 3)).astype(np.uint8)
    return png(folder / f"{seed}.png", patches.repeat(32, 0).repeat(32, 1)).read_bytes()


def mark(folder: Path, seed: int) -> bytes:
    """A file with the mark of a brush that is thick on one side."""
    share = np.linspace(*((0, 1) if seed else (1, 0)), 64)[None, :] * np.hanning(32)[:, None]
    codes = (255 * share).round().astype(np.uint8)[..., None].repeat(3, -1)
    return png(folder / f"{seed}.png", codes).read_bytes()


def table(_: Path, seed: int) -> bytes:
    """A file with a table of colours that darkens."""
    rows = [(r, g, b) for b in (0, 1) for g in (0, 1) for r in (0, 1)]
    text = "".join(f"{r * (0.9 - seed / 2)} {g * 0.8} {b}\n" for r, g, b in rows)
    return f"LUT_3D_SIZE 2\n{text}".encode()


def network(_: Path, seed: int) -> bytes:
    """A file with a style."""
    return (LIBRARY / ("ink.onnx", "oil.onnx")[seed]).read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "style", "sizes", "colours"),
    [
        ("own.onnx", network, "{}", {}, {}),
        ("shots.keys/film.onnx", network, "{folder}", {}, {}),
        ("own.png", picture, "{}", {}, {}),
        ("sizes.png", picture, "none", {"brush_sizes": "{}"}, {}),
        ("directions.png", picture, "none", {"brush_directions": "{}"}, {}),
        ("mark.png", mark, "none", {"brush_mark": "{}"}, {}),
        ("mask.png", picture, "ink", {"mask": "{}"}, {}),
        ("palette.png", picture, "none", {}, {"palette": "{}"}),
        ("film.png", picture, "none", {}, {"palette": "{folder}/fixed.png", "palette_from": "{}"}),
        ("table.cube", table, "none", {}, {"lut": "{}"}),
    ],
)
def test_as_exported_equals_the_export_after_a_file_changed_under_its_name(
    rendering_: Rendering,
    tmp_path: Path,
    name: str,
    content: Callable[[Path, int], bytes],
    style: str,
    sizes: dict[str, str],
    colours: dict[str, str],
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    replaced(path, content(tmp_path, 0))
    (path.parent / "fixed.png").write_bytes(picture(tmp_path, 5))

    def named(values: dict[str, str]) -> dict[str, str]:
        return {key: text.format(path, folder=path.parent) for key, text in values.items()}

    spec = JobSpec(
        str(CLIPS / CLIP),
        str(tmp_path / "out.mkv"),
        Recipe(
            StyleSpec(style.format(path, folder=path.parent)),
            Look(brush=1.0, film_inside=1.0),
            sizes=replace(SOURCE_SIZE, **named(sizes)),
            colours=ColourSpec(**named(colours)),
        ),
    )
    rendering_.player.start("cpu", spec.style.name, spec.look, spec.colours)
    rendering_.player.use_sizes(spec.sizes)
    rendering_.open(CLIP)
    rendering_.wait(events.Ready, lambda _: len(rendering_.frames) == FRAMES)
    former = exported(tmp_path, spec)
    check(rendering_.frames, former)
    replaced(path, content(tmp_path, 1))
    (tmp_path / "again").mkdir()
    wanted = exported(tmp_path / "again", spec)
    assert any((own != other).any() for own, other in zip(former[7], wanted[7], strict=True))
    rendering_.player.seek(Position(Fraction(7), "frame"))
    rendering_.wait(events.Shown, lambda event: event.at.number == 7)
    rendering_.wait(events.Ready, lambda _: len(rendering_.frames) == FRAMES)
    check(rendering_.frames, wanted)


def test_a_style_that_cannot_paint_ahead_leaves_the_preview(
    rendering_: Rendering, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = threading.Event()

    def fails(*_: object, **__: object) -> None:
        tried.set()
        raise renderer.DeviceError("no memory")

    with monkeypatch.context() as context:
        context.setattr(PaintingProcess, "open", fails)
        rendering_.begin()
        assert tried.wait(60)
        rendering_.player.seek(Position(Fraction(3), "frame"))
        assert not rendering_.wait(events.Shown, lambda event: event.at.number == 3).exported
    rendering_.player.use_look(replace(LOOK, strength=0.7))  # another one may work
    assert rendering_.wait(events.Shown, lambda event: event.exported)
    rendering_.wait_ready(FRAMES / 25)
    rendering_.player.use_look(LOOK)  # and so may this one by now
    rendering_.wait(events.Ready, lambda event: not event.spans)
    rendering_.wait_ready(FRAMES / 25)


def test_full_memory_is_said_once_with_what_helps(rendering_: Rendering, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = threading.Semaphore(0)

    def fails(*_: object, **__: object) -> None:
        tried.release()
        raise OutOfMemoryError("needs 2 GiB more than the processor has free")

    with monkeypatch.context() as context:
        context.setattr(PaintingProcess, "open", fails)
        rendering_.begin()
        told = [event for event in rendering_.seen if isinstance(event, events.Notification)]  # while it began
        said = told[0] if told else rendering_.wait(events.Notification)
        assert (said.template, said.advice) == (renderer.NO_MEMORY_AHEAD, events.MEMORY_ADVICE)
        assert tried.acquire(timeout=60)
        rendering_.player.use_look(replace(LOOK, strength=0.7))
        assert tried.acquire(timeout=60)
    rendering_.player.use_look(replace(LOOK, strength=0.6))
    rendering_.wait_ready(FRAMES / 25)
    assert [event for event in rendering_.seen if isinstance(event, events.Notification)] == [said]


def test_a_file_that_was_replaced_is_painted_anew(rendering_: Rendering, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / CLIP).read_bytes())
    rendering_.player.start("cpu", "ink", LOOK)
    for clip in (CLIP, "bframes.mp4"):
        film.write_bytes((CLIPS / clip).read_bytes())
        rendering_.player.open(film, play=False)
        rendering_.wait(events.Opened)
        rendering_.wait(events.Shown, lambda event: event.exported)
        folder = tmp_path / clip
        folder.mkdir()
        wanted = exported(folder, JobSpec(str(film), "out.mkv", Recipe(StyleSpec("ink"), LOOK)))
        check(rendering_.frames[:5], wanted)
        rendering_.player.close_video()


# On the disk


def with_store(folder: Path, *, memory: int = 64 << 20, disk: int = 64 << 20) -> Rendering:
    return Rendering(memory, RenderStore(folder / "renders", disk))


@pytest.fixture
def slow_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every frame takes long enough to be worth the disk."""
    monkeypatch.setattr(renderer, "WORTH_SHARE", 0.0)


on_disk = pytest.mark.usefixtures("slow_device")


def check_memory_alone(tmp_path: Path) -> None:
    """Frames are kept in memory as far as it reaches, and none on the disk."""
    made = with_store(tmp_path, memory=8 * 160 * 96 * 3 // 2)
    try:
        made.begin()
        assert made.wait_ready(8 / 25).spans == ((0.0, pytest.approx(8 / 25)),)
        assert not list((tmp_path / "renders").rglob("*.frame"))
    finally:
        end(made)


def test_what_is_painted_fast_does_not_wear_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "WORTH_SHARE", 1000.0)
    check_memory_alone(tmp_path)


def end(made: Rendering) -> None:
    made.player.quit()
    assert made.player.join(60)


def paint_in_a_window(folder: Path) -> dict[int, Codes]:
    """The frames of the film by number. They were painted in a window that is closed by now, and are on the disk."""
    made = with_store(folder)
    made.begin()
    made.wait_ready(FRAMES / 25)
    frames = {painted.number: codes(painted.frame) for painted in made.frames}
    end(made)
    return frames


def forbid_painting(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise AssertionError("it was painted again")

    monkeypatch.setattr(PaintingProcess, "open", fails)
    monkeypatch.setattr(renderer, "REST_S", 10.0)  # the end of the film is known by then


@on_disk
def test_the_next_window_has_what_was_painted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = paint_in_a_window(tmp_path)
    forbid_painting(monkeypatch)
    second = with_store(tmp_path)
    try:
        second.begin()
        assert second.wait(events.Shown, lambda event: event.exported).at.number == 0
        second.player.play(True)
        second.wait(events.Playing, lambda event: not event.on)
        shown = [event for event in second.seen if isinstance(event, events.Shown)][-20:]
        assert all(event.exported for event in shown)
        assert len(second.frames) == FRAMES
        check(second.frames, before)
        assert not [event for event in second.seen if isinstance(event, events.Notification)]
    finally:
        end(second)


@on_disk
def test_what_another_method_made_is_painted_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card may lack yesterday's memory. Earlier frames stay, as the method may return."""
    before = paint_in_a_window(tmp_path)
    (made_before,) = (tmp_path / "renders").iterdir()
    next(made_before.glob("3_*.frame")).unlink()
    opens = PaintingProcess.open

    def in_tiles(self: PaintingProcess, *rest: Any) -> str:  # noqa: ANN401
        return f"{opens(self, *rest)} in tiles of 64x64 px"

    monkeypatch.setattr(PaintingProcess, "open", in_tiles)
    second = with_store(tmp_path)
    try:
        second.begin()
        second.wait_ready(FRAMES / 25)
        assert sorted(second.process.asked) == list(range(FRAMES))
        check(second.frames, before)  # the same process painted them, whatever it says
        (made_now,) = set((tmp_path / "renders").iterdir()) - {made_before}
        assert [len(list(folder.glob("*.frame"))) for folder in (made_before, made_now)] == [FRAMES - 1, FRAMES]
    finally:
        end(second)
    forbid_painting(monkeypatch)
    third = with_store(tmp_path)
    try:
        third.begin()
        third.wait(events.Shown, lambda event: event.exported)
    finally:
        end(third)


@on_disk
def test_a_moved_film_keeps_its_frames_and_a_deleted_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film, moved = tmp_path / "film.mp4", tmp_path / "moved.mp4"
    film.write_bytes((CLIPS / CLIP).read_bytes())
    first = with_store(tmp_path)
    first.begin(clip=str(film))
    first.wait_ready(FRAMES / 25)
    end(first)
    film.rename(moved)
    with monkeypatch.context() as context:
        forbid_painting(context)
        second = with_store(tmp_path)
        second.begin(clip=str(moved))
        second.wait(events.Shown, lambda event: event.exported)
        end(second)
    assert len(list((tmp_path / "renders").rglob("*.frame"))) == FRAMES
    moved.unlink()
    third = with_store(tmp_path)
    third.begin(clip="bframes.mp4")
    third.wait_ready(FRAMES / 25)
    end(third)
    assert len(list((tmp_path / "renders").rglob("*.frame"))) == FRAMES  # those of the other film


@on_disk
def test_what_memory_has_no_room_for_comes_from_the_disk_in_time(tmp_path: Path) -> None:
    made = with_store(tmp_path, memory=8 * 160 * 96 * 3 // 2)
    try:
        made.begin()
        assert made.wait_ready(FRAMES / 25).spans == ((0.0, pytest.approx(FRAMES / 25)),)
        made.player.play(True)
        made.wait(events.Playing, lambda event: not event.on)
        shown = [event.exported for event in made.seen if isinstance(event, events.Shown)][-FRAMES // 2 :]
        assert sum(shown) > 0.8 * len(shown)
        assert len(made.frames) <= 8
    finally:
        end(made)


@on_disk
def test_damaged_files_are_painted_anew(tmp_path: Path) -> None:
    before = paint_in_a_window(tmp_path)
    for path in (tmp_path / "renders").rglob("*.frame"):
        content = path.read_bytes()
        path.write_bytes(content[:5000] + b"?" + content[5001:])
    second = with_store(tmp_path)
    try:
        second.begin()
        second.wait(events.Shown, lambda event: event.exported)
        second.wait(events.Ready, lambda event: len(second.frames) == FRAMES)
        check(second.frames, before)
    finally:
        end(second)


@on_disk
def test_a_full_disk_leaves_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "FREE_BYTES", 1 << 60)
    check_memory_alone(tmp_path)


@on_disk
def test_clearing_and_two_windows_at_once(tmp_path: Path) -> None:
    both = with_store(tmp_path), with_store(tmp_path)
    try:
        for made in both:
            made.begin()
        for made in both:
            made.wait_ready(FRAMES / 25)
        before = {painted.number: codes(painted.frame) for painted in both[0].frames}
        check(both[1].frames, before)
        both[0].player.clear_renders()
        both[0].wait(events.Ready, lambda event: not event.spans)
        both[0].wait_ready(FRAMES / 25)
        check(both[0].frames, before)
        assert len(list((tmp_path / "renders").rglob("*.frame"))) == FRAMES
    finally:
        for made in both:
            end(made)


@on_disk
def test_a_file_that_cannot_be_deleted_ends_nothing(tmp_path: Path) -> None:
    """As one that is in use on Windows."""
    made = with_store(tmp_path)
    stays = tmp_path / "renders" / "another" / "0_0_1.frame"
    stays.mkdir(parents=True)
    (stays / "within").write_bytes(bytes(1 << 20))
    try:
        made.begin()
        made.wait_ready(FRAMES / 25)
        made.player.limit_renders(0)
        made.player.use_look(replace(LOOK, strength=0.7))
        made.wait(events.Ready, lambda event: not event.spans)
        made.wait_ready(FRAMES / 25)
    finally:
        end(made)


@on_disk
def test_another_budget_for_the_disk(tmp_path: Path) -> None:
    made = with_store(tmp_path)
    try:
        made.begin()
        made.wait_ready(FRAMES / 25)
        made.player.limit_renders(0)
        made.player.clear_renders()
        made.wait(events.Ready, lambda event: not event.spans)
        made.wait_ready(FRAMES / 25)
        assert not list((tmp_path / "renders").rglob("*.frame"))
    finally:
        end(made)
