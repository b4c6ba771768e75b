"""Losses of a result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from av.video.format import VideoFormat

from framebrush.base.text import count_of
from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder
from framebrush.media.containers import Container
from framebrush.media.encoding.encoders import CODECS, EXR_BITS
from framebrush.media.encoding.pixels import CHROMA
from framebrush.media.ffmpeg_planes import has_alpha
from framebrush.media.tags import NOTHING_SAID
from framebrush.media.video import VideoInfo

Key = Literal[
    "chroma",  # chroma resolution, or all colours
    "bits",  # bits per colour, or levels
    "fields",  # of interlaced video
    "hdr",
    "alpha",
    "aspect",  # of the samples
    "timecode",
    "metadata",  # of file or streams: names, places, languages, dispositions such as "forced"
    "stream",  # left out
    "sound",  # re-encoded
    "subtitles",  # converted to another form
    "priming",  # an encoder's samples before the first audible one
    "damage",  # found while painting: missing or unreadable frames, sound or end
]


@dataclass(frozen=True, slots=True)
class Loss:
    """Property of the source that a result lacks.

    text: after "lost: ". incomplete: causes exit status 3.
    """

    key: Key
    text: str
    incomplete: bool = False


def damage_of(sentences: Iterable[str]) -> tuple[Loss, ...]:
    """Convert sentences about damage to losses."""
    return tuple(Loss("damage", sentence, incomplete=True) for sentence in sentences)


ALPHA = Loss("alpha", "the alpha channel (the colours are painted as they are)")


def sentence(losses: Iterable[Loss]) -> str:
    """Join losses to a sentence."""
    phrases = "; ".join(loss.text for loss in losses)
    return phrases and f"lost: {phrases}"


def _levels(form: FrameFormat) -> int:
    return 1 << form.bits if form.full_range or form.floating else (219 << form.bits - 8) + 1


def picture_losses(
    info: VideoInfo, frames: FrameFormat, codec: str, container: Container, *, woven: bool = False
) -> list[Loss]:
    """Return the picture's losses in a codec. woven: tagged as interlaced."""
    losses: list[Loss] = []
    form, stored = info.format, VideoFormat(info.pix_fmt)
    chroma = None if form.layout is PlaneOrder.GREY else CHROMA.get(form.subsample)
    if frames.layout is PlaneOrder.GREY is not form.layout:
        losses.append(Loss("chroma", "colours (grey, as asked)"))
    elif chroma is not None and any(ours > own for ours, own in zip(frames.subsample, form.subsample, strict=True)):
        losses.append(Loss("chroma", f"chroma resolution ({chroma} becomes {CHROMA[frames.subsample]})"))
    bits = form.bits if stored.is_bayer else max((part.bits for part in stored.components), default=form.bits)
    kept = EXR_BITS if codec == "exr" else frames.bits
    if bits > kept:
        losses.append(Loss("bits", f"{bits - kept} of {bits} bits per colour"))
    elif (levels := _levels(frames)) < (had := _levels(form)) and form.matrix is not Matrix.RGB:
        losses.append(Loss("bits", f"{had - levels} of {had} levels (full range becomes limited)"))
    if info.deinterlaced in ("auto", "single"):
        fields = "merged"
        if info.rate:
            fields = f"{float(2 * info.rate):.5g} a second become {count_of(float(info.rate), 'frame')}"
        losses.append(Loss("fields", f"half of the fields ({fields}; --deinterlace double keeps all)"))
    elif info.woven and frames.height != info.format.height:
        losses.append(Loss("fields", "the fields (woven, as asked, and mixed by the other height)"))
    elif info.woven and not woven:
        losses.append(Loss("fields", "the order of the fields (woven, as asked, into frames marked progressive)"))
    if frames.transfer is not form.transfer:
        losses.append(Loss("hdr", "HDR and its metadata (tone-mapped to SDR; --hdr keep keeps it)"))
    if container.palette:
        losses.append(Loss("bits", f"colours (each picture has {container.palette}, dithered)"))
    if info.path is not None and has_alpha(stored) and not (form.alpha and frames.alpha):
        losses.append(ALPHA)
    turned = info.mirrored or info.rotation_degrees
    if turned and not (container.keeps_films or container.pictures or container.is_animation):
        losses.append(Loss("metadata", f"the rotation to be shown upright ({container.name} cannot hold it)"))
    if info.sample_aspect != 1 and codec in container.without_aspect:
        words = f"the sample aspect {info.sample_aspect} ({container.name} has no place for it with {CODECS[codec]})"
        losses.append(Loss("aspect", words))
    if not container.records_colours and not container.piped:
        tags = [("primaries", info.tags.primaries), ("transfer", info.tags.transfer)]
        if codec != "utvideo" and frames.matrix is not Matrix.RGB:  # implied by the codec's name
            tags.insert(0, ("matrix", info.tags.matrix))
        said = [name for name, code in tags if code not in NOTHING_SAID]
        if said:
            losses.append(Loss("metadata", f"the {', '.join(said)} of the colours ({container.name} cannot hold them)"))
    if info.sample_aspect != 1 and container.is_animation:
        words = f"the sample aspect {info.sample_aspect} ({container.name} has square pixels; --size changes the shape)"
        losses.append(Loss("aspect", words))
    return losses
