"""The export dialog: quality on the scale of the encoder that does the work."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLabel, QMessageBox, QSpinBox

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding import encoders
from framebrush.media.encoding.encoder_worker import find_encoder
from framebrush.media.encoding.encoders import CODECS, ENCODERS, choose_encoder
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.playback.display.preview_plan import KEPT
from framebrush.styles.specs import StyleSpec
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.exports.quality import loss
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.numbers import percents
from tests import networks
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media


QUALITIES = [
    "beyond visually lossless, very large",
    "visually lossless",
    "high",
    "medium, small",
    "low, very small",
]


def dialog_of(desk: Desk, target: Path) -> ExportDialog:
    """An export dialog for the open video, which knows the encoder for `target`."""
    desk.window.actions_["export"].trigger()
    dialog = desk.window.findChildren(ExportDialog)[-1]
    dialog.target.name_field.setText(str(target))
    settle(desk, dialog)
    return dialog


def settle(desk: Desk, dialog: ExportDialog) -> None:
    quality = dialog.quality
    desk.wait(lambda: quality.encoder is not None or bool(quality.problem), "the encoder")


def choose(desk: Desk, dialog: ExportDialog, codec: str) -> None:
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData(codec))
    settle(desk, dialog)


def accept(desk: Desk, dialog: ExportDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    gone: list[bool] = []
    dialog.destroyed.connect(lambda: gone.append(True))
    buttons.accepted.emit()
    desk.wait(lambda: bool(gone), "the end of the dialog")


@pytest.mark.slow
@pytest.mark.parametrize("codec", ["h264", "av1", "vp9"])
def test_the_slider_counts_as_the_encoder_does(desk: Desk, tmp_path: Path, codec: str) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mkv")
    choose(desk, dialog, codec)
    encoder = choose_encoder(codec, None, None, CONTAINERS[".mkv"], (320, 180), "yuv420p").encoder
    slider = dialog.quality.slider.slider
    assert (-slider.maximum(), -slider.minimum(), dialog.spec.output.crf) == encoder.crf
    assert any(encoder.name in label.text() for label in dialog.findChildren(QLabel))
    said = list[str]()
    for value in range(slider.maximum(), slider.minimum() - 1, -1):
        slider.setValue(value)
        number, _, words = slider.accessibleDescription().partition(": ")
        assert number == f"CRF {-value}"
        said += [words] if words not in said[-1:] else []
    assert said == QUALITIES
    slider.setValue(slider.maximum())
    assert dialog.spec.output.crf == encoder.crf[0]
    choose(desk, dialog, "ffv1")
    assert not slider.isEnabled()
    assert slider.accessibleDescription() == dialog.quality.slider.value_label.text() == "fixed by the codec"


@pytest.mark.slow
def test_what_is_lost_is_shown(desk: Desk, tmp_path: Path) -> None:
    desk.open("extras.mkv")
    dialog = dialog_of(desk, tmp_path / "out.mkv")
    note = dialog.losses.note
    assert note.text().startswith("Subtitles, chapters and metadata are kept")
    dialog.target.name_field.setText(str(tmp_path / "out.mov"))
    desk.wait(lambda: note.text() == "Lost: subtitle format, streams, some metadata.", "the losses")
    assert "attachment stream 4 (note.txt, text/plain) left out: MOV cannot hold it" in note.toolTip()
    dialog.target.name_field.setText(str(tmp_path / "out.mkv"))
    desk.wait(lambda: note.text().startswith("Subtitles"), "a file that holds all")
    dialog.reject()


@pytest.mark.slow
def test_what_becomes_of_fields_is_chosen_and_marks_go_with_it(desk: Desk, tmp_path: Path) -> None:
    """A film of 30 frames, exported from the fourth to the sixth at the double rate."""
    desk.open("interlaced.mp4")
    for place in range(1, 6):
        desk.key(Qt.Key.Key_Period)
        desk.wait_number(place)
        if place in (3, 5):
            desk.window.actions_["mark-in" if place == 3 else "mark-out"].trigger()
    desk.wait(lambda: desk.window.session.choice.range.last is not None, "the marks")
    target = tmp_path / "out.mkv"
    dialog = dialog_of(desk, target)
    choose(desk, dialog, "h264")
    assert dialog.spec.decode.deinterlace == "auto"
    desk.wait(lambda: "fields" in dialog.losses.note.text(), "the loss of fields")
    box = dialog.controls.fields_box
    box.setCurrentIndex(box.findData("double"))
    desk.wait(lambda: "fields" not in dialog.losses.note.text(), "no loss of fields")
    assert dialog.spec.range == TimeRange(Position(Fraction(6), "frame"), Position(Fraction(12), "frame"))
    accept(desk, dialog)
    made = desk.exports.queue.jobs[-1]
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.DONE, made.message
    with av.open(str(target)) as result:
        assert [round((frame.time or 0) * 50) for frame in result.decode(video=0)] == list(range(6))


@pytest.mark.slow
def test_hdr_is_kept_where_it_is_asked_for_and_can_be(desk: Desk, tmp_path: Path) -> None:
    desk.open("pq.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mkv")
    box = dialog.controls.hdr_box
    assert dialog.spec.output.hdr == "sdr"
    desk.wait(lambda: "HDR" in dialog.losses.note.text(), "the loss of HDR")
    box.setCurrentIndex(box.findData("keep"))
    desk.wait(lambda: "HDR" not in dialog.losses.note.text(), "no loss of HDR")
    assert dialog.spec.output.hdr == "keep"
    dialog.controls.pixels_box.setCurrentIndex(dialog.controls.pixels_box.findData("yuv420p"))
    desk.wait(lambda: bool(dialog.quality.problem), "why it cannot be kept")
    assert "10 bits" in dialog.quality.problem
    dialog.reject()


@pytest.mark.slow
def test_progressive_film_has_no_fields_to_choose(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mkv")
    assert not dialog.controls.fields_box.isVisible()
    assert not dialog.controls.hdr_box.isVisible()
    assert dialog.spec.decode.deinterlace == "auto"
    assert dialog.controls.size_box.itemText(0) == "Like the source"
    dialog.reject()
    desk.window.session.use(size="160x90")  # as on the command line
    assert dialog_of(desk, tmp_path / "out.mkv").controls.size_box.itemText(0) == "As played"


@pytest.mark.slow
def test_automatic_is_what_would_be_taken(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mp4")
    auto = {".mp4": "h264", ".webm": "av1", ".avi": "utvideo", ".mxf": "dnxhr", ".ts": "h264", ".gif": "gif"}
    for ending, codec in (auto | {".webp": "webp"}).items():
        dialog.target.name_field.setText(str(tmp_path / f"out{ending}"))
        settle(desk, dialog)
        assert dialog.quality.encoder is not None
        assert dialog.quality.encoder.codec == codec


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".gif", ".webp", ".avi", ".ts"])
def test_every_container_is_exported(ending: str, desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / f"out{ending}")
    accept(desk, dialog)
    made = desk.exports.queue.jobs[-1]
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.DONE, made.message
    assert (tmp_path / f"out{ending}").stat().st_size > 1000


@pytest.mark.slow
def test_two_codecs_keep_their_own_quality_and_export_with_it(desk: Desk, tmp_path: Path) -> None:
    """The quality reaches the encoder, each codec's is remembered, and a dialog after it has them again."""
    desk.open("cfr.mp4")
    sizes: dict[tuple[str, int], int] = {}
    for codec, numbers in {"h264": (12, 40), "av1": (20, 60)}.items():
        for number in numbers:
            target = tmp_path / f"{codec}-{number}.mkv"
            dialog = dialog_of(desk, target)
            choose(desk, dialog, codec)
            dialog.quality.slider.slider.setValue(-number)
            accept(desk, dialog)
            made = desk.exports.queue.jobs[-1]
            desk.wait(lambda made=made: made.is_over, "the export")
            assert (made.state, made.spec.output.crf) == (State.DONE, number), made.message
            with av.open(str(target)) as result:
                assert result.streams.video[0].codec_context.codec.canonical_name == codec
            sizes[codec, number] = target.stat().st_size
    assert sizes["h264", 40] < 0.6 * sizes["h264", 12]
    assert sizes["av1", 60] < 0.6 * sizes["av1", 20]
    dialog = dialog_of(desk, tmp_path / "next.mkv")
    for codec, number in (("h264", 40), ("av1", 60)):
        choose(desk, dialog, codec)
        assert dialog.spec.output.crf == number
    dialog.reject()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["remembered", "a preset"])
