"""Time of each stroke and relief kernel on a Direct3D 12 GPU, by GPU timestamps.

    python -u benchmarks/d3d12_passes.py --size 1920x1080 --stroke 2 --style realtime
    python -u benchmarks/d3d12_passes.py --against FOLDER

FOLDER: another checkout, run in turns with this one. Prints for each: frames per second without brush and relief, with
the brush, and with both; added time per frame; GPU time and share of a frame; per kernel microseconds including waits,
and runs per frame; resource state changes. The last lines are lower bounds for any pass: a timestamp, a texture's state
change, and a dependent kernel with one group.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

HERE = Path(__file__).resolve().parents[1]
PACKAGES = {"framebrush": "app", "framebrush.gpu": "gpu", "framebrush.models": "models"}  # as in pyproject.toml
STAMPS = 2048  # of all lists of a stylizer
REPEATS = 64

if TYPE_CHECKING:
    from framebrush.gpu.d3d12.commands import Recorder
    from framebrush.gpu.d3d12.descriptors import Descriptors, Table
    from framebrush.gpu.d3d12.device import D3D12Device
    from framebrush.gpu.d3d12.fenced_queue import CommandList
    from framebrush.gpu.d3d12.kernels import Kernel
    from framebrush.gpu.d3d12.native import Native
    from framebrush.gpu.d3d12.timing import Stamps
    from framebrush.gpu.sizes import Size


class Measured(TypedDict):
    """Results. drawn: as `benchmarks.d3d12.drawn`. passes: count and time of kernels by look. changes: state changes
    per frame by look. costs: of single commands.
    """

    drawn: dict[str, float]
    passes: dict[str, dict[str, tuple[int, float]]]
    changes: dict[str, int]
    costs: dict[str, float]


class Checkout:
    """Import finder for `framebrush` in a checkout, regardless of installed packages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """As `importlib.abc.MetaPathFinder`."""
        if name not in PACKAGES:
            return None
        return spec_from_file_location(name, self._folder / PACKAGES[name] / "__init__.py")


class Passes:
    """Timestamps after every kernel that `recorder` records, and the measured times by list."""

    def __init__(self, stamps: Stamps) -> None:
        self._stamps, self._used = stamps, 0
        self._lists: list[tuple[int, list[str]]] = []  # first timestamp of each list, and its kernels
        self._changes: dict[tuple[str, ...], int] = {}  # state changes, by the kernels of a list
        self._counted = 0
        self._seen: dict[int, int] = {}
        self._us: dict[int, list[list[float]]] = {}

    def recorder(self, native: Native, kind: int, label: str, descriptors: Descriptors | None = None) -> Recorder:
        """Return a recorder that writes timestamps."""
        from framebrush.gpu.d3d12.commands import Recorder

        passes = self

        class Stamping(Recorder):
            def begin(self, stage: str = "") -> Stamping:
                super().begin(stage)
                passes._lists.append((passes._used, []))
                passes._counted = 0
                self._note()
                return self

            def dispatch(
                self, kernel: Kernel, reads: Table, writes: Table, constants: int, threads: Size, groups: int = 1
            ) -> None:
                super().dispatch(kernel, reads, writes, constants, threads, groups)
                passes._lists[-1][1].append(kernel.label)
                self._note()

            def end(self) -> CommandList:
                first, labels = passes._lists[-1]
                passes._stamps.bring(self, 0, first, 1 + len(labels))
                ended = super().end()
                passes._changes[tuple(labels)] = passes._counted
                return ended

            def _barrier(self, changes: list[Any]) -> None:
                passes._counted += len(changes)
                super()._barrier(changes)

            def _note(self) -> None:
                """Write a timestamp like `stamp`, without restoring resource states."""
                from win32more.Windows.Win32.Graphics.Direct3D12 import D3D12_QUERY_TYPE_TIMESTAMP

                self._com.EndQuery(passes._stamps._heap.com, D3D12_QUERY_TYPE_TIMESTAMP, passes._used)
                passes._used += 1
                if passes._used == STAMPS:
                    raise SystemExit("more lists than there are stamps for")

        return Stamping(native, kind, label, descriptors)

    @property
    def changes(self) -> int:
        """Return state changes per frame."""
        return sum(self._changes.values())

    def take(self) -> None:
        """Read timestamps of lists that have run since. Timestamps that arrive meanwhile wait for the next call."""
        raw = self._stamps._memory.mapped.view(np.int64)
        for first, labels in self._lists:
            between = self._stamps.between_ms(0, first, 1 + len(labels))
            if raw[first] not in (0, self._seen.get(first)) and min(between) >= 0.0:
                self._seen[first] = int(raw[first])
                self._us.setdefault(first, []).append([1e3 * ms for ms in between])

    def medians(self) -> dict[str, tuple[int, float]]:
        """Return each kernel's runs per frame and total microseconds."""
        kinds: dict[tuple[str, ...], list[list[float]]] = {}
        for first, labels in self._lists:
            kinds.setdefault(tuple(labels), []).extend(self._us.get(first, ()))
        found: dict[str, tuple[int, float]] = {}
        for kernels, samples in kinds.items():
            if not samples:
                continue  # recorded, but never ran while timestamps were read
            for label, times in zip(kernels, zip(*samples, strict=True), strict=True):
                count, total = found.get(label, (0, 0.0))
                found[label] = count + 1, total + statistics.median(times)
        return found


