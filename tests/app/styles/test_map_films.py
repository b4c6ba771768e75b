"""Films as brush maps: the map frame of each film frame, in any order, and refusals."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.jobs.prepare import states_of
from framebrush.jobs.recipe import Recipe
from framebrush.media.reading import open as opening
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, OpenOptions, Position
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.style import StyleError
from framebrush.styles import reference_pictures
from framebrush.styles.maps import DEPTH, BrushMaps, maps_at, state_of
from framebrush.styles.specs import BRUSH_PICTURES, NAMED_MASKS, SizeSpec, StyleSpec
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

Codes = npt.NDArray[np.uint8]
Makes = Callable[[Path], object]

RATE, COUNT = 10, 200


def grey(code: int) -> Codes:
    return np.full((16, 32, 3), code, np.uint8)


def encode(path: Path, frames: Sequence[Codes], rate: int = RATE, codec: str = "libx264rgb", **options: str) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate, options=options)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "rgb8" if codec == "gif" else "rgb24"
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, "rgb24").reformat(format=stream.pix_fmt)))
        container.mux(stream.encode())
    return path


@pytest.fixture(scope="module")
def ramp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frame k is of the code k."""
    path = tmp_path_factory.mktemp("ramp") / "ramp.mkv"
    return encode(path, [grey(code) for code in range(COUNT)], qp="0", g="16", bf="2")


def said(maps: BrushMaps, number: int, time_s: Fraction | None) -> int:
    """The code of a map of sizes that is the same everywhere."""
    found = maps.at(number, time_s).sizes
    assert found is not None
    codes = np.frombuffer(found, np.uint8)
    assert codes.min() == codes.max()
    return int(codes[0])


def test_a_frame_has_the_map_that_is_shown_at_its_time(ramp: Path) -> None:
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        for number in range(200):  # of 24 a second
            time_s = Fraction(number, 24)
            assert said(maps, number, time_s) == int(time_s * RATE)


@pytest.mark.slow
def test_what_a_map_says_of_a_frame_depends_on_that_frame_alone(ramp: Path) -> None:
    """Forwards, backwards, in leaps, on and between the frames of the map, and after its end."""
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        order = [0, 170, 169, 168, 3, 4, 5, 90, 500, 199, 198, 501, 0, 7, 160, 158]
        numbers = [*order, *np.random.default_rng(2).integers(0, 220, 20).tolist()]
        for nearly in (Fraction(0), Fraction(1, 40), Fraction(99, 1000)):
            for number in numbers:
                time_s = Fraction(number, RATE) + nearly
                assert said(maps, number, time_s) == min(COUNT - 1, number), (number, nearly)


