#include <seccomp.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

/* Swift sees no macros with arguments. */
static inline uint32_t tally_seccomp_refuse(void) { return SCMP_ACT_ERRNO(EPERM); }
static inline uint32_t tally_seccomp_lack(void) { return SCMP_ACT_ERRNO(ENOSYS); }
static inline struct scmp_arg_cmp tally_seccomp_masked(unsigned int argument, uint64_t mask, uint64_t value) {
  return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value);
}
static inline struct scmp_arg_cmp tally_seccomp_equal(unsigned int argument, uint64_t value) {
  return SCMP_CMP(argument, SCMP_CMP_EQ, value);
}
