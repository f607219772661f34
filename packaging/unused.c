/* SPDX-License-Identifier: Apache-2.0 */
/* What the libraries refer to and etlens never calls. Saying no here keeps out what would come with them: the
   system's user database, which a static executable would have to load at run time, and PCRE2's compiler of machine
   code. */
#include <errno.h>
#include <pwd.h>
#include <stddef.h>

int getpwuid_r(uid_t user, struct passwd* entry, char* text, size_t size, struct passwd** result) {
  (void)user, (void)entry, (void)text, (void)size;
  *result = NULL;
  return ENOENT;
}

enum { kNoJit = -45 }; /* PCRE2_ERROR_JIT_BADOPTION */
void _pcre2_jit_free_8(void* code, void* memory) { (void)code, (void)memory; }
void _pcre2_jit_free_rodata_8(void* code, void* memory) { (void)code, (void)memory; }
int _pcre2_jit_check_exec_8(void* code) { return (void)code, kNoJit; }
int pcre2_jit_match_8(const void* code, const void* subject, size_t length, size_t start, unsigned options, void* data,
                      void* context) {
  (void)code, (void)subject, (void)length, (void)start, (void)options, (void)data, (void)context;
  return kNoJit;
}
