"""Steadied playback: by the frames before, without a delay, and never across a seek."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.surface import View
from framebrush.gpu.temporal_window import PAST_ONLY
from framebrush.jobs.keyframes import parse_keys
from framebrush.jobs.prepare import job_pipeline
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, VideoFrame
from framebrush.models.brushes import OIL, PRESETS, Maps
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.style import Precision, StyleError
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.preview_plan import KEPT
from framebrush.styles.brush_tips import brush_of, open_brush_tip
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_names import has_strokes, in_colours, open_style, passthrough_style
from framebrush.subject.film_masks import FilmMasks
from framebrush.subject.networks import Area, Networks
from tests import networks
from tests.app.styles.test_map_films import encode, grey
from tests.app.styles.test_marks import wedge
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

PEOPLE = Path(__file__).parents[1] / "subject" / "people.mp4"
STEADY = Look(steady=1.0, dither=False)
Picture = npt.NDArray[np.unsignedinteger]


@pytest.fixture(scope="module")
def frames() -> list[VideoFrame]:
    with Reader(CLIPS / "bframes.mp4") as reader:
        return list(reader)


@pytest.fixture
def presenter() -> Iterator[Presenter]:
    made = Presenter(lambda device: device.surface(View(64, 48, paint=lambda _: None)))
    made.use_device("cpu")
    made.use_style(open_style("ink").style)
    made.use_look(STEADY)
    with Reader(CLIPS / "bframes.mp4") as reader:
        made.use_video(reader.info)
    yield made
    made.close()


def shown(presenter: Presenter, *frames: VideoFrame) -> Picture:
    """The last of frames that were prepared one after another, each shown at once."""
    for frame in frames:
        presenter.prepare(frame)
        presenter.present()
    fetched = presenter.fetch_shown()
    assert fetched is not None
    return fetched.planes[0]


def test_each_frame_has_the_values_of_its_place(presenter: Presenter, frames: list[VideoFrame]) -> None:
    """Repeated frames, and frames with a prepared successor, have their own values, too."""
    presenter.use_look(replace(STEADY, steady=0.0))
    presenter.use_keys(parse_keys(("strength@0f=0", "strength@4f=1")))

    def alone(number: int) -> Picture:
        return expected(frames[number], look=replace(STEADY, steady=0.0, strength=number / 4))

    for number in (0, 1, 3):
        np.testing.assert_array_equal(shown(presenter, frames[number]), alone(number))
    presenter.prepare(frames[1])
    presenter.present()
    presenter.prepare(frames[2])
    fetched = presenter.fetch_shown()
    assert fetched is not None
    np.testing.assert_array_equal(fetched.planes[0], alone(1))
    presenter.drop()
    np.testing.assert_array_equal(presenter.fetch(frames[3]).planes[0], alone(3))


def test_masks_of_a_value_with_keys_are_those_of_an_export(presenter: Presenter) -> None:
    """They are carried through frames in which the value is 0, as an export carries them."""
    with Reader(PEOPLE) as reader:
        presenter.use_video(reader.info)
        people = list(reader)[:12]
    presenter.use_look(replace(STEADY, steady=0.0))
    presenter.use_keys(parse_keys(("film-inside@3f=0", "film-inside@12f=1")))
    whole = FilmMasks(Networks(), faces=False, area=Area.PEOPLE)
    for frame in people:
        assert isinstance(frame.frame, Frame)
        shown(presenter, frame)
        presenter.prepare(frame)
        assert presenter.pipeline.stylizer.masks == whole.of(frame.frame, frame.number), frame.number


def test_each_frame_has_the_stroke_of_its_place(presenter: Presenter, frames: list[VideoFrame]) -> None:
    """Frames of another stroke are no neighbours."""
    presenter.use_keys(parse_keys(("stroke@0f=1", "stroke@6f=2", "stroke@20f=auto")))
    half = frames[0].frame.format.width // 2, frames[0].frame.format.height // 2
    np.testing.assert_array_equal(shown(presenter, *frames[3:6]), expected(*frames[3:6]))
    for span in (slice(6, 7), slice(7, 9)):  # of one pipeline: each goes on from what was shown before
        picture = shown(presenter, *frames[span])
        np.testing.assert_array_equal(picture, expected(*frames[6 : span.stop], working=half))
    assert presenter.plan.whole is not None
    assert presenter.plan.whole.working == half
    presenter.present()  # once more
    presenter.reduce(1.5)  # a preview of it
    shown(presenter, frames[9])
    assert presenter.plan.whole.working == half
    presenter.reduce(1.0)
    presenter.use_keys(())
    np.testing.assert_array_equal(shown(presenter, frames[9]), expected(frames[9]))


def test_another_kind_of_brush_is_used_from_the_next_frame_on(presenter: Presenter, frames: list[VideoFrame]) -> None:
    for name in (None, "bristle", "fine", None):
        presenter.use_sizes(SizeSpec(brush_kind=name))
        assert presenter.pipeline is not None
        assert presenter.pipeline.stylizer.settings.kind == (OIL if name is None else PRESETS[name].kind)
        shown(presenter, frames[0])


def test_the_preview_leaves_out_the_strokes_that_an_export_does(presenter: Presenter, frames: list[VideoFrame]) -> None:
    sizes = SizeSpec(few_strokes=True)
    assert presenter.fitted.style is not None
    presenter.use_sizes(sizes)
    assert presenter.pipeline is not None
    kind = presenter.pipeline.stylizer.settings.kind
    assert kind == brush_of(sizes, presenter.fitted.style.card, None) == replace(OIL, few=True)
    shown(presenter, frames[0])


def test_a_mark_is_used_from_the_next_frame_on_and_one_that_cannot_be_read_changes_nothing(
    presenter: Presenter, frames: list[VideoFrame], tmp_path: Path
) -> None:
    path = wedge(tmp_path / "mark.png")
    marked = SizeSpec(brush_kind="fine", brush_mark=path)
    presenter.use_sizes(marked)
    assert presenter.pipeline is not None
    assert presenter.pipeline.stylizer.settings.kind == replace(PRESETS["fine"].kind, mark=open_brush_tip(path))
    shown(presenter, frames[0])
    with pytest.raises(StyleError, match="cannot be a brush"):
        presenter.use_sizes(SizeSpec(brush_mark=str(tmp_path / "missing.png")))
    assert presenter.guides.sizes == marked
    Path(path).unlink()  # what was read stays
    presenter.reduce(1.5)
    assert presenter.pipeline.stylizer.settings.kind.mark is not None
    presenter.use_sizes(SizeSpec())
    assert presenter.pipeline.stylizer.settings.kind == OIL


def expected(
    *frames: VideoFrame, look: Look = STEADY, style: str = "ink", working: tuple[int, int] | None = None
) -> Picture:
    """The last of frames as a stylizer that knows those before it makes it."""
    picture, opened = frames[0].frame.format, open_style(style).style
    target, carries = rgba8(picture.width, picture.height), has_strokes(opened.card, look)
    with (
        open_device("cpu") as device,
        device.stylizer(
            opened, picture, target, working=working, look=look, window=PAST_ONLY, carries=carries
        ) as stylizer,
    ):
        for frame in frames[:-1]:
            stylizer.release(stylizer.submit(frame.frame))
        return stylizer.fetch(stylizer.submit(frames[-1].frame)).planes[0]


def test_each_frame_is_steadied_by_those_before(presenter: Presenter, frames: list[VideoFrame]) -> None:
    picture = shown(presenter, *frames[3:9])
    np.testing.assert_array_equal(picture, expected(*frames[3:9]))
    assert np.any(picture != expected(frames[8]))


@pytest.mark.slow
def test_a_frame_has_the_map_of_its_time_whatever_was_shown_before(
    presenter: Presenter, frames: list[VideoFrame], tmp_path: Path
) -> None:
    """Playing, going back, and seeking; and a map that cannot be read on is left."""
    path = encode(tmp_path / "sizes.mkv", [grey(255 * (number % 2)) for number in range(len(frames))], rate=25, qp="0")
    sizes, look = SizeSpec(brush_sizes=str(path)), Look(brush=1.0, dither=False, steady=0.0)
    presenter.use_look(look)
    presenter.use_sizes(sizes)
    played = [shown(presenter, frame) for frame in frames[:6]]
    stills = [png(tmp_path / f"{code}.png", grey(code)) for code in (0, 255)]
    for number in (5, 4, 1, 0, 3):
        presenter.use_sizes(sizes)  # which begins strokes anew
        moved = shown(presenter, frames[number])
        presenter.use_sizes(SizeSpec(brush_sizes=str(stills[number % 2])))
        np.testing.assert_array_equal(moved, shown(presenter, frames[number]))
    presenter.use_sizes(sizes)
    for frame, expected_picture in zip(frames[:6], played, strict=True):
        np.testing.assert_array_equal(shown(presenter, frame), expected_picture)
    presenter.use_sizes(replace(sizes, stroke=1.5))
    codes = []
    for number in (0, 1, 2):
        presenter.prepare(frames[number])
        codes.append(presenter.pipeline.stylizer.maps.sizes)
    assert codes[0] == codes[2] != codes[1]
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    presenter.use_sizes(sizes)
    with pytest.raises(InputError, match=r"sizes\.mkv is damaged"):
        [presenter.prepare(frame) for frame in frames]
    presenter.prepare(frames[-1])
    assert presenter.pipeline.stylizer.maps == Maps()


def test_dropped_frames_are_no_seek(presenter: Presenter, frames: list[VideoFrame]) -> None:
    played = frames[3], frames[5], frames[13]  # eight behind the one before, the most
    np.testing.assert_array_equal(shown(presenter, *played), expected(*played))


@pytest.mark.parametrize("number", [2, 8, 17, 29])
def test_a_seek_shows_its_frame_alone(presenter: Presenter, frames: list[VideoFrame], number: int) -> None:
    """Back, in place, nine frames ahead, and far ahead."""
    shown(presenter, *frames[5:9])
    np.testing.assert_array_equal(shown(presenter, frames[number]), expected(frames[number]))


def test_steadying_begins_and_ends_with_the_look(presenter: Presenter, frames: list[VideoFrame]) -> None:
    presenter.use_look(replace(STEADY, steady=0.0))
    assert not presenter.shows(frames[1])
    plain = shown(presenter, *frames[4:9])
    np.testing.assert_array_equal(plain, expected(frames[8]))
    presenter.use_look(replace(STEADY, steady=0.5))
    np.testing.assert_array_equal(
        shown(presenter, *frames[4:9]), expected(*frames[4:9], look=replace(STEADY, steady=0.5))
    )


def test_no_style_leaves_frames_as_they_are(presenter: Presenter, frames: list[VideoFrame]) -> None:
    presenter.use_style(passthrough_style())
    steadied = shown(presenter, *frames[4:9])
    presenter.use_look(replace(STEADY, steady=0.0))
    np.testing.assert_array_equal(steadied, shown(presenter, frames[8]))


def test_a_second_style_is_loaded_once_it_is_seen(
    presenter: Presenter, frames: list[VideoFrame], tmp_path: Path
) -> None:
    opened = in_colours(open_style("ink"), ColourSpec(second="great-wave"))
    half = grey(255)
    half[: len(half) // 2] = 0
    presenter.use_look(replace(STEADY, steady=0.0))
    presenter.use_style(opened.style)
    presenter.use_sizes(SizeSpec(mask=str(png(tmp_path / "mask.png", half))))
    np.testing.assert_array_equal(shown(presenter, frames[0]), alone := expected(frames[0]))
    assert presenter.pipeline is not None
    assert presenter.pipeline.stylizer.settings.second is None
    presenter.use_look(replace(STEADY, steady=0.0, second_inside=1.0))
    assert presenter.pipeline.stylizer.settings.second is not None
    assert (shown(presenter, frames[0]) != alone).any()
    presenter.use_look(replace(STEADY, steady=0.0))
    np.testing.assert_array_equal(shown(presenter, frames[0]), alone)


@pytest.mark.slow
def test_a_brush_that_is_taken_up_begins_to_carry_its_strokes_and_goes_on(
    presenter: Presenter, frames: list[VideoFrame]
) -> None:
    presenter.use_look(replace(STEADY, brush=0.0))
    shown(presenter, *frames[:2])
    for brush, carries in ((0.5, True), (0.0, True)):
        presenter.use_look(replace(STEADY, brush=brush))
        assert presenter.pipeline is not None
        assert presenter.pipeline.stylizer.settings.carries is carries
        shown(presenter, *frames[2:4])


def test_another_painting_of_the_same_file_takes_other_weights_alone(
    presenter: Presenter, frames: list[VideoFrame]
) -> None:
    pictures, pipelines = [], []
    presenter.use_style(open_style("none").style)
    for name in ("great-wave", "starry-night", "realtime"):
        presenter.use_style(open_style(name).style)
        pictures.append(shown(presenter, frames[0]))
        pipelines.append(presenter.pipeline)
    assert pipelines[0] is pipelines[1] is pipelines[2]
    for painted, name in zip(pictures, ("great-wave", "starry-night", "starry-night"), strict=True):
        np.testing.assert_array_equal(painted, expected(frames[0], style=name))


def test_paintings_that_turn_into_each_other_are_shown_as_they_are_exported(
    presenter: Presenter, frames: list[VideoFrame]
) -> None:
    """Frames of other weights are neighbours then; without the keys they are none again."""
    keys = parse_keys(("style@0f=starry-night", "style@4f=great-wave"))
    opened = open_style("starry-night")
    presenter.use_style(opened.style)
    before = shown(presenter, *frames[:2])
    presenter.use_keys(keys)
    picture = shown(presenter, *frames[:3])
    spec = JobSpec(
        "film", "screen", Recipe(StyleSpec("starry-night"), presenter.fitted.now.with_values(mix=()), keys=keys)
    )
    form, sizes = frames[0].frame.format, presenter.plan.sizes
    assert sizes is not None
    with (
        open_device("cpu") as device,
        job_pipeline(spec, opened, device, form, rgba8(*sizes.target), sizes, live=True) as pipeline,
    ):
        *_, last = pipeline.frames(frames[:3])
    np.testing.assert_array_equal(picture, last.host.planes[0])
    presenter.use_keys(())
    np.testing.assert_array_equal(shown(presenter, *frames[:2]), before)


@pytest.mark.parametrize("device", ["cpu", pytest.param("reference", marks=pytest.mark.slow)])
@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_the_precision_is_one_of_the_device_and_of_the_style(
    presenter: Presenter, frames: list[VideoFrame], device: str, precision: Precision
) -> None:
    presenter.use_style(networks.amplified())  # has 32 bits only
    presenter.use_precision(precision)
    presenter.use_device(device)
    offered = precision == ("int8" if device == "cpu" else "float16")
    assert presenter.plan.precision == "auto"
    assert presenter.kept == ((KEPT[precision],) if offered else ())
    presenter.use_style(open_style("starry-night").style)
    assert presenter.plan.precision == (precision if offered else "auto")
    assert presenter.kept == ()
    assert presenter.pipeline is not None
    settings = presenter.pipeline.stylizer.settings
    in_half, in_int8 = (offered and precision == one for one in ("float16", "int8"))
    assert (settings.style.card.precision == "float16", settings.precision == "int8") == (in_half, in_int8)
    assert shown(presenter, frames[0]).any()
    presenter.use_precision("float32")
    settings = presenter.pipeline.stylizer.settings
    assert (settings.style.card.precision, settings.precision) == ("float32", "float32")


def test_a_changing_blend_is_painted_in_32_bits(presenter: Presenter, frames: list[VideoFrame]) -> None:
    presenter.use_style(open_style("starry-night").style)
    presenter.use_precision("int8")
    assert presenter.plan.precision == "int8"
    presenter.use_keys(parse_keys(("style@0f=starry-night", "style@9f=great-wave")))
    assert (presenter.plan.precision, presenter.kept) == ("auto", (KEPT["int8"],))
    assert shown(presenter, *frames[:2]).any()
    presenter.use_keys(())
    assert (presenter.plan.precision, presenter.kept) == ("int8", ())


def test_other_colours_need_no_other_pipeline(presenter: Presenter, frames: list[VideoFrame]) -> None:
    """A prepared frame keeps its colours, and is not shown again in others."""
    grid = ColourTable.identity(9).grid
    warm, cold = (replace(passthrough_style(), after=ColourTable(grid**power)) for power in (0.5, 2.0))
    presenter.use_look(Look(dither=False, steady=0.0, brush=0.0))
    alone = {}
    for style in (warm, cold):
        presenter.use_style(style)
        alone[style.after] = shown(presenter, frames[1])
    assert np.any(alone[warm.after] != alone[cold.after])
    presenter.use_style(warm)
    pipeline = presenter.pipeline
    presenter.prepare(frames[1])
    assert presenter.recolour(cold)
    assert presenter.fitted.style == cold
    presenter.present()
    assert not presenter.shows(frames[1])
    fetched = presenter.fetch_shown()
    assert fetched is not None
    np.testing.assert_array_equal(fetched.planes[0], alone[warm.after])
    presenter.prepare(frames[1])
    presenter.present()
    assert presenter.shows(frames[1])
    np.testing.assert_array_equal(shown(presenter, frames[1]), alone[cold.after])
    assert presenter.pipeline is pipeline
    assert not presenter.recolour(passthrough_style())
    assert presenter.pipeline is not pipeline
