"""Palettes in jobs: a table for each shot, the same frames in one piece and in segments, and what .cube files hold."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from av.filter import Graph

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import Device
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.surface import View
from framebrush.jobs.job_shots import COLOURS
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.segments.job_folder import JobFolder, folder_of
from framebrush.jobs.still import encoded
from framebrush.jobs.transcode import Listener, ignore
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import InputError, OutputError, Position, TimeRange
from framebrush.models.colours.colour_table import apply
from framebrush.models.style import Style, StyleError
from framebrush.playback import events
from framebrush.playback.display import shot_palette
from framebrush.playback.engine import PlaybackEngine
from framebrush.styles.cube import read_cube
from framebrush.styles.palettes import Palette
from framebrush.styles.shot_styles import Shot
from framebrush.styles.specs import ColourSpec
from framebrush.styles.style_names import PASSTHROUGH, OpenedStyle, coloured, open_style, picture_of
from tests import networks
from tests.app.jobs.footage import paint_in_processes
from tests.app.styles.shaded import RGB, SIZE, film, frames, shots_of, spec, warm_picture
from tests.app.styles.shaded import shaded as waves

pytestmark = pytest.mark.media

FIRST, SECOND = 24, 26  # frames of the two shots


def shaded(colour: tuple[int, int, int], number: int, *, down: bool) -> RGB:
    """Waves of a colour that wander, as a picture."""
    return waves(colour, number, down=down).astype(np.uint8)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A greenish shot and a bluish one."""
    path = tmp_path_factory.mktemp("palettes") / "two.mp4"
    return film(
        path,
        (
            shaded((90, 140, 70) if number < FIRST else (60, 80, 150), number, down=number < FIRST)
            for number in range(FIRST + SECOND)
        ),
    )


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    return warm_picture(tmp_path / "warm.png")


def span(first: int, end: int) -> TimeRange:
    return TimeRange(*(Position(Fraction(number), "frame") for number in (first, end)))


