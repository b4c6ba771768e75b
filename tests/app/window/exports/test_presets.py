"""Export presets: settings in the dialog, and availability on this machine."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import av
import pytest

from framebrush.jobs.transcode import Status
from framebrush.jobs.workers.runner import job_runner
from framebrush.media.encoding.pixels import AUTO, SOURCE
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.presets import PRESETS, titles
from framebrush.window.exports.quality import loss
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media


def asked(desk: Desk, clip: str = "cfr.mp4") -> ExportDialog:
    desk.open(clip)
    desk.window.actions_["export"].trigger()
    dialog = desk.window.findChildren(ExportDialog)[-1]
    settle(desk, dialog)
    return dialog


def settle(desk: Desk, dialog: ExportDialog) -> None:
    desk.wait(lambda: dialog.quality.encoder is not None or bool(dialog.quality.problem), "the encoder")


def choose(desk: Desk, dialog: ExportDialog, name: str) -> None:
    """By a click."""
    desk.wait(dialog.isActiveWindow, "the dialog")
    Hand(desk).click(dialog.purposes.buttons[name])
    assert [each for each, button in dialog.purposes.buttons.items() if button.isChecked()] == [name]
    settle(desk, dialog)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "suffix", "codec", "pixels"),
    [
        ("small", ".mp4", "auto", AUTO),
        ("social", ".mp4", "h264", AUTO),
        ("message", ".mp4", "h264", AUTO),
        ("archive", ".mkv", "ffv1", SOURCE),
        ("editor", ".mov", "prores", AUTO),
        ("source", ".mp4", "auto", AUTO),
    ],
)
def test_a_purpose_sets_everything_and_makes_a_file(
    desk: Desk, tmp_path: Path, name: str, suffix: str, codec: str, pixels: str
) -> None:
    dialog = asked(desk)
    dialog.target.name_field.setText(str(tmp_path / "out.webm"))
    choose(desk, dialog, name)
    spec = dialog.spec
    assert spec.target == str(tmp_path / f"out{suffix}")
    assert (spec.output.codec, spec.output.pix_fmt, spec.output.audio) == (codec, pixels, "copy")
    assert not dialog.quality.problem
    with job_runner(spec) as run:
        assert run(replace(spec, device="cpu")).status is Status.DONE
    with av.open(spec.target) as made:
        assert made.streams.video[0].codec_context.name == ("h264" if codec == "auto" else codec)
        assert sum(1 for _ in made.decode(video=0)) == 30
    dialog.reject()


@pytest.mark.slow
def test_quality_and_size_are_those_of_the_purpose_until_they_are_set_by_hand(desk: Desk, tmp_path: Path) -> None:
    dialog = asked(desk)
    dialog.target.name_field.setText(str(tmp_path / "out.mp4"))
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("h264"))
    settle(desk, dialog)
    encoder = dialog.quality.encoder
    assert encoder is not None
    assert encoder.crf is not None
    assert dialog.quality.crf == encoder.crf[2]
    choose(desk, dialog, "small")
    assert dialog.quality.crf is not None
    assert loss(encoder, dialog.quality.crf) == pytest.approx(PRESETS["small"].loss, abs=0.03)
    assert dialog.controls.size_box.currentData() is None  # a film of 96 lines is small already
    assert dialog.quality.kept == {}
    dialog.controls.audio_box.setCurrentIndex(1)
    assert dialog.purposes.chosen == ""
    assert not any(button.isChecked() for button in dialog.purposes.buttons.values())
    assert loss(encoder, dialog.quality.crf) == pytest.approx(PRESETS["small"].loss, abs=0.03)  # no surprise
    choose(desk, dialog, "social")
    assert dialog.quality.crf == encoder.crf[2]
    dialog.quality.slider.slider.setValue(dialog.quality.slider.slider.maximum())
    assert dialog.purposes.chosen == ""
    assert dialog.quality.kept == {encoder.name: dialog.quality.crf}
    dialog.reject()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "side"), [("small", "720"), ("social", "1080"), ("archive", None)])
def test_a_large_film_becomes_smaller_where_that_is_the_purpose(desk: Desk, name: str, side: str | None) -> None:
    dialog = asked(desk)
    form = dialog.controls.info.format
    dialog.controls.info = replace(dialog.controls.info, format=replace(form, width=3840, height=2160))
    dialog.controls.size_box.clear()
    for text, size in dialog.controls.sizes().items():
        dialog.controls.size_box.addItem(text, size)
    choose(desk, dialog, name)
    size = dialog.spec.sizes.size
    assert (size is None) if side is None else (size is not None and side == size.split("x")[1])
    dialog.reject()


def test_a_name_that_is_taken_is_not(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "out.mkv").touch()
    dialog = asked(desk)
    dialog.target.name_field.setText(str(tmp_path / "out.mp4"))
    choose(desk, dialog, "archive")
    assert dialog.spec.target == str(tmp_path / "out-2.mkv") or dialog.spec.target == str(tmp_path / "out2.mkv")
    dialog.reject()


@pytest.mark.slow
def test_each_purpose_says_what_it_makes(desk: Desk) -> None:
    """Each description has the figures of the table."""
    dialog = asked(desk)
    assert list(titles()) == list(PRESETS)
    assert dialog.purposes.chosen == "source"
    assert dialog.purposes.buttons["source"].isChecked()
    for name, preset in PRESETS.items():
        choose(desk, dialog, name)
        title, says = titles()[name]
        assert dialog.purposes.note.text() == says
        assert dialog.purposes.note.isVisible()
        assert dialog.purposes.note.x() == dialog.purposes.buttons["source"].x()
        button = dialog.purposes.buttons[name]
        assert (button.text(), button.toolTip(), button.accessibleDescription()) == (title, says, says)
        for figure in (preset.lines, preset.size_mb):
            assert figure is None or str(figure) in says
        assert all(
            str(figure) in ("264", str(preset.lines), str(preset.size_mb)) for figure in re.findall(r"\d\d+", says)
        )
    dialog.reject()


def test_only_a_small_file_is_of_less_than_usual_quality() -> None:
    assert {name for name, preset in PRESETS.items() if preset.loss} == {"small"}
    assert 0 < (PRESETS["small"].loss or 0) < 0.5
    assert PRESETS["source"].loss is None  # what was used last


@pytest.mark.slow
def test_like_the_source_is_as_it_was_offered(desk: Desk, tmp_path: Path) -> None:
    dialog = asked(desk, "vfr.mkv")
    before = dialog.spec
    choose(desk, dialog, "message")
    assert dialog.spec.output.target_bytes == 25_000_000
    choose(desk, dialog, "source")
    after = dialog.spec
    assert after.output == before.output
    assert (after.sizes, Path(after.target).suffix) == (before.sizes, ".mkv")
    dialog.reject()
