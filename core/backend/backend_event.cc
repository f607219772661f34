// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backend_event.h"

#include <array>
#include <utility>

namespace etlens {
namespace {

constexpr std::array<std::pair<std::string_view, DelegateUnit>, 4> kUnitSuffixes{
    {{" (us)", DelegateUnit::Microseconds},
     {" (cycles)", DelegateUnit::Cycles},
     {" (count)", DelegateUnit::Count},
     {" (bytes)", DelegateUnit::Bytes}}};

}  // namespace

std::string_view name_of(DelegateUnit unit) {
  constexpr std::array<std::string_view, 7> kNames{"ticks",   "ns",    "us",   "cycles",
                                                   "counter", "count", "bytes"};
  return kNames[static_cast<size_t>(unit)];
}

std::optional<NamedUnit> split_unit(std::string_view id) {
  for (const auto& [suffix, unit] : kUnitSuffixes) {
    if (id.ends_with(suffix)) return NamedUnit{id.substr(0, id.size() - suffix.size()), unit};
  }
  return std::nullopt;
}

BackendEvent describe_by_unit(std::string_view id) {
  BackendEvent event;
  event.key = id;
  if (const std::optional<NamedUnit> named = split_unit(id)) {
    event.unit = named->unit;
    if (named->unit == DelegateUnit::Count || named->unit == DelegateUnit::Bytes)
      event.kind = DelegateEventKind::Total;
  }
  return event;
}

}  // namespace etlens
