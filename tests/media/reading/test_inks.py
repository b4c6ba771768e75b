"""Pictures of inks (CMYK) have the colours that their profile gives these, in sRGB, as films and as styles."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from av.video.format import VideoFormat
from PIL import Image

from framebrush.cli.command_line import run
from framebrush.media.reading import cmyk as module
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, OpenOptions
from framebrush.models.colours import oklab
from framebrush.playback.reading.film_thumbnails import Thumbnails
from framebrush.styles.reference_pictures import open_picture
from tests.media.profiles import P3, RGB, inks, light_of_inks, matrix, profile

pytestmark = pytest.mark.media

AMOUNTS = [(200, 20, 10, 0), (10, 180, 60, 20), (30, 10, 220, 0), (0, 0, 0, 128), (140, 130, 0, 30), (5, 3, 8, 0)]
INKS = np.repeat(np.repeat(np.array(AMOUNTS, np.uint8)[None], 48, 0), 32, 1)
"""Six patches of 32x48; 255 is all ink."""

WITH_PROFILE = "its colours are converted from its profile to sRGB"
WITHOUT = "its inks (CMYK) have no colour profile: ideal ones are assumed"
ORIENTATION = 274
ROOT = Path(__file__).parents[3]


def printed(amounts: npt.ArrayLike = AMOUNTS) -> npt.NDArray[np.float64]:
    """The patches (6, 3) in sRGB, by the formulas alone."""
    light = light_of_inks(np.array(amounts) / 255)
    return oklab.from_light(light.astype(np.float32)).astype(np.float64) * 255


def ideal() -> npt.NDArray[np.float64]:
    """The patches (6, 3) of inks that each take all of one colour and nothing else."""
    amounts = np.array(AMOUNTS) / 255
    made: npt.NDArray[np.float64] = 255 * (1 - amounts[:, :3]) * (1 - amounts[:, 3:])
    return made


def patches(picture: RGB) -> npt.NDArray[np.float64]:
    return np.array([picture[8:-8, 32 * i + 8 : 32 * i + 24, :3].mean((0, 1)) for i in range(6)])


def write(path: Path, icc: bytes = b"", picture: RGB = INKS, turned: int = 1) -> Path:
    """A JPEG or TIFF. The name says how it is coded."""
    exif = Image.Exif()
    exif[ORIENTATION] = turned
    if path.suffix == ".jpg":
        how: dict[str, object] = {"quality": 100, "subsampling": 0}
    else:
        how = {"compression": {"lzw": "tiff_lzw", "jpeg": "jpeg"}.get(path.stem), "quality": 100}
        how = {key: value for key, value in how.items() if path.stem == "jpeg" or key == "compression"}
    Image.fromarray(picture, "CMYK").save(path, icc_profile=icc or None, exif=exif, **how)
    return path


def ycck(path: Path, icc: bytes) -> Path:
    """Write a JPEG with inverted inks as luma and chroma, like Photoshop: C, M and Y as R'G'B'."""
    luma_and_chroma = np.asarray(Image.fromarray(INKS[..., :3]).convert("YCbCr"))
    write(path, icc, np.dstack([255 - luma_and_chroma, INKS[..., 3]]))  # Pillow inverts what it writes
    data = bytearray(path.read_bytes())
    data[data.index(b"Adobe") + 11] = 2
    path.write_bytes(data)
    return path


