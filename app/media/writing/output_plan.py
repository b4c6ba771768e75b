"""Plan of an output."""

from __future__ import annotations

import errno
import math
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from av.container import InputContainer
from av.video.format import VideoFormat

from framebrush.base.signals import Ending
from framebrush.base.text import count_of, first_line, printable
from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder
from framebrush.media.containers import Container, Stream, container_for
from framebrush.media.disk import check_no_video, disk_error
from framebrush.media.encoding.encoder_frames import OutputTags, encoder_format, output_tags
from framebrush.media.encoding.encoders import CODECS, EXR_BITS, BitRate, Choice, Encoder, choose_encoder
from framebrush.media.encoding.hdr_metadata import HdrData, check_hdr, hdr_words, light_losses
from framebrush.media.encoding.pixels import AUTO, CHROMA, Hdr, name_of, packing_of, parsed
from framebrush.media.encoding.result_losses import ALPHA, Loss, picture_losses
from framebrush.media.ffmpeg_planes import has_alpha
from framebrush.media.live.live_sound import LiveSound
from framebrush.media.reading.continuous_clock import FORWARD_S, may_jump
from framebrush.media.reading.fields import CADENCES
from framebrush.media.reading.open import is_picture_of, open_media, picture_path
from framebrush.media.reading.timecode import Timecode, first_timecode
from framebrush.media.streams.stream_metadata import metadata_losses, with_table_of_keys
from framebrush.media.streams.stream_plan import Item, plan_streams
from framebrush.media.streams.stream_timing import repeated
from framebrush.media.video import OutputError, TimeRange, VideoInfo
from framebrush.media.writing.target_size import Beside, measure_beside, picture_rate, size_words

GROWN = (
    "the source grew while it was painted: what was added at its end may be missing; paint it again once it is complete"
)
"""Sentence about a growing source."""

_SHORTEST_S = Fraction(2, 100)
"""Shortest duration of an animation's picture: browsers show shorter ones for a tenth of a second."""


_SAME_RATE = Fraction(3, 10_000)
"""Largest relative difference between names of one rate, 23.98 and 24000/1001; 24 is three times as far."""


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Output options of a user, None for defaults. Raises ValueError.

    Attributes:
        codec: "auto", a codec or an encoder.
        crf: quality number, lower is better.
        stream: format of standard output.
        target_bytes: size limit, in place of crf.
        aim_bytes: lower target after exceeding it.
    """

    codec: str = "auto"
    crf: float | None = None
    preset: str | None = None
    pix_fmt: str = AUTO
    audio: Literal["copy", "none"] = "copy"
    overwrite: bool = False
    stream: Stream | None = None
    target_bytes: int | None = None
    hdr: Hdr = "sdr"
    aim_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.target_bytes is not None and self.target_bytes < 1:
            raise ValueError(f"a target size of {self.target_bytes} bytes is none")
        if self.target_bytes is not None and self.crf is not None:
            raise ValueError("a quality (--crf) and a target size exclude each other: one follows from the other")
        if parsed(self.pix_fmt) != self.pix_fmt:
            raise ValueError(f"the pixel format {self.pix_fmt!r} is called {parsed(self.pix_fmt)}")


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """Everything that the writer needs.

    Attributes:
        decisions: sentences to show before.
        made_of: provenance.
        part_of: final file of a part.
        source_grown: returns whether the source has grown; raises InputError if it changed.
        zero_s: source time that becomes 0, None for the first frame's.
        before: number of frames ahead of the source's.
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
    timecode: Timecode | str | None = None
    sound: LiveSound | None = None
    made_of: str = ""
    light: HdrData | None = None
    source_grown: Callable[[], bool] = lambda: False
    most_bytes: int | None = None
    part_of: Path | None = None
    before: int = 0
    ending: Ending = field(default_factory=Ending, compare=False)

    @property
    def result(self) -> Path:
        """Path to show to users."""
        return self.part_of or self.target

    @property
    def incomplete(self) -> bool:
        """Whether data is missing that the container could hold."""
        return any(loss.incomplete for loss in self.losses)

    @property
    def to_the_end(self) -> bool:
        return self.span.end is None and self.span.frames is None

    def timecode_at(self, pts: int) -> str | None:
        """Return a source time's timecode."""
        if not isinstance(self.timecode, Timecode):
            return self.timecode
        passed_s = (pts - self.info.start_pts) * self.info.time_base
        return str(self.timecode.after(round(passed_s * self.timecode.rate)))

    def ticks_of(self, frames: int) -> int:
        """Return frames' duration in source ticks."""
        return round(frames / self.info.usual_rate / self.info.time_base)

    @property
    def frame_format(self) -> FrameFormat:
        """`frames` in the encoder's layout."""
        if self.container.pictures:
            return self.frames
        return encoder_format(self.frames, self.choice.frame_pixel_format)


