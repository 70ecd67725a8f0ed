#define _GNU_SOURCE
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

_Thread_local volatile uint32_t *tally_call_place;

/* Lies in memory of its own pages, over which the file is mapped: no address changes when that happens. */
_Alignas(4096) struct tally_journal tally_journal;

static char path[4096];
static int file = -1;
static pthread_mutex_t identities_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- identities ---- */

void tally_copy_text(char *field, size_t size, const char *text) {
  size_t length = strlen(text);
  /* The end of a path says more than its beginning. */
  snprintf(field, size, "%s", length < size ? text : text + (length - size + 1));
}

uint32_t tally_identify_plugin(const tally_plugin_identity *identity) {
  pthread_mutex_lock(&identities_lock);
  uint32_t count = tally_journal.count, found = 0, place = 0;
  while (place < count && memcmp(&tally_journal.identities[place], identity, sizeof *identity) != 0) place++;
  if (place < count) {
    found = place + 1;
  } else if (count < tally_most_left_calls) {
    tally_journal.identities[count] = *identity;
    tally_journal.count = count + 1;
    found = count + 1;
  }
  pthread_mutex_unlock(&identities_lock);
  return found;
}

const tally_plugin_identity *tally_identity_of(uint32_t call) {
  uint32_t number = call >> 8;
  return number > 0 && number <= tally_journal.count ? &tally_journal.identities[number - 1] : NULL;
}

const char *tally_call_name(uint32_t call) {
  static const char *const names[] = {
      "?",          "load",      "create",        "init",     "enable",   "disable",     "destroy", "get_extension",
      "configure",  "command",   "session_begin", "on_event", "on_timer", "session_end", "take",    "flush",
  };
  return names[call < sizeof names / sizeof *names ? call : 0];
}

/* ---- places ---- */

static pthread_key_t place_key;
static pthread_once_t place_once = PTHREAD_ONCE_INIT;

static void give_back(void *place) { __atomic_store_n(&((struct tally_call_slot *)place)->taken, 0, __ATOMIC_RELEASE); }
static void make_key(void) { pthread_key_create(&place_key, give_back); }

volatile uint32_t *tally_claim_call_place(void) {
  /* What a thread uses for which there is no place: its death is noted, but not an end that nobody sees. */
  static _Thread_local volatile uint32_t own;
  pthread_once(&place_once, make_key);
  tally_call_place = &own;
  for (int index = 0; index < tally_slot_count; index++) {
    struct tally_call_slot *slot = &tally_journal.slots[index];
    uint32_t free = 0;
    if (!__atomic_compare_exchange_n(&slot->taken, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
    slot->call = 0;
    tally_call_place = &slot->call;
    pthread_setspecific(place_key, slot);
    break;
  }
  return tally_call_place;
}

/* ---- the file ---- */

static void read_boot_id(char id[40]) {
  memset(id, 0, 40);
  int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ssize_t got = read(descriptor, id, 36);
  (void)got;
  close(descriptor);
}

/* A file as large as the journal, locked: one that is not locked is that of a process which is no more. */
static int make_file(const char *name) {
  int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return -1;
  /* Room for all of it: a page that a full disk has no room for would end the process. */
  int failure = flock(descriptor, LOCK_EX | LOCK_NB) != 0 ? errno : posix_fallocate(descriptor, 0, sizeof tally_journal);
  if (failure == 0 && pwrite(descriptor, &tally_journal, sizeof tally_journal, 0) != sizeof tally_journal) failure = EIO;
  if (failure == 0) return descriptor;
  close(descriptor);
  unlink(name);
  errno = failure;
  return -1;
}

int tally_map_journal(const char *folder, int keeps_end) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) return -1;
  char temporary[sizeof path];
  int length = snprintf(path, sizeof path, "%s/%d-%016llx.calls", folder, (int)getpid(), (unsigned long long)random);
  if (length < 0 || (size_t)length + 5 > sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(temporary, path, (size_t)length);
  memcpy(temporary + length, ".new", 5);
  read_boot_id(tally_journal.boot);
  tally_journal.version = tally_journal_version;
  tally_journal.keeps_end = keeps_end != 0;
  /* The descriptor stays open: its lock says that the process lives. */
  int descriptor = file = make_file(temporary);
  if (descriptor < 0) return -1;
  int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED;
  if (mmap(&tally_journal, sizeof tally_journal, protection, flags, descriptor, 0) != MAP_FAILED &&
      rename(temporary, path) == 0) {
    return 0;
  }
  int reason = errno;
  unlink(temporary);
  close(descriptor);
  file = -1;
  errno = reason;
  return -1;
}

void tally_forget_journal(void) {
  if (file < 0) return;
  mmap(&tally_journal, sizeof tally_journal, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0);
  tally_journal.version = 0;
}

void tally_end_journal(void) {
  if (tally_journal.version == 0) return;
  if (tally_journal.keeps_end) {
    tally_journal.ended = 1;
  } else {
    unlink(path);
  }
}

static int collect(const struct tally_journal *journal, tally_left_call *calls) {
  int count = journal->count < tally_most_left_calls ? (int)journal->count : tally_most_left_calls;
  for (int index = 0; index < count; index++) {
    tally_left_call *left = &calls[index];
    left->identity = journal->identities[index];
    left->call = 0;
    left->identity.sha256[sizeof left->identity.sha256 - 1] = 0;
    left->identity.kind[sizeof left->identity.kind - 1] = 0;
    left->identity.plugin[sizeof left->identity.plugin - 1] = 0;
    left->identity.instance[sizeof left->identity.instance - 1] = 0;
    left->identity.file[sizeof left->identity.file - 1] = 0;
  }
  for (int index = 0; index < tally_slot_count; index++) {
    uint32_t call = journal->slots[index].call, number = call >> 8;
    if (number > 0 && number <= (uint32_t)count) calls[number - 1].call = call & 0xFF;
  }
  return count;
}

int tally_read_left_calls(const char *name, tally_left_call *calls, int *ended) {
  int descriptor = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), count = -1;
  if (descriptor < 0) return -1;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    unlink(name);
    char boot[40];
    read_boot_id(boot);
    const struct tally_journal *journal = mmap(NULL, sizeof *journal, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (journal != MAP_FAILED) {
      off_t size = lseek(descriptor, 0, SEEK_END);
      /* A machine that was switched off says nothing of who was being called. */
      if (size == sizeof *journal && journal->version == tally_journal_version && memcmp(journal->boot, boot, 40) == 0) {
        *ended = journal->ended != 0;
        count = collect(journal, calls);
      }
      munmap((void *)journal, sizeof *journal);
    }
  }
  close(descriptor);
  return count;
}
