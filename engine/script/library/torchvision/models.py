# type: ignore
"""torchvision.models: residual networks as they are before any training; trained weights are elsewhere."""

from enum import Enum

import torch
from torch import nn


class _Weights(Enum):
    @classmethod
    def verify(cls, given):
        return given


class ResNet18_Weights(_Weights):
    IMAGENET1K_V1 = "IMAGENET1K_V1"
    DEFAULT = "IMAGENET1K_V1"


class ResNet34_Weights(_Weights):
    IMAGENET1K_V1 = "IMAGENET1K_V1"
    DEFAULT = "IMAGENET1K_V1"


class ResNet50_Weights(_Weights):
    IMAGENET1K_V1 = "IMAGENET1K_V1"
    IMAGENET1K_V2 = "IMAGENET1K_V2"
    DEFAULT = "IMAGENET1K_V2"


def _conv3x3(inside, outside, stride=1):
    return nn.Conv2d(inside, outside, kernel_size=3, stride=stride, padding=1, bias=False)


def _conv1x1(inside, outside, stride=1):
    return nn.Conv2d(inside, outside, kernel_size=1, stride=stride, bias=False)


class BasicBlock(nn.Module):
    """Two convolutions beside what came in."""

    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = _conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = _conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class Bottleneck(nn.Module):
    """Three convolutions, the middle one of few channels, beside what came in."""

    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = _conv1x1(inplanes, planes)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = _conv3x3(planes, planes, stride)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv3 = _conv1x1(planes, planes * self.expansion)
        self.bn3 = nn.BatchNorm2d(planes * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    """Pictures (n, 3, height, width) to scores (n, num_classes)."""

    def __init__(self, block, layers, num_classes=1000, zero_init_residual=False):
        super().__init__()
        self.inplanes = 64
        self.conv1 = nn.Conv2d(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(self.inplanes)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], stride=2)
        self.layer3 = self._make_layer(block, 256, layers[2], stride=2)
        self.layer4 = self._make_layer(block, 512, layers[3], stride=2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        for each in self.modules():
            if isinstance(each, nn.Conv2d):
                nn.init.kaiming_normal_(each.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(each, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(each.weight, 1)
                nn.init.constant_(each.bias, 0)
        if zero_init_residual:
            for each in self.modules():
                if isinstance(each, (BasicBlock, Bottleneck)):
                    nn.init.constant_((each.bn2 if isinstance(each, BasicBlock) else each.bn3).weight, 0)

    def _make_layer(self, block, planes, blocks, stride=1):
        wide, downsample = planes * block.expansion, None
        if stride != 1 or self.inplanes != wide:
            downsample = nn.Sequential(_conv1x1(self.inplanes, wide, stride), nn.BatchNorm2d(wide))
        layers = [block(self.inplanes, planes, stride, downsample)]
        self.inplanes = wide
        layers += [block(self.inplanes, planes) for _ in range(1, blocks)]
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


def _network(name, block, layers):
    def make(*, weights=None, progress=True, pretrained=False, **kwargs):
        if weights is not None or pretrained:
            raise NotImplementedError(
                f"trained weights of {name}() do not exist here: scripts have no network; {name}() without weights is"
                " there, as it is before any training"
            )
        return ResNet(block, layers, **kwargs)

    make.__name__ = name
    return make


resnet18 = _network("resnet18", BasicBlock, [2, 2, 2, 2])
resnet34 = _network("resnet34", BasicBlock, [3, 4, 6, 3])
resnet50 = _network("resnet50", Bottleneck, [3, 4, 6, 3])
