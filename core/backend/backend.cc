// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backend.h"

#include <algorithm>
#include <utility>

#include "core/base/assert.h"

namespace etlens {

Backends::Backends(std::vector<Backend> rows) : rows_(std::move(rows)) {
  for (const Backend& row : rows_) {
    ETLENS_ASSERT(!row.id.empty() && &find(row.id) == &row);
    for (const std::string_view prefix : row.host_phases)
      begins_phase_.set(static_cast<uint8_t>(prefix.front()));
  }
}

Backends Backends::with(Backend row) const {
  std::vector<Backend> rows = rows_;
  rows.push_back(row);
  return Backends(std::move(rows));
}

const Backend& Backends::find(std::string_view id) const {
  static constexpr Backend kUnknown{};
  const auto at =
      std::find_if(rows_.begin(), rows_.end(), [&](const Backend& row) { return row.id == id; });
  return at == rows_.end() ? kUnknown : *at;
}

std::string Backends::label(std::string_view id) const {
  if (const Backend& row = find(id); !row.label.empty()) return std::string(row.label);
  constexpr std::string_view kSuffix = "Backend";
  if (id.size() > kSuffix.size() && id.ends_with(kSuffix)) id.remove_suffix(kSuffix.size());
  return std::string(id);
}

bool Backends::is_host_phase(std::string_view name) const {
  // Asked of every event: most names are ruled out by their first byte.
  if (name.empty() || !begins_phase_[static_cast<uint8_t>(name.front())]) return false;
  return std::any_of(rows_.begin(), rows_.end(), [&](const Backend& row) {
    return std::any_of(row.host_phases.begin(), row.host_phases.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
  });
}

bool Backends::is_dispatch_phase(std::string_view name) const {
  return !name.empty() && std::any_of(rows_.begin(), rows_.end(), [&](const Backend& row) {
    return row.dispatch_phase == name;
  });
}

BackendEvent Backends::describe(std::string_view backend, std::string_view id,
                                bool id_is_integer) const {
  if (is_host_phase(id)) {
    BackendEvent event;
    event.kind = DelegateEventKind::HostPhase;
    event.key = id;
    return event;
  }
  const Backend& own = find(backend);
  if (own.describe != nullptr) {
    if (std::optional<BackendEvent> event = own.describe(id, id_is_integer)) return *event;
  }
  for (const Backend& row : rows_) {
    if (row.recognise == nullptr) continue;
    if (std::optional<BackendEvent> event = row.recognise(id)) return *event;
  }
  return describe_by_unit(id);
}

std::string Backends::readable_name(std::string_view backend, std::string_view id) const {
  std::string title = describe(backend, id, false).title;
  return title.empty() ? std::string(id) : title;
}

MetadataFields Backends::read_metadata(std::string_view backend, std::string_view bytes) const {
  if (bytes.empty()) return {};
  const Backend& row = find(backend);
  if (row.read_metadata != nullptr) {
    if (std::optional<MetadataFields> fields = row.read_metadata(bytes)) return *std::move(fields);
  }
  return read_plain_metadata(bytes);
}

}  // namespace etlens
