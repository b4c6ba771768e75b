"""Untrusted files are read in a child process on Windows too: a crash or hang becomes an error message."""

from __future__ import annotations

import pytest

from tests.models.test_network_worker import (  # noqa: F401 - the tests of this module
    _absolute_python_path,
    test_limits,
    test_the_same_as_without_a_process,
    test_what_does_harm_is_refused,
)

pytestmark = pytest.mark.windows
