"""First frame of a file, which sets the format."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
from av.video.frame import VideoFrame as AVFrame

from framebrush.base.text import first_line
from framebrush.gpu.device import Device
from framebrush.gpu.frame import Matrix, Transfer
from framebrush.media.boxes import Rectangle
from framebrush.media.ffmpeg_planes import Planes, downloaded, is_grey, stored
from framebrush.media.reading.chapters import read_chapters
from framebrush.media.reading.cmyk import claimed_size
from framebrush.media.reading.coded_timecode import coded_timecode
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.fields import top_field_first
from framebrush.media.reading.open import check_size, first_picture, picture_path
from framebrush.media.reading.orientation import orientation_of
from framebrush.media.reading.profile import colour_profile
from framebrush.media.reading.sample_entry import SampleEntry, read_sample_entry
from framebrush.media.reading.timecode import timecode_of
from framebrush.media.tags import (
    HLG,
    MATRICES,
    NOTHING_SAID,
    PQ,
    SRGB,
    doubts,
    has_dolby_vision,
    is_dolby_vision_only,
    light_of,
    mastering_of,
    tags_of,
)
from framebrush.media.to_srgb import ToSrgb
from framebrush.media.video import USUAL_RATE, InputError, OpenOptions, VideoInfo


class FirstFrame:
    """First frame of a file.

    Attributes:
        info: of the whole file.
        planes: converter of all frames.
        notes: for users.
        own_size: of converted frames, in words.
        profile_problem: why an ICC profile was ignored.
    """

    def __init__(
        self, path: Path, opening: OpenOptions, decoder: Decoder, device: Device | None, hardware: str | None
    ) -> None:
        """Decode the first frame. device: painting device. Raises InputError."""
        self._path, self._opening, self._decoder, self._device = path, opening, decoder, device
        self._profile: bytes | None = None
        self._first_picture: int | None = None  # of numbered pictures
        self.notes: list[str] = []
        self.profile_problem = ""
        self.frame = self._decoded(hardware)
        self.info = self._facts(self.frame)
        self.notes += doubts(self.info.tags, self.info.format)

    def has_other_profile(self, frame: AVFrame, number: int) -> bool:
        """Return whether a numbered picture's ICC profile differs."""
        return self._first_picture is not None and self._profile_of(frame, self.info.codec, number) != self._profile

    def _decoded(self, hardware: str | None) -> AVFrame:
        if hardware is not None and self._decoder.source.hardware is None:
            self.notes.append(f"no hardware decoder ({hardware}) for this file here: decoding on the CPU")
        first = next(self._decoder.frames, None)
        if problem := self._not_on_the_gpu(first):
            self.notes.append(f"{problem}: decoding on the CPU")
            self._decoder.restart(None)
            first = next(self._decoder.frames, None)
        if self._decoder.encrypted:  # decoded frames, if any, would be noise
            raise InputError(f"{self._path} is encrypted; decrypt it first")
        if first is None:
            if self._opening.rate is None and (claimed := claimed_size(self._path, self._decoder.source.codec)):
                check_size(self._path, *claimed)
            raise InputError(f"{self._path}: no frame of it can be decoded; check that the file is whole")
        return first

    def _not_on_the_gpu(self, first: AVFrame | None) -> str:
        source = self._decoder.source
        if source.hardware is None:
            return ""
        if first is None:
            return f"{source.hardware} failed to decode this file"
        if self._device is not None and self._decoder.deinterlacing:
            return "interlaced video is not decoded on the GPU"
        context = source.stream.codec_context
        if (first.width, first.height) != (context.width, context.height):
            return "a picture cropped at its left or top is not decoded on the GPU"  # FFmpeg crops only the other sides
        return ""

    def _facts(self, first: AVFrame) -> VideoInfo:
        decoder = self._decoder
        stream, container = decoder.source.stream, decoder.source.container
        try:
            entry = read_sample_entry(self._path, stream.index, first.width, first.height)
            picture = decoder.source.picture
            crop = entry.clean_aperture if picture is None else picture.part
            self.planes, in_srgb = self._coloured(first, crop)
        except (ValueError, OSError, av.error.FFmpegError) as error:
            raise not_converted(self._path, error) from None
        self._take_dolby_vision(entry, first)
        lies = orientation_of(first) if picture is None else picture.orientation
        if stream.duration:
            duration_s = float(stream.duration * decoder.source.time_base)
        else:
            duration_s = (container.duration or 0) / av.time_base
            if container.format.name == "matroska,webm":  # includes the time before the first frame
                duration_s -= max(0.0, float(pts_of(first) * decoder.time_base))
        hdr = self.planes.format.transfer is not Transfer.SDR
        return VideoInfo(
            path=self._path,
            container=container.format.name,
            codec=decoder.source.codec,
            stream_index=stream.index,
            pix_fmt=stored(first).name,
            format=self.planes.format,
            tags=SRGB if in_srgb else self.planes.tags,
            time_base=decoder.time_base,
            rate=decoder.rate,
            start_pts=pts_of(first),
            duration_s=duration_s if duration_s > 0 else None,
            sample_aspect=stream.sample_aspect_ratio or Fraction(1),
            rotation_degrees=lies.rotation_degrees,
            interlaced=decoder.interlaced,
            mirrored=lies.mirrored,
            opening=self._opening,
            deinterlaced=decoder.mode if decoder.deinterlacing else None,
            top_first=decoder.deinterlacing or not decoder.interlaced or top_field_first(downloaded(first)),
            mastering=mastering_of(first) if hdr else None,
            light=light_of(first) if hdr else None,
            in_srgb=in_srgb,
            chapters=read_chapters(container.chapters(), pts_of(first) * decoder.time_base),
            timecode=timecode_of(container, stream)
            or coded_timecode(
                first,
                pts_of(first) * decoder.time_base,
                stream.average_rate or USUAL_RATE,
                decoder.source.codec,
                self._path,
                self._opening,
                stream.index,
            ),
        )

    def _coloured(self, first: AVFrame, crop: Rectangle | None) -> tuple[Planes, bool]:
        source = self._decoder.source
        codec, inks, to_srgb = source.codec, source.inks, None
        if inks is not None and (inks.in_srgb or inks.problem):
            self.profile_problem = inks.problem  # already among the source's problems
        else:
            try:
                to_srgb = self._to_srgb(first, codec)
            except ValueError as error:
                self.profile_problem = f"its colour profile {error}: it is ignored"
                self.notes.append(f"{self._path.name}: {self.profile_problem}")
        size = source.size_of_growing(first)
        planes = Planes(first, codec, crop, self._device, to_srgb, size)
        self.own_size = "its own" if size is None else f"the size of the film, {size[0]}x{size[1]}"
        brought = inks is not None and inks.in_srgb
        if to_srgb is not None or (brought and not self.profile_problem):
            bits = max(component.bits for component in stored(first).components)
            coarser = bits > planes.format.bits or (inks is not None and inks.deep)
            words = ", in 8 bits a channel" if coarser else ""
            self.notes.append(f"{self._path.name}: its colours are converted from its profile to sRGB{words}")
        return planes, to_srgb is not None or brought

    def _to_srgb(self, first: AVFrame, codec: str) -> ToSrgb | None:
        if not self._decoder.source.is_photograph or tags_of(first).transfer in (PQ, HLG):
            return None
        if self._opening.rate is not None:
            self._first_picture = first_picture(self._path).start
        self._profile = self._profile_of(first, codec, 0)
        if self._profile is None:
            return None
        to_srgb, tags = ToSrgb(self._profile), tags_of(first)
        if to_srgb.of_greys and not is_grey(downloaded(first)):
            raise ValueError("is for GRAY channels, not for those of the picture")
        # The profile overrides the colour codes.
        if not to_srgb.changes and tags.primaries in (*NOTHING_SAID, SRGB.primaries):
            return None
        if MATRICES.get(tags.matrix) in (Matrix.YCGCO, Matrix.CHROMA_DERIVED):
            raise ValueError("is not applied to samples of so rare a matrix")
        return to_srgb

    def _profile_of(self, frame: AVFrame, codec: str, number: int) -> bytes | None:
        path = self._path
        if self._first_picture is not None:
            path = picture_path(path, self._first_picture + number)
        with suppress(OSError):
            return colour_profile(path, codec, frame, self._decoder.source.picture)
        return None

    def _take_dolby_vision(self, entry: SampleEntry, first: AVFrame) -> None:
        if entry.dolby_vision_only or is_dolby_vision_only(first):
            if not self._opening.dolby_vision:
                raise InputError(
                    f"{self._path} has Dolby Vision colours only (profile 5); convert it to HDR10 first",
                    do="or accept wrong colours with --allow-dolby-vision",
                )
            self.notes.append("Dolby Vision colours only: they are read as those of other video, and come out wrong")
        elif entry.dolby_vision is not None or has_dolby_vision(first):
            profile = "" if entry.dolby_vision is None else f", profile {entry.dolby_vision}"
            self.notes.append(f"Dolby Vision{profile}: the base layer is painted, which other players show too")


def not_converted(path: Path, error: Exception) -> InputError:
    """Return the error for an unsupported format."""
    return InputError(f"{path}: {first_line(error)}; convert it to H.264 in BT.709 first")


def pts_of(frame: AVFrame) -> int:
    assert frame.pts is not None
    return frame.pts