def test_an_export_that_is_added_at_once_has_the_chosen_quality(desk: Desk, tmp_path: Path, by: str) -> None:
    """The chosen quality counts before its encoder, and so its scale, is known."""
    desk.exports.stop()
    encoder = find_encoder("h264", CONTAINERS[".mp4"], (320, 180), "yuv420p", False)
    assert encoder.crf is not None
    if by == "remembered":
        desk.window.settings.quality = {encoder.name: 40}
    desk.open("cfr.mp4")
    desk.window.actions_["export"].trigger()
    dialog = desk.window.findChildren(ExportDialog)[-1]
    dialog.target.name_field.setText(str(tmp_path / "out.mp4"))
    if by == "a preset":
        dialog.purposes.buttons["small"].click()
    accept(desk, dialog)
    (made,) = jobs(desk)
    _, worst, usual = encoder.crf
    wanted = 40 if by == "remembered" else round(usual + 0.25 * (worst - usual))
    assert made.spec.output.crf == wanted
    jobs(desk).clear()


@pytest.mark.slow
def test_a_trial_that_is_asked_for_at_once_has_the_chosen_quality(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.actions_["export"].trigger()
    dialog = desk.window.findChildren(ExportDialog)[-1]
    dialog.trial.button.click()
    desk.wait(lambda: dialog.trial.stop.isVisible(), "the trial")
    (tried,) = dialog.trial.runner.queue.jobs
    assert tried.spec.output.crf is not None
    assert tried.spec.output.crf == dialog.quality.crf
    dialog.reject()


@pytest.mark.slow
def test_what_does_not_go_together_is_said_at_once(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / "out.webm")
    choose(desk, dialog, "h264")
    assert "WebM cannot hold H.264" in dialog.quality.note.text()
    assert not dialog.quality.slider.slider.isEnabled()
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.accepted.emit()
    (warning,) = dialog.findChildren(QMessageBox)
    assert "WebM cannot hold H.264" in warning.text()
    warning.reject()
    assert desk.exports.queue.jobs == []
    dialog.controls.pixels_box.setCurrentIndex(dialog.controls.pixels_box.findData("yuv420p10le"))
    choose(desk, dialog, "vp9")
    assert "VP9 in yuv420p10le" in dialog.quality.note.text()
    dialog.reject()


@pytest.mark.slow
def test_a_name_that_no_file_can_have_is_refused(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / f"{'x' * 300}.mp4")
    dialog.findChildren(QDialogButtonBox)[0].accepted.emit()
    (warning,) = dialog.findChildren(QMessageBox)
    assert "too long" in warning.text()
    warning.reject()
    assert desk.exports.queue.jobs == []
    dialog.reject()


def ask(desk: Desk, dialog: ExportDialog) -> QMessageBox:
    """Press Enter in the dialog; the question that comes."""
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.accepted.emit()
    (box,) = dialog.findChildren(QMessageBox)
    desk.wait(box.isVisible, "the question")
    return box


def answer(desk: Desk, box: QMessageBox, start: str) -> None:
    """Click the button with the text that begins with `start`."""
    gone: list[bool] = []
    box.destroyed.connect(lambda: gone.append(True))
    Hand(desk).click(next(button for button in box.buttons() if button.text().startswith(start)))
    desk.wait(lambda: bool(gone), "the end of the question")


@pytest.mark.slow
def test_a_name_that_is_taken_is_replaced_or_another_is_offered(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    target = tmp_path / "mine & yours.mp4"
    target.write_bytes(b"old")
    (tmp_path / "mine & yours2.mp4").write_bytes(b"older")
    dialog = dialog_of(desk, target)
    box = ask(desk, dialog)
    assert box.text() == "mine & yours.mp4 already exists."
    assert box.defaultButton().text() == "Save as mine && yours3.mp4"
    answer(desk, box, "Cancel")
    assert dialog.isVisible()
    assert desk.exports.queue.jobs == []
    answer(desk, ask(desk, dialog), "Save as")
    answer(desk, ask(desk, dialog_of(desk, target)), "Replace")
    desk.wait(lambda: len(jobs(desk)) == 2 and all(made.is_over for made in jobs(desk)), "the exports")
    assert [made.state for made in jobs(desk)] == [State.DONE] * 2, [made.message for made in jobs(desk)]
    assert (tmp_path / "mine & yours2.mp4").read_bytes() == b"older"
    for path in (target, tmp_path / "mine & yours3.mp4"):
        with av.open(str(path)) as result:
            assert result.streams.video[0].frames == 30
    assert len(list(tmp_path.glob("mine*"))) == 3


def jobs(desk: Desk) -> list[ExportJob]:
    return desk.exports.queue.jobs


@pytest.mark.slow
def test_a_name_taken_while_the_dialog_or_its_question_is_open_is_asked_about(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()  # none is started: this is about their names
    desk.open("cfr.mp4")
    dialog, other = (
        dialog_of(desk, tmp_path / "mine.mp4"),
        JobSpec("film.mp4", str(tmp_path / "mine.mp4"), Recipe(StyleSpec("none"))),
    )
    jobs(desk).append(ExportJob(other))
    box = ask(desk, dialog)
    assert box.text() == "Another export is writing mine.mp4."
    (tmp_path / "mine2.mp4").touch()
    answer(desk, box, "Save as mine2.mp4")
    (box,) = dialog.findChildren(QMessageBox)
    assert box.text() == "mine2.mp4 already exists."
    folder_of(tmp_path / "mine2.mp4").mkdir()
    answer(desk, box, "Replace")
    (box,) = dialog.findChildren(QMessageBox)
    assert box.text() == "Another export of mine2.mp4 is not finished; it is kept."
    answer(desk, box, "Save as mine2-2.mp4")
    assert [Path(made.spec.target).name for made in jobs(desk)] == ["mine.mp4", "mine2-2.mp4"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["a folder", "the video being painted", "of another export", "begun"])
def test_what_cannot_be_replaced_is_not_offered(desk: Desk, tmp_path: Path, kind: str) -> None:
    video = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "clip 7.mp4"))
    target = video
    desk.exports.stop()  # none is started: this is about their names
    if kind == "a folder":
        target = tmp_path / "folder.mp4"
        target.mkdir()
    elif kind == "of another export":
        target = tmp_path / "wanted.mp4"
        other = JobSpec(str(video), str(target), Recipe(StyleSpec("none")), device="cpu")
        jobs(desk).append(ExportJob(other))
    elif kind == "begun":
        target = tmp_path / "wanted.mp4"
        folder_of(target).mkdir()
    desk.open(video)
    dialog = dialog_of(desk, target)
    box = ask(desk, dialog)
    said = {
        "of another export": f"Another export is writing {target.name}.",
        "begun": f"Another export of {target.name} is not finished; it is kept.",
    }
    assert box.text() == said.get(kind, f"{target.name} is {kind}.")
    assert "Replace" not in [button.text() for button in box.buttons()]
    free = {"folder.mp4": "folder2.mp4", "clip 7.mp4": "clip 7-2.mp4", "wanted.mp4": "wanted2.mp4"}[target.name]
    answer(desk, box, f"Save as {free}")
    assert Path(jobs(desk)[-1].spec.target) == tmp_path / free
    assert not jobs(desk)[-1].spec.output.overwrite
    jobs(desk).clear()


@pytest.mark.slow
def test_a_video_that_has_vanished_is_no_error(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: failed.append(error))
    video = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "clip.mp4"))
    there = tmp_path / "there.mp4"
    there.touch()
    desk.open(video)
    dialog = dialog_of(desk, there)
    video.unlink()
    box = ask(desk, dialog)
    assert box.text() == "there.mp4 already exists."
    assert failed == []
    dialog.reject()


