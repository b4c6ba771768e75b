"""Which tests belong to this machine: tests/windows needs Windows itself or the rig of tools/winrig, those of training
need PyTorch; FRAMEBRUSH_REQUIRE_TORCH=1 promises it, and then its absence fails."""

import importlib.util
import os
import signal
import sys

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # PyTorch's threads would spin on cores that others need

collect_ignore = [] if sys.platform == "win32" else ["tests/windows"]
if importlib.util.find_spec("torch") is None and os.environ.get("FRAMEBRUSH_REQUIRE_TORCH") != "1":
    collect_ignore_glob = ["tests/models/test_training*.py", "tests/models/test_painter_network.py"]

# Under nohup, and in the background of many shells, signals are ignored, which programs that tests start would inherit.
# A handler of Python's own is not inherited, and keeps this process alive as before.
for name in ("SIGHUP", "SIGINT", "SIGTERM"):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)
