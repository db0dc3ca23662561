# type: ignore
"""torch.autograd.anomaly_mode: where detect_anomaly() lies."""

from torch.autograd import detect_anomaly, set_detect_anomaly
