"""python -m tests.fuzz [--minutes 30] [--seed 1] [--keep FOLDER]: damaged media, then damaged networks."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from tests.fuzz import media


def main() -> int:
    """Print what was found; 1 where anything was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the files that were not treated well")
    options = parser.parse_args()
    with_networks = importlib.util.find_spec("tests.fuzz.networks") is not None
    seconds = options.minutes * 60 / (1 + with_networks)
    report = media.run(options.seed, seconds, options.keep)
    print("\n".join([*report.faults, f"media: {report}"]), flush=True)
    found = bool(report.faults)
    if with_networks:
        from tests.fuzz import networks

        print(f"networks: {networks.run(options.seed, seconds)}", flush=True)
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
