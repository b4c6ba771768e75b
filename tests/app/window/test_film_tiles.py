"""The gallery's tiles show the film that is open, and pointing at one shows its style on the whole picture."""

from __future__ import annotations

import queue
import shutil
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.gpu.device import Device, DeviceInfo, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import plan_sizes
from framebrush.jobs.recipe import Recipe
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position
from framebrush.models.style import ModelCard, PaintedShot
from framebrush.styles.specs import SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec
from framebrush.window.start.recent_pictures import picture_of
from framebrush.window.styles import film_tiles, gallery, tile_painter
from framebrush.window.styles.catalog import THUMBNAIL, Entry, catalog, filling
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.style_thumbnails import PHOTOGRAPH
from framebrush.window.styles.tile_painter import TilePainter, tile_sizes
from tests.app.painted.films import SHOT_FRAMES, folder_with_network, two_shots
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media

Pixels = npt.NDArray[np.uint8]


def pixels(image: QImage) -> Pixels:
    """(H, W, 3) uint8."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


def tile(desk: Desk, name: str) -> Pixels:
    """Return a tile's picture."""
    gallery = desk.window.inspector.gallery
    icon = gallery.tiles.item(gallery.names.index(name)).icon()
    return pixels(icon.pixmap(THUMBNAIL, desk.window.devicePixelRatioF()).toImage())


def film(desk: Desk) -> Pixels:
    """Return the film in the view, cut and scaled like a tile."""
    picture = desk.picture()
    height, width = picture.shape[:2]
    image = QImage(picture.data, width, height, 4 * width, QImage.Format.Format_RGB32)
    return pixels(filling(image, THUMBNAIL * desk.window.devicePixelRatioF()))


def apart(first: Pixels, second: Pixels) -> float:
    """Return the mean difference in codes. Moving weights round differently from constant ones."""
    return float(np.abs(first.astype(int) - second).mean())


def wait_tiles(desk: Desk, *names: str) -> None:
    """Until these tiles, or all, are of the frame on the screen."""
    wanted = names or desk.window.inspector.gallery.names
    desk.wait(lambda: all(map(desk.window.inspector.film_tiles.picture, wanted)), "the tiles")


def place_of(desk: Desk, name: str) -> QPoint:
    """The middle of a tile in the list, which scrolls to it."""
    gallery = desk.window.inspector.gallery
    item = gallery.tiles.item(gallery.names.index(name))
    gallery.tiles.scrollToItem(item)
    return gallery.tiles.visualItemRect(item).center()


def point_at(desk: Desk, name: str) -> None:
    QTest.mouseMove(desk.window.inspector.gallery.tiles.viewport(), place_of(desk, name))