def costs(device: D3D12Device) -> dict[str, float]:
    """Return microseconds of single commands, from long sequences."""
    from framebrush.gpu.d3d12.commands import READ, WRITE, Recorder
    from framebrush.gpu.d3d12.resources import ConstantBuffers, Texture
    from framebrush.gpu.d3d12.tensor import TensorBuffer
    from framebrush.gpu.d3d12.timing import Stamps
    from framebrush.gpu.kernel_sources import Variant
    from framebrush.gpu.stages import tile_copies

    context, size = device.context, (32, 8)
    found: dict[str, list[float]] = {}
    with ExitStack() as stack:
        keep = stack.enter_context
        stamps = keep(closing(Stamps(context.native, context.compute, 1, REPEATS, "costs")))
        recorder = keep(closing(Recorder(context.native, context.compute.kind, "costs", context.descriptors)))
        texture = keep(closing(Texture(context.native, size, 28, "costs", unordered=True)))  # R8G8B8A8_UNORM
        tensors = [keep(closing(TensorBuffer(context.native, size, "float32", "costs"))) for _ in range(2)]
        memory = keep(closing(ConstantBuffers(context.native, 1, "costs")))
        address = memory.write(0, tile_copies.copy_window(size, (0, 0), size, (0, 0), size))
        views = context.descriptors
        ways = [
            (keep(closing(views.read(tensors[n].view))), keep(closing(views.write(tensors[1 - n].view))))
            for n in range(2)
        ]
        kernel = context.kernel(Variant("copy_window"), *ways[0])

        def change(number: int) -> None:
            recorder.transition(*((READ, WRITE) if number % 2 else (WRITE, READ)), texture)

        def dispatch(number: int) -> None:
            recorder.dispatch(kernel, *ways[number % 2], address, size)

        for name, command in (("stamp", None), ("change of a state", change), ("kernel that waits", dispatch)):
            recorder.reset().begin()
            if command is change:
                recorder.transition(0, WRITE, texture)
            for number in range(REPEATS):
                if command is None or number in (0, REPEATS - 1):
                    stamps.stamp(recorder, 0, number if command is None else min(number, 1))
                if command is not None:
                    command(number)
            if command is change:
                recorder.transition(READ if REPEATS % 2 else WRITE, 0, texture)
            count = REPEATS if command is None else 2
            stamps.bring(recorder, 0, 0, count)
            commands = recorder.end()
            for _ in range(20):
                context.compute.execute(commands)
                context.compute.signal().block()
                between = stamps.between_ms(0, 0, count)
                found.setdefault(name, []).append(1e3 * sum(between) / (REPEATS - 1))
    return {name: statistics.median(times) for name, times in found.items()}


