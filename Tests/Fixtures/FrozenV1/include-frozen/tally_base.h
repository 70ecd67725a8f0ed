/* Tally plugin ABI: macros, status codes and text views that every other header uses.
 *
 * How to read the tags in these headers
 *   [core]      called in the one serial context of a player run: never concurrently for one instance, not tied to one
 *               thread of the operating system
 *   [reporter]  called on the one thread that a reporter instance has
 *   [any]       may be called from any thread at any time, also concurrently
 *   {loaded}    from the moment the library is loaded     {created}  between create and destroy
 *   {ready}     between a successful init and destroy     {enabled}  between enable and the return of disable
 *
 * Ownership, everywhere: a pointer argument is lent until the call returns. Who wants to keep what it points at copies
 * it. Neither side ever frees memory of the other.
 *
 * Blocks (tally_event, tally_record) hold offsets and no pointers, and begin with the size of the whole.
 *
 * Structures grow at their end only, and begin with their size. A reader copies min(their size, its own size) bytes
 * into a zeroed structure of its own, and takes a member that is zero or NULL as "not offered".
 *   Rationale: reading a whole foreign structure touches bytes that an older, smaller one does not have.
 */
#ifndef TALLY_BASE_H
#define TALLY_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define TALLY_NULLABLE _Nullable
#define TALLY_NONNULL _Nonnull
#define TALLY_ASSUME_NONNULL_BEGIN                                                               \
  _Pragma("clang assume_nonnull begin") _Pragma("clang diagnostic push") /* -Wpedantic users */  \
      _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")
#define TALLY_ASSUME_NONNULL_END _Pragma("clang diagnostic pop") _Pragma("clang assume_nonnull end")
#else
#define TALLY_NULLABLE
#define TALLY_NONNULL
#define TALLY_ASSUME_NONNULL_BEGIN
#define TALLY_ASSUME_NONNULL_END
#endif

#if defined(__GNUC__)
#define TALLY_EXPORT __attribute__((visibility("default")))
#else
#define TALLY_EXPORT
#endif

#if defined(__cplusplus)
#define TALLY_EXTERN_C_BEGIN extern "C" {
#define TALLY_EXTERN_C_END }
#else
#define TALLY_EXTERN_C_BEGIN
#define TALLY_EXTERN_C_END
#endif

/* The major version is part of the entry's name; the minor one rises with each addition. */
#define TALLY_ABI_MAJOR 1u
#define TALLY_ABI_MINOR 0u

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

/* 0 is success, negative an error, positive success with a remark.
 *   Rationale: this and every other number is a macro that is a literal and nothing else. Enumerators would be Int in
 *   Swift and mixed signs in C++, and a cast is lost to the binding generators of other languages. */
typedef int32_t tally_status;
#define TALLY_OK 0
#define TALLY_ERR_INVALID (-1)     /* an argument breaks its documented rule */
#define TALLY_ERR_UNSUPPORTED (-2) /* not offered by this side */
#define TALLY_ERR_STATE (-3)       /* not legal in this life-cycle window */
#define TALLY_ERR_CONFIG (-4)      /* the configuration cannot be used */
#define TALLY_ERR_IO (-5)          /* a file, socket or device failed; reporters only */
#define TALLY_ERR_INTERNAL (-6)    /* a fault of the side that returns it */
#define TALLY_ERR_TOO_LARGE (-7)   /* beyond a limit of docs/limits.md */
#define TALLY_ERR_NOT_FOUND (-8)   /* no such thing */

/* UTF-8 text that is lent: not terminated, may hold NUL bytes, `ptr` may be NULL when `len` is 0. */
typedef struct tally_str {
  const char *TALLY_NULLABLE ptr;
  size_t len;
} tally_str;

/* Levels of tally_host.log. */
#define TALLY_LOG_DEBUG 0
#define TALLY_LOG_INFO 1
#define TALLY_LOG_WARN 2
#define TALLY_LOG_ERROR 3

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END
#endif
