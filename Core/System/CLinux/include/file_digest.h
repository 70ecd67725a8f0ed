/* SHA-256 by the processor's own instructions. */
#ifndef TALLY_FILE_DIGEST_H
#define TALLY_FILE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Works `count` blocks of 64 bytes into the eight words of a SHA-256's state; false, and nothing is done, on a
 * processor without the instructions. */
bool tally_sha256_blocks(uint32_t *state, const void *bytes, size_t count);

#endif
