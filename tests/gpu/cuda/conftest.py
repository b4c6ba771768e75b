"""These tests need cuda-core, which is not installed everywhere; where CUDA was promised its absence fails."""

import importlib.util

from tests.cuda import PROMISED

collect_ignore_glob = ["test_*.py"] if importlib.util.find_spec("cuda") is None and not PROMISED else []
