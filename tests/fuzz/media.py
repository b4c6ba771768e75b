"""Transcodes of damaged clips: exit status, one line for the user, no leftovers."""

from __future__ import annotations

import json
import math
import os
import random
import re
import selectors
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import av

from tests.fuzz.families import damaged, make_all

ROOT = Path(__file__).parents[2]
HANG_S = 60.0
NO_END = sys.maxsize
JOBS_A_WORKER = 400
OPTIONS = ("--style", "none", "--preset", "ultrafast", "--device", "cpu", "--progress", "none", "--codec", "h264")
WISHES = (
    ["--frames", "400"], ["--frames", "400"], ["--frames", "9"], ["--start", "0.3"], ["--start", "7f", "--end", "15f"],
    ["--start", "5f", "--frames", "4"], ["--audio", "none"], ["--max-size", "48"], ["--end", "0.5"],
)  # fmt: skip
"""Options chosen at random; the first limits files that claim a million frames."""


@dataclass
class Report:
    """Results of a run. faults: by kept file."""

    files: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    tracebacks: int = 0
    hangs: int = 0
    crashes: int = 0
    leftovers: int = 0
    memory_mb: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __str__(self) -> str:
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.files} files; statuses {statuses}; tracebacks {self.tracebacks}, hangs {self.hangs}, crashes "
            f"{self.crashes}, leftovers {self.leftovers}, {len(self.faults)} faults; {self.memory_mb:.0f} MB at most"
        )


class Worker:
    """Reusable transcoding process."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.jobs = 0

    def run(self, arguments: list[str]) -> dict[str, object] | str:
        """Transcode; return the answer, or describe the crash or hang."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self.jobs += 1
        self._child.stdin.write(json.dumps(arguments).encode() + b"\n")
        self._child.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self._child.stdout, selectors.EVENT_READ)
            if not selector.select(HANG_S):
                self.close()
                return "hang"
        line = self._child.stdout.readline()
        if not line:
            return f"crash with status {self._child.wait()}"
        answer: dict[str, object] = json.loads(line)
        return answer

    def close(self) -> None:
        self._child.kill()
        self._child.wait()


def fault_of(answer: dict[str, object], folder: Path, target: Path) -> str:
    """Return the fault in a file's result, or ""."""
    status, said = answer["status"], str(answer["said"])
    if answer["fault"]:
        return str(answer["fault"])
    if status not in ((0, 1, 2, 3) if re.search("the range (asked for|starts)", said) else (0, 2, 3)):
        return f"status {status}: {said}"
    errors = [line for line in said.splitlines() if line.startswith("framebrush:")]
    if len(errors) != (status in (1, 2)):
        return f"status {status} with {len(errors)} lines of error: {said}"
    if re.search(r"[\x00-\x09\x0b-\x1f]", said):
        return f"control characters: {said!r}"
    left = sorted(path.name for path in folder.iterdir())
    if left != ([target.name] if status in (0, 3) else []):
        return f"leftovers: {left}"
    if status in (0, 3):
        announced = re.search(r": (\d+) frames?, ", said.splitlines()[-1])
        with av.open(str(target)) as container:
            found = sum(1 for _ in container.decode(video=0))
        if announced is None or int(announced[1]) != found:
            return f"{found} frames in the output: {said}"
    return ""


def run(seed: int, keep: Path | None = None, *, files: int = NO_END, seconds: float = math.inf) -> Report:
    """Damage and transcode some files, or for some seconds.

    keep: folder for faulty files.
    """
    report, numbers, end_s = Report(), iter(range(files)), time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="framebrush-fuzz-") as name:
        folder = Path(name)
        clips_folder = folder / "clips"
        clips_folder.mkdir()
        clips = make_all(clips_folder)
        contents = [clip.read_bytes() for clip in clips]

        def work(own: Path) -> None:
            out = own / "out"
            out.mkdir(parents=True)
            worker = Worker()
            while time.monotonic() < end_s and (number := next(numbers, None)) is not None:
                chance = random.Random(f"{seed}:{number}")
                place = number % len(clips)
                data = damaged(contents[place], contents, chance)
                source = own / f"{seed}-{number}-{clips[place].name}"
                source.write_bytes(data)
                target = out / f"out{chance.choice(['.mp4', '.mkv', '.mov'])}"
                wishes = chance.choice(WISHES)
                answer = worker.run(["transcode", str(source), str(target), *OPTIONS, *wishes])
                with report.lock:
                    _judge(report, answer, source, out, target, keep)
                for path in (source, *out.iterdir()):
                    path.unlink()
                if isinstance(answer, str) or worker.jobs >= JOBS_A_WORKER:
                    worker.close()
                    worker = Worker()
            worker.close()

        workers = os.cpu_count() or 1
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(work, folder / str(number)) for number in range(workers)]:
                done.result()
    return report


def _judge(
    report: Report, answer: dict[str, object] | str, source: Path, out: Path, target: Path, keep: Path | None
) -> None:
    report.files += 1
    if isinstance(answer, str):
        fault = answer
        report.hangs += answer == "hang"
        report.crashes += answer != "hang"
    else:
        fault = fault_of(answer, out, target)
        report.statuses[int(str(answer["status"]))] += 1
        report.memory_mb = max(report.memory_mb, float(str(answer["memory_mb"])))
        report.tracebacks += bool(answer["fault"])
        report.leftovers += fault.startswith("leftovers")
    if fault:
        report.faults.append(f"{source.name} to {target.suffix}: {fault}")
        if keep is not None:
            os.makedirs(keep, exist_ok=True)  # noqa: PTH103
            (keep / source.name).write_bytes(source.read_bytes())
