"""Cost of segments, processes and clusters: python benchmarks/jobs.py segments | devices | cluster | scheduler | film.

segments: time and size of a job with segments and their join, against the job in one piece, in turns.
devices: two processes on this machine's cores against one.
cluster: processor time per segment of scheduler, client and files, for 50 workers in this process that only wait.
scheduler: memory of a separate scheduler, as in docs/clusters.md, during a job of many segments.
film: estimate of a film's time on a cluster, from the speed of one GPU.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from framebrush.base.json_values import to_values
from framebrush.gpu.device import open_device
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import VERSION, JobFolder, Journal, SegmentRecord
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers import cluster_worker
from framebrush.jobs.workers.devices import Devices
from framebrush.jobs.workers.doing import do_job
from framebrush.jobs.workers.run import run_job
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec

WORKERS = 8
"""Workers for a scheduler in its own process."""


def make_film(path: Path, frames: int, size: tuple[int, int]) -> None:
    """Write a moving picture with grain, and keyframes at cuts."""
    dice = np.random.default_rng(1)
    height, width = size[1], size[0]
    wide = np.cumsum(dice.normal(0, 6, (height, width * 3, 3)), axis=1) % 200 + 20
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.options = {"preset": "veryfast", "g": "50"}
        for number in range(frames):
            view = np.roll(wide, -number % (width * 2), axis=1)[:, :width]
            noisy = np.clip(view + dice.normal(0, 4, view.shape), 0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(noisy, "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def spec_of(folder: Path, options: argparse.Namespace) -> JobSpec:
    """Return the job on a new film."""
    film = folder / "film.mp4"
    width, height = map(int, options.size.split("x"))
    make_film(film, options.frames, (width, height))
    output = OutputOptions(codec=options.codec, overwrite=True)
    target = str(folder / "out.mp4")
    return JobSpec(str(film), target, Recipe(StyleSpec(options.style)), output=output, device=options.device)


def timed(work: Any, *arguments: Any, **options: Any) -> tuple[float, int]:  # noqa: ANN401 - any job
    """Return seconds and the output's bytes."""
    begin = time.perf_counter()
    outcome = work(*arguments, **options)
    return time.perf_counter() - begin, outcome.progress.size_bytes


def segments(options: argparse.Namespace) -> None:
    """Compare one piece with segments."""
    with tempfile.TemporaryDirectory() as name, open_device(options.device) as device:
        spec = spec_of(Path(name), options)
        runs: dict[Any, list[tuple[float, int]]] = {"off": [], options.length: []}
        run_job(replace(spec, segments="off"), device)  # warm-up: kernels, memory, clocks
        for _ in range(options.repeat):
            for length, found in runs.items():
                found.append(timed(run_job, replace(spec, segments=length), device))
    whole, cut = ([[run[i] for run in runs[key]] for i in (0, 1)] for key in ("off", options.length))
    ratios = [b / a for a, b in zip(whole[0], cut[0], strict=True)]
    print(f"{options.frames} frames of {options.size} in segments of {options.length}, {options.style}")
    print(f"one piece {statistics.median(whole[0]):.1f} s, segments {statistics.median(cut[0]):.1f} s")
    print(f"time {statistics.median(ratios):.3f} (each pair {', '.join(f'{ratio:.3f}' for ratio in ratios)})")
    print(f"size {statistics.median(cut[1]) / statistics.median(whole[1]):.4f}")


def devices(options: argparse.Namespace) -> None:
    """Compare two processes on this machine's cores with one."""
    with tempfile.TemporaryDirectory() as name, open_device(options.device) as device:
        spec = replace(spec_of(Path(name), options), segments=options.length)
        one, two = [], []
        for _ in range(options.repeat):
            one.append(timed(run_job, spec, device)[0])
            two.append(timed(do_job, spec, Devices((options.device,) * 2))[0])
    ratios = [a / b for a, b in zip(one, two, strict=True)]
    print(f"one process {statistics.median(one):.1f} s, two {statistics.median(two):.1f} s, start included")
    print(f"two against one: {statistics.median(ratios):.2f} times as fast")


TOLD = 5
"""Progress reports of a simulated painter per segment."""


def job_that_waits(folder: Path, options: argparse.Namespace) -> SegmentedJob:
    """Return a job of many segments, and replace painting in this process by waiting."""
    content = bytes(options.bytes)
    empty = SegmentRecord(len(content), "", "", (0,), (1,), 0, False, (), "")

    def wait(key: str, part: object) -> tuple[dict[str, Any], bytes]:
        for number in range(TOLD):
            time.sleep(options.seconds / TOLD)
            cluster_worker._emit(cluster_worker.topic_of(key), frames=number, size_bytes=number)
        return to_values(empty), content

    def ready(_: object) -> str:
        return "ready"

    def is_there(self: JobFolder, segment: Segment) -> None:
        self.add(segment, empty)

    for stand_in, name in ((wait, "paint_part"), (ready, "prepare_job")):
        # By name: dask would otherwise serialize the functions with their closures.
        stand_in.__module__, stand_in.__qualname__ = cluster_worker.__name__, name
        setattr(cluster_worker, name, stand_in)
    JobFolder.read_segment = is_there  # type: ignore[method-assign]
    spec = replace(spec_of(folder, argparse.Namespace(**{**vars(options), "frames": 50, "size": "64x64"})))
    style = open_job_style(spec, print)
    held = OpenedSource.of(spec)
    with open_job_source(spec) as source:
        job = prepare(spec, style, source, held)
    assert job.identity is not None
    plan = tuple(Segment(number, number, 1, number, number + 1) for number in range(options.segments))
    (folder / "job").mkdir()
    made = JobFolder.create(folder / "job", Journal(VERSION, job.identity, spec, plan))
    return SegmentedJob(job, made, Listener(print))


