"""Which encoder does the work here, asked of a separate process: python -m framebrush.media.encoding.encoder_worker.

FFmpeg loads the drivers of encoders while Python's lock is held, some for as long as a second: in this process the
window would freeze. A driver that crashes ends only the other one.

On stdin: {"codec", "container", "size", "pix_fmt", "sized"} as JSON; on stdout {"encoder": its name} or {"reason": why
there is none}.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

from framebrush.media.containers import CONTAINERS, Container
from framebrush.media.encoding.encoders import ENCODERS, Encoder, choose_encoder
from framebrush.media.video import OutputError

PATIENCE_S = 60.0


@cache
def find_encoder(codec: str, container: Container, size: tuple[int, int], pix_fmt: str, sized: bool) -> Encoder:
    """The encoder that `choose_encoder` finds in another process, asked once: a dialog that comes again knows it.
    Raises OutputError. Waits for it: not for the window's thread."""
    asked = json.dumps({"codec": codec, "container": container.name, "size": size, "pix_fmt": pix_fmt, "sized": sized})
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "framebrush.media.encoding.encoder_worker"],
            input=asked,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE_S,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        answer = json.loads(done.stdout)
        name, reason = answer.get("encoder"), answer.get("reason", "")
    except subprocess.TimeoutExpired:
        name, reason = None, f"an encoder did not answer within {PATIENCE_S:g} s; choose another codec"
    except (OSError, ValueError, AttributeError):
        name, reason = None, "the encoders could not be tried: a driver ended the process; choose another codec"
    for encoder in ENCODERS:
        if encoder.name == name:
            return encoder
    raise OutputError(str(reason))


def main() -> None:
    """Entry point of the process."""
    asked = json.load(sys.stdin)
    container = next(container for container in CONTAINERS.values() if container.name == asked["container"])
    width, height = asked["size"]
    codec, pix_fmt, sized = asked["codec"], asked["pix_fmt"], asked["sized"]
    try:
        choice = choose_encoder(codec, None, None, container, (width, height), pix_fmt, sized=sized)
        answer = {"encoder": choice.encoder.name}
    except OutputError as error:
        answer = {"reason": str(error)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
