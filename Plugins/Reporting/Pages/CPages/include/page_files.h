/* The files that pages are made of, as the compiler found them. */
#ifndef TALLY_PAGE_FILES_H
#define TALLY_PAGE_FILES_H

#include <stddef.h>

/* A file; its bytes are constant. */
typedef struct tally_page_file {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
} tally_page_file;

/* The file at a place, in the order in which scripts use each other; null behind the last. */
const tally_page_file *_Nullable tally_page_file_at(size_t place);

#endif