@pytest.mark.slow
def test_a_relative_name_is_one_in_the_folder_that_was_offered(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()
    desk.open(Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "clip.mp4")))
    dialog = dialog_of(desk, Path("absent/out.mp4"))
    dialog.findChildren(QDialogButtonBox)[0].accepted.emit()
    (warning,) = dialog.findChildren(QMessageBox)
    assert warning.text() == f"There is no folder {tmp_path / 'absent'}."
    warning.reject()
    dialog.target.name_field.setText("out.mp4")
    accept(desk, dialog)
    assert jobs(desk)[-1].spec.target == str(tmp_path / "out.mp4")
    jobs(desk).clear()


@pytest.mark.slow
def test_a_dialog_closed_while_the_encoder_is_sought(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: failed.append(error))
    desk.open("cfr.mp4")
    for _ in range(3):
        desk.window.actions_["export"].trigger()
        desk.window.findChildren(ExportDialog)[-1].reject()
        desk.rest(0.1)  # it is deleted
    application = desk.window.exports.parent()
    desk.wait(lambda: not application.findChildren(Background), "the answers")
    assert failed == []


OFFERED = [encoder for encoder in ENCODERS if encoder.crf and encoder.codec in CODECS]


@pytest.mark.parametrize("encoder", OFFERED, ids=lambda encoder: encoder.name)
def test_quality_words_have_room_on_every_scale(encoder: object) -> None:
    best, worst, usual = encoder.crf  # type: ignore[attr-defined]
    assert (loss(encoder, usual), loss(encoder, worst)) == (0, 1)  # type: ignore[arg-type]
    assert loss(encoder, best) <= -0.25  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no tilde")
