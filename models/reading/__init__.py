"""Third-party networks.

Reading in a separate process, analysis, and conversion to the canonical form.
"""
