# SPDX-License-Identifier: LGPL-2.1-or-later
"""announce_lldp.py DEVICE NAME PORT [FRAME [CAPABILITIES]]: a switch sends a frame of IEEE 802.1AB by the device, with its system name,
its port ID, the largest frame that it carries, and its enabled capabilities, those of bridge and router by default. NAME may have
escapes: \\xff is that byte."""

import socket
import struct
import sys

device, name, port = sys.argv[1:4]
frame, capabilities = [int(word, 0) for word in sys.argv[4:]] + [0, 0x14][len(sys.argv) - 4:]
name = name.encode().decode("unicode_escape").encode("latin-1")
address = b"\xc6\x14\x74" + name.ljust(3, b"-")[-3:]

message = b""
for kind, value in (
    (1, b"\x04" + address),
    (2, b"\x05" + port.encode()),
    (3, struct.pack(">H", 120)),
    (4, b"a description"),
    (5, name),
    (7, struct.pack(">HH", 0x94, capabilities)),
    (127, b"\x00\x12\x0f\x04" + struct.pack(">H", frame) if frame else b""),
    (0, b""),
):
    if value or kind == 0:
        message += struct.pack(">H", kind << 9 | len(value)) + value
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
    wire.bind((device, 0))
    wire.send(bytes.fromhex("0180c200000e") + address + b"\x88\xcc" + message)
