/* The calls into plugins that are open, in memory and in the file that is mapped over it. */
#ifndef TALLY_JOURNAL_H
#define TALLY_JOURNAL_H

#include "plugin_calls.h"

enum { tally_slot_count = 160, tally_journal_version = 1 };

/* A thread's place, in a line of the processor's cache that it shares with no other thread. */
struct tally_call_slot {
  _Alignas(64) volatile uint32_t call;
  uint32_t taken;
};

struct tally_journal {
  uint32_t version; /* 0 while no file is mapped */
  uint32_t keeps_end, ended, count;
  char boot[40];
  struct tally_call_slot slots[tally_slot_count];
  tally_plugin_identity identities[tally_most_left_calls];
  char rest[4096 - (64 + 64 * tally_slot_count + tally_most_left_calls * sizeof(tally_plugin_identity)) % 4096];
};
_Static_assert(sizeof(struct tally_journal) % 4096 == 0, "whole pages are mapped");

extern struct tally_journal tally_journal;

/* Maps a file of a folder over the journal; negative on failure, errno tells why. */
int tally_map_journal(const char *folder, int keeps_end);

/* In a process that was forked: what it notes is in its own memory. */
void tally_forget_journal(void);

/* Notes that the process ends as it should. */
void tally_end_journal(void);

#endif
