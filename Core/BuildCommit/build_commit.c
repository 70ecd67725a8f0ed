#include "build_commit.h"

const char *tally_build_commit(void) { return TALLY_BUILD_COMMIT; }
