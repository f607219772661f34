// SPDX-License-Identifier: Apache-2.0
#include "core/facts/scopes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/path.h"

namespace etlens {
namespace {

// The last component of the Python module that a file is imported as.
std::string_view module_name_of(std::string_view path) {
  const std::string_view name = stem(path);
  return name == "__init__" ? base_name(parent_path(path)) : name;
}

// The classes of modules that a file can define, by their qualified name in it. Of several of one
// name the first.
using ClassesByName = std::unordered_map<std::string_view, const ClassRow*>;

ClassesByName classes_by_name(const Facts& facts, FileId file) {
  constexpr size_t kMaxNested = 64;  // classes inside each other
  ClassesByName classes;
  for (const ClassRow& row : facts.classes().classes) {
    const std::string_view type = facts.code().text(row.type);
    classes.try_emplace(type, &row);
    size_t dot = type.rfind('.');
    for (size_t depth = 0; depth < kMaxNested && dot != std::string_view::npos; ++depth) {
      go_on();
      if (is_python_module(facts, file, type.substr(0, dot)))
        classes.try_emplace(type.substr(dot + 1), &row);
      dot = dot == 0 ? std::string_view::npos : type.rfind('.', dot - 1);
    }
  }
  return classes;
}

// Rows by type and name; of several the first.
class AttributeIndex {
 public:
  explicit AttributeIndex(const std::vector<AttributeRow>& rows) {
    for (const AttributeRow& row : rows) {
      go_on();
      by_type_[row.type.value].try_emplace(row.name, &row);
    }
  }
  // Null if there is none.
  const AttributeRow* find(StringId type, std::string_view name) const {
    const auto names = by_type_.find(type.value);
    if (names == by_type_.end()) return nullptr;
    const auto row = names->second.find(name);
    return row == names->second.end() ? nullptr : row->second;
  }

