"""Recipes: per-film fields, referenced files, and digests."""

from __future__ import annotations

import shutil
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.look import Look
from framebrush.jobs.identity import recipe_key, settings_of
from framebrush.jobs.keyframes import Key, Track
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.still import encoded
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.playback.ahead.cache_keys import render_key
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_names import open_style
from framebrush.subject import networks

pytestmark = pytest.mark.unit

PLAIN = Recipe(StyleSpec("none"))


def key(of: str, value: float) -> Track:
    return Track(of, (Key(Position(Fraction(3), "frame"), value, "hold" if of == "stroke" else "linear"),))


def picture(path: Path, grey: int) -> str:
    path.write_bytes(encoded(np.full((4, 4, 3), grey, np.uint8), "png", "rgb24"))
    return str(path)


def named(folder: Path) -> Recipe:
    """A recipe that names files in all places that it has for them."""
    sizes, directions, mark = (picture(folder / f"{name}.png", 99) for name in ("sizes", "directions", "mark"))
    return Recipe(
        StyleSpec(f"scream:0.5,{folder / 'own.onnx'}:0.5"),
        sizes=SizeSpec(2.0, brush_mark=mark, brush_sizes=sizes, brush_directions=directions),
        colours=ColourSpec(
            str(folder / "film.mp4@2.5"),
            str(folder / "still.png"),
            str(folder / "warm.cube"),
            second=f"dusk:0.5,{folder / 'second.onnx'}:0.5",
        ),
    )


def test_a_single_picture_has_the_values_of_the_first_frame() -> None:
    strength = Track("strength", tuple(Key(Position.of_frame(n), 0.25 * n, "linear") for n in (0, 2)))
    styles = Track("style", (Key(Position.of_frame(0), "ink", "hold"),))
    alone = replace(PLAIN, look=Look(steady=0.5), keys=(strength, styles)).alone
    assert (alone.look.strength, alone.keys) == (0.0, (styles,))
    assert alone.look == alone.look.alone


def test_files_are_known_by_contents_and_not_by_names(tmp_path: Path) -> None:
    folders = tmp_path / "one", tmp_path / "two"
    recipes = []
    for folder in folders:
        folder.mkdir()
        recipes.append(named(folder))
    names = {"own.onnx", "second.onnx", "mark.png", "sizes.png", "directions.png", "film.mp4", "still.png", "warm.cube"}
    assert {Path(path).name for path in recipes[0].files} == names
    assert recipes[0].with_files(lambda path: str(folders[1] / Path(path).name)) == recipes[1]
    opened = open_style("none")
    assert recipe_key(recipes[0], opened) == recipe_key(recipes[1], opened)
    assert str(tmp_path) not in settings_of(JobSpec("a", "b", recipes[0])).to_json()
    for name in ("mark", "sizes", "directions"):
        before = recipe_key(recipes[0], opened)
        picture(folders[0] / f"{name}.png", 100)
        assert recipe_key(recipes[0], opened) != before, name


@pytest.mark.parametrize("name", ["folder/own", "folder\\own", "C:\\folder\\own"])
def test_a_style_in_a_folder_has_no_name_there(name: str) -> None:
    known = Recipe(StyleSpec(name), colours=ColourSpec(second=name)).by_content(str)
    assert known == Recipe(StyleSpec("file"), colours=ColourSpec(second="file"))
    assert Recipe(StyleSpec("own")).by_content(str) == Recipe(StyleSpec("own"))


def test_the_networks_of_masks_are_known_by_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames painted without a mask network do not count once it is installed."""
    recipes = (replace(PLAIN, look=Look(film_inside=0.5)), PLAIN)
    style = open_style("none")
    seen, unseen = (recipe_key(recipe, style) for recipe in recipes)
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    networks.digest.cache_clear()
    try:
        assert recipe_key(recipes[0], style) != seen
        assert recipe_key(recipes[1], style) == unseen
    finally:
        networks.digest.cache_clear()


OTHER: dict[str, Any] = {
    "style": StyleSpec("none", PreprocessingOverrides(title="x")),
    "look": Look(strength=0.5),
    "sizes": SizeSpec(2.0),
    "colours": ColourSpec(lut_first=True),
    "keys": (key("strength", 0.5),),
}

SAMPLES_OTHERWISE: dict[str, Any] = {
    "recipe": replace(PLAIN, **OTHER),
    "tiling": "off",
    "decode": DecodeOptions("single"),
    "precision": "float16",
    "statistics": "shot",
}
"""Other values for the fields of a job that change samples of a film's frames."""

