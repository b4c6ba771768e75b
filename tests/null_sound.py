"""ALSA's null device: sound output and microphone on machines without them, faster than real time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

needs_alsa = pytest.mark.skipif(
    sys.platform != "linux" or not Path("/usr/share/alsa/alsa.conf").exists(), reason="needs ALSA's own configuration"
)


def run(script: str, folder: Path) -> str:
    """Run a script in a child process with the null device; return its output. folder: for the configuration."""
    configuration = folder / "asound.conf"
    configuration.write_text("</usr/share/alsa/alsa.conf>\npcm.!default { type null hint { show on } }\n")
    environment = {**os.environ, "ALSA_CONFIG_PATH": str(configuration)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
