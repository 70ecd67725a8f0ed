/* Finding lines at the speed of memory: vector instructions that Swift has no words for. */
#ifndef TALLY_LINE_SCAN_H
#define TALLY_LINE_SCAN_H

#include <stddef.h>

/* Counts the whole lines from the beginning of `text` that begin with `prefix`, up to the first that does not, or whose
 * break is not there. `end` is set behind the last one's break. */
size_t tally_lines_with_prefix(const char *_Nonnull text, size_t count, const char *_Nonnull prefix,
                               size_t prefix_count, size_t *_Nonnull end);

#endif
