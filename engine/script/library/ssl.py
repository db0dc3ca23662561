# type: ignore
"""ssl: what scripts set before they download something. There is no network: a context is only carried about."""

__all__ = [
    "CERT_NONE",
    "CERT_OPTIONAL",
    "CERT_REQUIRED",
    "SSLContext",
    "SSLError",
    "_create_default_https_context",
    "_create_unverified_context",
    "create_default_context",
]

CERT_NONE, CERT_OPTIONAL, CERT_REQUIRED = 0, 1, 2


class SSLError(OSError):
    pass


class SSLContext:
    def __init__(self, protocol=None):
        self.check_hostname, self.verify_mode = False, CERT_NONE


def create_default_context(purpose=None, *, cafile=None, capath=None, cadata=None):
    made = SSLContext()
    made.check_hostname, made.verify_mode = True, CERT_REQUIRED
    return made


def _create_unverified_context(protocol=None, **given):
    return SSLContext(protocol)


_create_default_https_context = create_default_context