@pytest.fixture(scope="module")
def landscape(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small film: twenty tiles of it are painted in a fraction of a second. Not for tests that come in between."""
    return made_small(tmp_path_factory.mktemp("film") / "landscape.mp4")


def made_small(path: Path, *, begins_black: bool = False) -> Path:
    """Write the landscape at 240x136, with a black first frame on request."""
    with av.open(str(CLIPS / "landscape.mp4")) as film, av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=24, options={"preset": "ultrafast", "crf": "10"})
        stream.width, stream.height, stream.pix_fmt = 240, 136, "yuv420p"
        for number, frame in enumerate(film.decode(video=0)):
            small = frame.reformat(240, 136, "yuv420p")
            if begins_black and number == 0:
                small = av.VideoFrame.from_ndarray(np.zeros((136, 240, 3), np.uint8), "rgb24").reformat(
                    format="yuv420p"
                )
            small.pts, small.time_base = number, Fraction(1, 24)
            out.mux(stream.encode(small))
        out.mux(stream.encode(None))
    return path


@pytest.fixture(autouse=True)
def no_tile_is_painted() -> None:
    """Here they are."""


@pytest.fixture
def tiles_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tiles follow each frame, as where frames are as slow as the picture is long at rest."""
    monkeypatch.setattr(film_tiles, "REST_MS", 1)


@pytest.fixture
def gallery_of(desk: Desk) -> Desk:
    """A window with its gallery filled."""
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    QTest.mouseMove(desk.window.view, QPoint(9, 9))  # it may be where another test left it
    return desk


@pytest.mark.slow
def test_each_tile_looks_like_the_film_in_its_style(gallery_of: Desk, landscape: Path) -> None:
    desk = gallery_of
    desk.open(landscape)
    wait_tiles(desk)
    names = ["none", "scream", "great-wave", "ink", "night-cafe"]
    tiles = {name: tile(desk, name) for name in names}
    for name in names:
        desk.window.session.use_style(name)
        desk.wait_style(name)
        desk.wait_still()
        distances = {other: apart(film(desk), tiles[other]) for other in names}
        assert min(distances, key=distances.__getitem__) == name, distances
        assert distances[name] < 16, distances


@pytest.mark.slow
def test_tiles_follow_the_frame_and_the_look_when_the_picture_rests(gallery_of: Desk, landscape: Path) -> None:
    desk = gallery_of
    desk.open(landscape)
    wait_tiles(desk, "none", "scream")
    first = tile(desk, "scream")
    desk.window.actions_["last"].trigger()
    desk.wait(lambda: desk.window.session.shown_at.number > 0, "the last frame")
    wait_tiles(desk, "none", "scream")
    last = tile(desk, "scream")
    assert apart(first, last) > 2
    desk.window.inspector.panel.brushwork.shares["brush"].moved.emit(0.0)
    desk.window.inspector.panel.sliders["strength"].moved.emit(0.0)
    wait_tiles(desk, "none", "scream")
    assert apart(tile(desk, "scream"), tile(desk, "none")) < 2  # of strength 0


@pytest.mark.slow
@pytest.mark.usefixtures("tiles_at_once")
def test_nothing_is_painted_while_the_film_plays(gallery_of: Desk, landscape: Path) -> None:
    desk = gallery_of
    desk.open(landscape)
    wait_tiles(desk)
    gallery = desk.window.inspector.gallery
    before = [gallery.of_film(name) for name in gallery.names]
    desk.window.actions_["loop"].setChecked(True)
    desk.window.player.play(True)
    desk.wait(lambda: desk.window.session.shown_at.number > 20, "frames")
    desk.rest(1.0)
    assert [gallery.of_film(name) for name in gallery.names] == before
    desk.window.player.play(False)
    desk.wait(lambda: gallery.of_film("none") != before[gallery.names.index("none")], "the pause")
    wait_tiles(desk)


@pytest.mark.slow
def test_a_closed_film_leaves_the_pictures_of_the_styles(gallery_of: Desk, landscape: Path) -> None:
    desk = gallery_of
    stock = tile(desk, "scream")
    desk.open(landscape)
    desk.wait(lambda: apart(tile(desk, "scream"), stock) > 2, "the tile")
    desk.window.player.close_video()
    desk.wait(lambda: desk.window.session.opened is None, "the end of the film")
    assert np.array_equal(tile(desk, "scream"), stock)
    desk.rest(0.8)
    assert np.array_equal(tile(desk, "scream"), stock)


@pytest.mark.slow
def test_pointing_shows_and_leaving_brings_back(gallery_of: Desk, landscape: Path) -> None:
    desk, window = gallery_of, gallery_of.window
    desk.key(str(window.inspector.gallery.names.index("great-wave")))
    desk.wait_style("great-wave")
    desk.open(landscape)
    wave, steps = desk.wait_still(), len(window.history.steps)
    for name in ("scream", "ink"):
        point_at(desk, name)
        desk.wait(lambda: apart(desk.picture()[..., :3], wave[..., :3]) > 10, name)
        desk.wait_still()
        assert window.session.choice.style.name == "great-wave"
        assert window.inspector.gallery.tiles.currentRow() == window.inspector.gallery.names.index("great-wave")
        QTest.mouseMove(window.view, window.view.rect().center())
        desk.wait(lambda: apart(desk.picture(), wave) < 0.2, "the style in use")
    assert desk.settings.style == "great-wave"
    desk.rest(0.5)
    assert len(window.history.steps) == steps


@pytest.mark.slow
def test_the_tile_stands_in_until_the_picture_is_painted(gallery_of: Desk, landscape: Path) -> None:
    """Likewise the picture of before, when the pointer leaves while the player is at another one."""
    desk, window = gallery_of, gallery_of.window
    desk.open(landscape)
    wait_tiles(desk)
    before = desk.wait_still()
    with desk.held():
        for name in ("scream", "ink"):
            point_at(desk, name)
            desk.wait(lambda: window.view.painted.meanwhile is not None, "the tile")
            shown = film(desk)
            desk.wait(lambda name=name: apart(film(desk), tile(desk, name)) < 4, name)  # type: ignore[misc]
        QTest.mouseMove(window.view, window.view.rect().center())
        desk.wait(lambda: np.array_equal(desk.picture(), before), "the picture of before")
        assert apart(film(desk), shown) > 10
    desk.wait(lambda: window.view.painted.meanwhile is None, "the player")
    assert apart(desk.wait_still(), before) < 0.2
    point_at(desk, "scream")
    desk.wait(lambda: window.view.painted.meanwhile is not None, "the tile")
    desk.wait(lambda: window.view.painted.meanwhile is None, "the painting")
    assert apart(desk.picture()[..., :3], before[..., :3]) > 10


@pytest.mark.slow
def test_a_click_chooses_what_is_pointed_at(gallery_of: Desk, landscape: Path) -> None:
    desk, window = gallery_of, gallery_of.window
    desk.open(landscape)
    plain = desk.picture()
    point_at(desk, "scream")
    desk.wait(lambda: apart(desk.picture()[..., :3], plain[..., :3]) > 10, "the style")
    scream = desk.wait_still()
    viewport = window.inspector.gallery.tiles.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place_of(desk, "scream"))
    desk.wait_style("scream")
    seen: list[object] = []
    window.inspector.gallery.tried.connect(lambda _: seen.append(window.view.painted.meanwhile))
    QTest.mouseMove(window.view, window.view.rect().center())
    desk.wait(lambda: bool(seen), "the end of the trial")
    assert seen == [None]  # not the picture of before
    assert np.array_equal(desk.wait_still(), scream)
    assert window.session.choice.style.name == "scream"


