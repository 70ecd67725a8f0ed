#define _GNU_SOURCE
#include "plugin_tool.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <link.h>
#include <malloc.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "plugin_calls.h"

void *tally_tool_load(const char *path, char *reason, size_t size) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library) return library;
  const char *why = dlerror();
  snprintf(reason, size, "%s", why ? why : "the loader gives no reason");
  return NULL;
}

void *tally_tool_symbol(void *library, const char *name) { return dlsym(library, name); }

pid_t tally_tool_fork(void) {
  pid_t child = tally_fork_alone();
  if (child != 0) return child;
  /* In a group with all that a plugin begins in it, which ends with the check; and not without who waits for it. */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return 0;
}

const char *tally_tool_image_of(const void *address) {
  Dl_info found;
  return dladdr(address, &found) ? found.dli_fname : NULL;
}

/* ---- allocations ------------------------------------------------------------------------------------------------ */

static atomic_uint_fast64_t allocations, failing_at;
static atomic_bool fails_on;

/* Whether this allocation is one that fails. */
static bool fails(void) {
  uint64_t number = atomic_fetch_add(&allocations, 1) + 1;
  uint64_t failing = atomic_load(&failing_at);
  return failing != 0 && (number == failing || (number > failing && atomic_load(&fails_on)));
}

static void *seen_malloc(size_t size) { return fails() ? (errno = ENOMEM, NULL) : malloc(size); }
static void *seen_calloc(size_t count, size_t size) { return fails() ? (errno = ENOMEM, NULL) : calloc(count, size); }
static void *seen_realloc(void *memory, size_t size) {
  return fails() ? (errno = ENOMEM, NULL) : realloc(memory, size);
}
static void *seen_aligned(size_t alignment, size_t size) {
  return fails() ? (errno = ENOMEM, NULL) : aligned_alloc(alignment, size);
}
static int seen_posix(void **memory, size_t alignment, size_t size) {
  return fails() ? ENOMEM : posix_memalign(memory, alignment, size);
}

struct replacement {
  const char *name;
  void *function;
};

static const struct replacement of_memory[] = {
    {"malloc", (void *)seen_malloc},
    {"calloc", (void *)seen_calloc},
    {"realloc", (void *)seen_realloc},
    {"aligned_alloc", (void *)seen_aligned},
    {"posix_memalign", (void *)seen_posix},
    {NULL, NULL},
};

/* ---- clocks, files and connections ------------------------------------------------------------------------------ */

static atomic_int_fast64_t clock_shift;
static _Atomic(const char *) touched;

static int seen_clock_gettime(clockid_t clock, struct timespec *now) {
  int result = clock_gettime(clock, now);
  if (result == 0) now->tv_sec += atomic_load(&clock_shift);
  return result;
}
static int seen_gettimeofday(struct timeval *now, void *zone) {
  int result = gettimeofday(now, zone);
  if (result == 0) now->tv_sec += atomic_load(&clock_shift);
  return result;
}
static time_t seen_time(time_t *place) {
  time_t now = time(NULL) + (time_t)atomic_load(&clock_shift);
  if (place) *place = now;
  return now;
}

/* Remembers the first function of the kind. */
static void touch(const char *function) {
  const char *none = NULL;
  atomic_compare_exchange_strong(&touched, &none, function);
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(arguments, int) : 0;
}
static int seen_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  touch("open");
  return open(path, flags, mode);
}
static int seen_openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  touch("openat");
  return openat(folder, path, flags, mode);
}
static int seen_creat(const char *path, mode_t mode) { return touch("creat"), creat(path, mode); }
static FILE *seen_fopen(const char *path, const char *mode) { return touch("fopen"), fopen(path, mode); }
static DIR *seen_opendir(const char *path) { return touch("opendir"), opendir(path); }
static int seen_socket(int domain, int type, int protocol) { return touch("socket"), socket(domain, type, protocol); }
static int seen_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  return touch("getaddrinfo"), getaddrinfo(node, service, hints, found);
}

static const struct replacement of_machine[] = {
    {"clock_gettime", (void *)seen_clock_gettime},
    {"gettimeofday", (void *)seen_gettimeofday},
    {"time", (void *)seen_time},
    {"open", (void *)seen_open},
    {"open64", (void *)seen_open},
    {"openat", (void *)seen_openat},
    {"openat64", (void *)seen_openat},
    {"creat", (void *)seen_creat},
    {"creat64", (void *)seen_creat},
    {"fopen", (void *)seen_fopen},
    {"fopen64", (void *)seen_fopen},
    {"opendir", (void *)seen_opendir},
    {"socket", (void *)seen_socket},
    {"getaddrinfo", (void *)seen_getaddrinfo},
    {NULL, NULL},
};

