# type: ignore
"""torchvision.datasets: pictures of noise. Those that are fetched from elsewhere say so when they are asked for."""

import torch
import torchvision.transforms.functional as _F


class VisionDataset(torch.utils.data.Dataset):
    _repr_indent = 4

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.root, self.transforms = root, transforms
        self.transform, self.target_transform = transform, target_transform

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def extra_repr(self):
        return ""

    def __repr__(self):
        body = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            body.append(f"Root location: {self.root}")
        body += self.extra_repr().splitlines()
        told = []
        for name, each in (("Transform", self.transform), ("Target transform", self.target_transform)):
            if each is not None:
                first, *rest = str(each).split("\n")
                told += [f"{name}: {first}", *(" " * (len(name) + 2) + line for line in rest)]
        if told:
            body.append("\n".join(["StandardTransform", *told]))
        return "\n".join([f"Dataset {type(self).__name__}", *(" " * self._repr_indent + line for line in body)])


class FakeData(VisionDataset):
    """Pictures of noise and classes that mean nothing: (picture, class) of `transform` and `target_transform`."""

    def __init__(
        self,
        size=1000,
        image_size=(3, 224, 224),
        num_classes=10,
        transform=None,
        target_transform=None,
        random_offset=0,
    ):
        super().__init__(transform=transform, target_transform=target_transform)
        self.size, self.num_classes, self.image_size = size, num_classes, image_size
        self.random_offset = random_offset

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        state = torch.get_rng_state()
        torch.manual_seed(index + self.random_offset)
        img = torch.randn(*self.image_size)
        target = torch.randint(0, self.num_classes, size=(1,), dtype=torch.long)[0]
        torch.set_rng_state(state)
        img = _F.to_pil_image(img)
        if self.transform is not None:
            img = self.transform(img)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return img, int(target)

    def __len__(self):
        return self.size
