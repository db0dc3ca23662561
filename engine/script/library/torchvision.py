# type: ignore
"""torchvision: what is done to pictures. Data that are fetched and models that were trained are elsewhere."""
