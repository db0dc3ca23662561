"""Pages that need no server: a recorded run in one HTML file."""
