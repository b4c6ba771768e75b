"""Selection of tests that this machine can run.

FRAMEBRUSH_REQUIRE_TORCH=1, FRAMEBRUSH_REQUIRE_VAPOURSYNTH=1 and FRAMEBRUSH_REQUIRE_PYVIRTUALCAM=1 fail without the
package.
"""

import gc
import importlib.util
import os
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator

import pytest

# Idle threads of PyTorch and OpenBLAS would spin on cores that the other test processes need.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

collect_ignore = [] if sys.platform == "win32" else ["tests/windows"]
for module, paths in (
    ("vapoursynth", ["tests/app/test_vapoursynth.py"]),
    ("pyvirtualcam", [f"tests/{folder}/test_virtual_camera.py" for folder in ("app/window/transport", "media/live")]),
):
    if importlib.util.find_spec(module) is None and os.environ.get(f"FRAMEBRUSH_REQUIRE_{module.upper()}") != "1":
        collect_ignore += paths
if importlib.util.find_spec("torch") is None and os.environ.get("FRAMEBRUSH_REQUIRE_TORCH") != "1":
    collect_ignore_glob = [
        "tests/app/painted/test_learn.py",
        "tests/app/painted/test_photographs.py",
        "tests/tools/test_features.py",
        "tests/models/test_training*.py",
        "tests/models/test_painter_network.py",
    ]

# nohup and background shells ignore signals, and child processes would inherit that. A Python handler is not
# inherited, and keeps this process alive as before.
for name in ("SIGHUP", "SIGINT", "SIGTERM"):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)

if sys.platform == "linux":

    def scheduling() -> tuple[int, int, int]:
        """Return policy, real-time priority and nice value of this thread."""
        return os.sched_getscheduler(0), os.sched_getparam(0).sched_priority, os.getpriority(os.PRIO_PROCESS, 0)

    USUAL = scheduling()

    @pytest.fixture(autouse=True)
    def usual_scheduling() -> Iterator[None]:
        """Fail a test that raises this process's priority; reset it."""
        yield
        policy, priority, nice = scheduling()
        if (policy, priority) != USUAL[:2] or nice < USUAL[2]:
            os.sched_setscheduler(0, USUAL[0], os.sched_param(USUAL[1]))
            os.setpriority(os.PRIO_PROCESS, 0, USUAL[2])
            pytest.fail(
                f"this test left the process at policy {policy}, priority {priority}, nice {nice}, not {USUAL}; "
                "encode AV1 under kept_scheduling"
            )


LEFT_OUT = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="the slow tests too, as whenever a file or a folder is named")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests, and exempt them from garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests of a full run and tests of missing devices."""
    quick = not config.getoption("all") and config.args_source is config.ArgsSource.TESTPATHS
    left_out, kept, left = Counter[str](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        needs = [mark.args for mark in item.iter_markers("needs")]
        reasons = [f"no {device}: {reason}" for device, reason in needs if reason]
        if quick and item.get_closest_marker("slow"):
            reasons.append("they are slow; --all has them run")
        left_out.update(reasons[:1])
        (left if reasons else kept).append(item)
    config.stash[LEFT_OUT] = left_out
    config.hook.pytest_deselected(items=left)
    # Long ones first, or one process would end with one of them alone.
    items[:] = sorted(kept, key=lambda item: item.get_closest_marker("long") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for reason, count in config.stash.get(LEFT_OUT, Counter()).items():
        terminalreporter.write_line(f"left out: {count} tests, {reason}")
