"""python -m tests.fuzz [--minutes 30] [--seed 1] [--keep FOLDER]: fuzz with damaged media, then networks."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.fuzz import media, networks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the files that were not treated well")
    options = parser.parse_args()
    seconds = options.minutes * 60 / 2
    report = media.run(options.seed, options.keep, seconds=seconds)
    print("\n".join([*report.faults, f"media: {report}"]), flush=True)
    print(f"networks: {networks.run(options.seed, seconds=seconds)}", flush=True)
    return int(bool(report.faults))


if __name__ == "__main__":
    sys.exit(main())