 private:
  std::unordered_map<uint32_t, std::unordered_map<std::string_view, const AttributeRow*>> by_type_;
};

// The lines of one function: those that have a place in it, and those of which only it is known.
struct FunctionLines {
  std::vector<LineId> placed;
  std::vector<LineId> stale;
};

// Per 0-based line the innermost function around it; kNone outside of all.
std::vector<uint32_t> functions_of_lines(const PythonSyntax& syntax) {
  std::vector<uint32_t> functions(syntax.document().line_count(), kNone);
  const std::span<const PythonScope> scopes = syntax.scopes();
  for (uint32_t s = 0; s < scopes.size(); ++s) {  // inner ones stand later
    if (scopes[s].is_class) continue;
    const size_t end = std::min<size_t>(functions.size(), scopes[s].last_line + size_t{1});
    go_on(1 + (end - std::min<size_t>(end, scopes[s].first_line)) / 64);
    for (size_t line = scopes[s].first_line; line < end; ++line) functions[line] = s;
  }
  return functions;
}

std::map<uint32_t, FunctionLines> lines_by_function(const Code& code, const AnchoredSource& source,
                                                    const PythonSyntax& syntax) {
  const std::vector<uint32_t> function_of = functions_of_lines(syntax);
  const auto function_at = [&](uint32_t line) {
    return line <= function_of.size() ? function_of[line - 1] : kNone;
  };
  std::map<uint32_t, FunctionLines> functions;
  const CodeFile& file = code.files[source.file.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
    go_on();
    const Anchor& anchor = source.anchors[i];
    const LineId id(file.first_line + i);
    if (anchor.line > 0) {
      functions[function_at(anchor.line)].placed.push_back(id);
    } else if (anchor.verdict == AnchorVerdict::Stale && anchor.function_line > 0) {
      functions[function_at(anchor.function_line)].stale.push_back(id);
    }
  }
  functions.erase(kNone);
  return functions;
}

LineId hottest_of(const Measure& measure, const std::vector<LineId>& lines) {
  LineId best;
  for (const LineId id : lines) {
    const Amount amount = measure.lines[id.value].self.amount;
    if (amount > Amount() && (!best.valid() || amount > measure.lines[best.value].self.amount))
      best = id;
  }
  return best;
}

// What runs on the lines or through them, each contribution once.
std::vector<ContributionId> contributions_of(const Facts& facts, const FunctionLines& lines) {
  std::set<ContributionId> events;
  for (const auto* ids : {&lines.placed, &lines.stale}) {
    for (const LineId id : *ids) {
      const LineLandings& landings = facts.measure().landings->lines[id.value];
      events.insert(landings.own.begin(), landings.own.end());
      events.insert(landings.through.begin(), landings.through.end());
    }
  }
  return {events.begin(), events.end()};
}

Cost own_cost(const Facts& facts, const std::vector<LineId>& lines) {
  Total total;
  for (const LineId id : lines) total += facts.measure().lines[id.value].self;
  return facts.cost(total);
}

// The largest: where contributions call each other, their inclusive costs overlap.
Cost told_inclusive(const Facts& facts, const FunctionLines& lines) {
  Cost most;
  for (const auto* ids : {&lines.placed, &lines.stale}) {
    for (const LineId id : *ids) {
      const Cost cost = facts.line(id).inclusive;
      if (cost.amount > most.amount) most = cost;
    }
  }
  return most;
}

ScopeFacts function_facts(const Facts& facts, const FunctionLines& lines) {
  ScopeFacts row;
  const std::vector<ContributionId> contributions = contributions_of(facts, lines);
  row.total = facts.has_calls() ? told_inclusive(facts, lines) : facts.cost_of(contributions);
  row.delegated = sum_of(facts.measure(), contributions).delegated;
  row.stale = own_cost(facts, lines.stale);
  row.stale_lines = lines.stale.size();
  row.hottest = hottest_of(facts.measure(), lines.placed);
  return row;
}

}  // namespace

bool is_python_module(const Facts& facts, FileId file, std::string_view python_module) {
  const std::string& path = facts.sources()[file.value].path;
  const std::string_view recorded = facts.code().recorded_path(file);
  const std::string_view last = python_module.substr(python_module.rfind('.') + 1);
  return python_module == "__main__" || (!path.empty() && last == module_name_of(path)) ||
         (!recorded.empty() && last == module_name_of(recorded));
}

std::vector<const ClassRow*> classes_of_scopes(const Facts& facts, FileId file,
                                               const PythonSyntax& syntax) {
  const std::span<const PythonScope> scopes = syntax.scopes();
  std::vector<const ClassRow*> rows(scopes.size());
  const ClassesByName classes = classes_by_name(facts, file);
  for (uint32_t s = 0; s < scopes.size() && !classes.empty(); ++s) {
    go_on();
    if (!scopes[s].is_class) continue;
    const auto row = classes.find(syntax.qualified_name(s));
    if (row != classes.end()) rows[s] = row->second;
  }
  return rows;
}

std::vector<ScopeFacts> scope_facts(const Facts& facts, const AnchoredSource& source,
                                    const PythonSyntax& syntax, double threshold) {
  const std::map<uint32_t, FunctionLines> functions =
      lines_by_function(facts.code(), source, syntax);
  const std::vector<const ClassRow*> classes = classes_of_scopes(facts, source.file, syntax);
  std::vector<ScopeFacts> rows;
  const std::span<const PythonScope> scopes = syntax.scopes();
  std::vector<bool> is_told(scopes.size());  // of classes
  for (uint32_t s = 0; s < scopes.size(); ++s) {
    ScopeFacts row;
    if (scopes[s].is_class) {
      const ClassRow* found = classes[s];
      if (found == nullptr) continue;
      row.total = facts.cost(found->inclusive);
      row.delegated = found->delegated;
      row.instances = found->instances.size();
      if (row.total.share < threshold) continue;
      is_told[s] = true;
    } else {
      const auto function = functions.find(s);
      if (function == functions.end()) continue;
      row = function_facts(facts, function->second);
      const bool is_forward = scopes[s].name == "forward";
      const uint32_t parent = scopes[s].parent;  // stands before it
      row.has_total = facts.has_calls() || !is_forward || parent == kNone || !is_told[parent];
      const bool is_entry = (is_forward || facts.has_calls()) && row.total.share >= threshold;
      if (!(is_entry && row.has_total) && row.stale.share < threshold) continue;
    }
    row.scope = s;
    row.line = scopes[s].header_line;
    rows.push_back(row);
  }
  return rows;
}

GoneFacts gone_facts(const Facts& facts, const AnchoredSource& source) {
  const Code& code = facts.code();
  const CodeFile& file = code.files[source.file.value];
  std::vector<LineId> lines;
  for (uint32_t i = 0; i < file.line_count; ++i) {
    go_on();
    const Anchor& anchor = source.anchors[i];
    const LineId id(file.first_line + i);
    const bool is_gone = anchor.line == 0 && anchor.function_line == 0;
    if (is_gone && facts.measure().lines[id.value].self.amount > Amount()) lines.push_back(id);
  }
  GoneFacts gone;
  gone.total = own_cost(facts, lines);
  std::map<std::pair<std::string_view, std::string_view>, Amount> by_function;
  for (const LineId id : lines) {
    const CodeLine& line = code.lines[id.value];
    const std::string_view function = code.text(line.function);
    std::string_view owner;
    if (function == "forward" && !line.owner_types.empty()) {
      owner = code.text(line.owner_types.front());
      owner = owner.substr(owner.rfind('.') + 1);
    }
    by_function[{owner, function}] += facts.measure().lines[id.value].self.amount;
  }
  std::vector<std::pair<Amount, std::pair<std::string_view, std::string_view>>> ranked;
  for (const auto& [name, amount] : by_function) ranked.emplace_back(amount, name);
  std::ranges::stable_sort(ranked, std::greater<>(), [](const auto& row) { return row.first; });
  for (const auto& [amount, name] : ranked) {
    gone.owners.push_back(name.first);
    gone.functions.push_back(name.second);
  }
  return gone;
}

std::vector<AttributeFacts> attribute_facts(const Facts& facts, FileId file,
                                            const PythonSyntax& syntax, double threshold) {
  std::vector<AttributeFacts> rows;
  const std::vector<const ClassRow*> classes = classes_of_scopes(facts, file, syntax);
  const AttributeIndex attributes(facts.classes().attributes);
  for (uint32_t s = 0; s < classes.size(); ++s) {
    if (classes[s] == nullptr) continue;
    for (const AttributeAssignment& assignment : syntax.attribute_assignments(s)) {
      go_on();
      const AttributeRow* row = attributes.find(classes[s]->type, assignment.name);
      if (row == nullptr) continue;
      const Cost total = facts.cost(row->inclusive);
      if (total.share < threshold) continue;
      const size_t last_byte = std::max(assignment.end, assignment.begin + 1) - 1;
      rows.push_back({row, static_cast<uint32_t>(syntax.document().line_at(last_byte)), total});
    }
  }
  return rows;
}

}  // namespace etlens
