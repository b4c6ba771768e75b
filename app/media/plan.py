"""What will be written, decided and said before the work starts."""

from __future__ import annotations

import errno
import math
import os
import secrets
import shutil
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from av.container import InputContainer

from framebrush.gpu.frame import FrameFormat
from framebrush.media.containers import Container, container_for
from framebrush.media.encoder_frames import OutputTags, encoder_format, output_tags
from framebrush.media.encoders import CODECS, Choice, choose_encoder
from framebrush.media.live_sound import LiveSound
from framebrush.media.losses import ALPHA, Loss, has_alpha, picture_losses
from framebrush.media.metadata import metadata_losses, timecode_of, with_table_of_keys
from framebrush.media.open import open_media
from framebrush.media.stream_plan import Item, plan_streams
from framebrush.media.timeline import FORWARD_S, may_jump
from framebrush.media.timing import USUAL_RATE
from framebrush.media.video import DiskFullError, OutputError, TimeRange, VideoInfo
from framebrush.models.text import first_line, printable


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What a person asked for; None leaves the choice to the program.

    codec: "auto", a codec (h264, hevc, av1, vp9) or an encoder by FFmpeg's name. crf: quality, lower is better, in the
    codec's own range. preset: of the encoder. bits: 8 or 10 a colour; None keeps 8 bits for an 8-bit source and takes
    10 for more. overwrite: whether an existing file may be replaced.
    """

    codec: str = "auto"
    crf: float | None = None
    preset: str | None = None
    bits: Literal[8, 10] | None = None
    audio: Literal["copy", "none"] = "copy"
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """Everything the writer needs. decisions: one sentence each, to be shown before the work starts. losses: what the
    output will lack of the source, as far as it is known by then. timecode: of the first frame, where it is kept.
    made_of: what the file says it was made of, see `media/made_of.py`; empty for nothing.

    sound: what is recorded beside a live picture, None without. zero_s: the time of the source that becomes 0 in the
    output, None where the first written frame says it (a range with a start, a live source). Otherwise an output time
    is the source's time less zero_s, which is 0 unless noted.
    """

    info: VideoInfo
    target: Path
    container: Container
    choice: Choice
    tags: OutputTags
    frames: FrameFormat
    span: TimeRange
    items: tuple[Item, ...]
    zero_s: Fraction | None
    overwrite: bool
    decisions: tuple[str, ...]
    losses: tuple[Loss, ...] = ()
    timecode: str | None = None
    sound: LiveSound | None = None
    made_of: str = ""

    @property
    def incomplete(self) -> bool:
        """Whether something will be missing that the container could hold."""
        return any(loss.incomplete for loss in self.losses)

    @property
    def frame_format(self) -> FrameFormat:
        """`frames` in the layout of the encoder's own pictures."""
        return encoder_format(self.frames, self.choice.pix_fmt)


def plan_output(
    info: VideoInfo, target: Path, options: OutputOptions, frames: FrameFormat, span: TimeRange
) -> OutputPlan:
    """Decides how `frames`, made from the video of `info`, become the file `target`.

    frames: 4:2:0 of 8 or 10 bits. span: the part of the video that will come. Touches nothing
    but a trial file in the output's folder. Raises OutputError for whatever is impossible, InputError if the source
    cannot be read.
    """
    target = target.absolute()
    container = container_for(target)
    check_target(info.path, target, overwrite=options.overwrite)
    if os.path.islink(target):  # noqa: PTH114 - unlike pathlib's it takes a name that is too long
        target = Path(os.path.realpath(target))  # the link stays, the file that it names is replaced
    check_folder(target)
    choice = choose_encoder(
        options.codec, options.crf, options.preset, container, (frames.width, frames.height), frames.bits
    )
    tags = output_tags(info, frames)
    found = _find(info, container, options.audio, span)
    return OutputPlan(
        info,
        target,
        found.container,
        choice,
        tags,
        frames,
        span,
        found.items,
        found.zero_s,
        options.overwrite,
        (*_picture_words(choice, frames), *found.decisions),
        (*picture_losses(info, frames, choice.encoder.codec, container), *found.losses),
        found.timecode,
    )


def expected_losses(
    info: VideoInfo,
    container: Container,
    codec: str,
    audio: Literal["copy", "none"],
    frames: FrameFormat,
    span: TimeRange,
) -> tuple[Loss, ...]:
    """The losses of the plan for a file in this container, without a look at its place or at encoders. codec: of
    CODECS. The rest is as in `plan_output`. Reads the source. Raises InputError."""
    return (*picture_losses(info, frames, codec, container), *_find(info, container, audio, span).losses)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the source's container says of a plan; the fields are those of `OutputPlan`."""

    container: Container
    zero_s: Fraction | None
    items: tuple[Item, ...] = ()
    decisions: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    timecode: str | None = None


