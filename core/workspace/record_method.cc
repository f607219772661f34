// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/record_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace etlens {

Result<RecordMethod> choose_method(const EtRecord& record, const std::string& path,
                                   const std::string& name) {
  const auto find = [&](std::string_view wanted) {
    return std::ranges::find_if(record.methods, [&](const RecordMethod& method) {
      return method.edge.valid() && record.text(method.name) == wanted;
    });
  };
  auto at = find(name.empty() ? "forward" : name);
  if (at == record.methods.end() && name.empty()) {
    at = std::ranges::find_if(record.methods,
                              [](const RecordMethod& method) { return method.edge.valid(); });
  }
  if (at != record.methods.end()) return *at;
  std::vector<std::string> names;
  for (const RecordMethod& method : record.methods)
    if (method.edge.valid()) names.emplace_back(record.text(method.name));
  if (names.empty()) {
    return Error{ErrorCode::Unsupported,
                 path +
                     " contains no edge program; save the record again with "
                     "generate_etrecord=True"};
  }
  return Error{ErrorCode::NotFound,
               fmt::format("{} has no method {}; it has {}", path, name, join(names, ", "))};
}

}  // namespace etlens
