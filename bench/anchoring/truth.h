// SPDX-License-Identifier: Apache-2.0
// What became of each line of a file from one version to the next, said without etlens, so that
// etlens can be measured against it.
//
// A line survives where two of git's diffs (histogram and minimal) agree on it, or where a changed
// passage has as many lines as before and the line is like its counterpart. It is gone if the later
// version has nothing that it could have become: its tokens nowhere, no line in the passage that is
// like it or holds it, and no line that is very like it among the new ones of its function, or of a
// new function that is called there or may be the same under another name. All others are in doubt,
// and not counted.
//
// A stricter reading takes the diffs at their word: what nothing in the changed passage is like, or
// holds, or is a piece of, is gone, wherever else it may have gone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/source/document.h"

namespace etlens::bench {

inline constexpr uint32_t kGone = 0;
inline constexpr uint32_t kInDoubt = UINT32_MAX;

// Per 1-based line of the old text: the line of the new one, kGone or kInDoubt.
using Fates = std::vector<uint32_t>;

enum class Reading : uint8_t { Lenient, Strict };

// From one version to the next.
Fates fates_between(const std::string& before, const std::string& after,
                    Reading reading = Reading::Lenient);
// From the first version to the one after the next.
Fates chain(const Fates& first, const Fates& then);
// A line that went step by step, each of which looks like a deletion, may have been reworded: it is
// in doubt unless it is gone from `before` to `after`, the first and the last version of `fates`,
// too.
Fates confirmed(Fates fates, const std::string& before, const std::string& after);

// A line that came back after it had gone, or stands elsewhere by now, is in doubt.
bool is_text_there(const Document& document, std::string_view text);

}  // namespace etlens::bench
