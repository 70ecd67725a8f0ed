/* The commit that Tally was built from: a target of its own, so that a new commit compiles one file of C again. */
#ifndef TALLY_BUILD_COMMIT_H
#define TALLY_BUILD_COMMIT_H

/* The first seven hexadecimal digits, in lower case; zeros when the sources were in no git repository. Constant. */
const char *_Nonnull tally_build_commit(void);

#endif
