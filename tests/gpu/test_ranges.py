"""Profiler ranges of a frame's stages. nvtx loads our injection library like Nsight Systems'."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.gpu.device import Diagnosis, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.temporal_window import PAST_ONE
from tests import networks
from tests.cuda import needs

pytestmark = pytest.mark.unit

# The tables, numbers and structures are those of nvtx3/nvtxDetail/nvtxTypes.h and nvToolsExt.h.
PROFILER = r"""
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef void (*function)(void);
struct callbacks { size_t size; int (*table_of)(int module, function ***table, unsigned *count); };
struct attributes {
  uint16_t version, size; uint32_t category; int32_t color_type; uint32_t color; int32_t payload_type, reserved;
  uint64_t payload; int32_t message_type; const void *message;
};
enum { CALLBACKS = 1, DOMAINS = 5, PUSH = 4, POP = 5, STRING_A = 10, STRING_W = 11, CREATE_A = 12, CREATE_W = 13 };
enum { ASCII = 1, UNICODE = 2, REGISTERED = 3 };

static void note(const char *what, const void *domain, const char *text) {
  FILE *file = fopen(getenv("PROFILED"), "a");
  fprintf(file, "%lx %s %s %s\n", (unsigned long)pthread_self(), what, (const char *)domain, text);
  fclose(file);
}
static char *narrow(const wchar_t *text) {
  char *made = calloc(1, 256);
  wcstombs(made, text, 255);
  return made;
}
static void *named(const char *text) { return strdup(text); }
static void *named_w(const wchar_t *text) { return narrow(text); }
static void *text_of(void *domain, const char *text) { return strdup(text); }
static void *text_of_w(void *domain, const wchar_t *text) { return narrow(text); }
static int push(void *domain, const struct attributes *event) {
  note("begin", domain, event->message_type == UNICODE ? narrow(event->message) : event->message);
  return 0;
}
static int pop(void *domain) {
  note("end", domain, "");
  return 0;
}
int InitializeInjectionNvtx2(const void *(*exported)(uint32_t)) {
  const struct callbacks *all = exported(CALLBACKS);
  function **table;
  unsigned count;
  if (!all || !all->table_of(DOMAINS, &table, &count) || count <= CREATE_W) return 0;
  *table[PUSH] = (function)push;
  *table[POP] = (function)pop;
  *table[STRING_A] = (function)text_of;
  *table[STRING_W] = (function)text_of_w;
  *table[CREATE_A] = (function)named;
  *table[CREATE_W] = (function)named_w;
  return 1;
}
"""


def paint(kind: str, *, markers: bool) -> None:
    """Three frames, with a neighbour each."""
    picture = rgba8(64, 48)
    with (
        open_device(kind, Diagnosis(markers=markers)) as device,
        device.stylizer(networks.identity(), picture, picture, look=Look(steady=0.5), window=PAST_ONE) as stylizer,
    ):
        for _ in range(3):
            stylizer.fetch(stylizer.submit(picture.allocate()))


@pytest.fixture(scope="module")
def profiler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profiler")
    source, library = folder / "profiler.c", folder / "profiler.so"
    source.write_text(PROFILER)
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-o", str(library), str(source)], check=True)
    return library


def profiled(profiler: Path, told: Path, kind: str, *, markers: bool) -> dict[str, list[str]]:
    """What each thread of a process told the profiler."""
    told.touch()
    code = f"from tests.gpu import test_ranges; test_ranges.paint({kind!r}, markers={markers})"
    environment = {**os.environ, "NVTX_INJECTION64_PATH": str(profiler), "PROFILED": str(told)}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=Path(__file__).parents[2], check=True)
    threads: dict[str, list[str]] = {}
    for line in told.read_text().splitlines():
        thread, event = line.split(" ", 1)
        threads.setdefault(thread, []).append(event.rstrip())
    return threads


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc")
@pytest.mark.parametrize("kind", ["cpu", pytest.param("cuda", marks=needs("cuda"))])
def test_every_stage_is_a_range_of_its_thread(profiler: Path, tmp_path: Path, kind: str) -> None:
    threads = profiled(profiler, tmp_path / "told", kind, markers=True)
    stages = set()
    for events in threads.values():
        begun = events[::2]
        assert events[1::2] == ["end framebrush"] * len(begun)
        assert len(begun) % 3 == 0  # frames
        stages |= {event.removeprefix("begin framebrush ") for event in begun}
    assert stages == {"upload", "convert", "network", "steady", "output", "fetch"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc")
def test_nothing_is_named_unless_it_is_asked_for(profiler: Path, tmp_path: Path) -> None:
    assert not profiled(profiler, tmp_path / "told", "cpu", markers=False)


def test_without_nvtx_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nvtx", None)
    with pytest.raises(DeviceError, match=r"needs nvtx; install it with pip install nvtx$"):
        paint("cpu", markers=True)