@pytest.mark.slow
def test_arrow_keys_show_and_enter_chooses(gallery_of: Desk, landscape: Path) -> None:
    desk, window, gallery = gallery_of, gallery_of.window, gallery_of.window.inspector.gallery
    desk.open(landscape)
    desk.key("1")
    first = gallery.names[1]
    desk.wait_style(first)
    before = desk.wait_still()
    gallery.tiles.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(gallery.tiles, key)
        desk.wait(lambda: apart(desk.picture()[..., :3], before[..., :3]) > 5, "another style")
    desk.wait_still()
    assert window.session.choice.style.name == first
    assert [gallery.tiles.row(item) for item in gallery.tiles.selectedItems()] == [1]
    row = gallery.tiles.currentRow()
    for chosen in (2, 1):  # by other means
        window.session.use_style(gallery.names[chosen])
        desk.wait_style(gallery.names[chosen])
        assert [gallery.tiles.row(item) for item in gallery.tiles.selectedItems()] == [chosen]
        assert gallery.tiles.currentRow() == row
    QTest.keyClick(gallery.tiles, Qt.Key.Key_Tab)
    desk.wait(lambda: gallery.tiles.currentRow() == 1, "the tile in use")
    desk.wait(lambda: apart(desk.picture(), before) < 0.2, "the style in use")
    gallery.tiles.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        QTest.keyClick(gallery.tiles, Qt.Key.Key_Right)
        row = gallery.tiles.currentRow()
        QTest.keyClick(gallery.tiles, key)
        desk.wait_style(gallery.names[row])
        assert [gallery.tiles.row(item) for item in gallery.tiles.selectedItems()] == [row]
    assert not desk.window.actions_["play"].isChecked()  # that is what Space does elsewhere


