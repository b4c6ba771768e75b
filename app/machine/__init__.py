"""Tests and measurements of this computer: doctor and bench."""
