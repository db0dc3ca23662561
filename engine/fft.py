"""torch.fft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.ops import fourier, guard

NAMES = (
    "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 fftn ifftn rfftn irfftn hfftn ihfftn fftfreq"
    " rfftfreq fftshift ifftshift"
)
for _name in NAMES.split():
    globals()[_name] = guard.function("fft_" + _name, getattr(fourier, _name))

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.fft' has no attribute '{name}'")