@pytest.fixture
def slow_pointing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a hand rest for long: a busy machine may take longer from tile to tile than it rests on one."""
    monkeypatch.setattr(gallery, "POINTING_MS", 1000)


@pytest.mark.slow
@pytest.mark.usefixtures("slow_pointing")
def test_a_mouse_that_passes_asks_for_nothing(gallery_of: Desk, landscape: Path) -> None:
    desk = gallery_of
    desk.open(landscape)
    tried: list[str | None] = []
    desk.window.inspector.gallery.tried.connect(tried.append)
    for name in ("scream", "starry-night", "great-wave"):
        point_at(desk, name)
        QApplication.processEvents()
    QTest.mouseMove(desk.window.view, desk.window.view.rect().center())
    desk.wait(lambda: bool(tried), "the rest of the mouse")
    assert tried == [None]
    point_at(desk, "scream")
    desk.wait(lambda: tried == [None, "scream"], "a hand that rests")


@pytest.mark.slow
def test_an_own_picture_gets_its_tile_and_the_palette_in_use(gallery_of: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, window = gallery_of, gallery_of.window

    def looked_at(gallery: Gallery) -> list[str]:
        """Each of the others would have its colours fitted, too."""
        return [name for name in gallery.names if name in ("none", "scream") or "steady" in name]

    monkeypatch.setattr(Gallery, "names_in_sight_first", property(looked_at))
    desk.open("landscape.mp4")
    wait_tiles(desk, "none", "scream")
    window.inspector.own_styles.keep(CLIPS.parent / "steady.jpg")
    desk.wait(lambda: any("steady" in name for name in window.inspector.gallery.names), "the picture")
    own = next(name for name in window.inspector.gallery.names if "steady" in name)
    wait_tiles(desk, "none", "scream", own)
    scream = tile(desk, "scream")
    other = apart(tile(desk, own), tile(desk, "none"))
    assert other > 10
    window.inspector.panel.colours.use_palette("film")
    wait_tiles(desk, "none", "scream", own)
    assert apart(tile(desk, "scream"), scream) > 10
    assert apart(tile(desk, "scream"), tile(desk, "none")) < apart(scream, tile(desk, "none"))
    # Of two palettes there is that which is asked for; the strokes are the picture's.
    assert apart(tile(desk, own), tile(desk, "none")) < 0.5 * other


@pytest.mark.slow
def test_a_window_closes_while_tiles_are_painted(application: QApplication, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    desk = Desk(tmp_path)
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.open("landscape.mp4")
    tiles, names = desk.window.inspector.film_tiles, desk.window.inspector.gallery.names
    desk.wait(lambda: any(map(tiles.picture, names)), "the first tile")
    assert not all(map(tiles.picture, names))
    desk.close()
    assert set(threading.enumerate()) <= before


@pytest.mark.slow
def test_what_is_asked_for_last_is_painted_and_little_else(gallery_of: Desk, landscape: Path) -> None:
    desk = gallery_of
    desk.open(landscape)
    wait_tiles(desk)
    seen: list[tuple[tile_painter.Painting, str]] = []
    asked: list[tile_painter.Painting] = []
    looks = tuple(Recipe(StyleSpec(name)) for name in ("scream", "dusk", "none"))

    def take(painting: tile_painter.Painting, look: Recipe, _: QImage) -> None:
        """In the painter's thread: with the first tile the others are asked for."""
        seen.append((painting, look.style.name))
        if len(seen) == 1:
            for each in asked[1:]:
                painter.request(each)

    painter = TilePainter(take)
    try:
        for _ in range(3):
            desk.window.player.lend(
                lambda frame, info: asked.append(tile_painter.Painting(frame, info, looks, SOURCE_SIZE))
            )
            count = len(asked)
            desk.wait(lambda count=count: len(asked) > count, "the frame")  # type: ignore[misc]
        painter.request(asked[0])
        desk.wait(lambda: (asked[-1], "none") in seen, "the last one")
        assert [sum(painting is each for painting, _ in seen) for each in asked] == [1, 0, 3]
    finally:
        painter.close()
        assert painter.join(60)


@pytest.mark.slow
@pytest.mark.usefixtures("tiles_at_once")
def test_a_frame_of_one_colour_gives_no_tile(gallery_of: Desk, tmp_path: Path) -> None:
    """Films begin black, and would have a gallery of black tiles."""
    desk, window = gallery_of, gallery_of.window
    desk.open(made_small(tmp_path / "film.mp4", begins_black=True))
    desk.rest(1.0)
    assert not any(map(window.inspector.gallery.of_film, window.inspector.gallery.names))
    window.actions_["step-forward"].trigger()
    wait_tiles(desk, "none")
    assert window.session.shown_at.number == 1


