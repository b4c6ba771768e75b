"""Impossible output is refused before the work; later failures leave no files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.gpu.frame import Frame, nv12
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding import encoders
from framebrush.media.encoding.encoders import ENCODERS, choose_encoder, pixel_format_for
from framebrush.media.output_file import OutputFile
from framebrush.media.streams.remux import StreamCopier
from framebrush.media.video import InputError, OutputError, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.writing.writer_clips import (
    CFR,
    WHOLE,
    info_of,
    left_behind,
    solid,
    source,
    stream_types,
    working_encoders,
    write,
)

pytestmark = pytest.mark.media
FRAMES = nv12(64, 48)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    return info_of(source(tmp_path_factory.mktemp("film") / "film.mp4", audio=["aac"], seconds=1))


def plan(film: VideoInfo, target: Path, *, bits: int = 8, **options: object):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return plan_output(film, target, OutputOptions(**options), nv12(64, 48, bits=bits), WHOLE)  # type: ignore[arg-type]


def test_a_folder_without_a_name_is_named(film: VideoInfo) -> None:
    with pytest.raises(OutputError, match=r"^\.: cannot tell the file format from no ending"):
        plan(film, Path())


@pytest.mark.parametrize(
    ("name", "options", "bits", "message"),
    [
        ("out", {}, 8, r"cannot tell the file format from no ending; use one of \.mp4, \.mov, \.mkv, \.webm"),
        ("out.wmv", {}, 8, r"out\.wmv: cannot tell the file format from \.wmv"),
        ("out.mp4", {"codec": "h256"}, 8, r"unknown codec 'h256'; did you mean h26"),
        ("out.mp4", {"codec": "libx246"}, 8, r"unknown codec 'libx246'; did you mean libx26"),
        (
            "out.mp4",
            {"codec": "zzz"},
            8,
            r"unknown codec 'zzz'; --codec takes auto, h264, hevc, av1, vp9, prores, dnxhr, cineform, .*libx264, ",
        ),
        ("out.webm", {"codec": "h264"}, 8, r"WebM cannot hold H\.264 \(h264\); it holds AV1, VP9"),
        ("out.webm", {"codec": "libx265"}, 8, r"WebM cannot hold HEVC \(libx265\); it holds AV1, VP9"),
        ("out.mov", {"codec": "av1"}, 8, r"MOV cannot hold AV1 \(av1\); it holds H\.264, HEVC, ProRes, DNxHR"),
        ("out.mp4", {"codec": "libx264", "preset": "quick"}, 8, r"libx264 has no preset 'quick'; it has ultrafast, "),
        ("out.mp4", {"codec": "libsvtav1", "preset": "slow"}, 8, r"libsvtav1 has no preset 'slow'; it has 0, 1, "),
        ("out.mp4", {"codec": "libx264", "crf": 52}, 8, r"quality 52 is outside 0 to 51, the range of libx264"),
        ("out.mp4", {"codec": "libx264", "crf": -1}, 8, r"quality -1 is outside 0 to 51"),
        ("out.mp4", {"codec": "libsvtav1", "crf": 0}, 8, r"quality 0 is outside 1 to 63, the range of libsvtav1"),
        ("out.mp4", {"codec": "hap"}, 8, r"unknown codec 'hap'; --codec takes auto, h264, "),
        (
            "out.mp4",
            {"codec": "h264_nvenc"},
            10,
            r"h264_nvenc cannot write yuv420p10le here; use --pix-fmt yuv420p, or",
        ),
        ("absent/out.mp4", {}, 8, r"there is no folder .*absent to write out\.mp4 to; make it first"),
    ],
)
def test_impossible_wishes_are_refused_with_the_reason(
    tmp_path: Path, film: VideoInfo, name: str, options: dict[str, object], bits: int, message: str
) -> None:
    with pytest.raises(OutputError, match=message):
        plan(film, tmp_path / name, bits=bits, **options)
    assert list(tmp_path.iterdir()) == []


@contextmanager
def small_disk(folder: Path, size: str, *, readonly: bool = False) -> Iterator[Path]:
    """Mount a small file system. Root can always do so: as root, a failure is no skip."""
    if sys.platform == "win32" or os.geteuid() != 0:
        pytest.skip("a small disk can be mounted by root on Linux only")
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}{',ro' if readonly else ''}", "tmpfs", folder], check=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def noise(count: int, size: int = 64):  # type: ignore[no-untyped-def]  # noqa: ANN201
    """Frames that do not compress."""
    frames = nv12(size, size)
    random = np.random.default_rng(1)
    for _ in range(count):
        planes = tuple(random.integers(16, 235, shape, np.uint8) for shape in frames.plane_shapes)
        yield Frame(frames, planes)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".webm"])
def test_a_full_disk_is_named_and_left_clean(tmp_path: Path, film: VideoInfo, ending: str) -> None:
    codec = "vp9" if ending == ".webm" else "h264"
    with small_disk(tmp_path / "disk", "300k") as disk:
        full = plan_output(film, disk / f"out{ending}", OutputOptions(codec=codec, crf=10), nv12(64, 64), WHOLE)
        with pytest.raises(OutputError, match=r"the disk of .*disk is full"), Writer(full) as writer:  # noqa: PT012
            for number, frame in enumerate(noise(200)):
                writer.write(frame, number * 512, 0)
            writer.finish()
        assert list(disk.iterdir()) == []


def test_a_disk_that_fills_on_the_last_bytes(tmp_path: Path, film: VideoInfo) -> None:
    """MP4 writes its index at the end; room for the pictures alone is not enough."""
    whole = write(film, tmp_path / "whole.mp4", audio="none").bytes
    with small_disk(tmp_path / "disk", f"{(whole // 4096) * 4096 or 4096}") as disk:
        with pytest.raises(OutputError, match="is full"):
            write(film, disk / "out.mp4", audio="none", times=[512 * n for n in range(400)])
        assert list(disk.iterdir()) == []


def test_a_write_that_is_cut_short_is_an_error(tmp_path: Path) -> None:
    """The system takes what fits and calls that a success; FFmpeg would go on without the rest."""
    with (
        small_disk(tmp_path / "disk", "300k") as disk,
        closing(OutputFile(disk / "out")) as file,
        pytest.raises(OSError, match="No space left"),
    ):
        file.write(bytes(400_000))


def test_a_read_only_folder(tmp_path: Path, film: VideoInfo) -> None:
    with (
        small_disk(tmp_path / "disk", "300k", readonly=True) as disk,
        pytest.raises(OutputError, match=r"cannot write to the folder .*disk: Read-only file system"),
    ):
        plan(film, disk / "out.mp4")


def test_a_file_where_the_folder_should_be(tmp_path: Path, film: VideoInfo) -> None:
    (tmp_path / "folder").write_text("not a folder")
    with pytest.raises(OutputError, match="there is no folder"):
        plan(film, tmp_path / "folder" / "out.mp4")


def test_the_input_is_never_the_output(tmp_path: Path, film: VideoInfo) -> None:
    clip = tmp_path / "film.mp4"
    clip.write_bytes(film.path.read_bytes())
    info = replace(film, path=clip)
    (tmp_path / "symbolic.mp4").symlink_to(clip)
    (tmp_path / "hard.mp4").hardlink_to(clip)
    (tmp_path / "folder").symlink_to(tmp_path, target_is_directory=True)
    for name in ("film.mp4", "symbolic.mp4", "hard.mp4", "folder/film.mp4"):
        with pytest.raises(OutputError, match="is the input itself"):
            plan(info, tmp_path / name, overwrite=True)
    assert clip.read_bytes() == film.path.read_bytes()


def test_nothing_is_overwritten_unasked(tmp_path: Path, film: VideoInfo) -> None:
    target = tmp_path / "out.mp4"
    target.write_text("precious")
    with pytest.raises(OutputError, match="exists already; overwrite it with -y"):
        plan(film, target)
    assert target.read_text() == "precious"
    assert write(film, target, overwrite=True).path == target
    assert stream_types(target)[0] == ("video", "h264")


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path, film: VideoInfo) -> None:
    target = tmp_path / "out.mp4"
    (tmp_path / "out.1.mp4").write_text("precious too")
    with (  # noqa: PT012
        pytest.raises(
            OutputError, match=r"out\.mp4 could not be given its name .*; the finished file is .*out\.2\.mp4"
        ),
        Writer(plan(film, target)) as writer,
    ):
        writer.write(solid(FRAMES, 16, 128, 128), 0, 0)
        target.write_text("precious")
        writer.finish()
    assert target.read_text() == "precious"
    assert (tmp_path / "out.1.mp4").read_text() == "precious too"
    assert stream_types(tmp_path / "out.2.mp4")[0] == ("video", "h264")
    assert left_behind(tmp_path) == []


def test_a_folder_is_not_replaced(tmp_path: Path, film: VideoInfo) -> None:
    (tmp_path / "out.mp4").mkdir()
    with pytest.raises(OutputError, match="is not a file"):
        plan(film, tmp_path / "out.mp4", overwrite=True)


def test_an_input_that_went_away(tmp_path: Path, film: VideoInfo) -> None:
    with pytest.raises(InputError, match=r"gone\.mp4: no such file"):
        plan(replace(film, path=tmp_path / "gone.mp4"), tmp_path / "out.mp4")


@pytest.mark.parametrize("ending", sorted(CONTAINERS))
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError("the network failed")])
def test_whatever_ends_the_work_leaves_nothing(
    tmp_path: Path, film: VideoInfo, ending: str, error: BaseException | type[BaseException]
) -> None:
    target = tmp_path / f"out{ending}"
    frames = video_target(film.format, pixel_format_for("auto", "auto", CONTAINERS[ending], film.format))
    made = plan_output(film, target, OutputOptions(), frames, WHOLE)
    with pytest.raises((KeyboardInterrupt, RuntimeError)), Writer(made) as writer:  # noqa: PT012
        for pts in CFR:
            writer.write(solid(frames, 16, 128, 128), pts, 0)
        assert len(left_behind(tmp_path)) == 1
        raise error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="open files are read from /proc")
def test_a_file_that_cannot_be_begun_leaves_its_source_closed(
    tmp_path: Path, film: VideoInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(StreamCopier, "add_streams", fail)
    with Writer(plan(film, tmp_path / "out.mp4")) as writer:
        with pytest.raises(OutputError, match="no room"):
            writer.begin(0)
        assert film.path not in {file.resolve() for file in Path("/proc/self/fd").iterdir()}


def test_abort_and_finish_end_the_writer(tmp_path: Path, film: VideoInfo) -> None:
    with Writer(plan(film, tmp_path / "out.mp4")) as writer:
        writer.write(solid(FRAMES, 16, 128, 128), 0, 0)
        writer.abort()
        writer.abort()
        assert list(tmp_path.iterdir()) == []
        if sys.platform == "linux":
            assert film.path not in {file.resolve() for file in Path("/proc/self/fd").iterdir()}
        with pytest.raises(OutputError, match=r"out\.mp4 is closed already"):
            writer.write(solid(FRAMES, 16, 128, 128), 512, 0)
        with pytest.raises(OutputError, match=r"out\.mp4 is closed already"):
            writer.finish()
    assert list(tmp_path.iterdir()) == []


def test_no_frame_no_file(tmp_path: Path, film: VideoInfo) -> None:
    with Writer(plan(film, tmp_path / "out.mp4")) as writer, pytest.raises(OutputError, match="no frame came"):
        writer.finish()
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_whole_before_it_has_its_name(tmp_path: Path, film: VideoInfo) -> None:
    target = tmp_path / "out.mkv"
    with Writer(plan(film, target)) as writer:
        writer.write(solid(FRAMES, 16, 128, 128), 0, 0)
        assert not target.exists()
        result = writer.finish()
    assert result.bytes == target.stat().st_size == writer.bytes_written > 0
    assert list(tmp_path.iterdir()) == [target]
    (tmp_path / "other").touch()
    assert target.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_long_and_foreign_names(tmp_path: Path, film: VideoInfo) -> None:
    target = tmp_path / ("\u00e9" * 120 + ": \u753b.mp4")
    assert write(film, target).path == target


def test_auto_takes_what_players_know(film: VideoInfo) -> None:
    def chosen(ending: str, bits: int) -> str:
        return choose_encoder(
            "auto", None, None, CONTAINERS[ending], (320, 240), "yuv420p" if bits == 8 else "yuv420p10le"
        ).encoder.codec

    assert [chosen(ending, 8) for ending in (".mp4", ".mov", ".mkv", ".webm")] == ["h264", "h264", "h264", "av1"]
    assert [chosen(ending, 10) for ending in (".mp4", ".mov", ".mkv", ".webm")] == ["hevc", "hevc", "hevc", "av1"]


def test_auto_falls_back_to_software_and_says_so(tmp_path: Path, film: VideoInfo) -> None:
    words = plan(film, tmp_path / "out.mp4").decisions[0]
    working = [encoder for encoder in ENCODERS if encoder.codec == "h264" and encoder.name in working_encoders()]
    assert words.startswith(f"video: {working[0].name} crf ")
    assert ("hardware that works" in words) == working[0].is_hardware
    assert ("no hardware encoder for it works" in words) != working[0].is_hardware


def test_software_always_works() -> None:
    assert {"libx264", "libx265", "libsvtav1", "libvpx-vp9"} <= set(working_encoders())


def test_a_quality_that_none_with_the_preset_has_is_said() -> None:
    """Of what MKV holds, only SVT-AV1 has a preset of this name, and it has no such quality."""
    with pytest.raises(OutputError, match=r"works here: libsvtav1 \(its quality goes from 1 to 63\)"):
        choose_encoder("auto", 0.0, "9", CONTAINERS[".mkv"], (320, 240), "yuv420p")


def test_a_size_that_no_encoder_takes_is_said_with_what_was_tried() -> None:
    with pytest.raises(OutputError, match=r"no encoder for 90000x90000 in yuv420p works here: libx264 \("):
        choose_encoder("libx264", None, None, CONTAINERS[".mp4"], (90000, 90000), "yuv420p")


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder.name)
def test_every_encoder_knows_the_options_it_is_given(encoder: encoders.Encoder) -> None:
    """Hardware that this machine lacks can still be asked for its options: FFmpeg ignores an unknown one silently."""
    try:
        context = av.CodecContext.create(encoder.name, "w")
    except av.codec.codec.UnknownCodecError:
        platforms = {"mf": "win32", "videotoolbox": "darwin"}  # whose encoders these are
        assert sys.platform != platforms[encoder.kind]
        return
    options = context.supported_options
    known = {option.name: option for option in (*options.generic, *options.private)}
    for preset in encoder.presets or (None,):
        for crf in encoder.crf or (None,):
            for name, value in encoder.options(crf, preset).items():
                assert name in known, name
                choices = {choice.name for choice in known[name].choices}
                if choices and not value.isdigit():
                    assert value in choices
                elif value.replace(".", "").isdigit() and known[name].max > known[name].min:
                    assert known[name].min <= float(value) <= known[name].max


def test_lower_crf_is_better(tmp_path: Path, film: VideoInfo) -> None:
    for codec in ("libx264", "libx265", "libsvtav1", "libvpx-vp9"):
        sizes = []
        for crf in (5, 45):
            target = tmp_path / f"{codec}{crf}.mkv"
            frames = list(noise(4))
            sizes.append(
                write(film, target, frames=nv12(64, 64), pictures=frames, codec=codec, crf=crf, audio="none").bytes
            )
        assert sizes[0] > 1.5 * sizes[1], codec


@pytest.mark.slow
def test_encoders_keep_quiet(tmp_path: Path) -> None:
    """x265 and SVT-AV1 would write to stderr by themselves."""
    program = (
        "import sys; from pathlib import Path; from tests.media.writing.writer_clips import *\n"
        "folder = Path(sys.argv[1]); film = info_of(source(folder / 'film.mp4', seconds=1))\n"
        "for codec in ('libx264', 'libx265', 'libsvtav1', 'libvpx-vp9'):\n"
        "    write(film, folder / f'{codec}.mkv', codec=codec)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[3],
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
