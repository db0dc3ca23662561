# type: ignore
"""getpass: there is nobody to be asked, and one user."""


def getuser():
    return "user"


def getpass(prompt="Password: ", stream=None):
    raise EOFError("EOF when reading a line")
