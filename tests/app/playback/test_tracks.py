"""Which track of the sound reaches the device: what PortAudio is given, at the pace of a sound card."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[3]
TONES_HZ = (440, 660)
"""Of the tracks of the bundled film, which the script that made it chose."""

PLAYED = """
import json, time
import numpy as np
from tests.app.playback.conftest import Watched
from framebrush.gpu.look import Look
from framebrush.playback.sound import RATE, Sound

heard = []
callback = Sound._callback


def at_the_pace_of_a_card(self, out, frames, times, status):
    callback(self, out, frames, times, status)
    heard.append(out[:, 0].copy())
    time.sleep(frames / RATE)  # ALSA's null device takes 700 times as much as is heard


def tone():
    heard.clear()
    end = time.monotonic() + 20
    while sum(map(np.count_nonzero, list(heard))) < RATE // 2:
        assert time.monotonic() < end, "no sound"
        time.sleep(0.01)
    samples = np.concatenate(heard)
    samples = samples[samples != 0]  # of the gap between two rounds
    return float(np.argmax(np.abs(np.fft.rfft(samples * np.hanning(len(samples)))))) * RATE / len(samples)


Sound._callback = at_the_pace_of_a_card
watched = Watched()
watched.player.start("cpu", "none", Look())
opened = watched.open("extras.mkv")
assert opened.sound and len(opened.tracks) == 2, opened
watched.player.set_loop(True)
watched.player.play(True)
found = [tone()]
for track in (1, 0):
    watched.player.use_track(track)
    watched.settle()
    found.append(tone())
watched.player.quit()
watched.player.join(20)
print(json.dumps(found))
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not Path("/usr/share/alsa/alsa.conf").exists(), reason="needs ALSA's own configuration"
)
def test_the_chosen_track_reaches_the_device(tmp_path: Path) -> None:
    configuration = tmp_path / "asound.conf"
    configuration.write_text("</usr/share/alsa/alsa.conf>\npcm.!default { type null hint { show on } }\n")
    environment = {**os.environ, "ALSA_CONFIG_PATH": str(configuration)}
    done = subprocess.run(
        [sys.executable, "-c", PLAYED], env=environment, capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == pytest.approx([TONES_HZ[0], TONES_HZ[1], TONES_HZ[0]], abs=25)  # rounds are joined out of phase
