// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/node_names.h"

#include <cctype>
#include <string>

namespace etlens {

StringId NodeNames::derive(GraphId graph, StringId target, std::span<const StringId> outputs,
                           EtRecord& record) {
  if (outputs.size() == 1) return outputs.front();
  in_use_.insert(added_.begin(), added_.end());
  added_.clear();
  std::string name(record.text(target));
  constexpr std::string_view kHigherOrder = "higher_order.";
  if (name.starts_with(kHigherOrder)) name.erase(0, kHigherOrder.size());
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  StringId unique = record.strings.intern(name);
  // Names are never given back while their graph is read, so the numbers before are all taken.
  for (size_t& n = last_number_[{graph, unique}]; in_use_.contains({graph, unique});) {
    unique = record.strings.intern(name + "_" + std::to_string(++n));
  }
  return unique;
}

void NodeNames::forget_from(GraphId graph) {
  while (!added_.empty() && added_.back().first >= graph) added_.pop_back();
  const std::pair first(graph, kEmptyString);
  in_use_.erase(in_use_.lower_bound(first), in_use_.end());
  last_number_.erase(last_number_.lower_bound(first), last_number_.end());
}

}  // namespace etlens
