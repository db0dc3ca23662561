# type: ignore
"""torchvision.transforms: what is done to each picture of a data set."""

from torchvision.transforms._drawn import (
    ColorJitter,
    GaussianBlur,
    RandomApply,
    RandomChoice,
    RandomErasing,
    RandomGrayscale,
    RandomHorizontalFlip,
    RandomInvert,
    RandomOrder,
    RandomPosterize,
    RandomSolarize,
    RandomVerticalFlip,
)
from torchvision.transforms._fixed import (
    CenterCrop,
    Compose,
    ConvertImageDtype,
    FiveCrop,
    Grayscale,
    Lambda,
    Normalize,
    PILToTensor,
    Pad,
    Resize,
    TenCrop,
    ToPILImage,
    ToTensor,
)
from torchvision.transforms._given import InterpolationMode
from torchvision.transforms._moved import RandomAffine, RandomCrop, RandomResizedCrop, RandomRotation
