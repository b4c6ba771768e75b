"""The command line as a person or a script meets it: exit statuses, one line on stderr, nothing half-written."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import av
import onnx
import pytest
from PIL import Image

from assets.make_clips import CLIPS
from framebrush.base.json_values import from_values
from framebrush.cli.command_line import COMMANDS, run
from framebrush.gpu.device import DeviceInfo
from framebrush.media.live.camera_list import Camera, Devices
from framebrush.media.reading.reader import Reader
from framebrush.models.brushes import PRESETS, BrushKind
from framebrush.models.library import bundled, card_of
from tests import networks
from tests.app.jobs.footage import leftovers, shown
from tests.media.writing.test_writer_refusals import small_disk

pytestmark = pytest.mark.media

CLIP = CLIPS / "cfr.mp4"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def identity(tmp_path: Path) -> Path:
    """The identity network as a file of somebody else's."""
    path = tmp_path / "identity.onnx"
    path.write_bytes(networks.identity().model)
    return path


def transcode(source: Path, target: Path, *more: str) -> int:
    return run(["transcode", str(source), str(target), "--preset", "ultrafast", "--device", "cpu", *more])


def only_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that stderr holds after an error."""
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def test_transcodes_with_the_default_style_and_reports_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert transcode(CLIP, tmp_path / "out.mp4", "--frames", "5", "--progress", "json") == 0
    out = capsys.readouterr().out.splitlines()
    first, last = json.loads(out[0]), json.loads(out[-1])
    assert (first["frame"], first["losses"]) == (0, [])
    assert (last["frame"], last["frames"], last["left_s"]) == (5, 5, 0)
    assert "losses" not in last
    with av.open(str(tmp_path / "out.mp4")) as container:
        assert sum(1 for _ in container.decode(video=0)) == 5


def test_overwrites_only_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.mp4"
    target.write_bytes(b"mine")
    assert transcode(CLIP, target, "--frames", "2") == 1
    assert "-y" in only_line(capsys)
    assert target.read_bytes() == b"mine"
    assert transcode(CLIP, target, "--frames", "2", "-y") == 0
    assert target.read_bytes() != b"mine"
    assert transcode(CLIP, target, "-y", "-n") == 1


GENERATED = "lavfi:testsrc2=size=96x64:rate=10"


def test_a_drawn_video_goes_the_way_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.mkv"
    assert run(["transcode", f"{GENERATED}:duration=1", str(target), "--style", "none", "--device", "cpu"]) == 0
    with av.open(str(target)) as container:
        times = [frame.time for frame in container.decode(video=0)]
    assert times == pytest.approx([number / 10 for number in range(10)])
    assert run(["frame", GENERATED, str(tmp_path / "still.png"), "--at", "7f", "--style", "none"]) == 0
    with av.open(str(tmp_path / "still.png")) as picture:
        assert (picture.streams.video[0].width, picture.streams.video[0].height) == (96, 64)
    assert run(["bench", GENERATED, "--frames", "20", "--style", "none", "--device", "cpu"]) == 0
    assert "transcode against its slowest stage" in capsys.readouterr().out


def test_a_video_without_an_end_needs_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["transcode", GENERATED, str(tmp_path / "out.mp4"), "--style", "none", "--device", "cpu"]) == 2
    assert "has no end; give --end or --frames" in only_line(capsys)
    assert leftovers(tmp_path) == []
    assert run(["transcode", GENERATED, str(tmp_path / "out.mp4"), "--style", "none", "--end", "1"]) == 0


def test_no_file_is_read_through_a_drawn_video(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["transcode", f"lavfi:movie={CLIP}", str(tmp_path / "out.mp4"), "--device", "cpu"]) == 2
    assert "is not a test source" in only_line(capsys)


def test_no_style_is_a_style(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    assert transcode(CLIP, target, "--frames", "5", "--style", "none", "--crf", "12", "--codec", "h264") == 0
    assert shown(target)[0] == list(range(5))


def bad_inputs(folder: Path) -> dict[str, Path]:
    (folder / "empty.mp4").touch()
    (folder / "text.mp4").write_text("this is not a film\n" * 100)
    with av.open(str(folder / "sound.mp4"), "w") as container:
        stream = container.add_stream("aac", rate=48000)
        frame = av.AudioFrame(format="fltp", layout="mono", samples=1024)
        frame.sample_rate, frame.pts = 48000, 0
        for plane in frame.planes:
            plane.update(bytes(plane.buffer_size))
        container.mux([*stream.encode(frame), *stream.encode(None)])
    return {
        "missing": folder / "missing.mp4",
        "empty": folder / "empty.mp4",
        "text": folder / "text.mp4",
        "sound only": folder / "sound.mp4",
        "folder": folder,
    }


@pytest.mark.parametrize("kind", ["missing", "empty", "text", "sound only", "folder"])
def test_an_unreadable_input_is_status_2(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = bad_inputs(tmp_path)[kind]
    before = leftovers(tmp_path)
    assert transcode(source, tmp_path / "out.mp4") == 2
    assert str(source) in only_line(capsys)
    assert leftovers(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--style", "inkk"], "did you mean 'ink'"),
        (["--style", "nowhere/style.onnx"], "there is no such file"),
        (["--codec", "h265x"], "h265x"),
        (["--codec", "h264", "OUT.webm"], "WebM"),
        (["--device", "voodoo"], "voodoo"),
        (["--strength", "2"], "strength"),
        (["--detail", "1.5"], "detail"),
        (["--start", "later"], "is not a time"),
        (["--tile", "7"], "tiles of 7 px are not between 64"),
        (["--tile", "none"], "--tile none: give auto, off, or a size of at least 64 pixels"),
        (["--segments", "-1"], "--segments -1: give auto, off, or a number of frames"),
        (["--segments", "12345678"], "--segments 12345678: give auto, off, or a number of frames"),
        (["--stroke", "wide"], "--stroke wide"),
        (["--stroke", "0.1"], "not between 0.25 and 16"),
        (["--stroke", "nan"], "not between 0.25 and 16"),
        (["--size", "huge"], "'huge' is not a size"),
        (["--size", "0x"], "not above 0x"),
        (["--max-size", "5"], "'--max-size': Input should be greater than or equal to 16"),
        (["--brush-kind", "palete-knife"], "did you mean 'palette-knife'?"),
        (["--start", "1:75"], "seconds must be below 60"),
        (["--colour"], "--colour"),
        (["--crf", "999"], "quality 999 is outside 0 to 51, the range of H.264"),
        (["--hwaccel", "nonsense"], "'nonsense' is not one of"),
        (["--start", "90"], "the range starts after the last frame (29)"),
        (["--start", "1", "--end", "0.5"], "the requested range contains no frame"),
        (["--end", "0"], "the requested range contains no frame"),
        (["--rate", "0"], "--rate 0: give frames a second above 0"),
        (["OUT.xyz"], ".xyz"),
        (["missing/OUT.mp4"], "missing"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_is_status_1(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = arguments.pop() if "OUT" in arguments[-1] else "out.mp4"
    assert transcode(CLIP, tmp_path / name, *arguments) == 1
    assert says in only_line(capsys)
    assert leftovers(tmp_path) == []


LONG = 300 * "x"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["batch", f"{LONG}.mp4", "--out", "out"], "failed"),
        (["batch", str(CLIP), "--out", LONG], "cannot be created"),
        (["batch", str(CLIP), "--out", "file"], "file is a file; give --out a folder"),
        (["batch", "file", "--out", "file"], "file is a file; give --out a folder"),
        (["batch", "file", "--out", "file", "--watch"], "file is a file; give --out a folder"),
        (
            ["batch", str(CLIP), "--out", "out", "--report", "missing/report.json"],
            "no folder missing to write report.json to",
        ),
        (["transcode", str(CLIP), "out.mp4", "--style", LONG], "is unknown"),
        (["transcode", str(CLIP), "out.mp4", "--style", f"{LONG}:1,ink:1"], "is unknown"),
        (["transcode", "", "out.mp4"], "has no source"),
        (["transcode", str(CLIP), ""], "has no target"),
        (
            ["transcode", str(CLIP), "out.mp4", "--tls", "ca", "cert", "key"],
            "--tls is only valid together with --cluster",
        ),
        (["bench", str(CLIP), "--frames", "40"], "has 30 frames, less than --frames 40"),
        (["bench", "lavfi:testsrc2=duration=0.04", "--frames", "40"], "has 1 frame, less than --frames 40"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_what_cannot_be_is_said_by_every_command(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert run([*arguments, "--device", "cpu"]) == 1
    assert says in capsys.readouterr().err
    assert "x.mp4" not in leftovers(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="the whole path counts there")
def test_a_name_as_long_as_a_disk_takes(tmp_path: Path) -> None:
    for number, more in enumerate((["--segments", "10"], [])):
        target = tmp_path / f"{250 * str(number)}.mp4"
        assert transcode(CLIP, target, "--style", "none", *more) == 0
        assert shown(target)[0] == list(range(30))
    assert len(leftovers(tmp_path)) == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="links are made by administrators there")
def test_links_that_lead_in_a_circle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.mp4", tmp_path / "two.mp4"
    one.symlink_to(two)
    two.symlink_to(one)
    assert transcode(one, tmp_path / "out.mp4") == 2
    assert run(["batch", str(one), "--out", str(tmp_path / "out"), "--device", "cpu"]) == 1
    assert "one.mp4" in capsys.readouterr().err
    for command in (["transcode", "--style", "none", "--frames", "2"], ["frame", "--style", "none"]):
        target = one if command[0] == "transcode" else (tmp_path / "still.png")
        target.is_symlink() or target.symlink_to(target)
        assert run([*command, str(CLIP), str(target)]) == 1
        assert "exists already" in capsys.readouterr().err
        assert run([*command, "-y", str(CLIP), str(target)]) == 0
        assert not target.is_symlink()


def test_the_input_is_never_the_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "film.mp4"
    source.write_bytes(CLIP.read_bytes())
    link = tmp_path / "link.mp4"
    os.link(source, link)
    for target in (source, link):
        assert transcode(source, target, "-y") == 1
        assert "is the input itself" in only_line(capsys)
    assert source.read_bytes() == CLIP.read_bytes()


@pytest.mark.parametrize("option", ["--brush-sizes", "--brush-directions", "--brush-mark", "--palette", "--style"])
def test_what_a_job_reads_besides_is_never_the_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    picture = tmp_path / "picture.png"
    Image.linear_gradient("L").convert("RGB").rotate(30.0).save(picture)
    before, link = picture.read_bytes(), tmp_path / "link.png"
    os.link(picture, link)
    others = [] if option == "--style" else ["--style", "oil"]
    for target in (picture, link):
        assert run(["frame", *others, option, str(picture), "-y", str(CLIP), str(target)]) == 1
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.endswith(f"{target} is read by the job itself; give the output another name")
    assert picture.read_bytes() == before


def test_numbered_maps_are_never_the_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        Image.new("L", (8, 8), 40 * number).save(tmp_path / f"map-{number}.png")
    before = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    pattern = tmp_path / "map-%d.png"
    assert transcode(CLIP, pattern, "-y", "--style", "oil", "--brush-sizes", str(pattern)) == 1
    assert "is read by the job itself" in only_line(capsys)
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == before


def test_a_truncated_file_is_status_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.mp4"
    whole = (CLIPS / "bframes.mp4").read_bytes()
    cut.write_bytes(whole[: len(whole) * 6 // 10])
    assert transcode(cut, tmp_path / "out.mp4") == 3
    assert "frames were lost" in capsys.readouterr().err
    assert (tmp_path / "out.mp4").exists()


@pytest.mark.slow
def test_values_that_are_not_finite_are_one_line_with_the_frame(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = onnx.load_from_string(networks.not_finite().model)
    onnx.save(model, str(tmp_path / "nan.onnx"))
    assert transcode(CLIP, tmp_path / "out.mp4", "--style", str(tmp_path / "nan.onnx")) == 1
    assert "frame 0" in capsys.readouterr().err.splitlines()[-1]
    assert leftovers(tmp_path) == ["nan.onnx"]


@pytest.mark.slow
@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal to send to one process")
def test_ctrl_c_ends_cleanly_with_status_4(ask: signal.Signals, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "framebrush",
        "transcode",
        str(CLIPS / "landscape.mp4"),
        str(tmp_path / "out.mp4"),
    ]
    child = subprocess.Popen(
        [*command, "--progress", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(ask, signal.SIG_DFL),  # a shell's background job starts with SIGINT ignored
    )
    assert child.stdout is not None
    while json.loads(child.stdout.readline())["frame"] < 1:
        pass
    child.send_signal(ask)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 4
    assert errors.splitlines()[-1] == "framebrush: interrupted; nothing was written"
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_frame_writes_the_frame_asked_for_upright(tmp_path: Path, identity: Path) -> None:
    for name, number, turned in (("rotated.mp4", 7, 1), ("vfr.mp4", 12, 0), ("anamorphic.mp4", 3, 0)):
        target = tmp_path / f"{name}.png"
        assert run(["frame", str(CLIPS / name), str(target), "--at", f"{number}f", "--style", str(identity)]) == 0
        numbers, _ = shown(target, -turned)  # the clip's number lies on its side once it is turned for the viewer
        assert numbers == [number]
    with av.open(str(tmp_path / "anamorphic.mp4.png")) as picture:
        assert (picture.streams.video[0].width, picture.streams.video[0].height) == (round(180 * 16 / 11), 144)


@pytest.mark.slow
def test_frame_overwrites_only_when_asked(tmp_path: Path, identity: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "still.png"
    target.write_bytes(b"mine")
    command = ["frame", str(CLIP), str(target), "--style", str(identity)]
    assert run(command) == 1
    assert "overwrite it with -y" in capsys.readouterr().err
    assert target.read_bytes() == b"mine"
    assert run([*command, "-y"]) == 0
    assert shown(target)[0] == [0]
    assert leftovers(tmp_path) == ["identity.onnx", "still.png"]


@pytest.mark.slow
def test_lists_and_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    for command, says in (("styles", "ink"), ("devices", "cpu"), ("doctor", "libx264")):
        assert run([command]) == 0
        assert says in capsys.readouterr().out
    assert run(["--help"]) == 0
    assert "transcode" in capsys.readouterr().out


def test_every_style_is_listed_as_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))  # where nobody's own styles are
    assert run(["styles"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == ["style", *(painting for path in bundled().values() for painting in card_of(path).paintings)]


def test_every_brush_is_listed_as_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["brushes"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["brush", *PRESETS]
    assert run(["brushes", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in listed] == list(PRESETS)
    for entry in listed:
        name, says = entry.pop("name"), entry.pop("description")
        assert PRESETS[name] == (from_values(BrushKind, entry, "kind"), says)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--strength", "7"],
        ["--key", "zz@0=1"],
        ["--segments", "0"],
        ["--no-such-option"],
        ["--config", "no-such.toml"],
        ["one", "too", "many"],
        None,
    ],
)
@pytest.mark.parametrize("asked", [["--json"], ["--progress", "json"], ["--progress=json"]])
def test_an_outcome_is_the_last_line_for_options_that_cannot_be_used_too(
    asked: list[str], wrong: list[str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["transcode", str(CLIP)] if wrong is None else ["transcode", str(CLIP), str(tmp_path / "o.mp4"), *wrong]
    assert run([*command, *asked]) == 1
    said = capsys.readouterr()
    outcome = json.loads(said.out.splitlines()[-1])
    assert (outcome["state"], outcome["status"]) == ("failed", 1)
    assert 0 <= outcome["seconds"] < 0.9
    assert outcome["message"].removesuffix("…") in said.err  # a long one is cut
    assert run(command) == 1
    assert capsys.readouterr().out == ""


def test_devices_are_listed_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["devices", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed[-1].keys() == {"index", "kind", "name", "memory_bytes", "software"}
    assert "cpu" in [device["kind"] for device in listed]


def test_devices_are_listed_for_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = [DeviceInfo(0, "vulkan", "A card", memory_bytes=6 << 30), DeviceInfo(1, "vulkan", "Pipes", software=True)]
    monkeypatch.setattr("framebrush.gpu.device.list_devices", lambda: found)
    monkeypatch.setattr("framebrush.gpu.device.missing_devices", lambda: ["cuda: there is no driver"])
    assert run(["devices"]) == 0
    out, err = capsys.readouterr()
    assert [line.split() for line in out.splitlines()[1:]] == [
        ["0", "vulkan", "A", "card", "6.0", "GiB"],
        ["1", "vulkan", "Pipes", "(software)"],
    ]
    assert err == "not available: cuda: there is no driver\n"


@pytest.mark.parametrize(
    ("found", "listed", "says"),
    [
        (Devices((Camera("Cam [1]", "/dev/video0"),), ("Mic",)), ["camera:0 Cam [1]", "+microphone Mic"], ""),
        (Devices((Camera("Cam", "x"),), (), "no permission"), ["camera:0 Cam"], "no permission\n"),
        (Devices((), ("Mic",)), ["+microphone Mic"], "no camera was found; plug one in and look again\n"),
        (Devices(), [], "no camera was found; plug one in and look again\n"),
        (Devices(problem="crashed"), [], "crashed\n"),
    ],
)
def test_cameras_and_microphones_are_listed(
    found: Devices, listed: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("framebrush.media.live.camera_list.find_devices", lambda: found)
    assert run(["cameras"]) == 0
    out, err = capsys.readouterr()
    assert [" ".join(line.split()) for line in out.splitlines()[1:]] == listed
    assert err == says


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert re.fullmatch(r"framebrush \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)


@pytest.mark.parametrize(("name", "codec"), [("H264", "h264"), ("h265", "hevc"), ("LibX264", "h264")])
def test_codecs_by_any_usual_name(tmp_path: Path, name: str, codec: str) -> None:
    assert transcode(CLIP, tmp_path / "out.mp4", "--frames", "2", "--codec", name) == 0
    with av.open(str(tmp_path / "out.mp4")) as container:
        assert container.streams.video[0].codec_context.name == codec


@pytest.mark.parametrize("source", ["-", "raw:size=8x8", "camera:0"])
@pytest.mark.parametrize("words", [["keys", "IN", "extract"], ["job", "export", "IN", "out.mp4", "farm.json"]])
def test_what_needs_a_file_says_so(
    words: list[str], source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([source if word == "IN" else word for word in words]) == 2
    assert f"{source} is not a file, and this command reads nothing else" in capsys.readouterr().err
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_a_full_disk_is_status_5(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        assert transcode(CLIPS / "landscape.mp4", disk / "out.mp4", "--crf", "0", "--progress", "none") == 5
        assert leftovers(disk) == []
        (disk / "ballast").write_bytes(bytes(64 << 10))
        assert transcode(CLIP, tmp_path / "out.mp4", "--save-spec", str(disk / "job.json")) == 5
        template = str(disk / "farm.json")
        long = ["--segments", "10", "--device", "cpu"]
        assert run(["job", "export", str(CLIP), str(tmp_path / "out.mp4"), template, *long]) == 5
        assert leftovers(disk) == ["ballast"]
    said = capsys.readouterr().err.splitlines()
    assert sum("is full" in line for line in said) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows names are text")
def test_names_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / os.fsdecode(b"in\xff\x1b[31m.mp4")
    source.write_bytes(CLIP.read_bytes())
    assert transcode(source, tmp_path / os.fsdecode(b"out\xfe.mp4"), "--frames", "2") == 0
    assert transcode(tmp_path / os.fsdecode(b"\xff\x1b[31m.mp4"), tmp_path / "out.mp4") == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "out\ufffd.mp4: 2 frames" in said


HEAVY = {"PySide6", "av", "numpy", "onnx", "onnxruntime"}
OF_FILMS = (
    "PySide6",
    "dask",
    "framebrush.cli.job",
    "framebrush.jobs.batch",
    "framebrush.jobs.segments",
    "framebrush.jobs.workers",
    "framebrush.models.reading.infer_preprocessing",
    "framebrush.models.reading.receptive_field",
    "framebrush.models.reading.network_worker",
    "framebrush.painted",
    "framebrush.playback",
    "framebrush.window",
    "framebrush.gpu.reference",
)
"""What a frame in a bundled style needs nothing of."""


def loaded_by(*arguments: str, main: str = "from framebrush.__main__ import main") -> tuple[list[str], set[str]]:
    """Return a command's output lines, and all modules that the program loaded."""
    code = f"""
import atexit, sys
{main}
atexit.register(lambda: print(*sys.modules))
main()
"""
    started = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(started, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    *said, loaded = done.stdout.splitlines()
    return said, set(loaded.split())


@pytest.mark.parametrize(("argument", "says"), [("--version", "framebrush "), ("styles", "starry-night ")])
def test_what_needs_no_media_and_no_network_loads_nothing_for_them(argument: str, says: str) -> None:
    said, loaded = loaded_by(argument)
    assert any(says in line for line in said)
    assert HEAVY & loaded == set()


@pytest.mark.slow
def test_a_frame_loads_nothing_that_only_films_and_other_networks_need(tmp_path: Path) -> None:
    """In the child that paints it."""
    words = ["frame", str(CLIP), str(tmp_path / "a.png"), "--style", "ink", "--device", "cpu"]
    _, loaded = loaded_by(*words, main="from framebrush.cli.command_line import run\nmain = lambda: run(sys.argv[1:])")
    assert {"av", "onnxruntime"} <= loaded  # it was painted there
    assert [name for name in sorted(loaded) if name.startswith(OF_FILMS)] == []


@pytest.mark.slow
def test_every_command_is_in_the_help_and_can_be_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    for name in COMMANDS:
        assert f"  {name} " in said
        assert run([name, "--help"]) == 0
        assert f"framebrush {name} " in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", "transcode", "job export"])
@pytest.mark.parametrize("columns", [30, 80, 120])
def test_help_has_every_name_whole_in_any_terminal(
    command: str, columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run([*command.split(), "--help"]) == 0
    said = capsys.readouterr().out
    words = set(re.split(r"[\s,/]+", said))
    assert ({"--no-keep-colours", "--brush-directions"} if command else {"--install-completion"}) <= words
    assert "…" not in said


@pytest.mark.slow
@pytest.mark.parametrize(("command", "status", "says"), [("styles", 0, ""), ("play", 1, "pip install")])
def test_qt_is_needed_by_the_window_alone(command: str, status: int, says: str) -> None:
    without_qt = "import sys; sys.modules['PySide6'] = None"
    code = f"{without_qt}; from framebrush.cli.command_line import run; sys.exit(run(['{command}']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == status
    assert says in done.stderr


@pytest.mark.slow
def test_training_without_pytorch_says_what_to_install(tmp_path: Path) -> None:
    arguments = [f"--{name}={tmp_path / name}" for name in ("style", "photos", "features", "out")]
    run = f"sys.exit(run(['train', *{arguments}]))"
    code = f"import sys; sys.modules['torch'] = None; from framebrush.cli.command_line import run; {run}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "pip install 'framebrush[train]'" in done.stderr


@pytest.mark.slow
def test_bench_prints_every_stage_and_the_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", str(CLIP), "--frames", "20", "--device", "cpu", "--strength", "0.5", "--tile", "64"]) == 0
    out = capsys.readouterr().out
    for stage in ("decode", "paint", "encode", "transcode against its slowest stage alone"):
        assert stage in out


@pytest.mark.parametrize("codec", ["h265", "HEVC", "libx265"])
def test_codecs_have_the_names_that_people_use(codec: str, tmp_path: Path) -> None:
    assert transcode(CLIP, tmp_path / "out.mp4", "--codec", codec, "--frames", "2") == 0
    with av.open(str(tmp_path / "out.mp4")) as written:
        assert written.streams.video[0].codec_context.codec.canonical_name == "hevc"


def test_cameras_are_listed_or_it_is_said_that_there_is_none(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["cameras"]) == 0
    said = capfd.readouterr()
    assert "camera:0" in said.out or "no camera was found" in said.err or "permission" in said.err


@pytest.mark.slow
def test_a_live_source_is_transcoded_for_so_many_frames(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.mkv"
    source = "live:testsrc2=size=64x48:rate=50+sine"
    assert run(["transcode", source, str(target), "--style", "none", "--device", "cpu", "--frames", "12"]) == 0
    assert "sound: sine, recorded as aac" in capfd.readouterr().err
    with Reader(target) as reader:
        assert len(list(reader)) == 12
    assert run(["transcode", source, str(target), "-y", "--device", "cpu", "--start", "1", "--frames", "2"]) == 2
    assert "has no past" in capfd.readouterr().err
    assert run(["transcode", "camera:99", str(tmp_path / "b.mp4"), "--device", "cpu"]) == 2
    assert "there is no camera '99'" in capfd.readouterr().err
    assert run(["frame", source, str(tmp_path / "still.png"), "--style", "none", "--device", "cpu"]) == 0
    assert (tmp_path / "still.png").exists()


@pytest.mark.parametrize("arguments", [[], ["job"]])
def test_the_help_in_place_of_a_command_is_no_error_without_words(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 1
    said = capsys.readouterr()
    assert "Usage" in said.out + said.err
    assert "framebrush:" not in said.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("transcdoe in.mp4 out.mp4", "'transcdoe' is no command; did you mean transcode? (see framebrush --help)"),
        ("x" * 300, f"'{'x' * 300}' is no command (see framebrush --help)"),  # longer than a file's name may be
        ("zzz", "'zzz' is no command (see framebrush --help)"),
        ("film.mp4", "'film.mp4' is no command, but a file; framebrush transcode film.mp4 OUT paints it"),
        ("transcode in.mp4 out.mp4 --strength 3", "(see framebrush transcode --help)"),
        ("frame in.mp4", "Missing argument 'OUT.png'. (see framebrush frame --help)"),
        ("keys in.mp4 extrct", "Did you mean 'extract'? (see framebrush keys --help)"),
        ("--bogus", "No such option: --bogus (see framebrush --help)"),
    ],
)
def test_mistyped_commands_name_the_help_that_helps(
    words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("film.mp4").touch()
    assert run(words.split()) == 1
    assert says in only_line(capsys)


@pytest.mark.parametrize("command", ["extract", "learn"])
@pytest.mark.parametrize("kind", ["missing", "empty", "folder"])
def test_frames_to_paint_over_are_of_a_file(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = Path() if kind == "folder" else bad_inputs(tmp_path)[kind]
    assert run(["keys", str(source), command, "--help"]) == 0
    capsys.readouterr()
    assert run(["keys", str(source), command]) == 2
    wrong = {"missing": "no such file", "empty": "is empty", "folder": "is a folder"}
    assert wrong[kind] in only_line(capsys)
    assert not (tmp_path / f"{source.stem}.keys").exists()


def test_kernels_into_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--dump-shaders", str(tmp_path / "none"), "styles"]) == 1
    assert "there is no folder" in capsys.readouterr().err
