"""What happens while instructions run: frames, calls, exceptions."""