/* ---- writing over an image's tables ----------------------------------------------------------------------------- */

static void *replacement_of(const struct replacement *list, const char *name) {
  for (; list->name; list++)
    if (strcmp(list->name, name) == 0) return list->function;
  return NULL;
}

/* What of an image's dynamic section is needed to find the places that hold addresses of functions. */
struct tables {
  const ElfW(Sym) * symbols;
  const char *names;
  const ElfW(Rela) * tables[2];
  size_t counts[2];
};

static struct tables tables_of(const struct dl_phdr_info *image) {
  struct tables found = {0};
  for (int index = 0; index < image->dlpi_phnum; index++) {
    if (image->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(image->dlpi_addr + image->dlpi_phdr[index].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      switch (entry->d_tag) {
        case DT_SYMTAB: found.symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: found.names = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: found.tables[0] = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: found.counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_RELA: found.tables[1] = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: found.counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        default: break;
      }
    }
  }
  return found;
}

static bool write_over(void **place, void *function) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)place & ~(page - 1));
  if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
  *place = function;
  return true;
}

struct search {
  const char *image;
  const struct replacement *list;
  int places;
};

static int watch_image(struct dl_phdr_info *image, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  const char *name = image->dlpi_name ? image->dlpi_name : "";
  /* The C library's own calls, the loader's and the program's stay what they are: replacements end there. */
  if (!*name || strstr(name, "/libc.so") || strstr(name, "/ld-linux") || strstr(name, "linux-vdso")) return 0;
  if (search->image && !strstr(name, search->image)) return 0;
  struct tables tables = tables_of(image);
  if (!tables.symbols || !tables.names) return 0;
  for (int table = 0; table < 2; table++) {
    for (size_t index = 0; tables.tables[table] && index < tables.counts[table]; index++) {
      const ElfW(Rela) *entry = &tables.tables[table][index];
      size_t symbol = ELF64_R_SYM(entry->r_info);
      if (symbol == 0) continue;
      void *function = replacement_of(search->list, tables.names + tables.symbols[symbol].st_name);
      if (function && write_over((void **)(image->dlpi_addr + entry->r_offset), function)) search->places++;
    }
  }
  return 0;
}

static int watch(const char *image, const struct replacement *list) {
  struct search search = {.image = image, .list = list};
  dl_iterate_phdr(watch_image, &search);
  return search.places;
}

int tally_tool_watch_allocations(const char *image) { return watch(image, of_memory); }

int tally_tool_watch_machine(const char *image) { return watch(image, of_machine); }

void tally_tool_shift_clocks(int64_t seconds) { atomic_store(&clock_shift, seconds); }

const char *tally_tool_touched(void) { return atomic_load(&touched); }

void tally_tool_count_allocations(uint64_t failing, bool lasting) {
  atomic_store(&allocations, 0);
  atomic_store(&fails_on, lasting);
  atomic_store(&failing_at, failing);
}

uint64_t tally_tool_allocations(void) { return atomic_load(&allocations); }

/* ---- memory and signals ----------------------------------------------------------------------------------------- */

void *tally_tool_memory_before_gap(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
  char *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + whole, page, PROT_NONE) != 0) return NULL;
  return memory + whole - size;
}

const char *tally_tool_signal_name(int number) { return sigabbrev_np(number); }

int tally_tool_signal_handling(int number) {
  struct sigaction action;
  sigset_t blocked;
  if (pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && sigismember(&blocked, number) == 1) return TALLY_TOOL_BLOCKED;
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) return TALLY_TOOL_DEFAULT;
  return action.sa_handler == SIG_IGN ? TALLY_TOOL_IGNORED : TALLY_TOOL_HANDLED;
}

bool tally_tool_has_alarm(void) {
  for (int kind = ITIMER_REAL; kind <= ITIMER_PROF; kind++) {
    struct itimerval left;
    if (getitimer(kind, &left) == 0 && (left.it_value.tv_sec != 0 || left.it_value.tv_usec != 0)) return true;
  }
  return false;
}

uint64_t tally_tool_used_memory(void) {
  struct mallinfo2 memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

bool tally_tool_contains(const uint8_t *bytes, size_t count, const char *text) {
  return memmem(bytes, count, text, strlen(text)) != NULL;
}

int tally_tool_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path), 0;
}

void tally_tool_remove_folder(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
