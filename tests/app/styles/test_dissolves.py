"""Palettes in dissolves: the table blends between shots by frame position alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceLostError
from framebrush.gpu.frame import Frame
from framebrush.gpu.stylizer import Ticket
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.segments.job_folder import JobFolder, folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, ignore
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import Position, TimeRange
from framebrush.models.colours.colour_table import ColourTable, mix
from framebrush.styles.palettes import Palette
from framebrush.styles.shot_styles import Shot, ShotStyles
from tests import networks
from tests.app.jobs.footage import paint_in_processes
from tests.app.styles.shaded import RGB, film, frames, shaded, shots_of, spec, warm_picture

pytestmark = pytest.mark.media

FIRST, END, COUNT = 20, 32, 52  # of the dissolve, and of the film


def picture(number: int) -> RGB:
    """A greenish shot that dissolves into a bluish one."""
    share = min(1.0, max(0.0, (number - FIRST + 1) / (END - FIRST + 1)))
    slow = {"frames_a_radian": 90.0}
    one, other = shaded((90, 140, 70), number, down=True, **slow), shaded((60, 80, 150), number, down=False, **slow)
    both = (1 - share) * one + share * other
    return both.round().astype(np.uint8)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("dissolves") / "dissolve.mp4", map(picture, range(COUNT)))


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    return warm_picture(tmp_path / "warm.png")


def painted(made: JobSpec, shots: tuple[Shot, ...], device: Device, **more: Any) -> dict[int, RGB]:  # noqa: ANN401
    """The frames of a job with these shots, by their numbers."""
    style = open_job_style(made, ignore)
    with OpenedSource.of(made) as held, open_job_source(made) as source:
        ready = replace(prepare(made, style, source, held), shots=shots)
        with ready.pipeline(device, **more) as pipeline:
            return {output.number: output.host.planes[0].copy() for output in pipeline.frames(source)}


@pytest.mark.slow
def test_the_table_eases_within_the_dissolve(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    made = spec(clip, tmp_path / "out.mp4", warm, segments="off")
    former, latter = found = shots_of(made)
    assert (former.first, former.dissolve) == (0, 0)
    assert abs(latter.first - FIRST) <= 2
    assert abs(latter.dissolve - (END - FIRST)) <= 3
    greenish, bluish = (np.median(shot.film, axis=0) for shot in found)
    assert greenish[1] > greenish[2] + 0.15, "colours of the dissolve count for neither shot"
    assert bluish[2] > bluish[0] + 0.25
    eased = painted(made, found, device)
    alone = [painted(made, (replace(shot, first=0, dissolve=0),), device) for shot in found]
    place = {
        number: np.array([np.abs(eased[number].astype(int) - one[number]).mean() for one in alone]) for number in eased
    }
    for number, (to_former, to_latter) in place.items():
        if number < latter.first:
            assert to_former == 0 < to_latter
        elif number >= latter.first + latter.dissolve:
            assert to_latter == 0 < to_former
        else:
            share = (number - latter.first + 1) / (latter.dissolve + 1)
            assert abs(to_former / (to_former + to_latter) - share) < 0.06


@pytest.mark.slow
def test_ranges_segments_processes_and_one_piece_agree(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    made = spec(clip, tmp_path / "whole.mp4", warm, segments="off")
    found = shots_of(made)
    whole = painted(made, found, device)
    for first, end in ((FIRST + 3, FIRST + 7), (FIRST + 5, COUNT), (0, FIRST + 2)):
        places = (Position(Fraction(number), "frame") for number in (first, end))
        part = painted(replace(made, range=TimeRange(*places)), found, device)
        assert sorted(part) == list(range(first, end))
        assert all(np.array_equal(part[number], whole[number]) for number in part)
    run_job(made, device)
    run_job(spec(clip, tmp_path / "pieces.mp4", warm, segments=10), device)
    paint_in_processes(spec(clip, tmp_path / "children.mp4", warm, segments=10, device="cpu"))
    for name in ("pieces", "children"):
        assert np.array_equal(frames(tmp_path / "whole.mp4"), frames(tmp_path / f"{name}.mp4"))


@pytest.mark.slow
def test_an_interrupted_job_goes_on_within_its_dissolve(clip: Path, warm: Path, tmp_path: Path, device: Device) -> None:
    target, seen = tmp_path / "out.mp4", []
    made = spec(clip, target, warm, segments=10)

    def stop(*_: object) -> None:
        seen.append(1)
        if len(seen) == FIRST + 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(made, device, Listener(frame=stop))
    assert JobFolder.read(folder_of(target)).journal.shots == shots_of(made)
    messages: list[str] = []
    run_job(made, device, Listener(messages.append))
    assert not any("looking for cuts" in message for message in messages)
    run_job(spec(clip, tmp_path / "whole.mp4", warm, segments="off"), device)
    assert np.array_equal(frames(target), frames(tmp_path / "whole.mp4"))


@pytest.mark.slow
def test_a_dissolve_and_a_cut_need_no_other_stylizer(
    clip: Path, warm: Path, tmp_path: Path, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a device that is lost does, and then frames in flight get their own tables again."""
    made = spec(clip, tmp_path / "out.mp4", warm)
    former, latter = shots_of(made)
    shots = former, latter, replace(former, first=END + 8)
    stylizers: list[object] = []
    opened = type(device).stylizer_of
    monkeypatch.setattr(type(device), "stylizer_of", lambda *args, **more: stylizers.append(1) or opened(*args, **more))
    expected = painted(made, shots, device)
    assert len(stylizers) == 1
    with open_device("cpu") as failing:
        count = [0]

        def lost(self: CpuStylizer, ticket: Ticket, into: Frame | None = None) -> Frame:
            count[0] += 1
            if count[0] == FIRST + 5:
                raise DeviceLostError("pulled out")
            return fetch(self, ticket, into)

        fetch = CpuStylizer.fetch
        monkeypatch.setattr(CpuStylizer, "fetch", lost)
        again = painted(made, shots, failing, another_device=lambda: open_device("cpu"))
    assert len(stylizers) == 3
    assert all(np.array_equal(again[number], expected[number]) for number in expected)


