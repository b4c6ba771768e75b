"""Networks on Direct3D 12: own kernels, or DirectML by ONNX Runtime."""
