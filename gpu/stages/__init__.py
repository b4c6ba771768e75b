"""Stages of a frame: definitions, constants shared by all devices, and passes for GPUs."""