def tiff(path: Path, icc: bytes, bits: int, *, planes: bool | None, alpha: bool = False) -> Path:
    """A TIFF that Pillow does not write: of 16 bits, in planes (None: unsaid), with alpha."""
    samples = INKS.astype(np.uint16) * 257 if bits == 16 else INKS
    if alpha:
        samples = np.dstack([samples, np.full(samples.shape[:2], 255, samples.dtype)])
    high, wide, channels = samples.shape
    raw = np.ascontiguousarray(samples.transpose(2, 0, 1) if planes else samples).tobytes()
    strips = channels if planes else 1
    entries: list[tuple[int, int, list[int]]] = [
        (256, 4, [wide]), (257, 4, [high]), (258, 3, [bits] * channels), (259, 3, [1]), (262, 3, [5]),
        (273, 4, [0] * strips), (277, 3, [channels]), (278, 4, [high]), (279, 4, [len(raw) // strips] * strips),
        *([] if planes is None else [(284, 3, [2 if planes else 1])]), *([(338, 3, [2])] if alpha else []),
        (34675, 7, list(icc)),
    ]  # fmt: skip
    form = {3: "H", 4: "I", 7: "B"}
    sizes = [struct.calcsize(f"<{len(values)}{form[kind]}") for _, kind, values in entries]
    at = 8 + 2 + 12 * len(entries) + 4
    start = at + sum(size for size in sizes if size > 4)
    entries[5] = (273, 4, [start + i * len(raw) // strips for i in range(strips)])
    listed, beside = struct.pack("<H", len(entries)), b""
    for tag, kind, values in entries:
        content = struct.pack(f"<{len(values)}{form[kind]}", *values)
        listed += struct.pack("<HHI", tag, kind, len(values))
        if len(content) > 4:
            listed += struct.pack("<I", at + len(beside))
            beside += content
        else:
            listed += content.ljust(4, b"\0")
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + listed + bytes(4) + beside + raw)
    return path


def made(folder: Path, name: str, icc: bytes) -> Path:
    path = folder / name
    match path.stem.split("-"):
        case ["ycck"]:
            return ycck(path, icc)
        case ["deep" | "plain" as depth, way]:
            planes = None if way == "unsaid" else way == "planes"
            return tiff(path, icc, 16 if depth == "deep" else 8, planes=planes)
        case _:
            return write(path, icc)


KINDS = [
    "adobe.jpg",
    "ycck.jpg",
    "plain.tif",
    "lzw.tif",
    "jpeg.tif",
    "deep-pixels.tif",
    "deep-unsaid.tif",
    "plain-planes.tif",
]


@pytest.mark.parametrize("name", KINDS)
def test_a_still_of_inks_has_the_colours_of_its_profile(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = made(tmp_path, name, inks()), tmp_path / "still.png"
    assert run(["frame", str(source), str(target), "--style", "none", "--device", "cpu"]) == 0
    found = patches(np.asarray(Image.open(target).convert("RGB")))
    assert np.abs(found - printed()).max() <= 6
    assert np.abs(printed() - ideal()).max() > 40  # else this would show nothing
    words = ", in 8 bits a channel" if name.startswith("deep") else ""
    assert f"{name}: {WITH_PROFILE}{words}\n" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["adobe.jpg", "plain.tif", "lzw.tif", "jpeg.tif"])
def test_inks_without_a_profile_are_ideal_ones(tmp_path: Path, name: str) -> None:
    with Reader(made(tmp_path, name, b"")) as reader:
        found = patches(next(reader).host.planes[0])
    assert np.abs(found - ideal()).max() <= 4
    assert reader.warnings == [f"{name}: {WITHOUT}"]
    assert reader.profile_problem == WITHOUT
    assert reader.info.in_srgb  # no result of it is lossless


@pytest.mark.parametrize("name", ["ycck.jpg", "deep-pixels.tif", "plain-planes.tif"])
def test_so_are_inks_whose_profile_is_damaged(tmp_path: Path, name: str) -> None:
    with Reader(made(tmp_path, name, b"damaged")) as reader:
        found = patches(next(reader).host.planes[0])
    assert np.abs(found - ideal()).max() <= 4
    why = "cannot be read (cannot open profile from string): ideal inks (CMYK) are assumed"
    assert reader.warnings == [f"{name}: its colour profile {why}"]


def test_a_profile_for_other_channels_is_said(tmp_path: Path) -> None:
    with Reader(write(tmp_path / "a.jpg", matrix(P3))) as reader:
        found = patches(next(reader).host.planes[0])
    assert np.abs(found - ideal()).max() <= 4
    words = "is for RGB channels, not for those of the picture: ideal inks (CMYK) are assumed"
    assert reader.warnings == [f"a.jpg: its colour profile {words}"]


def test_a_style_of_inks_has_their_colours(tmp_path: Path) -> None:
    opened = open_picture(str(write(tmp_path / "a.tif", inks())))
    assert opened.notes == ()
    assert np.abs(patches(opened.rgb) - printed()).max() <= 6
    assert open_picture(str(write(tmp_path / "b.tif"))).notes == (f"b: {WITHOUT}",)


def test_its_thumbnail_has_them_too(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jpg", inks())
    with Reader(path) as reader, closing(Thumbnails(path, reader.info)) as small:
        found = small.picture(0.0)
    assert found is not None
    assert np.abs(patches(found) - printed()).max() <= 6


@pytest.mark.parametrize("suffix", ["jpg", "tif"])
def test_it_stands_upright(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"a.{suffix}", inks(), np.ascontiguousarray(np.rot90(INKS)), turned=6)
    with Reader(path) as reader:
        found = next(reader).host.planes[0]
    assert (reader.info.rotation_degrees, found.shape[:2]) == (0, INKS.shape[:2])
    assert np.abs(patches(found) - printed()).max() <= 6


def test_each_of_numbered_pictures_has_its_own_profile(tmp_path: Path) -> None:
    """R'G'B' pictures between CMYK ones stay unchanged."""
    for number, icc in enumerate((inks(), b"", inks())):
        write(tmp_path / f"a{number}.tif", icc)
    Image.fromarray(np.repeat(np.rint(printed()).astype(np.uint8)[None], 48, 0).repeat(32, 1)).save(tmp_path / "a3.tif")
    write(tmp_path / "a4.tif", inks())
    with Reader(tmp_path / "a%d.tif", opening=OpenOptions(rate=Fraction(24))) as reader:
        found = [patches(frame.host.planes[0]) for frame in reader]
    for number, right in enumerate((printed(), ideal(), printed(), printed(), printed())):
        assert np.abs(found[number] - right).max() <= 6, number
    assert f"a%d.tif: {WITHOUT}" in reader.warnings
    assert reader.lost_frames == 0


def test_what_pillow_cannot_open_is_read_as_before(tmp_path: Path) -> None:
    """And that its profile does not count is said."""
    with Reader(tiff(tmp_path / "clear.tif", inks(), 8, planes=False, alpha=True)) as reader:
        next(reader)
    words = "its colour profile is for CMYK channels, not for those of the picture: it is ignored"
    assert reader.warnings == [f"clear.tif: {words}"]


@pytest.mark.parametrize(
    "ask", [module.claimed_size, partial(module.inks_of, form=VideoFormat("rgba", 8, 6))], ids=["size", "inks"]
)
def test_oddities_of_files_stay_off_the_terminal(
    tmp_path: Path, recwarn: pytest.WarningsRecorder, ask: Callable[[Path, str], object]
) -> None:
    """As a description that the file is too short for."""
    tags, path = [(256, 3, 1, 8), (257, 3, 1, 6), (270, 2, 100, 4000)], tmp_path / "a.tif"
    entries = b"".join(struct.pack("<HHII", *tag) for tag in tags)
    path.write_bytes(struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + entries + bytes(4))
    with warnings.catch_warnings():
        assert ask(path, "tiff") in ((8, 6), None)
    assert list(recwarn) == []


def test_what_pillow_reads_wrongly_is_said(tmp_path: Path) -> None:
    with Reader(tiff(tmp_path / "a.tif", inks(), 16, planes=True)) as reader:
        next(reader)
    why = "Pillow takes planes of more than 8 bits for such of 8"
    assert reader.warnings == [f"a.tif: its inks cannot be read ({why}): FFmpeg's conversion is used"]
    assert not reader.info.in_srgb


def test_what_is_cut_off_is_shown_as_far_as_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rough = np.random.default_rng(1).integers(0, 256, INKS.shape, np.uint8)
    path = write(tmp_path / "a.jpg", inks(), rough)
    path.write_bytes(path.read_bytes()[: -rough.size // 4])
    with Reader(path) as reader:
        assert next(reader).host.planes[0].shape[:2] == INKS.shape[:2]
    assert reader.profile_problem.startswith("its inks cannot be read (")
    assert f"a.jpg: {reader.profile_problem}" in reader.warnings
    assert not reader.info.in_srgb
    assert capsys.readouterr().err == ""


def test_what_is_cut_off_ends_in_words(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tif", inks())
    path.write_bytes(path.read_bytes()[: -INKS.size // 4])
    with pytest.raises(InputError, match="no frame of it can be decoded"):
        Reader(path)


def test_no_larger_picture_is_decoded_than_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.jpg", inks())
    monkeypatch.setattr(module, "is_too_large", lambda width, height: width * height >= 192 * 48)
    with Reader(path) as reader:
        next(reader)
    assert not reader.info.in_srgb


def test_only_its_readers_of_jpeg_and_tiff_see_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    path = write(tmp_path / "a.jpg", profile(b"CMYK", (b"A2B0", b"mft1")))
    for name in ("open", "init", "preinit"):
        monkeypatch.setattr(Image, name, refuse)
    with Reader(path) as reader:
        next(reader)
    assert reader.warnings[0].startswith("a.jpg: its colour profile cannot be read (")


@pytest.mark.slow
def test_the_bundle_has_what_reads_them(tmp_path: Path) -> None:
    """The frozen program is without all of Pillow that its specification does not name."""
    paths = [str(made(tmp_path, name, inks())) for name in KINDS]
    spec = (ROOT / "packaging" / "framebrush.spec").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)"', spec[spec.index("PROFILES = {") : spec.index("}", spec.index("PROFILES = {"))])
    code = f"""
import sys

class OnlyNamed:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("PIL.") and name[4:] not in {names}:
            raise ImportError(name)

sys.meta_path.insert(0, OnlyNamed())
from framebrush.media.reading.reader import Reader

for path in {paths}:
    with Reader(path) as reader:
        assert reader.info.in_srgb and not reader.profile_problem, reader.warnings
"""
    subprocess.run([sys.executable, "-c", code], check=True)