def plan_output(
    info: VideoInfo,
    target: Path,
    options: OutputOptions,
    frames: FrameFormat,
    span: TimeRange,
    *,
    before_s: Fraction = Fraction(),
) -> OutputPlan:
    """Plan a file of `frames`. Raises OutputError, InputError.

    before_s: length of frames ahead of the source's.
    """
    container = container_for(target, options.stream)
    if not container.piped:
        target = _checked(info, target.absolute(), container, overwrite=options.overwrite)
    size = frames.width, frames.height
    if container.is_animation:
        size = info.orientation.turned(size)
    info = paced(info, container)
    before = max(1, round(before_s * info.usual_rate)) if before_s else 0
    choice = _encoder_for(options, container, size, frames)
    check_hdr(frames, choice.encoder, container)
    light = HdrData.of(info, frames, choice.encoder, container)
    tags = output_tags(info, frames)
    woven = info.woven and frames.height == info.format.height and choice.encoder.weaves(choice.height, container)
    if woven:
        tags = replace(tags, fields="top" if info.top_first else "bottom")
    found = _find(info, container, options.audio, span)
    if before:
        _check_beginning(container, found.items)
    if options.target_bytes is not None:
        size_bytes = options.aim_bytes or options.target_bytes
        choice = _of_size(choice, size_bytes, info, container, found.items, span, before)
    lost = picture_losses(info, frames, choice.encoder.codec, container, woven=woven)
    shown = replace(frames, width=size[0], height=size[1])
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
        (
            *picture_words(choice, shown, options.target_bytes, lossless=_is_lossless(info, frames, choice, lost)),
            *hdr_words(light),
            *_field_words(info, tags),
            *stream_words(container, frames, info, repeated(info, span, container) if container.is_counted else 0),
            *found.decisions,
        ),
        (*lost, *light_losses(info, frames, choice.encoder, container), *found.losses),
        found.timecode,
        light=light,
        most_bytes=options.target_bytes,
        before=before,
    )


def _check_beginning(container: Container, items: Sequence[Item]) -> None:
    if container.is_counted and items:
        raise OutputError(
            f"{container.name} begins its sound with its picture, which a reveal precedes",
            do="use .mov, .mkv or .mp4, or --audio none",
        )


def _of_size(
    choice: Choice,
    size_bytes: int,
    info: VideoInfo,
    container: Container,
    items: Sequence[Item],
    span: TimeRange,
    before: int,
) -> Choice:
    beside, pixels = measure_beside(info, container, items, span), choice.width * choice.height
    return replace(choice, rate=BitRate.of(picture_rate(size_bytes, info, pixels, span, beside, before=before)))


def _encoder_for(options: OutputOptions, container: Container, size: tuple[int, int], frames: FrameFormat) -> Choice:
    return choose_encoder(
        options.codec,
        options.crf,
        options.preset,
        container,
        size,
        name_of(frames),
        sized=options.target_bytes is not None,
        full_range=frames.full_range and frames.matrix is not Matrix.RGB,
    )


