// SPDX-License-Identifier: Apache-2.0
#include "core/facts/repeated_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kFewest = 3;  // fewer are shown one by one

// "layers." and 31 of "layers.31"; nullopt if it does not end in a component that is a number.
std::optional<std::pair<std::string_view, uint64_t>> split_number(std::string_view path) {
  const size_t dot = path.rfind('.');
  const size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
  const std::optional<int64_t> number = parse_int(path.substr(begin));
  if (!number || *number < 0 || std::to_string(*number) != path.substr(begin)) return std::nullopt;
  return std::pair(path.substr(0, begin), static_cast<uint64_t>(*number));
}

}  // namespace

ModuleId called_parent(const Code& code, ModuleId id) {
  ModuleId at = code.modules[id.value].parent;
  while (at.valid() && code.modules[at.value].calls == 0 && code.modules[at.value].parent.valid())
    at = code.modules[at.value].parent;
  return at;
}

std::string_view name_below_parent(const Code& code, ModuleId id) {
  std::string_view name = code.modules[id.value].path;
  const ModuleId parent = called_parent(code, id);
  if (!parent.valid()) return name;
  const std::string& around = code.modules[parent.value].path;
  if (!around.empty()) name.remove_prefix(std::min(name.size(), around.size() + 1));
  return name;
}

RepeatedModules::RepeatedModules(const Code& code) : code_(code), rows_(code.modules.size()) {
  // By the module around them, what stands before the number, and the number.
  std::map<std::tuple<ModuleId, std::string_view, uint64_t>, ModuleId> numbered;
  for (size_t m = 0; m < code.modules.size(); ++m) {
    const auto parts = split_number(code.modules[m].path);
    if (!parts || code.modules[m].calls == 0) continue;
    const ModuleId id(m);
    numbered.emplace(std::tuple(called_parent(code, id), parts->first, parts->second), id);
  }
  std::vector<ModuleId> run;
  const auto close = [&](uint64_t last) {
    if (run.size() >= kFewest) {
      const Row row{last + 1 - run.size(), static_cast<uint32_t>(run.size())};
      for (const ModuleId id : run) rows_[id.value] = row;
    }
    run.clear();
  };
  const std::tuple<ModuleId, std::string_view, uint64_t>* before = nullptr;
  for (const auto& [key, id] : numbered) {
    const bool goes_on = before != nullptr && std::get<0>(key) == std::get<0>(*before) &&
                         std::get<1>(key) == std::get<1>(*before) &&
                         std::get<2>(key) == std::get<2>(*before) + 1 &&
                         code.modules[id.value].type == code.modules[run.back().value].type;
    if (!goes_on && before != nullptr) close(std::get<2>(*before));
    run.push_back(id);
    before = &key;
  }
  if (before != nullptr) close(std::get<2>(*before));
}

std::string RepeatedModules::name(ModuleId id) const {
  const std::string_view name = name_below_parent(code_, id);
  const Row& row = rows_[id.value];
  if (row.count == 1) return std::string(name);
  return fmt::format("{}{}–{}", name.substr(0, name.rfind('.') + 1), row.first,
                     row.first + row.count - 1);
}

}  // namespace etlens