def measured(arguments: argparse.Namespace) -> Measured:
    """Run all measurements with the imported version of `framebrush`."""
    from benchmarks.d3d12 import DRAWN, drawn, waves
    from framebrush.gpu.d3d12 import adapters
    from framebrush.gpu.d3d12 import pass_executor as running
    from framebrush.gpu.d3d12.device import open_device
    from framebrush.gpu.d3d12.timing import Stamps
    from framebrush.gpu.frame import nv12, yuv420p
    from framebrush.gpu.sizes import plan_sizes
    from framebrush.gpu.temporal_window import CENTRED
    from framebrush.models.reading.load import load_style

    width, height = (int(side) for side in arguments.size.split("x"))
    style, source = load_style(arguments.style), yuv420p(width, height)
    working = plan_sizes((width, height), style.card, stroke=arguments.stroke).working
    rates: Any = {}
    if not arguments.passes_only:
        rates = drawn(style, source, working, arguments.adapter, arguments.frames)
    frame, info = waves(source, np.random.default_rng(1)), adapters.list_adapters()[arguments.adapter]
    found: dict[str, dict[str, tuple[int, float]]] = {}
    changes: dict[str, int] = {}
    for name, look in DRAWN.items():
        if not look.brush:
            continue
        with open_device(info) as device, ExitStack() as stack:
            context = device.context
            passes = Passes(stack.enter_context(closing(Stamps(context.native, context.compute, 1, STAMPS, "passes"))))
            running.Recorder = passes.recorder  # type: ignore[attr-defined, assignment]
            settings: dict[str, Any] = {
                "working": working,
                "tiling": "off",
                "window": CENTRED,
                "look": look,
                "carries": True,
            }
            with device.stylizer(style, source, nv12(width, height), **settings) as stylizer:
                into, tickets = stylizer.target.allocate(), list[Any]()
                for number in range(arguments.frames):
                    if len(tickets) == stylizer.slots:
                        stylizer.fetch(tickets.pop(0), into)
                        if number > arguments.frames // 4:
                            passes.take()
                    tickets.append(stylizer.submit(frame))
                stylizer.flush()
                for ticket in tickets:
                    stylizer.fetch(ticket, into)
                passes.take()
            found[name], changes[name] = passes.medians(), passes.changes
            each = costs(device)
    return {"drawn": rates, "passes": found, "changes": changes, "costs": each}


def report(of: dict[str, list[Measured]]) -> None:
    """Print versions side by side, as medians of all turns."""
    names = list(of)

    def line(what: str, *values: str) -> None:
        print(f"{what:44}" + "".join(f"{value:>18}" for value in values))

    def middle(values: list[float], form: str) -> str:
        return format(statistics.median(values), form) if values else ""

    line("", *names)
    for key in of[names[0]][0]["drawn"]:
        line(key, *(middle([turn["drawn"][key] for turn in of[name]], ".3f") for name in names))
    for look in of[names[0]][0]["passes"]:
        line(f"-- {look}, microseconds a frame")
        labels = dict.fromkeys(label for name in names for label in of[name][0]["passes"][look])
        for label in labels:
            row = []
            for name in names:
                times = [turn["passes"][look][label] for turn in of[name] if label in turn["passes"][look]]
                row.append(f"{times[0][0]} x, {middle([us for _, us in times], '6.1f')}" if times else "")
            line(label, *row)
        row = []
        for name in names:
            count = sum(count for count, _ in of[name][0]["passes"][look].values())
            sums = [sum(us for _, us in turn["passes"][look].values()) for turn in of[name]]
            row.append(f"{count} x, {middle(sums, '6.1f')}")
        line("sum", *row)
        line("changes of states", *(str(of[name][0]["changes"][look]) for name in names))
    line("-- microseconds each")
    for key in of[names[0]][0]["costs"]:
        line(key, *(middle([turn["costs"][key] for turn in of[name]], ".2f") for name in names))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--stroke", type=float, default=2.0)
    parser.add_argument("--style", default="realtime")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--passes-only", action="store_true", help="without the rates")
    parser.add_argument("--adapter", type=int, default=0)
    parser.add_argument("--against", type=Path, help="another checkout of the project")
    parser.add_argument("--checkout", type=Path, help=argparse.SUPPRESS)  # for child processes of this program
    arguments = parser.parse_args()
    if arguments.checkout:
        sys.meta_path.insert(0, Checkout(arguments.checkout))
        sys.path.insert(0, str(HERE))
        print(json.dumps(measured(arguments)))
        return
    folders = {"this": HERE, **({"against": arguments.against.resolve()} if arguments.against else {})}
    of: dict[str, list[Measured]] = {name: [] for name in folders}
    for _ in range(arguments.turns):
        for name, folder in folders.items():
            command = [sys.executable, "-u", __file__, *sys.argv[1:], "--checkout", str(folder)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            of[name].append(json.loads(done.stdout.splitlines()[-1]))
    report(of)


if __name__ == "__main__":
    main()
