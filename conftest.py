"""Which tests belong to this machine: tests/windows needs Windows itself or the rig of tools/winrig."""

import sys

collect_ignore = [] if sys.platform == "win32" else ["tests/windows"]
