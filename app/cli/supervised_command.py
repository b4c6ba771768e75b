"""Process for a command's work, which may crash; see `base/supervision.py`."""

from __future__ import annotations

import sys

from framebrush.base import supervision
from framebrush.cli.work import work

if __name__ == "__main__":
    supervision.obey(sys.argv.pop(1), sys.argv.pop(1))
    work()
