# SPDX-License-Identifier: LGPL-2.1-or-later
"""serve READS | send HOST [alone | back | both | bound]: the ends of two TCP connections. One carries data of many sizes, which the server
reads for READS seconds, or with "back" sends; the other one, unless that is alone, 8 bytes three times a second, and their answer.
With "both", data goes either way, nearly all of it in full segments. With "bound", there is each twice, also bound to the device
out0."""

import socket
import sys
import threading
import time

LARGE, SMALL, BACK, FULL = 5001, 5002, 5003, 5004


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


def write(connection, sizes=(131072, 20000, 9000)):
    while True:
        for size in sizes:
            connection.sendall(size * b".")
            time.sleep(0.02)


def write_much(connection):
    write(connection, (1 << 20,))


def answer(connection):
    while connection.recv(100):
        connection.sendall(b"an answer" + 1000 * b".")


def take_all(host, port):
    connection = socket.create_connection((host, port))
    while connection.recv(1 << 18):
        pass


def connect(host, port, device=""):
    connection = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
    connection.connect((host, port))
    return connection


def ask(host, device=""):
    connection = connect(host, SMALL, device)
    while True:
        connection.sendall(b"question")
        connection.recv(10000)
        time.sleep(0.3)


if sys.argv[1] == "serve":
    for port, take in (SMALL, answer), (BACK, write), (FULL, write_much):
        threading.Thread(target=serve, args=(port, take), daemon=True).start()
    serve(LARGE, read)
else:
    kind = sys.argv[3] if len(sys.argv) > 3 else ""
    if kind != "alone":
        threading.Thread(target=ask, args=(sys.argv[2],), daemon=True).start()
    if kind == "back":
        take_all(sys.argv[2], BACK)
    if kind == "both":
        threading.Thread(target=take_all, args=(sys.argv[2], FULL), daemon=True).start()
        write_much(socket.create_connection((sys.argv[2], LARGE)))
    if kind == "bound":
        threading.Thread(target=ask, args=(sys.argv[2], "out0"), daemon=True).start()
        threading.Thread(target=write, args=(connect(sys.argv[2], LARGE, "out0"),), daemon=True).start()
    write(socket.create_connection((sys.argv[2], LARGE)))