def test_the_home_folder_is_a_tilde(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    video = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "film.mp4"))
    desk.open(video)
    desk.window.actions_["export"].trigger()
    dialog = desk.window.findChildren(ExportDialog)[-1]
    assert dialog.target.name_field.text() == "~/film-painted.mp4"
    assert dialog.spec.target == str(tmp_path / "film-painted.mp4")
    dialog.target.name_field.setText("~nobody-of-this-name/film.mp4")
    assert dialog.spec.target == str(tmp_path / "~nobody-of-this-name" / "film.mp4")
    dialog.reject()


@pytest.mark.slow
def test_a_blend_is_said_in_words(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.player.use_style("starry-night:0.375,great-wave:0.625")
    desk.wait(lambda: "," in desk.window.session.choice.style.name, "the blend")
    desk.window.actions_["export"].trigger()
    dialog = desk.window.findChildren(ExportDialog)[-1]
    assert "Starry night 38% + Great wave 62%" in dialog.summary
    dialog.reject()


@pytest.mark.parametrize(
    ("weights", "shares"),
    [((1.0, 0.5, 0.3), "55% 28% 17%"), ((1.0, 0.6), "63% 37%"), ((1.0,), "100%"), ((1, 1, 1), "34% 33% 33%")],
)
def test_shares_sum_to_a_hundred(weights: tuple[float, ...], shares: str) -> None:
    assert " ".join(percents(weights)) == shares


@pytest.mark.slow
def test_a_network_that_normalises_by_the_frame_offers_the_statistics_of_shots(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mp4")
    assert not dialog.controls.statistics_box.isVisible()  # a bundled painter takes none
    assert dialog.spec.statistics == "frame"
    dialog.reject()
    network = networks.instance_norm()
    path = tmp_path / "moody.onnx"
    path.write_bytes(network.model)
    desk.window.session.use_style(str(path))
    desk.wait(
        lambda: desk.window.session.style_in_use is not None and desk.window.session.style_in_use.card.frame_statistics,
        "the style",
    )
    desk.wait(lambda: not desk.window.session.awaits_style, "its answer")
    assert "statistics of each frame" in desk.window.inspector.gallery.note.text()
    dialog = dialog_of(desk, tmp_path / "out.mp4")
    assert dialog.controls.statistics_box.isVisible()
    assert dialog.spec.statistics == "frame"
    dialog.controls.statistics_box.setCurrentIndex(1)
    assert dialog.spec.statistics == "shot"


@pytest.mark.slow
def test_an_export_has_the_precision_of_the_picture(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    window = desk.window
    choices = {action.text(): action for action in window.menus.precisions.actions()}
    halves, bytes_ = choices["16 bits, faster on most cards"], choices["8 bits, faster on newer processors"]
    assert (halves.isEnabled(), bytes_.isEnabled()) == (False, True)
    window.session.use_style("starry-night")
    bytes_.trigger()
    assert window.settings.precision == "int8"
    desk.wait(lambda: window.exporting.spec("a", "b").precision == "int8", "a frame in 8 bits")
    window.session.use_style("ink")  # has none
    desk.wait(lambda: window.exporting.spec("a", "b").precision == "auto", "a frame in 32 bits")
    assert "only bundled paintings" in window.inspector.gallery.note.text()
    choices["32 bits"].trigger()
    bytes_.trigger()
    desk.wait(lambda: KEPT["int8"] in window.notes.text, "the reason")
    assert window.menus.in_use is not None
    window.menus.mark_device(replace(window.menus.in_use, kind="d3d12"))
    assert (halves.isEnabled(), bytes_.isEnabled()) == (True, False)


@pytest.mark.slow
def test_encoders_are_tried_in_another_process(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drivers take their time with Python's lock held, and may crash."""

    def never(*_: object) -> None:
        raise AssertionError("an encoder was opened in the window's process")

    monkeypatch.setattr(encoders, "unavailable_reason", never)
    find_encoder.cache_clear()
    desk.open("cfr.mp4")
    dialog = dialog_of(desk, tmp_path / "out.mkv")
    assert dialog.quality.encoder is not None
    with pytest.raises(OutputError, match="unknown codec 'h2644'"):
        find_encoder("h2644", CONTAINERS[".mkv"], (320, 180), "yuv420p", False)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(OutputError, match="could not be tried"):
        find_encoder("av1", CONTAINERS[".mkv"], (320, 180), "yuv420p", False)
    asked = dialog.quality.encoder
    assert (
        find_encoder("auto", CONTAINERS[".mkv"], (160, 96), "yuv420p", False) == asked
    )  # no other process is asked again


@pytest.mark.slow
def test_the_wheel_changes_nothing_in_the_dialog(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    dialog, hand = dialog_of(desk, tmp_path / "out.mp4"), Hand(desk)
    dialog.resize(dialog.width(), dialog.minimumSizeHint().height())
    before = dialog.spec
    controls = dialog.findChildren(QComboBox) + dialog.findChildren(QSpinBox) + [dialog.quality.slider.slider]
    assert len(controls) > 7
    for control in controls:
        for notches in (-1, 1):
            hand.turn(control, notches=notches)
    assert dialog.spec == before
    assert dialog.trial.length.currentIndex() == 1
