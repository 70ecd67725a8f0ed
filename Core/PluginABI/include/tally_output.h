/* Tally plugin ABI: what a tracker says. Records are typed blocks (tally_block.h); beacons are the bytes of a vendor's
 * wire protocol. */
#ifndef TALLY_OUTPUT_H
#define TALLY_OUTPUT_H

#include "tally_block.h"

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

/* What a reporter writes into a beacon each time it tries to send it, always in the same number of digits.
 *   Rationale: the time of sending is not known to a tracker, and the beacon's own bytes must be repeatable. */
#define TALLY_PATCH_SEND_EPOCH_MS 1u /* ms since 1970, 13 digits */
#define TALLY_PATCH_SEND_EPOCH_S 2u  /* s since 1970, 10 digits */
#define TALLY_PATCH_ATTEMPT 3u       /* 1 for the first try, padded with zeros */

/* Parts of a beacon that a patch can lie in. */
#define TALLY_PART_URL 1u
#define TALLY_PART_BODY 2u

typedef struct tally_patch {
  uint32_t part;
  uint32_t kind;
  uint64_t off;
  uint64_t width;
} tally_patch;

typedef struct tally_header {
  tally_str name, value;
} tally_header;

/* Bits of tally_beacon.flags. */
#define TALLY_BEACON_GZIP_WANTED 0x1u
#define TALLY_BEACON_DROP_IF_OFFLINE 0x2u
#define TALLY_BEACON_NO_RETRY 0x4u
#define TALLY_BEACON_KEEP_ORDER 0x8u

/* The request that carries records to a vendor. At most 1 MiB. A NUL byte or a line break in a text that is not the
 * body is TALLY_ERR_INVALID; what is not UTF-8 there is U+FFFD in the copy, and patches of the URL move with it. */
typedef struct tally_beacon {
  uint32_t struct_size;
  uint32_t flags;
  tally_str destination; /* a lasting key for order, back-off and credentials, such as "org.example.event-api" */
  tally_str method, url, body;
  const tally_header *TALLY_NULLABLE headers;
  uint64_t header_count;
  tally_str credential; /* name of a secret that the reporter adds; the secret itself never crosses this ABI */
  const tally_patch *TALLY_NULLABLE patches;
  uint64_t patch_count;
  const uint64_t *TALLY_NULLABLE records; /* ordinals of the records that it carries */
  uint64_t record_count;
  int64_t max_age_s; /* 0: the reporter's default */
} tally_beacon;

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END
#endif
