"""Sound track selection and delay: PortAudio's input, at a sound card's pace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import null_sound

pytestmark = pytest.mark.media

TONES_HZ = (440, 660)
"""Of the tracks of the bundled film, which the script that made it chose."""

PLAYED = """
import json, time
import numpy as np
import sounddevice
from tests.app.playback.conftest import Watched
from framebrush.gpu.look import Look
from framebrush.playback.reading.sound_samples import RATE

heard = []


class Card(sounddevice.OutputStream):
    def __init__(self, callback, **options):
        def at_the_pace_of_a_card(out, frames, times, status):
            callback(out, frames, times, status)
            heard.append(out[:, 0].copy())
            time.sleep(frames / RATE)  # ALSA's null device takes 700 times as much as is heard

        super().__init__(callback=at_the_pace_of_a_card, **options)


def tone():
    heard.clear()
    end = time.monotonic() + 60
    while sum(map(np.count_nonzero, list(heard))) < RATE // 2:
        assert time.monotonic() < end, "no sound"
        time.sleep(0.01)
    samples = np.concatenate(heard)
    samples = samples[samples != 0]  # of the gap between two rounds
    return float(np.argmax(np.abs(np.fft.rfft(samples * np.hanning(len(samples)))))) * RATE / len(samples)


sounddevice.OutputStream = Card
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
watched.player.delay_sound(-100.0)  # all of it was before the film
watched.settle()
heard.clear()
end = time.monotonic() + 60
while sum(map(len, list(heard))) < RATE // 2 and time.monotonic() < end:
    time.sleep(0.01)
silent = not any(map(np.count_nonzero, list(heard)))
watched.player.delay_sound(0.0)
watched.settle()
found.append(tone())
watched.player.quit()
watched.player.join(60)
print(json.dumps([silent, *found]))
"""


@pytest.mark.slow
@null_sound.needs_alsa
def test_the_chosen_track_and_the_delay_reach_the_device(tmp_path: Path) -> None:
    silent, *found = json.loads(null_sound.run(PLAYED, tmp_path).splitlines()[-1])
    assert silent
    tones = [TONES_HZ[track] for track in (0, 1, 0, 0)]
    assert found == pytest.approx(tones, abs=25)  # rounds are joined out of phase