def cluster(options: argparse.Namespace) -> None:
    """Run 50 workers that only wait."""
    from distributed.deploy.local import LocalCluster
    from distributed.security import Security

    from framebrush.jobs.workers.dask_cluster import ClusterRun

    with tempfile.TemporaryDirectory() as name:
        segmented = job_that_waits(Path(name), options)
        with LocalCluster(
            n_workers=50,
            threads_per_worker=1,
            processes=False,
            dashboard_address=None,
            resources={cluster_worker.RESOURCE: 1},
            memory_limit=0,
        ) as machines:
            begin, processor = time.perf_counter(), time.process_time()
            ClusterRun(machines.scheduler_address, Security(), segmented).paint_missing()
            took, used = time.perf_counter() - begin, time.process_time() - processor
    ideal = options.segments / 50 * options.seconds
    print(f"{options.segments} segments of {options.seconds:g} s and {options.bytes / 1e6:g} MB on 50 workers")
    print(
        f"{took:.1f} s, {ideal:.1f} s without any cost; {1e3 * used / options.segments:.1f} ms of processor a segment"
    )


def scheduler(options: argparse.Namespace) -> None:
    """Measure a scheduler's memory during a job."""
    import psutil  # type: ignore[import-untyped]
    from distributed.security import Security
    from distributed.worker import Worker

    from framebrush.jobs.workers.dask_cluster import ClusterRun

    logging.getLogger("distributed").setLevel(logging.CRITICAL)

    async def work(address: str) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(WORKERS):
                worker = Worker(address, nthreads=1, resources={cluster_worker.RESOURCE: 1}, memory_limit=0)
                await stack.enter_async_context(worker)
            await asyncio.Event().wait()

    with tempfile.TemporaryDirectory() as name:
        segmented = job_that_waits(Path(name), options)
        made = segmented.folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        documented = [
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--no-dashboard",
            "--dashboard-address",
            "127.0.0.1:0",
        ]
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", *documented]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            address = f"tcp://127.0.0.1:{port}"
            threading.Thread(target=lambda: asyncio.run(work(address)), daemon=True).start()
            watched, steps = psutil.Process(process.pid), options.segments // 10

            def look(part: Segment, record: SegmentRecord) -> None:
                kept_add(part, record)
                if len(made.parts) % steps == 0:
                    print(f"{len(made.parts):6} segments: {watched.memory_info().rss / 1e6:.1f} MB", flush=True)

            kept_add, made.add = made.add, look  # type: ignore[method-assign]
            print(f"scheduler with {WORKERS} workers, {options.segments} segments of {options.bytes / 1e6:g} MB")
            try:
                ClusterRun(address, Security(), segmented).paint_missing()
            finally:
                process.kill()


def film(options: argparse.Namespace) -> None:
    """Estimate a film's time on a cluster."""
    frames = options.hours * 3600 * options.rate
    segments_of = frames / options.length
    work = frames / options.fps
    handing = segments_of * options.cost_s
    alone, together = work / 3600, (work + handing) / options.machines / 60 + options.join_min
    print(f"{frames:.0f} frames, {segments_of:.0f} segments of {options.length}: {alone:.2f} h on one GPU")
    print(f"{together:.0f} min on {options.machines}, of which {options.join_min:g} min are the join")


def main() -> None:
    """Run the chosen benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["segments", "devices", "cluster", "scheduler", "film"])
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--style", default="starry-night")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--codec", default="libx264")
    parser.add_argument("--length", type=int, default=250, help="frames a segment")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--segments", type=int, default=1000, help="cluster, scheduler: how many")
    parser.add_argument("--seconds", type=float, default=1.0, help="cluster, scheduler: of work a segment")
    parser.add_argument("--bytes", type=int, default=1_000_000, help="cluster, scheduler: size of a segment's file")
    parser.add_argument("--hours", type=float, default=2.0, help="film: its length")
    parser.add_argument("--rate", type=float, default=24.0, help="film: frames a second")
    parser.add_argument("--fps", type=float, default=20.0, help="film: what one machine paints and encodes")
    parser.add_argument("--machines", type=int, default=20, help="film: GPUs")
    parser.add_argument("--cost-s", type=float, default=1.5, help="film: what a segment costs besides its frames")
    parser.add_argument("--join-min", type=float, default=2.0, help="film: the join")
    options = parser.parse_args()
    commands = {"segments": segments, "devices": devices, "cluster": cluster, "scheduler": scheduler, "film": film}
    commands[options.what](options)


if __name__ == "__main__":
    main()
