"""Process of the window, which a graphics driver may crash.

`base/supervision.py` starts it: python -m framebrush.window.supervised_window LIFELINE MEMORY [FILE].
"""

from __future__ import annotations

import sys

from framebrush.base import supervision
from framebrush.window import work

if __name__ == "__main__":
    supervision.obey(sys.argv.pop(1), sys.argv.pop(1))
    work()
