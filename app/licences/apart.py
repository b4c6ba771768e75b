"""The notices, read in a process of their own: half a second of Python, for which the window would have to wait."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from framebrush.licences import notices


def notices_apart() -> str:
    """What `notices` gives; read here where that process fails. Raises OSError."""
    folders = [str(Path(folder).absolute()) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "framebrush.licences.apart"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        check=False,
    )
    return notices() if done.returncode else done.stdout.decode()


if __name__ == "__main__":
    sys.stdout.buffer.write(notices().encode())
