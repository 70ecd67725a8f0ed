#include "page_script.h"

static const unsigned char classic[] = {
#embed "../tally.js"
};
static const unsigned char module[] = {
#embed "../tally.mjs"
};

const unsigned char *tally_page_script(_Bool is_module, size_t *count) {
  *count = is_module ? sizeof module : sizeof classic;
  return is_module ? module : classic;
}
