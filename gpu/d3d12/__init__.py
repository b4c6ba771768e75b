"""Direct3D 12 backend with DirectML. Importing it loads no libraries.

API calls raise DeviceError or DeviceLostError, allocations OutOfMemoryError. `close` is idempotent.
"""
