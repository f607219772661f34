/* SPDX-License-Identifier: Apache-2.0 */
/* What libgit2's own build would find out about Windows with MinGW: see its src/features.h.in. */
#ifndef INCLUDE_features_h__
#define INCLUDE_features_h__

#define GIT_THREADS 1
#define GIT_ARCH_64 1
#define GIT_USE_NSEC 1
#define GIT_REGEX_BUILTIN 1
#define GIT_QSORT_S
#define GIT_SHA1_COLLISIONDETECT 1
#define GIT_SHA256_BUILTIN 1

#endif
