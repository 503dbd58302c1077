# SPDX-License-Identifier: LGPL-2.1-or-later
"""A disk whose writes and flushes are recorded, so that each state in which a loss of power can leave it can be made again.

It is one file of a FUSE file system, linux/fuse.h, below a loop device. Like a disk with a volatile cache, it may lose or
reorder what was written since the last flush, which the loop device passes on as fsync(2)."""

import ctypes
import errno
import os
import stat
import struct
import threading

SECTOR = 512
ZEROS = bytes(SECTOR)
WRITE_MAX = 128 * 1024

GETATTR, SETATTR, FORGET, OPEN, READ, WRITE, RELEASE, FSYNC, FLUSH, INIT, INTERRUPT = 3, 4, 2, 14, 15, 16, 18, 20, 25, 26, 36
DIRECT_IO = 1

FLUSHED = None  # an entry of the log; others are writes, (first sector, data)


def store(sectors, write):
    first, data = write
    for i in range(len(data) // SECTOR):
        sector = data[i * SECTOR:(i + 1) * SECTOR]
        if sector == ZEROS:
            sectors.pop(first + i, None)
        else:
            sectors[first + i] = sector


def states(sectors, log):
    """Each state that the disk can have, with how many flushes it has behind it: what was flushed, and of the writes since, a
    beginning in their order, one alone, or all but one. Larger subsets out of order are not tried."""
    sectors, pending, n_flushed = dict(sectors), [], 0

    def state(writes):
        made = dict(sectors)
        for write in writes:
            store(made, write)
        return n_flushed, made

    yield state([])
    for entry in [*log, FLUSHED]:
        if entry is not FLUSHED:
            pending.append(entry)
            yield state(pending)
            continue
        for i in range(len(pending)):
            if i > 0:
                yield state(pending[i:i + 1])
            if 0 < i < len(pending) - 1 or i == 0 < len(pending) - 2:
                yield state(pending[:i] + pending[i + 1:])
        for write in pending:
            store(sectors, write)
        pending, n_flushed = [], n_flushed + 1
        yield state([])


class RecordedDisk:
    """`path` is an empty file, and a disk of `size` bytes from then on."""

    def __init__(self, path, size):
        self.size, self.sectors, self.log = size, {}, []
        self.device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self.device},rootmode={stat.S_IFREG:o},user_id=0,group_id=0"
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b"disk", path.encode(), b"fuse.disk", 0, options.encode()) < 0:
            raise OSError(ctypes.get_errno(), "mount of a FUSE file system")
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                request = os.read(self.device, WRITE_MAX + 64 * 1024)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT):
                    continue
                return  # ENODEV: unmounted
            _, operation, unique = struct.unpack_from("=IIQ", request)
            if operation in (FORGET, INTERRUPT):
                continue
            answer = self.answer(operation, request[40:])
            error = -errno.ENOSYS if answer is None else 0
            answer = answer or b""
            os.write(self.device, struct.pack("=IiQ", 16 + len(answer), error, unique) + answer)

    def answer(self, operation, body):
        if operation == INIT:
            return struct.pack("=IIIIHHIIHH32x", 7, 31, WRITE_MAX, 0, 0, 0, WRITE_MAX, 1, 0, 0)
        if operation in (GETATTR, SETATTR):
            return struct.pack("=QII6Q10I", 3600, 0, 0, 1, self.size, 0, 0, 0, 0, 0, 0, 0, stat.S_IFREG | 0o600, 1, 0, 0, 0,
                               4096, 0)
        if operation == OPEN:
            return struct.pack("=QII", 0, DIRECT_IO, 0)
        if operation == READ:
            offset, size = struct.unpack_from("=8xQI", body)
            numbers = range(offset // SECTOR, (min(offset + size, self.size) + SECTOR - 1) // SECTOR)
            return b"".join(self.sectors.get(number, ZEROS) for number in numbers)[:size]
        if operation == WRITE:
            offset, size = struct.unpack_from("=8xQI", body)
            if offset % SECTOR or size % SECTOR:
                return None
            self.log.append((offset // SECTOR, body[40:40 + size]))
            store(self.sectors, self.log[-1])
            return struct.pack("=II", size, 0)
        if operation == FSYNC:
            self.log.append(FLUSHED)
        return b"" if operation in (FSYNC, FLUSH, RELEASE) else None
