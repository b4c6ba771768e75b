"""What will be written, decided and said before the work starts."""

from __future__ import annotations

import math
import os
import secrets
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, cast

import av
from av.format import Flags

from framebrush.gpu.frame import FrameFormat
from framebrush.media.containers import Container, container_for
from framebrush.media.encoder_frames import OutputTags, encoder_format, output_tags
from framebrush.media.encoders import CODECS, Choice, choose_encoder
from framebrush.media.remux import Item, plan_streams
from framebrush.media.video import InputError, OutputError, TimeRange, VideoInfo


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
    """Everything the writer needs. decisions: one sentence each, to be shown before the work starts.

    zero_s: the time of the source that becomes 0 in the output, None where the first written frame says it (a range
    with a start). Otherwise an output time is the source's time less zero_s, which is 0 unless noted.
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
    check_folder(target)
    choice = choose_encoder(
        options.codec, options.crf, options.preset, container, (frames.width, frames.height), frames.bits
    )
    tags = output_tags(info, frames)
    items: tuple[Item, ...] = ()
    stream_words: tuple[str, ...] = ()
    if info.path is None:
        zero_s, clock_words = _clock(info, 0, None, span)
    else:
        try:
            with av.open(str(info.path.absolute()), metadata_errors="replace") as source:
                items, stream_words = plan_streams(source, info, container, options.audio)
                zero_s, clock_words = _clock(info, source.format.flags, source.start_time, span)
        except (av.FFmpegError, OSError) as error:
            raise InputError(f"{info.path} cannot be read for its other streams: {error.strerror or error}") from error
    decisions = (*_picture_words(info, choice, frames, container), *clock_words, *stream_words)
    return OutputPlan(info, target, container, choice, tags, frames, span, items, zero_s, options.overwrite, decisions)


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


def temporary_beside(target: Path) -> Path:
    """A new name in the target's folder, for the same kind of file, hidden where dots hide."""
    stem = target.stem.encode()[:80].decode(errors="ignore")  # names end at 255 bytes
    return target.with_name(f".{stem}.part-{secrets.token_hex(4)}{target.suffix}")


def check_folder(target: Path) -> None:
    """Raises OutputError where no file can be made beside `target`; leaves nothing there."""
    folder = target.parent
    if not folder.is_dir():
        raise OutputError(f"there is no folder {folder} to write {target.name} to; make it first")
    trial = temporary_beside(target)
    try:
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError as error:
        raise OutputError(f"cannot write to the folder {folder}: {error.strerror}") from error


def _picture_words(info: VideoInfo, choice: Choice, frames: FrameFormat, container: Container) -> list[str]:
    preset = f", preset {choice.preset}" if choice.preset else ""
    words = [f"video: {choice.encoder.name} crf {choice.crf:g}{preset}, {frames.bits} bits"]
    if choice.encoder.is_hardware:
        words[0] += ", hardware that works on this machine"
    elif choice.tried:
        words[0] += "; no hardware encoder for it works on this machine"
    if (choice.width, choice.height) != (frames.width, frames.height):
        words.append(
            f"picture of {frames.width}x{frames.height} padded to {choice.width}x{choice.height} by repeating its "
            f"edge: {CODECS[choice.encoder.codec]} holds even sizes only in 4:2:0"
        )
    if frames.transfer is not info.format.transfer:
        words.append("colours: tone-mapped to SDR, HDR metadata left out")
    if info.sample_aspect != 1 and not container.is_isobmff and choice.encoder.codec in ("av1", "vp9"):
        words.append(
            f"sample aspect {info.sample_aspect} lost: {container.name} as written here has no place for it with "
            f"{CODECS[choice.encoder.codec]}; use MP4, or H.264 or HEVC, to keep it"
        )
    return words


def _clock(info: VideoInfo, flags: int, start_us: int | None, span: TimeRange) -> tuple[Fraction | None, list[str]]:
    """Which time of the source becomes 0, and the sentence where that is not plain."""
    if span.start is not None:
        return None, []
    starts = info.start_pts * info.time_base
    if flags & cast(int, Flags.ts_discont.value):
        # A broadcast's clock starts anywhere; every player counts from its first packet.
        first = starts if start_us is None else min(starts, Fraction(start_us, 1_000_000))
        ahead = math.ceil((starts - first) / info.time_base - 1)  # whole ticks; FFmpeg rounds to microseconds
        begin = starts - max(0, ahead) * info.time_base
        return begin, [f"time: {float(begin):.3f} s of the source becomes 0"] if begin else []
    if starts < 0:
        return starts, [f"time: all streams moved by {float(-starts):.3f} s, for the picture starts before 0"]
    return Fraction(0), []