def expected_losses(
    info: VideoInfo,
    container: Container,
    encoder: Encoder,
    audio: Literal["copy", "none"],
    frames: FrameFormat,
    span: TimeRange,
    *,
    woven: bool,
) -> tuple[Loss, ...]:
    """Return a plan's losses, reading the source. Raises InputError."""
    return (
        *picture_losses(info, frames, encoder.codec, container, woven=woven),
        *light_losses(info, frames, encoder, container),
        *_find(info, container, audio, span).losses,
    )


def expected_beside(info: VideoInfo, container: Container, audio: Literal["copy", "none"], span: TimeRange) -> Beside:
    """Measure a result's other streams. Raises InputError."""
    return measure_beside(info, container, _find(info, container, audio, span).items, span)


@dataclass(frozen=True, slots=True)
class _Found:
    container: Container
    zero_s: Fraction | None
    items: tuple[Item, ...] = ()
    decisions: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    timecode: Timecode | str | None = None


def _find(info: VideoInfo, container: Container, audio: Literal["copy", "none"], span: TimeRange) -> _Found:
    if info.path is None:
        zero_s, words = timing(info, None, span, counted=container.is_counted)
        return _Found(container, zero_s, decisions=tuple(words))
    with open_media(info.path, info.opening) as source:
        picture = source.streams[info.stream_index]
        zero_s, words = timing(info, source, span, counted=container.is_counted)
        items, stream_words, losses = plan_streams(source, info, container, audio, zero_s)
        container = with_table_of_keys(container, source.metadata)
        streams = [source.streams[item.index] for item in items]
        marked = [stream for stream in streams if stream.type in ("audio", "subtitle")]
        marks = {key.lower(): value for key, value in picture.metadata.items()}
        if marks.get("alpha_mode") == "1" and not has_alpha(VideoFormat(info.pix_fmt)):
            losses += (ALPHA,)  # in a separate stream, as in VP9
        rate, cadence = info.usual_rate, CADENCES[info.deinterlaced or "off"]
        timecode = first_timecode(info) or info.timecode
        if isinstance(timecode, str) and (span.start is not None or cadence.taken != cadence.given):
            words_of = f"the timecode {printable(timecode)[:20]} (it does not count frames at the rate of the film)"
            losses += (Loss("timecode", words_of),)
            timecode = None
        trial = None if timecode is None else str(timecode)
        lost, holds_timecode = metadata_losses(source, picture, marked, container, rate, trial)
    kept = timecode if holds_timecode else None
    return _Found(container, zero_s, items, (*words, *stream_words), (*losses, *lost), kept)


def plan_recording(plan: OutputPlan, sound: LiveSound | None, audio: Literal["copy", "none"]) -> OutputPlan:
    """Complete a live source's plan: its first frame becomes 0."""
    if plan.container.is_counted:
        raise OutputError(
            f"{plan.container.name} counts frames at an even pace, and {plan.info.name} has no even pace; "
            "use .mkv, .mov or .mp4"
        )
    plan = replace(plan, zero_s=None)
    if sound is None or audio == "none":
        return plan
    if plan.container.alone:
        words = f"sound: {printable(sound.name)} left out: {plan.container.name} holds only pictures"
        return replace(plan, losses=(*plan.losses, Loss("stream", words)))
    words = f"sound: {printable(sound.name)}, recorded as {plan.container.audio_encoder}"
    return replace(plan, sound=sound, decisions=(*plan.decisions, words))


def _checked(info: VideoInfo, target: Path, container: Container, *, overwrite: bool) -> Path:
    check_target(info.path, target, overwrite=overwrite)
    if os.path.islink(target):  # noqa: PTH114 - unlike pathlib's it takes a name that is too long
        target = Path(os.path.realpath(target))  # keeps the link and replaces its file
    if container.pictures:
        check_numbered(info, target)
    check_folder(target)
    return target


