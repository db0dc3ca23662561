# type: ignore
"""tensorboardX: what is logged is kept nowhere."""

from torch.utils.tensorboard import SummaryWriter
