"""Loading of bundled styles and third-party networks."""

from __future__ import annotations

import signal
from pathlib import Path

from framebrush.base.child import DiedError, Ended, ask_once
from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import first_line, printable
from framebrush.models import library
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.read_onnx import read_model
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.style import ModelCard, Style, StyleError

PROCESSOR_S = 60
"""Processor time limit for reading, converting and trying an unknown file, in seconds. Usually about one."""

WALL_S = 600.0
"""Time limit for files that wait for other reasons."""

MEMORY_BYTES = 3 << 30
"""Address space limit. An ordinary style needs 0.5 GiB, one of 63 MB twice as much."""

LEAST_WAIT_S = 5.0
"""Delay after the limit before the process ends itself."""


_NOT_ENOUGH_QUOTA = 1816
"""Windows' exit status of a process beyond its job's time (ERROR_NOT_ENOUGH_QUOTA)."""


def load_style(path_or_name: str | Path, *, overrides: PreprocessingOverrides | None = None) -> Style:
    """Load a style, in a limited process unless bundled. Raises StyleError."""
    path = library.find(path_or_name)
    if path == library.bundled().get(path.stem):
        return make_style(read_model(path), path.stem, overrides=overrides, label=str(path), trusted=True)
    return _load_in_worker(path, overrides or PreprocessingOverrides())


def _load_in_worker(path: Path, overrides: PreprocessingOverrides) -> Style:
    said = {"path": str(path), "overrides": to_values(overrides)}
    limits = {"memory_bytes": MEMORY_BYTES, "processor_s": PROCESSOR_S, "time_s": WALL_S + LEAST_WAIT_S}
    threads = {"OPENBLAS_NUM_THREADS": "1"}  # each thread takes address space
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
    status = ended.status
    if ended.killed:
        return f"it takes more than {WALL_S:g} s to read and try; refused"
    if status in (-getattr(signal, "SIGXCPU", 0), _NOT_ENOUGH_QUOTA):
        return f"it takes more than {PROCESSOR_S} s of the processor to read and try; refused"
    if 0 < status < 256:
        last = printable(ended.errors.rpartition("\n")[2])
        if "memory" in last.lower():  # from Python, C++, or the system's loader at thread creation
            return "it takes more memory than a style may; refused"
        return f"reading it failed ({last or f'exit status {status}'})"
    names = {int(known): known.name for known in signal.Signals}
    name = names.get(-status, f"status {status & 0xFFFFFFFF:#x}")
    return f"reading it crashed ({name}): it is damaged, malicious, or takes too much memory; refused"