def test_statistics_of_shots_do_not_ease(clip: Path, tmp_path: Path) -> None:
    """A network cannot: the dissolve ends no shot."""
    theirs = tmp_path / "theirs.onnx"
    theirs.write_bytes(networks.instance_norm().model)
    (only,) = shots_of(spec(clip, tmp_path / "out.mp4", theirs, statistics="shot"))
    assert (only.first, only.dissolve) == (0, 0)


@pytest.mark.slow
def test_tables_are_made_once_and_mixed_by_the_place_alone() -> None:
    dice = np.random.default_rng(0)
    film = [dice.uniform(low, low + 0.5, (300, 3)).astype(np.float32) for low in (0.0, 0.2, 0.5, 0.3)]
    shots = [
        Shot.of(10, colours=film[0]),
        Shot.of(20, colours=film[1], dissolve=4),
        Shot.of(30, colours=film[2], dissolve=9),
    ]
    palette = Palette(((film[3], 1.0),))
    styles = ShotStyles(networks.identity(), shots, palette)
    assert [styles.cut_before(number) for number in (0, 10, 25, 99)] == [0, 0, 0, 0]
    tables = {number: styles.table(number) for number in range(45)}
    alone = [palette.table(shot.film) for shot in shots]
    assert len(set(alone)) == 3
    for former, latter, dissolve, own in (
        (0, 0, range(0), range(20)),
        (0, 1, range(20, 24), range(24, 30)),
        (1, 2, range(30, 39), range(39, 45)),
    ):
        for number in own:
            assert tables[number] == alone[latter]
            assert tables[number] is tables[own[0]], "made once"
        for number in dissolve:
            share = (number - dissolve.start + 1) / (len(dissolve) + 1)
            assert tables[number] == mix((alone[former], alone[latter]), (1 - share, share))
    for number in (23, 30):
        assert tables[number] == ShotStyles(networks.identity(), shots, palette).table(number), "without those before"


def test_a_mix_of_plain_tables_is_that_of_what_they_give() -> None:
    """On the tables' own grid the mix is exact, and clipped like the tables."""
    grid = ColourTable.identity(5).grid
    one, other = ColourTable(grid * 1.5 - 0.2), ColourTable(1 - grid)
    got = mix((one, other), (0.25, 0.75)).grid
    np.testing.assert_allclose(got, 0.25 * np.clip(one.grid, 0, 1) + 0.75 * other.grid, atol=1e-7)
