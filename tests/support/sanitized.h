// SPDX-License-Identifier: Apache-2.0
// What a sanitizer changes: tests that hold processor time or memory of the process to a limit
// allow for it.
#pragma once

namespace etlens::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// Times as slow, at most.
inline constexpr double kSlowdown = kSanitized ? 4 : 1;

}  // namespace etlens::test