def check_target(source: Path | None, target: Path, *, overwrite: bool) -> None:
    """Raise OutputError if the target must not be overwritten."""
    if not os.path.lexists(target):
        return
    if target.exists() and source is not None and source.exists() and source.samefile(target):
        raise OutputError(f"{target} is the input itself; give the output another name")
    if source is not None and is_picture_of(source, target):
        raise OutputError(f"{target} is a picture of the input; give the output another name")
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


def check_numbered(info: VideoInfo, target: Path) -> None:
    """Raise OutputError if the target is the source."""
    if info.path is None or info.opening.rate is None:
        return
    if picture_path(info.path, 0).resolve() == picture_path(target, 0).resolve():
        raise OutputError(f"{target} is the input itself; give the output another name")


def check_report(path: Path) -> None:
    """Raise OutputError if text cannot be written."""
    check_no_video(path)
    if path.is_dir():
        raise OutputError(f"{path} is a folder; give another name")
    check_folder(path)


def check_folder(target: Path, *, longest: str = "") -> None:
    """Raise OutputError if the folder refuses a file's name."""
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
        raise disk_error(error, folder, f"cannot write to the folder {folder}") from error


def _is_lossless(info: VideoInfo, frames: FrameFormat, choice: Choice, losses: Sequence[Loss]) -> bool:
    kept = info.format.holds_as(frames) and not info.in_srgb
    return choice.encoder.is_lossless(choice.crf) and kept and not losses


def picture_words(
    choice: Choice, frames: FrameFormat, target_bytes: int | None = None, *, lossless: bool = False
) -> list[str]:
    """Return sentences on encoder, settings and padding."""
    preset = f", preset {choice.preset}" if choice.preset else ""
    crf = "" if choice.crf is None else f" crf {choice.crf:g}"
    if choice.rate is not None and target_bytes is not None:
        crf = f" at up to {choice.rate.mean / 1000:.0f} kbit/s for {size_words(target_bytes)}"
    video = f"video: {choice.encoder.name}{crf}{preset}, {_sample_words(frames, choice)}"
    if lossless:
        video += ", lossless"
    if choice.encoder.is_hardware:
        video += ", hardware that works on this machine"
    elif choice.tried:
        video += "; no hardware encoder for it works on this machine"
    words = [video]
    if (choice.width, choice.height) != (frames.width, frames.height):
        words.append(
            f"picture of {frames.width}x{frames.height} padded to {choice.width}x{choice.height} by repeating its "
            f"edge: {_size_rule(choice)}"
        )
    return words


def _field_words(info: VideoInfo, tags: OutputTags) -> list[str]:
    if tags.fields is not None:
        return [f"fields: woven, as asked; the {tags.fields} one is shown first"]
    if info.deinterlaced not in ("double", "ivtc") or info.rate is None:
        return []
    cadence = CADENCES[info.deinterlaced]
    before, after = float(info.rate * cadence.taken / cadence.given), float(info.rate)
    how = "a frame of each" if info.deinterlaced == "double" else "put together as before the pulldown"
    return [f"fields: {how}; {count_of(before, 'frame')} a second become {after:.5g}"]


def paced(info: VideoInfo, container: Container) -> VideoInfo:
    """Return the video at the container's nearest rate."""
    near = [] if info.rate is None else [one for one in container.rates or () if abs(info.rate / one - 1) < _SAME_RATE]
    if container.rates is not None and info.rate is not None and not near:
        rates = ", ".join(f"{float(rate):.5g}" for rate in sorted(container.rates))
        raise OutputError(
            f"{container.name} cannot have {count_of(float(info.rate), 'frame')} a second as {info.name} has, "
            f"only {rates}; use .mov, .mkv or .mp4"
        )
    if container.tick_s is not None and info.rate is not None and info.rate * container.tick_s > 1:
        raise OutputError(
            f"{container.name} shows {1 / container.tick_s} pictures a second at most, and {info.name} has "
            f"{float(info.rate):.5g}; use .webp, .mp4 or .mkv"
        )
    return replace(info, rate=near[0]) if near else info


