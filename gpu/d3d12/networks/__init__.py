"""What runs a network on Direct3D 12: ONNX Runtime's DirectML provider, by its C API."""
