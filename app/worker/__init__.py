"""The worker's side: the process in which scripts are executed."""
