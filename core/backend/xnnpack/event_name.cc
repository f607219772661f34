// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/event_name.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/text.h"

namespace etlens {
namespace {

// Where the blank in front of the number is; npos without one.
size_t number_of(std::string_view text) {
  const bool may_have = text.find('#') != std::string_view::npos;  // quick where there is none
  return may_have ? text.rfind(" #") : std::string_view::npos;
}

// Takes off what stands before the next comma, or all of it.
std::string_view take_part(std::string_view& text) {
  const size_t end = std::min(text.find(','), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

EventName parse_event_name(std::string_view text) {
  EventName name;
  if (const size_t hash = number_of(text); hash != std::string_view::npos) {
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
  std::string_view types = text.substr(open + 2, close - open - 2);
  take_part(types);
  name.type = trim(take_part(types));
  name.second_type = trim(take_part(types));
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