@pytest.mark.slow
def test_what_stands_in_is_of_the_frame_on_the_screen(gallery_of: Desk) -> None:
    desk, window = gallery_of, gallery_of.window
    desk.open("landscape.mp4")
    wait_tiles(desk)
    assert all(map(window.inspector.film_tiles.picture, window.inspector.gallery.names))
    assert window.inspector.film_tiles.picture("scream-fine") is window.inspector.film_tiles.picture("scream")
    window.actions_["step-forward"].trigger()
    desk.wait(lambda: window.session.shown_at.number == 1, "the next frame")
    assert not any(map(window.inspector.film_tiles.picture, window.inspector.gallery.names))
    desk.wait(lambda: any(map(window.inspector.film_tiles.picture, window.inspector.gallery.names)), "its first tile")
    assert not all(map(window.inspector.film_tiles.picture, window.inspector.gallery.names))


CARD = ModelCard("a", "A", ("a",))


@pytest.mark.parametrize(
    ("stroke", "working", "stroke_px"),
    [
        ("auto", (480, 270), 10.0),  # the film's are 5 pixels wide at this size, and would not be seen
        (8.0, (240, 135), 20.0),
        (1.0, (480, 270), 10.0),
    ],
)
def test_strokes_of_a_tile(stroke: float, working: tuple[int, int], stroke_px: float) -> None:
    film = plan_sizes((1920, 1080), CARD, stroke=stroke)
    sizes = tile_sizes(film, CARD, (480, 270))
    assert (sizes.working, sizes.target) == (working, (480, 270))
    assert sizes.stroke_px == pytest.approx(stroke_px)