@pytest.mark.slow
def test_each_shot_gets_the_colours_of_the_picture(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    """Whatever its own are: a cut changes the table."""
    made = spec(clip, tmp_path / "out.mp4", warm, segments="off")
    found = shots_of(made)
    assert [shot.first for shot in found] == [0, FIRST]
    assert found == shots_of(made)
    assert all(0 < len(shot.film) <= COLOURS and not shot.own and not shot.statistics for shot in found)
    run_job(made, device)
    painted, wanted = frames(tmp_path / "out.mp4"), shaded((190, 120, 60), 0, down=True).mean((0, 1))
    for part in (painted[:FIRST], painted[FIRST:]):
        assert np.abs(part.mean((0, 1, 2)) - wanted).max() < 40  # a blue film's greys get a tint of it


@pytest.mark.slow
def test_segments_processes_and_one_piece_agree(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    run_job(spec(clip, tmp_path / "whole.mp4", warm, segments="off"), device)
    run_job(spec(clip, tmp_path / "pieces.mp4", warm, segments=10), device)
    paint_in_processes(spec(clip, tmp_path / "children.mp4", warm, segments=10, device="cpu"))
    whole = frames(tmp_path / "whole.mp4")
    assert np.array_equal(whole, frames(tmp_path / "pieces.mp4"))
    assert np.array_equal(whole, frames(tmp_path / "children.mp4"))


@pytest.mark.slow
def test_an_interrupted_job_resumes_with_its_tables_and_knows_another_picture(
    clip: Path, warm: Path, tmp_path: Path, device: Device
) -> None:
    target, seen = tmp_path / "out.mp4", []
    made = spec(clip, target, warm, segments=10)

    def stop(*_: object) -> None:
        seen.append(1)
        if len(seen) == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(made, device, Listener(frame=stop))
    assert JobFolder.read(folder_of(target)).journal.shots == shots_of(made)
    content = warm.read_bytes()
    warm.write_bytes(encoded(shaded((20, 60, 190), 0, down=True), "png", "rgb24"))
    with pytest.raises(OutputError, match="since then the style or its colours changed"):
        run_job(made, device)
    warm.write_bytes(content)
    messages: list[str] = []
    run_job(made, device, Listener(messages.append))
    assert not any("looking for cuts" in message for message in messages)
    run_job(spec(clip, tmp_path / "whole.mp4", warm, segments="off"), device)
    assert np.array_equal(frames(target), frames(tmp_path / "whole.mp4"))


@pytest.mark.slow
def test_a_range_has_the_colours_of_its_own_frames_unless_they_are_fixed(
    clip: Path, warm: Path, tmp_path: Path, device: Device
) -> None:
    part, whole = tmp_path / "part.mp4", tmp_path / "whole.mp4"
    own = spec(clip, part, warm, range=span(10, 20))
    assert [shot.first for shot in shots_of(own)] == [10]
    fixed = ColourSpec(palette_from=f"{clip}@12f")
    fitted = replace(own, recipe=replace(own.recipe, colours=fixed))
    assert shots_of(fitted) == ()
    run_job(spec(clip, whole, warm, segments="off", colours=fixed), device)
    run_job(fitted, device)
    assert np.array_equal(frames(part), frames(whole)[10:20])


@pytest.mark.slow
def test_a_painting_keeps_the_colours_of_the_film(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    """A network that turns everything to its negative: its palette is mended, and the forms stay its own."""
    theirs = tmp_path / "theirs.onnx"
    theirs.write_bytes(networks.instance_norm().model)
    source = frames(clip).mean((1, 2))
    results = {}
    for name, colours in (("off", ColourSpec()), ("film", ColourSpec("film")), ("warm", ColourSpec(str(warm)))):
        for statistics in ("frame", "shot"):
            target = tmp_path / f"{name}.mp4"
            options: dict[str, Any] = {"colours": colours, "statistics": statistics, "segments": "off"}
            run_job(
                replace(
                    spec(clip, target, theirs, **options),
                    output=replace(spec(clip, target, theirs).output, overwrite=True),
                ),
                device,
            )
            results[name, statistics] = frames(target).mean((1, 2))
    for statistics in ("frame", "shot"):
        far, near = (np.abs(results[name, statistics] - source).mean() for name in ("off", "film"))
        assert near < 0.4 * far, statistics
        assert results["warm", statistics][:, 0].mean() > results["warm", statistics][:, 2].mean() + 40
    made = spec(clip, tmp_path / "x.mp4", theirs, colours=ColourSpec("film"), statistics="shot")
    assert all(shot.statistics and shot.colours and shot.own for shot in shots_of(made))


def test_a_film_without_colours_is_painted_and_said(warm: Path, tmp_path: Path, device: Device) -> None:
    messages: list[str] = []
    run_job(spec(CLIPS / "grey.mkv", tmp_path / "out.mp4", warm), device, Listener(messages.append))
    assert any("grey.mkv is grey: its new colours depend on lightness only" in message for message in messages)
    assert len(frames(tmp_path / "out.mp4")) > 0


def test_a_black_film_stays_black_and_is_said(warm: Path, tmp_path: Path, device: Device) -> None:
    messages: list[str] = []
    source, target = tmp_path / "black.mkv", tmp_path / "out.mp4"
    with av.open(str(source), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for _ in range(3):
            picture = np.random.default_rng(0).integers(0, 3, (*SIZE[::-1], 3), np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    run_job(spec(source, target, warm), device, Listener(messages.append))
    assert any("black.mkv shows a single colour" in message for message in messages)
    assert not any("has no colours" in message for message in messages)
    assert frames(target).max() < 6


def test_a_film_stays_as_it_is_under_its_own_picture(clip: Path, tmp_path: Path, device: Device) -> None:
    """To two codes for 95 of 100 pixels, though a job keeps fewer colours than the picture has."""
    plain, own = (spec(clip, tmp_path / f"{n}.mkv", style) for n, style in enumerate(("none", f"{clip}@12f")))
    for made in (plain, own):
        run_job(replace(made, range=span(12, 13)), device)
    apart = np.abs(frames(Path(own.target)) - frames(Path(plain.target))).max(-1)
    assert np.quantile(apart, 0.95) <= 2
    assert apart.max() <= 4


@pytest.mark.slow
def test_at_no_strength_a_film_stays_as_it_is(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    targets = []
    for style, strength in (("none", 1.0), (warm, 0.0)):
        made = spec(clip, tmp_path / f"{strength}.mp4", style)
        run_job(replace(made, recipe=replace(made.recipe, look=replace(made.look, strength=strength))), device)
        targets.append(frames(Path(made.target)))
    assert np.array_equal(*targets)


def test_a_film_of_ten_bits_keeps_them(warm: Path, tmp_path: Path, device: Device) -> None:
    source, target = tmp_path / "ten.mkv", tmp_path / "out.mkv"
    with av.open(str(source), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 876, 64, "yuv420p10le"
        for _ in range(2):
            frame = av.VideoFrame(876, 64, "yuv420p10le")
            for plane, row in zip(
                frame.planes, (np.arange(64, 940), np.full(438, 512), np.full(438, 512)), strict=True
            ):
                pitch = plane.line_size // 2
                rows = np.zeros((plane.height, pitch), "<u2")
                rows[:, : len(row)] = row
                plane.update(rows.tobytes())
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    run_job(spec(source, target, warm), device)
    with av.open(str(target)) as container:
        frame = next(container.decode(video=0))
        assert frame.format.components[0].bits == 10
        luma = np.frombuffer(frame.planes[0], "<u2").reshape(64, -1)[:, :876]  # type: ignore[call-overload]
    assert len(np.unique(luma)) > 400
    assert np.diff(np.median(luma.astype(int), axis=0)).min() >= 0


def test_live_sources_need_a_fixed_palette(warm: Path, tmp_path: Path) -> None:
    made = spec(Path("live:testsrc2=size=64x48:rate=25"), tmp_path / "out.mkv", warm, range=TimeRange(frames=3))
    made = replace(made, source="live:testsrc2=size=64x48:rate=25")
    with open_job_source(made) as source, pytest.raises(InputError, match="use --palette-from PICTURE"):
        prepare(made, open_job_style(made, ignore), source, OpenedSource.of(made))


def test_damaged_colours_of_a_plan_are_refused() -> None:
    for text in ("no base64", "AAAA"[:2] + "==", ""):
        with pytest.raises(StyleError, match="of the shot at frame 3 are damaged"):
            _ = Shot(3, colours=text).film


@pytest.mark.slow
@pytest.mark.parametrize("strength", ["1", "0.5", "0"])
def test_ffmpeg_reads_the_saved_colours_to_within_a_code(warm: Path, tmp_path: Path, strength: str) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (64, 96, 3), dtype=np.uint8)
    (tmp_path / "in.png").write_bytes(encoded(picture, "png", "rgb24"))
    cube, out = tmp_path / "warm.cube", tmp_path / "out.png"
    command = ["frame", str(tmp_path / "in.png"), str(out), "--style", str(warm), "--device", "cpu", "--no-dither"]
    command += ["--brush", "0", "--relief", "0", "--canvas", "0", "--strength", strength]
    assert run([*command, "--save-colours", str(cube)]) == 0
    graph = Graph()
    source = graph.add_buffer(width=96, height=64, format="rgb24", time_base=Fraction(1, 25))
    filters = graph.add("lut3d", f"file={cube.as_posix()}:interp=tetrahedral".replace("C:", "C\\:"))
    graph.link_nodes(source, filters, graph.add("buffersink")).configure()
    graph.vpush(av.VideoFrame.from_ndarray(picture, format="rgb24"))
    theirs = graph.vpull().to_ndarray(format="rgb24").astype(int)
    assert np.abs(theirs - frames(out)[0]).max() <= 1
    assert read_cube(cube).title == "warm"
    assert run([*command, "--save-colours", str(cube)]) != 0  # neither is written over
    plain = [
        "frame",
        str(tmp_path / "in.png"),
        str(tmp_path / "no.png"),
        "--style",
        "none",
        "--save-colours",
        str(tmp_path / "none.cube"),
    ]
    assert run(plain) != 0
    assert not (tmp_path / "no.png").exists()


@pytest.mark.slow
@pytest.mark.parametrize("strength", [1.0, 0.5])
def test_the_colours_of_a_network_are_saved_as_a_table_that_comes_near(
    clip: Path, tmp_path: Path, strength: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that turns everything to its negative."""
    theirs, cube, out = tmp_path / "theirs.onnx", tmp_path / "theirs.cube", tmp_path / "out.png"
    theirs.write_bytes(networks.instance_norm().model)
    command = ["frame", str(clip), str(out), "--style", str(theirs), "--device", "cpu", "--strength", str(strength)]
    command += ["--brush", "0", "--relief", "0", "--canvas", "0"]
    assert run([*command, "--save-colours", str(cube)]) == 0
    assert "has no colour table: an approximate one is fitted to this frame" in capsys.readouterr().err
    source, painted = frames(clip)[0] / 255, frames(out)[0] / 255
    made = apply(read_cube(cube), source)
    assert np.abs(made.mean((0, 1)) - painted.mean((0, 1))).max() < 0.03
    assert np.abs(painted.mean((0, 1)) - source.mean((0, 1))).max() > 0.05


class Playing:
    """Engine on the CPU without its thread; `pictures` are the shown ones."""

    def __init__(self) -> None:
        self.seen: list[events.Event] = []
        self.pictures: list[RGB] = []
        self.now_s = 0.0
        self.engine = PlaybackEngine(
            self.seen.append,
            lambda device: device.surface(View(*SIZE, paint=self._put)),
            lambda frame, info, path: path,
            monotonic=lambda: self.now_s,
        )
        self.engine.use_device("cpu")
        self.engine.use_style(PASSTHROUGH)
        self.engine.use_look(Look(dither=False, brush=0.0, relief=0.0, canvas=0.0))

    def _put(self, picture: RGB) -> None:
        self.pictures.append(picture[..., :3].copy())

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        mean: npt.NDArray[np.float64] = self.pictures[-1].mean((0, 1))
        return mean

    def play_to(self, number: int) -> None:
        """Play without waiting, and pause."""
        self.engine.play(True)
        while [event.at.number for event in self.seen if isinstance(event, events.Shown)][-1] < number:
            self.engine.advance()
            self.now_s += self.engine.idle_s() or 0.0
        self.engine.play(False)

    def fits(self, wanted: npt.NDArray[np.float64]) -> bool:
        """Whether the picture has the mean colour, at the latest after the table that is being made."""
        end = time.monotonic() + 60
        while np.abs(self.mean - wanted).max() > 40 and time.monotonic() < end:
            self.engine.recolour()
            time.sleep(0.01)
        return bool(np.abs(self.mean - wanted).max() <= 40)


@pytest.fixture
def playing() -> Iterator[Playing]:
    made = Playing()
    yield made
    made.engine.close()


BLACK = 6
"""Black frames that a film begins with."""


@pytest.fixture(scope="module")
def from_black(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Next to black, a greenish shot, a bluish one."""
    path = tmp_path_factory.mktemp("palettes") / "black.mp4"
    shots = (
        shaded((90, 140, 70) if number < BLACK + FIRST else (60, 80, 150), number, down=number < BLACK + FIRST)
        for number in range(BLACK + 2 * FIRST)
    )
    return film(
        path, (np.full_like(picture, 10) if number < BLACK else picture for number, picture in enumerate(shots))
    )


WARM = shaded((190, 120, 60), 0, down=True).mean((0, 1))


@pytest.mark.slow
def test_a_film_that_begins_black_gets_its_colours_from_the_first_frame_that_shows_something(
    playing: Playing, from_black: Path, warm: Path
) -> None:
    playing.engine.open(str(from_black))
    playing.engine.use_style(str(warm))
    assert np.ptp(playing.mean) < 2
    playing.engine.step(BLACK + 4)
    assert playing.fits(WARM)
    playing.engine.step(-BLACK)
    assert np.ptp(playing.mean) > 4, "a shot keeps its table"
    playing.engine.seek(Position(Fraction(BLACK + FIRST + 9), "frame"))
    assert playing.fits(WARM)  # a shot of its own


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many frames each table was made of."""
    found = list[int]()

    def counted(opened: OpenedStyle, pictures: list[RGB]) -> Style:
        found.append(len(pictures))
        return coloured(opened, pictures)

    monkeypatch.setattr(shot_palette, "coloured", counted)
    return found


@pytest.mark.slow
def test_playing_fits_each_shot_and_seldom(playing: Playing, from_black: Path, warm: Path, made: list[int]) -> None:
    """Frames that follow each other: the cut is found, and a table is not made for each."""
    playing.engine.use_style(str(warm))
    playing.engine.open(str(from_black))
    for wanted in (BLACK + FIRST - 2, BLACK + 2 * FIRST - 2):
        playing.play_to(wanted)
        assert playing.fits(WARM), (wanted, made)
    assert 2 <= len(made) <= 6
    assert made[0] == 1


@pytest.mark.slow
def test_a_flash_is_no_shot(playing: Playing, warm: Path, made: list[int], tmp_path: Path) -> None:
    pictures = [shaded((90, 140, 70), number, down=True) for number in range(FIRST)]
    pictures[8] = 255 - pictures[8]
    playing.engine.use_style(str(warm))
    playing.engine.open(str(film(tmp_path / "flash.mp4", pictures)))
    playing.play_to(FIRST - 2)
    assert playing.fits(WARM)
    assert made.count(1) == 1  # tables of a shot are made of 1, 2, 4 frames


@pytest.mark.slow
def test_a_camera_is_fitted_as_it_goes(playing: Playing, warm: Path, made: list[int]) -> None:
    playing.engine.use_style(str(warm))
    playing.engine.open("live:testsrc2=size=96x64:rate=50")
    playing.engine.play(True)
    end = time.monotonic() + 60
    while len(made) < 2 and time.monotonic() < end:
        playing.engine.advance()
        time.sleep(0.005)
    assert made[:2] == [1, 2]


def test_a_film_has_its_colours_at_once(playing: Playing, clip: Path, warm: Path) -> None:
    """Colours apply when a style is chosen for an open film, and when a film is opened."""
    playing.engine.open(str(clip))
    plain = playing.mean
    playing.engine.use_style(str(warm))
    (chosen,) = [event for event in playing.seen if isinstance(event, events.StyleInUse) and event.name == str(warm)]
    assert any("an export analyses each whole shot" in note for note in chosen.notes)
    assert chosen.fitted
    assert playing.mean[0] - playing.mean[2] > plain[0] - plain[2] + 50
    playing.engine.open(str(CLIPS / "landscape.mp4"))
    assert np.abs(playing.mean - WARM).max() < 40


def test_a_palette_does_not_see_colours_that_alpha_hides() -> None:
    frame = replace(rgba8(64, 48), alpha=True).allocate()
    assert frame.alpha is not None
    frame.planes[0][:], frame.alpha[:] = (0, 255, 0, 0), 0
    frame.planes[0][:, 40:], frame.alpha[:, 40:] = (200, 100, 50, 255), 255
    picture = picture_of(open_style(PASSTHROUGH), frame)
    np.testing.assert_allclose(picture, np.broadcast_to([200, 100, 50], picture.shape), atol=3)


def test_a_palette_is_known_by_its_colours_and_weights() -> None:
    warm, cold = (np.linspace(low, high, 96, dtype=np.float32).reshape(-1, 3) for low, high in ((0.5, 1.0), (0.0, 0.5)))
    palettes = [
        Palette(((warm, 1.0),)),
        Palette(((cold, 1.0),)),
        Palette(((warm, 0.5), (cold, 0.5))),
        Palette(((warm, 0.25), (cold, 0.75))),
        Palette(((np.concatenate([warm, cold]), 1.0),)),
    ]
    assert len({each.digest for each in palettes}) == len(palettes)
    assert Palette(((warm.copy(), 1.0),), title="other").digest == palettes[0].digest


def test_a_film_of_one_colour_keeps_it_under_any_palette() -> None:
    film = np.full((50, 3), 0.25, np.float32)
    table = Palette(((np.random.default_rng(1).random((50, 3), np.float32), 1.0),), "dusk").table(film)
    assert table.title == "dusk"
    np.testing.assert_allclose(apply(table, film), film, atol=1e-6)
