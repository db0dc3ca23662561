"""The operations. One small file per family; methods.py attaches them to Tensor."""