def test_steps_back_are_read_together(ramp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[Position] = []
    seek = Reader.seek

    def noted(self: Reader, position: Position) -> None:
        sought.append(position)
        seek(self, position)

    monkeypatch.setattr(Reader, "seek", noted)
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        for number in (*range(40), *range(39, 0, -1), 150, *range(149, 120, -1), *range(120, 150)):
            assert said(maps, number, Fraction(number, RATE)) == number
    assert len(sought) <= 1 + 3  # to 150, and back a second each


def test_maps_are_the_same_object_as_long_as_they_are_the_same(ramp: Path, tmp_path: Path) -> None:
    """Devices take a map anew only where it changes."""
    leading = png(tmp_path / "right.png", np.full((8, 8, 3), (255, 128, 0), np.uint8))
    with BrushMaps(SizeSpec(brush_sizes=str(ramp), brush_directions=str(leading))) as maps:
        first = maps.at(0, Fraction(0))
        assert maps.at(1, Fraction(1, 20)) is first
        later = maps.at(2, Fraction(1, 10))
        assert later.sizes != first.sizes
        assert later.directions is first.directions
    with BrushMaps() as none:
        assert none.at(3, None) is NO_MAPS


def test_numbered_pictures_go_frame_by_frame(tmp_path: Path) -> None:
    for number in range(5):
        png(tmp_path / f"size-{number + 7:03d}.png", grey(10 * number))
    with BrushMaps(SizeSpec(brush_sizes=str(tmp_path / "size-%03d.png")), timed=False) as maps:
        for number in (0, 1, 2, 4, 9, 1, 3):
            assert said(maps, number, None) == 10 * min(4, number)


def test_numbered_pictures_that_change_are_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches and "as exported" depend on changed files, which are checked once a second."""
    for number in range(5):
        png(tmp_path / f"{number}.png", grey(10 * number))
    sizes = SizeSpec(brush_sizes=str(tmp_path / "%d.png"))
    clock_s = [1000.0]
    monkeypatch.setattr(opening, "monotonic", lambda: clock_s[0])
    files, shown = states_of(Recipe(StyleSpec("none"), sizes=sizes)), list[set[int]]()
    for clock_s[0] in (1000.1, 1000.2, 1001.1):
        shown.append(set(maps_at(sizes, state_of(sizes), 2, Fraction(0)).sizes or b""))
        png(tmp_path / "2.png", grey(90))
    assert shown == [{20}, {20}, {90}]
    assert states_of(Recipe(StyleSpec("none"), sizes=sizes)) != files


def test_an_animation_is_a_film_and_a_picture_is_one_of_one_frame(tmp_path: Path) -> None:
    moving = encode(tmp_path / "moving.gif", [grey(0), grey(255)], codec="gif")
    with BrushMaps(SizeSpec(brush_sizes=str(moving))) as maps:
        assert [said(maps, 0, Fraction(tenth, 10)) for tenth in (0, 1, 2, 0)] == [0, 252, 252, 0]
    with BrushMaps(SizeSpec(brush_sizes=str(png(tmp_path / "still.png", grey(40)))), timed=False) as maps:
        assert [said(maps, number, None) for number in (0, 900, 3)] == [40, 40, 40]


def test_where_frames_have_no_times_a_film_is_refused(ramp: Path) -> None:
    with pytest.raises(StyleError, match=r"ramp\.mkv cannot be a map of sizes: it is a film, which goes by time, and"):
        BrushMaps(SizeSpec(brush_sizes=str(ramp)), timed=False)


def test_few_frames_of_a_map_are_read_ahead(ramp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    following = Reader.__next__

    def noted(self: Reader) -> object:
        frame = following(self)
        read.append(frame.number)
        return frame

    monkeypatch.setattr(Reader, "__next__", noted)
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        for number in range(30):
            said(maps, number, Fraction(number, RATE))
            assert max(read) <= number + DEPTH + 3
        said(maps, 190, Fraction(19))
        assert not {*range(50, 189)} & {*read}  # sought, not read up to


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ((128, 128, 128), (255, 128, 128), (-1.0, 0.0)),  # flow that begins with none
        ((255, 128, 0), (128, 255, 128), (1.0, 0.0)),
        ((255, 128, 0), (128, 128, 128), (0.0, 0.0)),  # which says nothing for a while
        ((20, 20, 20), (255, 128, 0), (0.0, 0.0)),  # of forms, of which one colour has none
    ],
)
def test_the_first_frame_of_a_map_of_directions_says_how_it_is_read(
    first: tuple[int, ...], then: tuple[int, ...], expected: tuple[float, float], tmp_path: Path
) -> None:
    frames = [np.full((16, 16, 3), colour, np.uint8) for colour in (first, then)]
    path = encode(tmp_path / "flow.mkv", frames, qp="0")
    with BrushMaps(SizeSpec(brush_directions=str(path))) as maps:
        later = maps.at(1, Fraction(1, RATE)).directions
    assert later is not None
    np.testing.assert_allclose(np.frombuffer(later, np.int8).reshape(2, -1)[:, 0] / 127.0, expected, atol=0.03)


def sound(path: Path) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), "s16", "mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("missing.mp4", lambda _: None, "there is no such file; check the name and the folder"),
        ("missing-%03d.png", lambda _: None, "there is no picture of such a name"),
        ("folder.mkv", Path.mkdir, "it is no regular file; name a picture or a video"),
        ("pipe.mkv", os.mkfifo, "it is no regular file; name a picture or a video"),
        ("empty.mkv", Path.touch, "is empty"),
        ("text.mkv", lambda path: path.write_text("no film"), "is not a video that can be read"),
        ("none.y4m", lambda path: path.write_bytes(b"YUV4MPEG2 W16 H16 F10:1\n"), "no frame of it can be decoded"),
        ("sound.wav", sound, "video"),
        ("huge.y4m", lambda path: path.write_bytes(b"YUV4MPEG2 W60000 H60000 F10:1\nFRAME\n"), ""),
    ],
)
@pytest.mark.parametrize(
    ("field", "what"), [(field, what) for field, what in BRUSH_PICTURES.items() if field != "brush_mark"]
)
def test_what_cannot_be_read_is_refused_in_words(
    name: str, make: Makes, why: str, field: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    make(path)
    before = threading.active_count()
    with pytest.raises(StyleError) as refused:
        BrushMaps(SizeSpec(**{field: str(path)}))
    assert str(refused.value).startswith(f"{path} cannot be {what}: ")
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
    assert threading.active_count() == before


def test_a_film_that_is_cut_off_is_refused_when_its_end_is_met(ramp: Path, tmp_path: Path) -> None:
    """Its frames would not be the same in each part of a film."""
    path = tmp_path / "cut.mkv"
    path.write_bytes(ramp.read_bytes()[: ramp.stat().st_size * 2 // 3])
    with BrushMaps(SizeSpec(brush_sizes=str(path))) as maps, pytest.raises(InputError) as refused:
        [said(maps, number, Fraction(number, RATE)) for number in range(COUNT)]
    assert str(refused.value).endswith(
        "cut.mkv is damaged: not all of its frames can be decoded; give a map that is whole"
    )


def test_what_is_stretched_and_what_ends_early_is_said(ramp: Path, tmp_path: Path) -> None:
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        assert maps.notes((640, 320), 20.0) == maps.notes((640, 320), None) == []
        assert maps.notes((1920, 1080), 60.0) == [
            "ramp.mkv is 32x16: it is stretched over frames of 1920x1080",
            "ramp.mkv ends at 20.0 s: its last picture is used for the rest",
        ]
    with BrushMaps(SizeSpec(brush_sizes=str(png(tmp_path / "still.png", grey(40))))) as maps:
        assert maps.notes((640, 320), 20.0) == []


def test_a_mask_that_is_a_film_goes_by_time(ramp: Path) -> None:
    with BrushMaps(SizeSpec(mask=str(ramp))) as maps:
        for number in (0, 30, 31, 12, 400):
            found = maps.mask_at(number, Fraction(number, RATE))
            assert found is not None
            assert {*found} == {min(COUNT - 1, number)}
        assert maps.notes((1920, 1080), 60.0) == [
            "ramp.mkv is 32x16: it is stretched over frames of 1920x1080",
            "ramp.mkv ends at 20.0 s: its last picture is used for the rest",
        ]


@pytest.mark.parametrize("name", NAMED_MASKS)
def test_a_mask_with_a_name_is_no_file(name: str) -> None:
    asked = SizeSpec(mask=name)
    assert asked.with_pictures(lambda _: None) == asked
    with BrushMaps(asked) as maps:
        assert maps.mask_at(0, Fraction(0)) is None


def test_a_map_that_is_only_looked_at_is_not_read_ahead(ramp: Path) -> None:
    """Notes before a job start no thread."""
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        assert maps.notes((640, 320), None) == []
        assert "map" not in {thread.name for thread in threading.enumerate()}
        assert said(maps, 1, Fraction(1, RATE)) == 1
        assert "map" in {thread.name for thread in threading.enumerate()}


def test_maps_are_decoded_elsewhere_where_a_file_might_end_this_process(
    ramp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    class Elsewhere:
        def film(self, path: Path, opening: OpenOptions) -> Reader:
            asked.append(path)
            return Reader(path, opening=opening)

        def call(self, path: Path, function: Callable[[Path], bool], given: Path, /) -> bool:
            asked.append(path)
            return function(given)

    monkeypatch.setattr(reference_pictures, "elsewhere", Elsewhere())
    with BrushMaps(SizeSpec(brush_sizes=str(ramp))) as maps:
        assert said(maps, 3, Fraction(3, RATE)) == 3
    assert asked == [ramp, ramp]


@pytest.mark.parametrize(("name", "wanted"), [("sizes", 65536), ("directions", 131072)])
def test_a_map_of_another_number_of_samples_is_no_map(name: str, wanted: int) -> None:
    with pytest.raises(ValueError, match=f"65535 samples are no map of {name}, which has {wanted}"):
        Maps(**{name: bytes(65535)})
