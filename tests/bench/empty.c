/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What any dynamically linked program costs: the loader and libc, and nothing else. */

int main(void) {
        return 0;
}