@pytest.mark.parametrize("fails", ["", "to open", "to paint"])
def test_tiles_are_painted_on_the_card_of_the_film(
    landscape: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The reference device plays the card; after its failure, the processor paints all tiles."""
    card = DeviceInfo(7, "card", "A card")
    opened, stylizers = list[str](), list[object]()

    def open_another(name: str) -> Device:
        opened.append(name)
        if name == "cpu":
            return open_device("cpu")
        if fails == "to open":
            raise DeviceError("it is busy")
        device = open_device("reference")
        stylizer = device.stylizer

        def counted(*given: Any, **named: Any) -> object:  # noqa: ANN401
            if fails == "to paint":
                raise DeviceLostError("it hung")
            stylizers.append(stylizer(*given, **named))
            return stylizers[-1]

        monkeypatch.setattr(device, "stylizer", counted)
        made.append(device)
        return device

    made: list[Device] = []
    monkeypatch.setattr(tile_painter, "open_device", open_another)
    came: queue.SimpleQueue[QImage] = queue.SimpleQueue()
    painter = TilePainter(lambda *tile: came.put(tile[2]))
    painter.use_device(card)
    looks = tuple(Recipe(StyleSpec(name), Look(brush=0.0, relief=0.0)) for name in ("ink", "scream", "udnie"))
    try:
        with Reader(landscape) as reader:
            frame, info = next(reader), reader.info
        painter.request(tile_painter.Painting(frame, info, looks, SOURCE_SIZE, lines=64))
        pictures = [pixels(came.get(timeout=60)) for _ in looks]
        assert len({picture.tobytes() for picture in pictures}) == 3
        again = Recipe(StyleSpec("nowhere.onnx")), looks[0]
        painter.request(tile_painter.Painting(frame, info, again, SOURCE_SIZE, lines=64))
        assert [came.get(timeout=60).isNull() for _ in range(2)] == [True, False]  # the style is at fault
        assert opened == (["7", "cpu"] if fails else ["7"])
        if not fails:
            assert len(stylizers) == 2  # one for each network
    finally:
        painter.close()
        assert painter.join(60)
    assert all(device.closed for device in made)


def test_tiles_are_painted_with_the_brush_of_each_look(landscape: Path) -> None:
    came: queue.SimpleQueue[QImage] = queue.SimpleQueue()
    painter = TilePainter(lambda *tile: came.put(tile[2]))
    looks = tuple(
        Recipe(StyleSpec("oil"), sizes=SizeSpec(brush_kind=kind)) for kind in (None, "palette-knife", "fine", "oil")
    )
    try:
        with Reader(landscape) as reader:
            painter.request(tile_painter.Painting(next(reader), reader.info, looks, SOURCE_SIZE, lines=96))
        own, *others, oil = [pixels(came.get(timeout=60)) for _ in looks]
        assert np.array_equal(own, oil)
        assert len({picture.tobytes() for picture in (own, *others)}) == 3
    finally:
        painter.close()
        assert painter.join(60)


def test_tiles_follow_a_colour_table_that_changes_on_the_disk(landscape: Path, tmp_path: Path) -> None:
    came: queue.SimpleQueue[QImage] = queue.SimpleQueue()
    painter, table = TilePainter(lambda *tile: came.put(tile[2])), tmp_path / "own.cube"
    recipe = Recipe(StyleSpec("none"), colours=ColourSpec(lut=str(table)))
    try:
        with Reader(landscape) as reader:
            painting = tile_painter.Painting(next(reader), reader.info, (recipe,), SOURCE_SIZE, lines=64)
        made = []
        for high in (1.0, 0.5):
            corners = [" ".join(str(high * (n >> axis & 1)) for axis in range(3)) for n in range(8)]
            table.write_text("\n".join(["LUT_3D_SIZE 2", *corners]) + "\n")
            painter.request(painting)
            made.append(pixels(came.get(timeout=60)))
        assert 0.4 < made[1].mean() / made[0].mean() < 0.6
    finally:
        painter.close()
        assert painter.join(60)


@pytest.mark.slow
def test_the_tile_of_painted_frames_is_painted_by_the_shot_and_anew_once_more_is_learnt(
    gallery_of: Desk, tmp_path: Path
) -> None:
    desk, window = gallery_of, gallery_of.window
    path = two_shots(tmp_path / "film.mp4")
    shots = PaintedShot(0, "copy"), PaintedShot(SHOT_FRAMES, "negative")
    keys = folder_with_network(tmp_path / "film.keys", path, shots)
    desk.open(path)
    for frame, differs in ((1, False), (SHOT_FRAMES + 1, True)):
        window.player.seek(Position(Fraction(frame), "frame"))
        desk.wait(lambda frame=frame: window.session.shown_at.number == frame, "the frame")
        desk.wait(lambda: str(keys) in window.inspector.gallery.names, "its tile")
        wait_tiles(desk, str(keys))
        assert (apart(tile(desk, str(keys)), film(desk)) > 30) == differs
    shutil.rmtree(keys)
    folder_with_network(keys, path, (PaintedShot(0, "copy"),))
    window.painting.learner.learnt.emit(str(keys))
    desk.wait(lambda: apart(tile(desk, str(keys)), film(desk)) < 30, "the tile of what was learnt")


@pytest.mark.slow
def test_a_style_that_cannot_be_used_keeps_its_own_picture(gallery_of: Desk, landscape: Path) -> None:
    desk, gallery = gallery_of, gallery_of.window.inspector.gallery
    gallery.fill([Entry("nowhere.onnx", "Nowhere", picture=PHOTOGRAPH), *catalog()])
    own = tile(desk, "nowhere.onnx")
    desk.open(landscape)
    wait_tiles(desk, *gallery.names[1:])
    assert gallery.of_film("nowhere.onnx") is None
    assert np.array_equal(tile(desk, "nowhere.onnx"), own)


@pytest.mark.slow
def test_the_picture_of_a_recent_film_is_painted(gallery_of: Desk, landscape: Path) -> None:
    """Once its tile is, in the chosen style."""
    desk = gallery_of
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    desk.open(landscape)
    desk.wait(lambda: desk.window.inspector.gallery.of_film("ink") is not None, "the tile")
    tile, kept = desk.window.inspector.gallery.of_film("ink"), picture_of(landscape, desk.settings.recent_folder)
    assert tile is not None
    desk.wait(lambda: QImage(str(kept)).size() == tile.size(), "the painted picture")
