"""A port inside a sandbox that is served from outside.

A socket belongs to the network in which it was made, whoever holds it. A short-lived process makes it in the sandbox's
network and hands it over; nothing of the sandbox then stands between a program inside and the server outside.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Sequence

LISTEN_SEC = 20.0
_MAKE = """
import socket, sys
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", int(sys.argv[1])))
server.listen(128)
socket.send_fds(socket.socket(fileno=0), [b"."], [server.fileno()])
"""


def network_command(pid: int, outer_user_namespace: str | None) -> list[str]:
    """Return the words that make a process of the host join the network of a sandbox and nothing else of it."""
    if outer_user_namespace is None:
        return ["nsenter", "-t", str(pid), "-n"]
    return ["nsenter", f"--user={outer_user_namespace}", "-t", str(pid), "-n", "--preserve-credentials"]


def listening_socket(joining: Sequence[str], port: int) -> socket.socket:
    """Return a socket that listens on the loopback address of a sandbox.

    Args:
        joining: of `network_command`.
        port: there.

    Raises:
        OSError: the port is taken, or the network cannot be joined.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        command = [*joining, sys.executable, "-I", "-S", "-c", _MAKE, str(port)]
        done = subprocess.run(
            command, stdin=theirs.fileno(), capture_output=True, text=True, check=False, timeout=LISTEN_SEC
        )
        if done.returncode != 0:
            raise OSError(f"port {port} of the sandbox cannot be opened: {done.stderr.strip()[-300:]}")
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    try:
        return socket.socket(fileno=descriptors[0])
    except OSError:
        os.close(descriptors[0])
        raise
