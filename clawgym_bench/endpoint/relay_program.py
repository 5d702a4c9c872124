"""Runs inside a container: passes connections to a port on through standard input and output.

A frame is a connection's number (4 bytes), the length (4 bytes) and so many bytes; length 0 ends that direction, and
0xffffffff from inside begins a connection.
"""

import os
import selectors
import socket
import struct
import sys

HEAD = struct.Struct(">II")
BEGIN = 0xFFFFFFFF
CHUNK_BYTES = 1 << 16


def read_exactly(count: int) -> bytes:
    """So many bytes of standard input; ends the program at its end."""
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


def write_all(data: bytes) -> None:
    """Write to standard output."""
    while data:
        data = data[os.write(1, data) :]


def main(port: int) -> None:
    """Serve until standard input ends."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", port))
    server.listen(128)
    chosen = selectors.DefaultSelector()
    chosen.register(server, selectors.EVENT_READ, -1)
    chosen.register(0, selectors.EVENT_READ, -2)
    open_sockets: dict[int, socket.socket] = {}
    number = 0
    write_all(HEAD.pack(0, 0))
    while True:
        for key, _ in chosen.select():
            if key.data == -1:
                try:
                    accepted = server.accept()[0]
                except OSError:  # more connections than this process may have
                    continue
                number += 1
                open_sockets[number] = accepted
                chosen.register(open_sockets[number], selectors.EVENT_READ, number)
                write_all(HEAD.pack(number, BEGIN))
            elif key.data == -2:
                from_outside(open_sockets, chosen)
            elif key.data in open_sockets:
                from_inside(key.data, open_sockets[key.data], chosen)


def from_outside(open_sockets: dict[int, socket.socket], chosen: selectors.BaseSelector) -> None:
    """Pass one frame to its connection; length 0 closes that."""
    number, length = HEAD.unpack(read_exactly(HEAD.size))
    data = read_exactly(length)
    target = open_sockets.get(number)
    if target is None:
        return
    try:
        if data:
            target.sendall(data)
            return
    except OSError:
        pass
    try:
        chosen.unregister(target)
    except KeyError:
        pass
    target.close()
    del open_sockets[number]


def from_inside(number: int, source: socket.socket, chosen: selectors.BaseSelector) -> None:
    """Pass what a connection sent on; its end as length 0."""
    try:
        data = source.recv(CHUNK_BYTES)
    except OSError:
        data = b""
    write_all(HEAD.pack(number, len(data)) + data)
    if not data:
        chosen.unregister(source)


if __name__ == "__main__":
    main(int(sys.argv[1]))
