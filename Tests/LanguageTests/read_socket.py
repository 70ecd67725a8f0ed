#!/usr/bin/env python3
"""Waits on a Unix socket for one connection, and writes what comes to standard output. Argument: the socket's path."""
import socket
import sys

with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(sys.argv[1])
    listener.listen(1)
    listener.settimeout(30)
    connection, _ = listener.accept()
    connection.settimeout(30)
    while part := connection.recv(65536):
        sys.stdout.buffer.write(part)
