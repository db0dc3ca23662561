"""The server's side of the workers: who executes what, for how long."""
