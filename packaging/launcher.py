"""Entry point of both frozen programs: command line, or window as framebrush-gui.

It also runs child processes, `-P -m framebrush.MODULE`, as Python does.
"""

import runpy
import sys
from pathlib import Path

if sys.argv[1:3] == ["-P", "-m"] and len(sys.argv) > 3 and sys.argv[3].startswith("framebrush."):
    module = sys.argv[3]
    del sys.argv[1:4]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
elif Path(sys.executable).stem == "framebrush-gui":
    from framebrush.window import main

    main()
else:
    from framebrush.__main__ import main

    main()
