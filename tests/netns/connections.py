# SPDX-License-Identifier: LGPL-2.1-or-later
"""serve READS [ADDRESS...] | send HOST[,HOST...] [alone | back | both | bound]: the ends of two TCP connections. One carries data of
many sizes, which the server reads for READS seconds, or with "back" sends; the other one, unless that is alone, 8 bytes three times a
second, and their answer. With "both", data goes either way, nearly all of it in full segments. With "bound", there is each twice, also
bound to the device out0. Several hosts have two connections each, with less data; each ADDRESS is served by a process of its own."""

import os
import random
import socket
import sys
import threading
import time

LARGE, SMALL, BACK, FULL = 5001, 5002, 5003, 5004
hosts = sys.argv[2].split(",")
kind = sys.argv[3] if len(sys.argv) > 3 else ""
PAUSE = 0.02 if len(hosts) == 1 else 0.1


def start(function, *arguments):
    threading.Thread(target=function, args=arguments, daemon=True).start()


def serve(port, take, address="::"):
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listener.bind((address, port))
    listener.listen()
    while True:
        start(take, listener.accept()[0])


def read(connection):
    begin = time.monotonic()
    while connection.recv(1 << 18):
        if time.monotonic() - begin > float(sys.argv[2]):
            time.sleep(1000)


def write(connection, sizes=(131072, 20000, 9000)):
    while True:
        for size in sizes:
            connection.sendall(size * b".")
            time.sleep(PAUSE)


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


def serve_all(address):
    for port, take in (SMALL, answer), (BACK, write), (FULL, write_much):
        start(serve, port, take, address)
    serve(LARGE, read, address)


def send(host, kind):
    if PAUSE > 0.02:
        time.sleep(random.random())
    if kind != "alone":
        start(ask, host)
    if kind == "back":
        take_all(host, BACK)
    if kind == "both":
        start(take_all, host, FULL)
        write_much(socket.create_connection((host, LARGE)))
    if kind == "bound":
        start(ask, host, "out0")
        start(write, connect(host, LARGE, "out0"))
    write(socket.create_connection((host, LARGE)))


if sys.argv[1] == "serve":
    for each in sys.argv[4:]:
        if os.fork() == 0:
            serve_all(each)
    serve_all(sys.argv[3] if len(sys.argv) > 3 else "::")
else:
    for each in hosts[1:]:
        start(send, each, kind)
    send(hosts[0], kind)
