// SPDX-License-Identifier: Apache-2.0
#include "core/measure/taken_bytes.h"

#include <algorithm>
#include <iterator>

namespace etlens {

// What is taken becomes one range with its neighbours, so that all calls together take no longer
// than their number asks for.
uint64_t TakenBytes::take(ByteRange range) {
  if (range.size == 0) return 0;
  uint64_t begin = range.offset;
  uint64_t end = range.end();
  uint64_t free = range.size;
  auto at = ranges_.upper_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;
  while (at != ranges_.end() && at->first <= range.end()) {
    const uint64_t from = std::max(at->first, range.offset);
    const uint64_t to = std::min(at->second, range.end());
    if (to > from) free -= to - from;
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = ranges_.erase(at);
  }
  ranges_[begin] = end;
  return free;
}

}  // namespace etlens
