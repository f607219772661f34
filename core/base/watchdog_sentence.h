// SPDX-License-Identifier: Apache-2.0
// What the watchdog says, ready to be written when nothing may be allocated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "core/base/shown_text.h"

namespace etlens {

struct WatchdogSentence {
  std::array<char, 1024> text;
  size_t size = 0;

  void set(std::string_view subject) {
    constexpr size_t kMaxSubject = 512;
    std::string sentence =
        "etlens: " + shown_text(subject.substr(0, kMaxSubject)) +
        " takes more than twice the processor time that it may, and does not stop by itself: the "
        "file may be damaged; write it again, or set ETLENS_BUDGET=4 to allow it more";
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    sentence += '\n';
    size = std::min(sentence.size(), text.size());
    std::memcpy(text.data(), sentence.data(), size);
  }
};

}  // namespace etlens
