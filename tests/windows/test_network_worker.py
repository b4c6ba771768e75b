"""On Windows too a file of unknown origin is read in a process, whose crash or hang is an error in words."""

from __future__ import annotations

import pytest

from tests.models.test_network_worker import (  # noqa: F401 - the tests of this module
    _absolute_python_path,
    test_limits,
    test_the_same_as_without_a_process,
    test_what_does_harm_is_refused,
)

pytestmark = pytest.mark.windows
