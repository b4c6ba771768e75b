"""Load a style: a bundled one by name, or any fast-style-transfer network in an ONNX file."""

from __future__ import annotations

import signal
from pathlib import Path

from framebrush.base.child import DiedError, Ended, ask_once
from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import first_line, printable
from framebrush.models import library
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.convert import make_style
from framebrush.models.reading.read_onnx import read_model
from framebrush.models.style import ModelCard, Style, StyleError

PROCESSOR_S = 60
"""Processor time, on all cores, within which a file of unknown origin must be read, converted and tried. It usually
takes about a second, on a busy machine too."""

WALL_S = 600.0
"""After which a file is given up that waits for something other than the processor."""

MEMORY_BYTES = 3 << 30
"""The address space that this may take. An ordinary style needs 0.5 GiB, one of 63 MB twice as much."""

LEAST_WAIT_S = 5.0
"""How long after the limit it ends itself, should nobody kill it."""


_NOT_ENOUGH_QUOTA = 1816
"""The status of Windows for a process that has used up its job's time (ERROR_NOT_ENOUGH_QUOTA)."""


def load_style(path_or_name: str | Path, *, overrides: PreprocessingOverrides | None = None) -> Style:
    """Load a style and make it canonical (see `models.style`).

    path_or_name: an ONNX file, or the name of a bundled style. overrides: what the user knows for certain.
    The card's notes say what was guessed and how. Any file but a bundled one is read in a process of its own,
    with limits of time and memory. Raises StyleError, one line, for what cannot be used.
    """
    path = library.find(path_or_name)
    if path == library.bundled().get(path.stem):
        return make_style(read_model(path), path.stem, overrides=overrides, label=str(path), trusted=True)
    return _load_in_worker(path, overrides or PreprocessingOverrides())


def _load_in_worker(path: Path, overrides: PreprocessingOverrides) -> Style:
    """See `models.reading.network_worker`. What crashes, hangs or asks for too much there is refused here."""
    said = {"path": str(path), "overrides": to_values(overrides)}
    limits = {"memory_bytes": MEMORY_BYTES, "processor_s": PROCESSOR_S, "time_s": WALL_S + LEAST_WAIT_S}
    threads = {"OPENBLAS_NUM_THREADS": "1"}  # each takes address space of its own
    try:
        answer, model = ask_once("framebrush.models.reading.network_worker", {**said, **limits}, WALL_S, threads)
    except OSError as error:
        raise StyleError(f"{path}: no process could be started to read it: {first_line(error)}") from error
    except DiedError as error:
        raise StyleError(f"{path}: {_ending(error.ended)}") from None
    if "error" in answer:
        raise StyleError(printable(answer["error"]))
    return Style(from_values(ModelCard, answer["card"], "card"), model)


def _ending(ended: Ended) -> str:
    """Why a worker did not answer, in words."""
    status = ended.status
    if ended.killed:
        return f"it takes more than {WALL_S:g} s to read and try; refused"
    if status in (-getattr(signal, "SIGXCPU", 0), _NOT_ENOUGH_QUOTA):
        return f"it takes more than {PROCESSOR_S} s of the processor to read and try; refused"
    if 0 < status < 256:
        last = printable(ended.errors.rpartition("\n")[2])
        if "memory" in last.lower():  # of Python, of C++, and of the system's loader where a thread starts
            return "it takes more memory than a style may; refused"
        return f"reading it failed ({last or f'exit status {status}'})"
    names = {int(known): known.name for known in signal.Signals}
    name = names.get(-status, f"status {status & 0xFFFFFFFF:#x}")
    return f"reading it crashed ({name}): it is damaged, malicious, or takes too much memory; refused"
