"""Entry point of `framebrush` and `python -m framebrush`."""

from __future__ import annotations

import sys

from framebrush.base import supervision
from framebrush.cli.work import open_standard_streams, work


def main() -> None:
    """Run the command line; exit with its status."""
    open_standard_streams()
    arguments = sys.argv[1:]
    if not supervision.WORDS.isdisjoint(arguments):
        status = supervision.supervise(arguments)
        if status is not None:
            sys.exit(status)
    work()


if __name__ == "__main__":
    main()
