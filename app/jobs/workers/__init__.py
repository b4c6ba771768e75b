"""Jobs on several devices or machines."""
