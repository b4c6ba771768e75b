"""What this computer has, whether it works, and how fast it is: doctor and bench."""
