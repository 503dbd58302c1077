/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Running text for people: on a terminal it is broken at spaces, otherwise lines are as long as they come.
 */

/* How many columns the terminal on stdout has; 0: it is none. */
int paragraph_width(void);

/* Prints `text` on stdout where column `begin` has been reached; further lines begin at `hanging`. Without a
 * newline at its end. */
void paragraph_flow(const char *text, int begin, int hanging);

/* The same for a paragraph of its own, behind `indent` spaces and with a newline. */
void paragraph_print(const char *text, int indent, int hanging);