def _find(info: VideoInfo, container: Container, audio: Literal["copy", "none"], span: TimeRange) -> _Found:
    if info.path is None:
        zero_s, words = _clock(info, None, span)
        return _Found(container, zero_s, decisions=tuple(words))
    with open_media(info.path, info.opening) as source:
        picture = source.streams[info.stream_index]
        zero_s, words = _clock(info, source, span)
        items, stream_words, losses = plan_streams(source, info, container, audio, zero_s)
        container = with_table_of_keys(container, source.metadata)
        others = [source.streams[item.index] for item in items if item.treatment in ("copy", "convert")]
        marked = [stream for stream in others if stream.type in ("audio", "subtitle")]
        marks = {key.lower(): value for key, value in picture.metadata.items()}
        if marks.get("alpha_mode") == "1" and not has_alpha(info):  # beside the picture, as VP9 has it
            losses += (ALPHA,)
        timecode = timecode_of(source, picture)
        if timecode is not None and span.start is not None:
            losses += (Loss("timecode", f"the timecode {printable(timecode)[:20]} (it is that of the first frame)"),)
            timecode = None
        lost, timecode = metadata_losses(source, picture, marked, container, info.rate or USUAL_RATE, timecode)
    return _Found(container, zero_s, items, (*words, *stream_words), (*losses, *lost), timecode)


def plan_recording(plan: OutputPlan, sound: LiveSound | None, audio: Literal["copy", "none"]) -> OutputPlan:
    """The plan for a live source: its first frame becomes 0, and the sound that comes beside it is encoded, or left out
    (audio "none")."""
    plan = replace(plan, zero_s=None)
    if sound is None or audio == "none":
        return plan
    words = f"sound: {printable(sound.name)}, recorded as {plan.container.audio_encoder}"
    return replace(plan, sound=sound, decisions=(*plan.decisions, words))


def check_target(source: Path | None, target: Path, *, overwrite: bool) -> None:
    """Raises OutputError if moving a finished file to `target` would destroy something unasked. source: the video's
    file, if it is one."""
    if not os.path.lexists(target):
        return
    if target.exists() and source is not None and source.exists() and source.samefile(target):
        raise OutputError(f"{target} is the input itself; give the output another name")
    if target.exists() and not target.is_file():
        raise OutputError(f"{target} is not a file; give the output another name")
    if not overwrite:
        raise OutputError(f"{target} exists already; overwrite it with -y or give the output another name")
    try:
        if target.exists():
            target.open("r+b").close()
    except OSError as error:
        raise OutputError(
            f"{target} cannot be overwritten ({first_line(error)}); give the output another name"
        ) from None


def check_folder(target: Path, *, longest: str = "") -> None:
    """Raises OutputError where no file of a name like `target` can be made in its folder; leaves nothing there.

    longest: the longest name of what is written beside it on the way.
    """
    folder = target.parent
    if not folder.is_dir():
        raise OutputError(f"there is no folder {folder} to write {target.name} to; make it first")
    name = longest or target.name
    length = len(name) if sys.platform == "win32" else len(os.fsencode(name))
    trial = target.with_name("." + secrets.token_hex(length)[: max(length - 1, 8)])
    try:
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise OutputError(f"{target.name}: the name is too long for this disk; give a shorter one") from None
        if error.errno in FULL:
            raise full(folder) from None
        raise OutputError(f"cannot write to the folder {folder}: {first_line(error)}") from error


FULL = (errno.ENOSPC, errno.EDQUOT)


def full(folder: Path, written: str = "") -> DiskFullError:
    """The error for a disk without room. written: what it took before, " after 1.5 MB of name"."""
    free = shutil.disk_usage(folder).free
    return DiskFullError(
        f"the disk of {folder} is full ({free / 1e6:.1f} MB left){written}; free some space or write elsewhere"
    )


def _picture_words(choice: Choice, frames: FrameFormat) -> list[str]:
    preset = f", preset {choice.preset}" if choice.preset else ""
    words = [f"video: {choice.encoder.name} crf {choice.crf:g}{preset}, {frames.bits} bits"]
    if choice.encoder.is_hardware:
        words[0] += ", hardware that works on this machine"
    elif choice.tried:
        words[0] += "; no hardware encoder for it works on this machine"
    if (choice.width, choice.height) != (frames.width, frames.height):
        words.append(
            f"picture of {frames.width}x{frames.height} padded to {choice.width}x{choice.height} by repeating its "
            f"edge: {_size_rule(choice)}"
        )
    return words


def _size_rule(choice: Choice) -> str:
    if choice.encoder.min_side_px in (choice.width, choice.height):
        return f"{choice.encoder.name} writes no side of less than {choice.encoder.min_side_px} px"
    return f"{CODECS[choice.encoder.codec]} holds even sizes only in 4:2:0"


def _clock(info: VideoInfo, source: InputContainer | None, span: TimeRange) -> tuple[Fraction | None, list[str]]:
    """Which time of the source becomes 0, and the sentence where that is not plain."""
    if span.start is not None:
        return None, []
    starts = info.start_pts * info.time_base
    if source is not None and may_jump(source):
        # A broadcast's clock starts anywhere; every player counts from its first packet.
        begins = [
            stream.start_time * stream.time_base
            for stream in (*source.streams.audio, *source.streams.video)
            if stream.start_time is not None and stream.time_base is not None
        ]
        first = min((begin for begin in begins if 0 <= starts - begin <= FORWARD_S), default=starts)
        begin = starts - math.ceil((starts - first) / info.time_base) * info.time_base
        return begin, [f"time: {float(begin):.3f} s of the source becomes 0"] if begin else []
    if starts < 0:
        return starts, [f"time: all streams moved by {float(-starts):.3f} s, for the picture starts before 0"]
    return Fraction(0), []
