/* Tally plugin ABI: blocks, which are events and records, with the player state and the attributes that lie in them.
 *
 * A block is one piece of memory that holds offsets and no pointers. Offsets count from its first byte. It can lie in a
 * queue, in shared memory or in another process, a reader needs no allocation to walk it, and a copy is one memcpy of
 * `size` bytes. Blocks are aligned to 8 bytes, and their sizes are multiples of 8.
 */
#ifndef TALLY_BLOCK_H
#define TALLY_BLOCK_H

#include "tally_base.h"

TALLY_EXTERN_C_BEGIN
TALLY_ASSUME_NONNULL_BEGIN

/* ---- attributes ---------------------------------------------------------------------------------------------- */

/* Types of an attribute's value. A reader skips an attribute whose type it does not know. */
#define TALLY_T_NULL 0u   /* said to be nothing: differs from an attribute that is absent */
#define TALLY_T_BOOL 1u   /* v.i is 0 or 1 */
#define TALLY_T_INT 2u    /* each number that is integral and below 2^53 in magnitude */
#define TALLY_T_DOUBLE 3u /* each other number, infinities and NaN included */
#define TALLY_T_STRING 4u /* valid UTF-8 at v.off, `len` bytes */
#define TALLY_T_LIST 5u   /* v.off is an array of `len` attributes with empty keys, aligned to 8 */
#define TALLY_T_BYTES 6u  /* any bytes at v.off, `len` of them */

/* Bits of tally_attr.flags. */
#define TALLY_ATTR_CUSTOM 1u   /* named by the application: not in tally_vocabulary.h */
#define TALLY_ATTR_PERSONAL 2u /* may tell who the viewer is */

/* One named value: 24 bytes. In one block a name is there once. */
typedef struct tally_attr {
  uint32_t key_off; /* UTF-8 */
  uint16_t key_len;
  uint16_t key_id; /* TALLY_KEY_..., or 0 when the name alone tells */
  uint8_t type;
  uint8_t flags;
  uint16_t reserved0;
  uint32_t len;
  union {
    int64_t i;
    double d;
    uint64_t off;
  } v;
} tally_attr;

/* ---- player state -------------------------------------------------------------------------------------------- */

/* Bits of tally_state.known: which members hold something that the player has reported in this session. */
#define TALLY_KNOWN_PLAYHEAD 0x1u
#define TALLY_KNOWN_AD_PLAYHEAD 0x2u
#define TALLY_KNOWN_LIVE_WALL 0x4u
#define TALLY_KNOWN_DURATION 0x8u
#define TALLY_KNOWN_BITRATE 0x10u
#define TALLY_KNOWN_THROUGHPUT 0x20u
#define TALLY_KNOWN_DROPPED 0x40u
#define TALLY_KNOWN_RENDERED 0x80u
#define TALLY_KNOWN_FPS 0x100u
#define TALLY_KNOWN_SIZE 0x200u        /* width and height */
#define TALLY_KNOWN_VOLUME 0x400u
#define TALLY_KNOWN_RATE 0x800u
#define TALLY_KNOWN_PLAYER_SIZE 0x1000u /* player_width and player_height */
#define TALLY_KNOWN_MUTED 0x2000u      /* the MUTED flag, and so on */
#define TALLY_KNOWN_FULLSCREEN 0x4000u
#define TALLY_KNOWN_LIVE 0x8000u
#define TALLY_KNOWN_AUDIO_ONLY 0x10000u

/* Bits of tally_state.flags. The first group follows from the events, the second is reported by the player. */
#define TALLY_STATE_IN_SESSION 0x1u   /* after video load, before video unload */
#define TALLY_STATE_PLAYING 0x2u      /* the viewer wants playback: after play, before pause or the end */
#define TALLY_STATE_PAUSED 0x4u
#define TALLY_STATE_SEEKING 0x8u
#define TALLY_STATE_BUFFERING 0x10u
#define TALLY_STATE_IN_AD_BREAK 0x20u
#define TALLY_STATE_IN_AD 0x40u
#define TALLY_STATE_IN_CHAPTER 0x80u
#define TALLY_STATE_STARTED 0x100u    /* the first frame of the main content was shown */
#define TALLY_STATE_ENDED 0x200u      /* after complete */
#define TALLY_STATE_INTERRUPTED 0x400u
#define TALLY_STATE_BACKGROUND 0x800u
#define TALLY_STATE_MUTED 0x10000u
#define TALLY_STATE_FULLSCREEN 0x20000u
#define TALLY_STATE_LIVE 0x40000u
#define TALLY_STATE_AUDIO_ONLY 0x80000u

