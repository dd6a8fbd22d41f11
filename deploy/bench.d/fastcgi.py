"""A web server's end of a FastCGI connection, as far as deploy/bench needs it."""

import socket
import struct

VERSION, BEGIN, PARAMS, STDIN, STDOUT, END = 1, 1, 4, 5, 6, 3


def record(kind, content):
    return struct.pack(">BBHHBB", VERSION, kind, 1, len(content), 0, 0) + content


def pair(name, value):
    return struct.pack("BB", len(name), len(value)) + name.encode() + value.encode()


def request(body):
    """A POST of a form, on a connection that is to be kept."""
    params = (pair("REQUEST_METHOD", "POST") + pair("CONTENT_TYPE", "application/x-www-form-urlencoded")
              + pair("CONTENT_LENGTH", str(len(body))) + pair("REMOTE_ADDR", "127.0.0.1"))
    return (record(BEGIN, struct.pack(">HB5x", 1, 1)) + record(PARAMS, params) + record(PARAMS, b"")
            + record(STDIN, body.encode()) + record(STDIN, b""))


def exchange(connection, body):
    """Sends a form and waits for the end of the reply, which is returned as it came."""
    connection.sendall(request(body))
    reply = b""
    while True:
        header = receive(connection, 8)
        _, kind, _, length, padding, _ = struct.unpack(">BBHHBB", header)
        content = receive(connection, length + padding)[:length]
        if kind == STDOUT:
            reply += content
        if kind == END:
            return reply


def receive(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise ConnectionError("closed in the middle of a reply")
        data += piece
    return data


def connect(path):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(20)
    connection.connect(path)
    return connection
