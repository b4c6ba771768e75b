"""Safe opening of media files.

FFmpeg gets a list of formats, the file protocol and timeouts. Playlists and numbered pictures need permission and their
own folder.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import IO, Any, Protocol
from urllib.parse import unquote

import av
from av.codec.hwaccel import HWAccel
from av.container import InputContainer
from av.packet import Packet
from av.stream import Stream

from framebrush.base.file_names import NUMBER, PROJECT_SUFFIX
from framebrush.base.files import FileState, file_state, open_regular, read_bounded
from framebrush.base.text import first_line
from framebrush.media.reading.webp import MUXER, canvas, film_of, is_animated_webp
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions

OPEN_TIMEOUT_S = 30.0
READ_TIMEOUT_S = 30.0
"""Timeout in seconds for opening a file, and for reading a packet."""

FFMPEG = f"the bundled FFmpeg {av.ffmpeg_version_info}"
"""The FFmpeg version in messages: later versions decode more."""

MAX_FAILURES = 16
"""Consecutive demuxer errors after which the file is considered ended."""

MAX_SIDE_PX = 16384
MAX_AREA_PX = 1 << 27
"""Maximum picture area, 16384x8192: larger headers would allocate gigabytes before decoding."""

DECODER_OPTIONS = {"max_pixels": str(MAX_AREA_PX)}
"""Options of every video decoder, because sizes may change mid-stream."""

MAX_LIST_BYTES = 1 << 20  # searched for a playlist's end mark
MAX_SUBTITLE_BYTES = 16 << 20
SUBTITLE_FORMATS = {".srt": "srt", ".vtt": "webvtt"}
"""Suffixes of subtitle files beside a video, and FFmpeg's names of their demuxers."""

# Demuxers (FFmpeg's names) of formats with pictures or sound that refer to no other file.
_FORMATS = """
    4xm aa aac ac3 ac4 adts aiff amr anm ape apng apv asf asf_o au av1 avi avs avs2 avs3 bethsoftvid bfi bink bmv
    c93 caf cavsvideo cdxl cine dfa dhav dirac dnxhd dsicin dts dv dxa ea eac3 evc film_cpk filmstrip flac flic flv
    gdv gif gxf h261 h263 h264 hevc hnm ico idcin iff ifv image2 ingenient ipmovie ipu iss iv8 ivf ivr jpegxl_anim
    jv kux live_flv lmlm4 loas lvf lxf m4v matroska mgsts mjpeg mjpeg_2000 mm moflex mov mp3 mpeg mpegts mpegvideo
    mpjpeg mtv musx mv mvi mxf nsv nut nuv obu ogg paf pmp pva r3d rl2 rm roq rpl ser siff simbiosis_imx smjpeg smk
    smush swf tak thp tiertexseq tmv tta txd ty usm vc1 vc1test vivo vmd vvc w64 wav wc3movie webm wsvqa wtv wv xmv
    yop yuv4mpegpipe bmp_pipe cri_pipe dds_pipe dpx_pipe exr_pipe gem_pipe gif_pipe hdr_pipe j2k_pipe jpeg_pipe
    jpegls_pipe jpegxl_pipe jpegxs_pipe pam_pipe pbm_pipe pcx_pipe pfm_pipe pgm_pipe pgmyuv_pipe pgx_pipe phm_pipe
    photocd_pipe pictor_pipe png_pipe ppm_pipe psd_pipe qdraw_pipe qoi_pipe sgi_pipe sunrast_pipe tiff_pipe vbn_pipe
    webp_pipe xbm_pipe xpm_pipe xwd_pipe
"""


class ByteReader(Protocol):
    """Byte stream; `seek` is optional."""

    def read(self, size: int) -> bytes: ...


FORMATS = frozenset(_FORMATS.split())
PLAYLISTS = frozenset({"hls"})
_NUMBERS = re.compile(r"#{1,9}|\[(\d{1,9})-(\d{1,9})\]")
"""Numbers in the style of editors: one # per digit, or the first and the last number, as in [1001-1100]."""

_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})", re.ASCII)
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/+(.*)", re.IGNORECASE)


