/* The page's script, as it is sent to pages. */
#ifndef TALLY_PAGE_SCRIPT_H
#define TALLY_PAGE_SCRIPT_H

#include <stddef.h>

/* The classic script, or the module. */
const unsigned char *_Nonnull tally_page_script(_Bool is_module, size_t *_Nonnull count);

#endif
