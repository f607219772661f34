// SPDX-License-Identifier: Apache-2.0
// OncePerSession: sentences that were said, so that nobody reads them twice. Of a client that finds ever
// new ones to make us say, it forgets them: saying one again is better than growing.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace etlens {

class OncePerSession {
 public:
  static constexpr size_t kMost = 1000;

  // It was not said yet; now it was.
  bool is_new(std::string_view sentence) {
    if (said_.contains(sentence)) return false;
    if (said_.size() >= kMost) said_.clear();
    said_.emplace(sentence);
    return true;
  }
  size_t size() const { return said_.size(); }

 private:
  std::set<std::string, std::less<>> said_;
};

}  // namespace etlens
