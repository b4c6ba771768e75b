"""Paint video with neural networks.

Importing any part of the package switches ONNX Runtime's telemetry off: some of its wheels otherwise look up a host on
the network and write a device identifier to the user's cache folder. Only the environment is heeded early enough.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
