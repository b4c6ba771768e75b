"""Films with subtitles, from a numbered clip."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import av

from framebrush.media.streams.stream_conversion import TextConverter

CLIPS = Path(__file__).parents[2] / "assets" / "clips"
Line = tuple[float, float, str]
"""Start and end in seconds, and the text."""


def srt(lines: Sequence[Line], mark: str = ",") -> str:
    parts = (f"{n}\n{_clock(a, mark)} --> {_clock(b, mark)}\n{words}\n" for n, (a, b, words) in enumerate(lines, 1))
    return "\n".join(parts)


def vtt(lines: Sequence[Line]) -> str:
    return "WEBVTT\n\n" + srt(lines, ".")


def ass(events: Sequence[Line]) -> str:
    """Return ASS; texts may contain ASS tags."""
    head = "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
    head += "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    times = ((_clock(begin, ".")[1:-1], _clock(end, ".")[1:-1], words) for begin, end, words in events)
    return head + "".join(f"Dialogue: 0,{begin},{end},Default,,0,0,0,,{words}\n" for begin, end, words in times)


def _clock(seconds: float, mark: str) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{mark}{ms % 1000:03}"


def film(path: Path, texts: Sequence[tuple[str, str, str]], clip: str = "cfr.mp4") -> Path:
    """Copy a clip with text tracks. texts: format (srt, ass, webvtt), content, language."""
    with av.open(CLIPS / clip) as source, av.open(path, "w") as out:
        picture = out.add_stream_from_template(source.streams.video[0])
        packets: list[av.Packet[av.stream.Stream]] = []
        with_texts = [av.open(io.BytesIO(content.encode()), "r", format=kind) for kind, content, _ in texts]
        for given, (_, _, language) in zip(with_texts, texts, strict=True):
            stream = given.streams.subtitles[0]
            if path.suffix == ".mp4":
                converter = TextConverter(out, stream, "mov_text")
                track, convert = converter.target, converter.convert
            else:
                track, convert = out.add_stream_from_template(stream), lambda packet: [packet]
            track.metadata["language"] = language
            for packet in given.demux():
                for made in convert(packet) if packet.size else []:
                    made.stream = track
                    packets.append(made)
        for packet in source.demux(source.streams.video[0]):
            if packet.size:
                packet.stream = picture
                packets.append(packet)
        packets.sort(key=lambda packet: (packet.dts if packet.dts is not None else packet.pts or 0) * packet.time_base)
        for packet in packets:
            out.mux(packet)
        for given in with_texts:
            given.close()
    return path
