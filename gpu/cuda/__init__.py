"""The CUDA backend: kernels by NVRTC, networks by kernels of our own or by ONNX Runtime, memory, streams and events."""
