"""Run a network on the CPU for a moment: to see its sizes, its ranges, and that it works at all."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from onnx import ModelProto

from framebrush.models.style import StyleError
from framebrush.models.text import first_line

Picture = npt.NDArray[np.float32]

LIMIT_S = 60.0


class Runner:
    """A session on the CPU whose runs end after LIMIT_S seconds."""

    def __init__(self, model: ModelProto, label: str) -> None:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.log_severity_level = 4  # errors come as exceptions; the log would only repeat them on stderr
        options.enable_cpu_mem_arena = False
        self._ort = ort
        self._label = label
        try:
            # Without its fall-back, which would print to stdout and try the same provider again.
            self._session = ort.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"], enable_fallback=0
            )
        except Exception as error:  # ORT's own exception types share no base but this
            raise StyleError(f"{label}: ONNX Runtime cannot load it: {_reason(error)}") from error
        self._types = {value.name: value.type for value in self._session.get_inputs()}

    def run(self, picture: Picture) -> Picture:
        """picture: (1, C, H, W) or (1, H, W, C) in the network's own numbers. Returns the output as float32.

        Raises StyleError where the network fails on this size or takes too long.
        """
        feeds = {}
        for name, kind in self._types.items():
            value = picture
            if name == "mix":
                shape = next(item.shape for item in self._session.get_inputs() if item.name == "mix")
                value = np.zeros((1, shape[1]), np.float32)
                value[0, 0] = 1
            feeds[name] = value.astype(np.float16) if kind == "tensor(float16)" else value
        options = self._ort.RunOptions()
        options.log_severity_level = 4
        stop = threading.Timer(LIMIT_S, setattr, (options, "terminate", True))
        stop.daemon = True
        stop.start()
        try:
            (result,) = self._session.run(None, feeds, options)
        except Exception as error:  # as above
            size = "x".join(str(side) for side in picture.shape[1:])
            if options.terminate:
                raise StyleError(f"{self._label}: it takes more than {LIMIT_S:g} s for {size}; refused") from error
            raise StyleError(
                f"{self._label}: it does not run at {size} ({_reason(error)}); "
                "it is not fully convolutional, or its export fixed the size"
            ) from error
        finally:
            stop.cancel()
        return np.asarray(result, np.float32)


@lru_cache(maxsize=4)
def sample_picture(height: int, width: int) -> Picture:
    """(3, height, width) R'G'B' 0..1 with a photograph's statistics: a 1/f spectrum, colour, and edges."""
    random = np.random.default_rng(20120816)
    frequency = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None, :])
    frequency[0, 0] = 1.0
    noise = np.fft.irfft2(np.fft.rfft2(random.standard_normal((3, height, width))) / frequency, s=(height, width))
    noise /= noise.std()
    y, x = np.mgrid[0:height, 0:width] / np.array([height, width]).reshape(2, 1, 1)
    disc = np.hypot(y - 0.4, x - 0.35) < 0.2
    roof = (y > 0.55) & (np.abs(x - 0.65) < 0.25)
    picture = 0.5 + 0.12 * noise + np.array([0.1, 0.0, -0.1]).reshape(3, 1, 1) * (0.5 - y)
    picture += disc * np.array([0.3, 0.1, -0.2]).reshape(3, 1, 1)
    picture -= roof * np.array([0.1, 0.2, 0.3]).reshape(3, 1, 1)
    return np.asarray(np.clip(picture, 0, 1), np.float32)


def _reason(error: Exception) -> str:
    return re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", first_line(error))
