/* A plugin of another major version: it exports tally_plugin_entry_v2 alone. The loader must refuse it without a call,
 * and name both majors. */
#include <stdlib.h>

__attribute__((visibility("default"))) const void *tally_plugin_entry_v2(void);

const void *tally_plugin_entry_v2(void) { abort(); }
