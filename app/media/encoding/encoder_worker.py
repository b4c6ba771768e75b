"""Process that finds a working encoder, since drivers may crash.

Order: {"codec", "container", "size", "pix_fmt", "sized"}. Report: {"encoder"} or {"reason"}.
"""

from __future__ import annotations

from functools import cache
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.base.child import DiedError, ask_once
from framebrush.media.containers import CONTAINERS, Container
from framebrush.media.encoding.encoders import ENCODERS, Encoder, choose_encoder
from framebrush.media.video import OutputError

PATIENCE_S = 60.0  # a driver may hang; only the process's end stops it


@cache
def find_encoder(codec: str, container: Container, size: tuple[int, int], pix_fmt: str, sized: bool) -> Encoder:
    """Run `choose_encoder` in a process, cached. Raises OutputError."""
    asked = {"codec": codec, "container": container.name, "size": size, "pix_fmt": pix_fmt, "sized": sized}
    try:
        answer, _ = ask_once("framebrush.media.encoding.encoder_worker", asked, PATIENCE_S)
        name, reason = answer.get("encoder"), answer.get("reason", "")
    except (OSError, DiedError) as error:
        name, reason = None, "the encoders could not be tried: a driver ended the process; choose another codec"
        if isinstance(error, DiedError) and error.ended.killed:
            reason = f"an encoder did not answer within {PATIENCE_S:g} s; choose another codec"
    for encoder in ENCODERS:
        if encoder.name == name:
            return encoder
    raise OutputError(str(reason))


def main() -> None:
    """Run the process."""
    orders: SimpleQueue[dict[str, Any]] = SimpleQueue()
    parent.listen(orders.put)
    asked = orders.get()
    container = next(container for container in CONTAINERS.values() if container.name == asked["container"])
    width, height = asked["size"]
    codec, pix_fmt, sized = asked["codec"], asked["pix_fmt"], asked["sized"]
    try:
        choice = choose_encoder(codec, None, None, container, (width, height), pix_fmt, sized=sized)
        parent.report({"encoder": choice.encoder.name})
    except OutputError as error:
        parent.report({"reason": str(error)})


if __name__ == "__main__":
    main()