def open_media(
    path: Path,
    opening: OpenOptions = PLAIN_FILE,
    *,
    hwaccel: HWAccel | None = None,
    options: dict[str, str] | None = None,
) -> InputContainer:
    """Open a file. Raises InputError, with `hwaccel` PyAV's errors."""
    demuxer: dict[str, str] = {"pattern_type": "none"}
    if opening.rate is not None:
        demuxer = {"framerate": str(opening.rate), "start_number": str(first_picture(path).start)}
        path = _with_percent(path)
    else:
        check_file(path)
    formats = FORMATS | PLAYLISTS if opening.playlists else FORMATS
    try:
        container = av.open(
            # "file:" keeps FFmpeg from parsing a colon in the name as a protocol
            f"file:{path.absolute()}",
            "r",
            format=None if opening.rate is None else "image2",
            hwaccel=hwaccel,
            metadata_errors="replace",
            options={**demuxer, **(options or {})},
            container_options={"protocol_whitelist": "file", "format_whitelist": ",".join(sorted(formats))},
            io_open=_within_folder_of(path) if opening.playlists else None,
            timeout=(OPEN_TIMEOUT_S, READ_TIMEOUT_S),
        )
    except (av.error.FFmpegError, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        if hwaccel is not None:
            raise
        raise _why_not(path, opening, error) from None
    if container.format.name == "webp_pipe" and is_animated_webp(head := _head(path, 32)):
        container.close()
        check_size(path, *canvas(head))
        return av.open(film_of(path), "r", format=MUXER, hwaccel=hwaccel, options=options or {})
    return container


def open_stream(file: ByteReader, raw: Mapping[str, str] | None = None) -> InputContainer:
    """Open a byte stream. raw: FFmpeg's rawvideo options. Raises InputError."""
    formats = FORMATS if raw is None else {"rawvideo"}
    try:
        return av.open(
            file,
            "r",
            format=None if raw is None else "rawvideo",
            metadata_errors="replace",
            container_options={
                "protocol_whitelist": "",
                "format_whitelist": ",".join(sorted(formats)),
                **(raw or {}),
            },
        )
    except (av.error.FFmpegError, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        if raw is not None:
            raise InputError(f"-: standard input is no raw video ({first_line(error)})") from None
        raise InputError(
            f"-: standard input is not a video that can be read from a pipe ({first_line(error)}); NUT, Matroska, "
            "MPEG-TS and YUV4MPEG can"
        ) from None


def is_damaged_jpeg(path: Path) -> bool:
    """Return whether a JPEG has hidden damage. Raises InputError."""
    if _head(path, 2) != b"\xff\xd8":
        return False
    with open_media(path) as container:
        container.streams.video[0].codec_context.options = {"err_detect": "explode"}
        try:
            return next(container.decode(video=0), None) is None
        except av.error.FFmpegError:
            return True


def open_subtitles(path: Path) -> InputContainer:
    """Open a subtitle file in UTF-8, UTF-16 or Windows-1252. Raises InputError."""
    check_file(path)
    try:
        data = read_bounded(path, MAX_SUBTITLE_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    try:
        return av.open(
            io.BytesIO(text.encode("utf-8", "replace")),
            "r",
            format=SUBTITLE_FORMATS[path.suffix.lower()],
            metadata_errors="replace",
            container_options={"protocol_whitelist": ""},
        )
    except (av.error.FFmpegError, ValueError) as error:
        raise InputError(f"{path} holds no subtitles that can be read ({first_line(error)})") from None


def open_camera(kind: str, device: str, options: dict[str, str]) -> InputContainer:
    """Open a camera by FFmpeg's device, such as "v4l2". Raises PyAV's errors."""
    return av.open(device, "r", format=kind, metadata_errors="replace", container_options=options)


def check_file(path: Path) -> None:
    """Raise InputError if a file cannot be opened."""
    if (match := _ADDRESS.fullmatch(path.as_posix())) and not path.exists():
        address = f"{match[1]}://{match[2]}"  # a path has only one slash there
        raise InputError(f"{address}: addresses are not opened; download the video and name the file")
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a video file in it")
        if path.exists() and not path.is_file():
            pipe = f"or pipe it (framebrush transcode - OUT < {path})"
            raise InputError(f"{path} is not a regular file; copy the video to a file first", do=pipe)
        with path.open("rb") as file:
            empty = not file.read(1)
    except FileNotFoundError:
        if is_numbered(path):
            raise InputError(
                f"{path}: no such file", do="numbered pictures need a rate, as in transcode --rate 24"
            ) from None
        raise InputError(f"{path}: no such file; check the name and the folder") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read it; change its permissions or copy it elsewhere") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"{path}: cannot be opened ({first_line(error)}); check the name and the disk") from None
    if empty:
        raise InputError(f"{path} is empty; copy or download it again")


def is_numbered(path: Path) -> bool:
    """Return whether a path means numbered pictures: %04d, ####, [0001-0100]."""
    return NUMBER.search(_with_percent(path).name) is not None and not path.exists()


def _with_percent(path: Path) -> Path:
    found = list(_NUMBERS.finditer(path.name))
    if len(found) != 1 or NUMBER.search(path.name):
        return path
    digits = found[0][1] or found[0][0]
    padded = len(digits) > 1 and digits[0] in "0#"
    return path.with_name(_NUMBERS.sub(f"%0{len(digits)}d" if padded else "%d", path.name))


def first_picture(path: Path) -> range:
    """Return the pictures' numbers. Raises InputError for gaps."""
    asked, path = path, _with_percent(path)
    parts = NUMBER.split(path.name)
    if len(parts) != 3 or "%" in parts[0] + parts[2]:
        film = "leave --rate out if it is a film" if asked.is_file() else ""
        raise InputError(f"{asked}: numbered pictures need one number in their name, as in frames/%05d.png", do=film)
    digits = rf"\d{{{int(parts[1] or 1)},}}" if parts[1] else r"(?:0|[1-9]\d*)"
    name = re.compile(re.escape(parts[0]) + f"({digits})" + re.escape(parts[2]))
    try:
        found = sorted({int(match[1]) for entry in path.parent.iterdir() if (match := name.fullmatch(entry.name))})
    except OSError as error:
        raise InputError(f"{path.parent}: cannot be read ({first_line(error)})") from None
    if not found:
        raise InputError(f"{path}: there is no picture of such a name; check the name and the folder")
    numbers = range(found[0], found[-1] + 1)
    if len(found) < len(numbers):
        gap = next(number for number, there in zip(numbers, found, strict=False) if number != there)
        raise InputError(f"{picture_path(path, gap)} is missing; the numbers of the pictures must have no gap")
    if path != asked and (ends := _NUMBERS.search(asked.name)) and ends[1]:
        _check_range(asked, (int(ends[1]), int(ends[2])), numbers)
    check_file(picture_path(path, found[0]))
    return numbers


def _check_range(path: Path, ends: tuple[int, int], numbers: range) -> None:
    if ends != (numbers[0], numbers[-1]):
        every = _NUMBERS.sub("#" * len(str(numbers[0])), path.name)
        raise InputError(
            f"{path}: the pictures that are there go from {numbers[0]} to {numbers[-1]}",
            do=f"name all of them, as in {every}, and choose some with --start and --frames",
        )


def picture_path(path: Path, number: int) -> Path:
    """Return a numbered picture's file."""
    path = _with_percent(path)
    return path.with_name(NUMBER.sub(lambda pattern: pattern[0] % number, path.name))


def is_picture_of(path: Path, file: Path) -> bool:
    """Return whether a file is one of numbered pictures."""
    if not is_numbered(path) or path.parent.resolve() != file.parent.resolve():
        return False
    return picture_names(path).fullmatch(file.name) is not None


def picture_names(path: Path) -> re.Pattern[str]:
    """Match numbered pictures' names. Group 1: the number."""
    return re.compile(r"(\d+)".join(map(re.escape, NUMBER.split(_with_percent(path).name)[::2])))


def picture_states(path: Path) -> tuple[FileState, ...]:
    """Return each numbered picture's state. Raises InputError, OSError."""
    return tuple(file_state(picture_path(path, number)) for number in first_picture(path))


def state_of_named(path: Path) -> FileState | None:
    """Return the state of a file or sequence, None if unreadable.

    Sequences are checked once a second.
    """
    try:
        return _state_of_pictures(path, int(monotonic())) if is_numbered(path) else file_state(path)
    except (OSError, ValueError, InputError):
        return None


@lru_cache(maxsize=8)
def _state_of_pictures(path: Path, _: int) -> FileState:
    states = picture_states(path)
    return len(states), sum(state[1] for state in states), max(state[2] for state in states), hash(states)


def parse_size(text: str) -> tuple[int, int] | None:
    """Parse WxH; None if wrong or too large."""
    match = _SIZE.fullmatch(text)
    width, height = map(int, match.groups()) if match else (0, 0)
    return (width, height) if width and height and not is_too_large(width, height) else None


def is_too_large(width: int, height: int) -> bool:
    """Return whether a picture exceeds the limits."""
    return max(width, height) > MAX_SIDE_PX or width * height > MAX_AREA_PX


def check_size(name: object, width: int, height: int) -> None:
    """Raise InputError for too large a picture."""
    if is_too_large(width, height):
        raise InputError(
            f"{name} claims {width}x{height}, more than the {MAX_SIDE_PX} pixels a side and "
            f"{MAX_AREA_PX >> 20} million in all that can be read; scale it down or check the file"
        )


def can_decode(stream: Stream) -> bool:
    """Return whether FFmpeg knows the codec."""
    context: object = stream.codec_context
    return context is not None


class Problems(list[str]):
    """Messages about damage. gave_up: the demuxer failed early."""

    gave_up = False


def packets(
    container: InputContainer, streams: list[Stream], problems: Problems | None = None
) -> Iterator[Packet[Any]]:
    """Yield streams' packets in file order."""
    problems = Problems() if problems is None else problems
    failures = 0
    while failures < MAX_FAILURES:
        try:
            for packet in container.demux(streams):
                if packet.size:
                    failures = 0
                    yield packet
            return
        except IndexError:  # PyAV's error at the end of a file in which streams appeared later
            problems.append("streams that begin in mid-file are left out")
            return
        except av.error.ExitError:
            problems.append(f"reading stalled for {READ_TIMEOUT_S:g} s: what comes after is left out")
            problems.gave_up = True
            return
        except (av.error.FFmpegError, OSError) as error:
            failures += 1
            if failures == 1:
                problems.append(f"the file is damaged ({first_line(error)})")
    problems.gave_up = True


def _within_folder_of(path: Path) -> Callable[[str, int, dict[str, str]], IO[bytes]]:
    root = path.absolute().parent.resolve()

    def open_part(url: str, flags: int, options: dict[str, str]) -> IO[bytes]:
        name = url.removeprefix("file:")
        part = Path(name if Path(name).exists() else unquote(name)).resolve()
        if (":" in url and not url.startswith("file:")) or not part.is_relative_to(root):
            raise InputError(f"{path} names {url}, which is not a file in its folder; name the video itself")
        check_file(part)
        head = _head(part, MAX_LIST_BYTES)
        if _is_m3u(head) and not (b"#EXT-X-ENDLIST" in head or b"#EXT-X-STREAM-INF" in head):
            raise InputError(f"{part} is a playlist without an end (#EXT-X-ENDLIST); record it to a file first")
        return part.open("rb")

    return open_part


def _why_not(path: Path, opening: OpenOptions, error: BaseException) -> InputError:
    head = _head(path, 64) if opening.rate is None else b""
    if _is_m3u(head) and not opening.playlists:
        allow = "or allow the files of its folder with --allow-playlists"
        return InputError(f"{path} is a playlist; name the video itself", do=allow)
    if head.startswith(b"ffconcat"):
        return InputError(f"{path} is a list of files for FFmpeg, which is not read; name the video itself")
    if path.suffix.lower() == PROJECT_SUFFIX:
        return InputError(f"{path} is a project, or named like one, in place of a video; name the film itself")
    if isinstance(error, av.error.ExitError):
        return InputError(f"{path}: opening it took more than {OPEN_TIMEOUT_S:g} s; check the file and the disk")
    return InputError(f"{path} is not a video that can be read ({first_line(error)}); check that the file is whole")


def _head(path: Path, size: int) -> bytes:
    with open_regular(path) as file:
        return file.read(size)


def _is_m3u(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"#EXTM3U")
