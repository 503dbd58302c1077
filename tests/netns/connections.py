# SPDX-License-Identifier: LGPL-2.1-or-later
"""serve READS | send HOST [alone]: the ends of two TCP connections. One carries data of many sizes, which the server reads for READS
seconds, the other one, unless that is alone, 8 bytes three times a second, and their answer."""

import socket
import sys
import threading
import time

LARGE, SMALL = 5001, 5002


def serve(port, take):
    listener = socket.socket(socket.AF_INET6)
    listener.bind(("::", port))
    listener.listen()
    while True:
        threading.Thread(target=take, args=(listener.accept()[0],), daemon=True).start()


def read(connection):
    begin = time.monotonic()
    while connection.recv(1 << 18):
        if time.monotonic() - begin > float(sys.argv[2]):
            time.sleep(1000)


def answer(connection):
    while connection.recv(100):
        connection.sendall(b"an answer" + 1000 * b".")


def ask(host):
    connection = socket.create_connection((host, SMALL))
    while True:
        connection.sendall(b"question")
        connection.recv(10000)
        time.sleep(0.3)


if sys.argv[1] == "serve":
    threading.Thread(target=serve, args=(SMALL, answer), daemon=True).start()
    serve(LARGE, read)
else:
    if len(sys.argv) < 4:
        threading.Thread(target=ask, args=(sys.argv[2],), daemon=True).start()
    large = socket.create_connection((sys.argv[2], LARGE))
    while True:
        for size in 131072, 20000, 9000:
            large.sendall(size * b".")
            time.sleep(0.02)
