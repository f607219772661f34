// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/operator_titles.h"

#include <algorithm>

#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/names.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

// "" if they are of several kinds, or if what they do besides is another's.
std::string_view common_kind(const XnnpackPayload& payload, const XnnpackMatch& match) {
  if (!match.is_sound || match.candidates.empty()) return "";
  const XnnpackKind kind = payload.operators[match.candidates.front().op].kind;
  const bool is_one = std::all_of(
      match.candidates.begin(), match.candidates.end(), [&](const XnnpackOrigin& origin) {
        return origin.part == XnnpackPart::Own && payload.operators[origin.op].kind == kind;
      });
  return is_one && kind != XnnpackKind::Unknown ? name_of(kind) : "";
}

}  // namespace

std::vector<std::string> title_xnnpack_operators(std::span<const uint8_t> payload,
                                                 std::span<const std::string_view> ids) {
  std::vector<EventName> names;
  for (const std::string_view id : ids) names.push_back(parse_event_name(id));
  if (std::none_of(names.begin(), names.end(), is_generic_xnnpack_name)) return {};
  const Result<XnnpackPayload> read = read_xnnpack_payload(payload);
  if (!read) return {};
  const XnnpackAlignment alignment = align_xnnpack(*read, ids);
  std::vector<std::string> titles(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    go_on();
    if (!is_generic_xnnpack_name(names[i])) continue;
    const std::string_view kind = common_kind(*read, alignment.events[i]);
    if (!kind.empty()) (titles[i] = kind) += ids[i].substr(names[i].base.size());
  }
  return titles;
}

}  // namespace etlens
