"""What is read in a text alone, before anything of it runs."""
