/* SPDX-License-Identifier: Apache-2.0 */
/* In place of libgit2's own libgit2.c, which starts transports, filters and the search for configuration as well:
   what reading of objects needs. So neither network nor configuration is in the executable. */
#include <stdarg.h>

#include "alloc.h"
#include "common.h"
#include "git2.h"
#include "hash.h"
#include "mwindow.h"
#include "pool.h"
#include "rand.h"
#include "repository.h"
#include "runtime.h"
#include "threadstate.h"

bool git_repository__fsync_gitdir = false;

int git_libgit2_init(void) {
  static git_runtime_init_fn parts[] = {
      git_allocator_global_init, git_threadstate_global_init, git_threads_global_init, git_rand_global_init,
      git_hash_global_init,      git_mwindow_global_init,     git_pool_global_init,
  };
  return git_runtime_init(parts, ARRAY_SIZE(parts));
}

int git_libgit2_init_count(void) { return git_runtime_init_count(); }

int git_libgit2_shutdown(void) { return git_runtime_shutdown(); }

int git_libgit2_opts(int key, ...) {
  int error = -1;
  va_list arguments;
  va_start(arguments, key);
  if (key == GIT_OPT_SET_ALLOCATOR) error = git_allocator_setup(va_arg(arguments, git_allocator *));
  va_end(arguments);
  return error;
}