SAMPLES_STAY: dict[str, Any] = {
    "source": "elsewhere.mp4",
    "target": "other.mp4",
    "range": TimeRange(frames=3),
    "output": OutputOptions(codec="ffv1"),
    "device": "cuda",
    "segments": "off",
    "engine": "directml",
    "reveal_s": Fraction(3),
    "owner": "somebody",
}


def test_every_part_of_a_recipe_changes_its_digest() -> None:
    assert OTHER.keys() == {field.name for field in fields(Recipe)}
    digests = {PLAIN.digest, *(replace(PLAIN, **{name: value}).digest for name, value in OTHER.items())}
    assert len(digests) == 1 + len(OTHER)


def test_cached_frames_are_kept_by_all_that_changes_their_samples() -> None:
    film = CLIPS / "cfr.mp4"
    job, style = JobSpec(str(film), "screen", PLAIN), open_style("none")
    device = DeviceInfo(0, "cpu", "a processor")
    with Reader(film) as reader:
        info = reader.info

    def key_of(**other: Any) -> str:  # noqa: ANN401
        return render_key(replace(job, **other), info, style, device)

    assert SAMPLES_OTHERWISE.keys() | SAMPLES_STAY.keys() == {field.name for field in fields(JobSpec)}
    keys = {key_of(), *(key_of(**{name: value}) for name, value in SAMPLES_OTHERWISE.items())}
    assert len(keys) == 1 + len(SAMPLES_OTHERWISE)
    for name, value in SAMPLES_STAY.items():
        assert key_of(**{name: value}) == key_of(), name
    assert key_of(decode=DecodeOptions(hwaccel="cuda")) == key_of()


def test_cached_frames_are_those_of_one_film(tmp_path: Path) -> None:
    """Whatever takes its name, and of a generator by its description."""
    film = tmp_path / "film.mp4"
    job, style = JobSpec(str(film), "screen", PLAIN), open_style("none")
    keys = set()
    for name in ("cfr.mp4", "bframes.mp4"):
        shutil.copy(CLIPS / name, film)
        with Reader(film) as reader:
            info = reader.info
        keys.add(render_key(job, info, style, DeviceInfo(0, "cpu", "a processor")))
    for words in ("testsrc2=duration=1", "testsrc2=duration=2"):
        generated = replace(info, path=None, description=words)
        keys.add(render_key(job, generated, style, DeviceInfo(0, "cpu", "a processor")))
    assert len(keys) == 4


def test_a_value_that_no_part_has_is_refused() -> None:
    assert PLAIN.having(relief=0.5).look.relief == 0.5
    with pytest.raises(TypeError, match="a recipe has no value named colour"):
        PLAIN.having(relief=0.5, colour=1)


def test_what_belongs_to_a_film_stays_with_it() -> None:
    own = replace(PLAIN, look=Look(split=0.5), sizes=SizeSpec(size="2x", max_size=640), keys=(key("relief", 1.0),))
    other = Recipe(StyleSpec("ink"), Look(strength=0.5), SizeSpec(3.0), ColourSpec(palette="film"))
    assert own.of_any_film == PLAIN
    worn = own.in_look_of(other)
    assert worn.of_any_film == other
    assert (worn.look.split, worn.sizes.size, worn.sizes.max_size, worn.keys) == (0.5, "2x", 640, own.keys)


def test_values_of_a_frame_are_those_of_its_keyframes() -> None:
    tracks = (key("relief", 0.25), key("stroke", 4.0))
    at = replace(PLAIN, keys=tracks).at(3)
    assert (at.look.relief, at.sizes.stroke) == (0.25, 4.0)


def test_weights_and_a_value_with_two_tracks_are_refused() -> None:
    with pytest.raises(ValueError, match="weights of paintings; they belong in the style's name"):
        replace(PLAIN, look=Look(mix=(1.0,)))
    with pytest.raises(ValueError, match="has keyframes twice"):
        replace(PLAIN, keys=(key("relief", 0.0), key("relief", 1.0)))
