"""CUDA tests: deselected without cuda-core, failed if promised."""

import importlib.util

from tests.cuda import PROMISED

collect_ignore_glob = ["test_*.py"] if importlib.util.find_spec("cuda") is None and not PROMISED else []
