// SPDX-License-Identifier: Apache-2.0
#include "core/facts/classes.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etlens {
namespace {

// Which class and which attribute each module is an instance of; SIZE_MAX for none.
struct RowsOfModules {
  std::vector<size_t> classes;
  std::vector<size_t> attributes;
};

RowsOfModules find_rows(const Code& code, ClassTable& table) {
  RowsOfModules rows{std::vector<size_t>(code.modules.size(), SIZE_MAX),
                     std::vector<size_t>(code.modules.size(), SIZE_MAX)};
  std::unordered_map<StringId, size_t> class_rows;
  std::map<std::pair<StringId, std::string>, size_t> attribute_rows;
  for (size_t m = 0; m < code.modules.size(); ++m) {
    const CodeModule& module = code.modules[m];
    if (module.type.valid()) {
      const size_t row = class_rows.try_emplace(module.type, table.classes.size()).first->second;
      if (row == table.classes.size()) table.classes.push_back({module.type, {}, {}, {}});
      table.classes[row].instances.emplace_back(m);
      rows.classes[m] = row;
    }
    if (!module.parent.valid()) continue;
    const StringId owner = code.modules[module.parent.value].type;
    if (!owner.valid()) continue;
    std::string name = module.path.substr(module.path.rfind('.') + 1);
    const size_t row =
        attribute_rows.try_emplace({owner, name}, table.attributes.size()).first->second;
    if (row == table.attributes.size())
      table.attributes.push_back({owner, std::move(name), {}, {}, {}});
    table.attributes[row].instances.emplace_back(m);
    rows.attributes[m] = row;
  }
  return rows;
}

}  // namespace

ClassTable class_table(const Measure& measure) {
  ClassTable table;
  const Landings& landings = *measure.landings;
  const RowsOfModules rows = find_rows(*landings.code, table);
  std::vector<size_t> last_of_class(table.classes.size(), SIZE_MAX);  // contributions
  std::vector<size_t> last_of_attribute(table.attributes.size(), SIZE_MAX);
  for (size_t c = 0; c < landings.rows.size(); ++c) {
    const Landing& row = landings.rows[c];
    if (!row.is_leaf()) continue;
    const Amount delegated = row.partition.valid() ? measure.self[c].amount : Amount();
    // A contribution counts once for a class, however many instances of it are around it.
    const auto add = [&](size_t at, std::vector<size_t>& last, auto& of_table) {
      if (at == SIZE_MAX || last[at] == c) return;
      last[at] = c;
      of_table[at].inclusive += measure.self[c];
      of_table[at].delegated += delegated;
    };
    for (const ModuleId module : landings.owners_of(row)) {
      add(rows.classes[module.value], last_of_class, table.classes);
      add(rows.attributes[module.value], last_of_attribute, table.attributes);
    }
  }
  return table;
}

}  // namespace etlens