def stream_words(container: Container, frames: FrameFormat, info: VideoInfo, repeats: int = 0) -> list[str]:
    """Return facts that a raw stream lacks."""
    if container.tick_s is not None:
        return tick_words(container.tick_s, info)
    if not (container.piped and container.alone) and not container.is_counted:
        return []
    words = []
    if frames.matrix is not Matrix.RGB and not container.records_colours:
        codes = "full" if frames.full_range else "limited"
        words.append(f"colours: {frames.matrix}, {codes} range, which {container.name} does not record")
    if container.constant_rate:
        rate = count_of(float(info.usual_rate), "frame")
        words.append(f"time: {rate} a second, as {container.name} keeps no other times")
    if repeats:
        words.append(f"time: {count_of(repeats, 'frame')} added to fill gaps: each repeats the frame before it")
    return words


def tick_words(tick_s: Fraction, info: VideoInfo) -> list[str]:
    """Return sentences on rounded times."""
    shown_s = 1 / info.usual_rate
    words = []
    if (shown_s / tick_s).denominator != 1:
        words.append(f"time: each picture's is rounded to 1/{1 / tick_s} s")
    if shown_s < _SHORTEST_S:
        words.append(f"time: {float(1 / shown_s):.5g} pictures a second, which many players show more slowly")
    return words


def _sample_words(frames: FrameFormat, choice: Choice) -> str:
    alpha = " with alpha" if frames.alpha else ""
    if frames.floating:
        bits = EXR_BITS if choice.encoder.codec == "exr" else frames.bits
        return f"floats of {bits} bits R'G'B'{alpha}"
    if frames.matrix is Matrix.RGB:
        return f"{frames.bits} bits R'G'B'{alpha}"
    if frames.layout is PlaneOrder.GREY:
        return f"{frames.bits} bits grey"
    return f"{frames.bits} bits" + ("" if frames.subsample == (1, 1) else f" {CHROMA[frames.subsample]}") + alpha


def _size_rule(choice: Choice) -> str:
    least = choice.encoder.min_size_px
    if any(side == low > 1 for side, low in zip((choice.width, choice.height), least, strict=True)):
        if least[0] == least[1]:
            return f"{choice.encoder.name} writes no side of less than {least[0]} px"
        return f"{choice.encoder.name} writes nothing smaller than {least[0]}x{least[1]}"
    if (multiple := choice.encoder.multiple_px) != (1, 1):
        return f"{choice.encoder.name} writes multiples of {multiple[0]}x{multiple[1]} px only"
    chroma = CHROMA[packing_of(choice.pix_fmt).subsample]
    return f"{CODECS[choice.encoder.codec]} holds even sizes only in {chroma}"


def timing(
    info: VideoInfo, source: InputContainer | None, span: TimeRange, *, counted: bool = False
) -> tuple[Fraction | None, list[str]]:
    """Return the source time that becomes 0, and a sentence if unusual."""
    if span.start is not None:
        return None, []
    starts = info.start_s
    if counted:
        return starts, [f"time: {float(starts):.3f} s of the source becomes 0"] if starts else []
    if source is not None and may_jump(source):
        # broadcast clocks start anywhere; players count from the first packet
        begins = [
            stream.start_time * stream.time_base
            for stream in (*source.streams.audio, *source.streams.video)
            if stream.start_time is not None and stream.time_base is not None
        ]
        first = min((begin for begin in begins if 0 <= starts - begin <= FORWARD_S), default=starts)
        begin = starts - math.ceil((starts - first) / info.time_base) * info.time_base
        return begin, [f"time: {float(begin):.3f} s of the source becomes 0"] if begin else []
    if starts < 0:
        return starts, [f"time: all streams moved by {float(-starts):.3f} s, as the picture starts before 0"]
    return Fraction(0), []