/* The player as it is known at one instant: 120 bytes. Computed by the host, by the same code live and in replay. */
typedef struct tally_state {
  uint32_t struct_size;
  uint32_t known;
  uint32_t flags;
  int32_t rate_milli; /* playback rate in thousandths: 1000 is normal speed */
  /* Main content, without ads. playhead_ms is an estimate: it advances while playback really goes on, stands still
   * when the last report is older than two sample intervals (500 ms), and never falls between two seeks or loads. */
  int64_t playhead_ms;
  int64_t reported_playhead_ms;
  int64_t reported_age_us; /* how long ago the player reported it */
  int64_t ad_playhead_ms;  /* -1 outside an ad */
  int64_t live_wall_ms;    /* live: wall clock of the frame shown, ms since 1970 */
  int64_t duration_ms;     /* -1: live, no end known */
  int64_t bitrate_bps;
  int64_t throughput_bps;
  int64_t dropped_frames;  /* running total of the session */
  int64_t rendered_frames; /* running total of the session */
  int32_t fps_milli;       /* frames per second in thousandths */
  int32_t width, height;   /* of the video, px */
  int32_t volume_milli;    /* 0 silent ... 1000 full */
  int32_t player_width, player_height; /* of the area on screen, logical px */
} tally_state;

/* ---- events -------------------------------------------------------------------------------------------------- */

/* Bits of tally_event.flags. */
#define TALLY_EVENT_OUT_OF_ORDER 0x1u /* illegal where the core's small state machine stood; delivered all the same */
#define TALLY_EVENT_SYNTHETIC 0x2u    /* made by the core: a snapshot */
#define TALLY_EVENT_MOVED 0x4u        /* a timer had fired at its time already: dated one microsecond after it */
#define TALLY_EVENT_GAP_BEFORE 0x8u   /* events before it were refused: the gap_... attributes say how many */

/* A player event: 56 bytes, then the state, the attributes and the texts, `size` bytes in all. */
typedef struct tally_event {
  uint32_t size;
  uint32_t header_size; /* bytes of this structure in the writer's version */
  uint32_t type;        /* TALLY_EVENT_TYPE_...; at 0x10000 and above a number means nothing outside this process */
  uint32_t flags;
  int64_t time_us;  /* effective time since the player run's start */
  uint64_t ordinal; /* counts the player events of the run from 1; no plugin shifts it */
  uint32_t session; /* counts the sessions of the run from 1; 0 outside a session */
  uint32_t type_name_off;
  uint32_t type_name_len;
  uint32_t state_off; /* tally_state */
  uint32_t attr_off;  /* attr_count of tally_attr, in the player's order: the order is part of the data */
  uint32_t attr_count;
} tally_event;

/* ---- records ------------------------------------------------------------------------------------------------- */

/* One thing that a tracker says ("CONTENT_START", a hit, a ping), or values that a host hands over: 32 bytes, then the
 * attributes and the texts in any order, `size` bytes in all. At most 256 KiB and 200 attributes. */
typedef struct tally_record {
  uint32_t size;
  uint32_t header_size; /* bytes of this structure in the writer's version */
  uint32_t flags;       /* none defined in 1.0 */
  uint32_t kind_off;
  uint32_t kind_len; /* 1 to 255 bytes */
  uint32_t attr_off; /* attr_count of tally_attr, aligned to 8: the order is part of the data */
  uint32_t attr_count;
  uint32_t reserved0;
} tally_record;

TALLY_ASSUME_NONNULL_END
TALLY_EXTERN_C_END
#endif
