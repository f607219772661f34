// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/event_name.h"

#include <optional>
#include <unordered_map>

#include "core/base/text.h"

namespace etlens {

EventName parse_event_name(std::string_view text) {
  EventName name;
  if (const size_t hash = text.rfind(" #"); hash != std::string_view::npos) {
    const std::optional<int64_t> number = parse_int(text.substr(hash + 2));
    if (number && *number > 0 && *number <= UINT32_MAX) {
      name.number = static_cast<uint32_t>(*number);
      text = text.substr(0, hash);
    }
  }
  name.full = text;
  const size_t open = text.find(" (");
  const size_t close = text.find(')', open == std::string_view::npos ? text.size() : open);
  if (close == std::string_view::npos) {
    name.base = text;
    return name;
  }
  name.base = text.substr(0, open);
  name.kernel = trim(text.substr(close + 1));
  const std::vector<std::string_view> parts = split(text.substr(open + 2, close - open - 2), ',');
  if (parts.size() > 1) name.type = trim(parts[1]);
  if (parts.size() > 2) name.second_type = trim(parts[2]);
  return name;
}

std::vector<bool> miscounted(std::span<const EventName> names) {
  struct Count {
    uint32_t seen = 0;
    bool is_wrong = false;
  };
  std::unordered_map<std::string_view, Count> counts;
  for (const EventName& name : names) {
    Count& count = counts[name.full];
    ++count.seen;
    count.is_wrong |= name.number != 0 && name.number != count.seen;
  }
  std::vector<bool> wrong;
  wrong.reserve(names.size());
  for (const EventName& name : names) wrong.push_back(counts[name.full].is_wrong);
  return wrong;
}

}  // namespace etlens
