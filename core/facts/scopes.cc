// SPDX-License-Identifier: Apache-2.0
#include "core/facts/scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// The last component of the Python module that a file is imported as.
std::string_view module_name_of(std::string_view path) {
  const std::string_view name = stem(path);
  return name == "__init__" ? base_name(parent_path(path)) : name;
}

bool is_module_of_file(std::string_view python_module, std::string_view path) {
  const std::string_view last = python_module.substr(python_module.rfind('.') + 1);
  return !path.empty() && last == module_name_of(path);
}

class Totals {
 public:
  Totals(const PreparedProfile& prepared, const ScopeOptions& options)
      : snapshot_(*prepared.snapshot), profile_(prepared.profile()), options_(options) {}

  std::string time(uint64_t ticks) const {
    return format_time(snapshot_.average(ticks), {snapshot_.time_scale, options_.unit});
  }
  std::string time_and_share(uint64_t ticks) const {
    const std::string_view method = snapshot_.method_name();
    return fmt::format("{} · {} of {}", time(ticks), format_share(share(ticks)),
                       method.empty() ? "Method::execute" : method);
  }
  double share(uint64_t ticks) const { return profile_.share(ticks); }

 private:
  const ProfileSnapshot& snapshot_;
  const Profile& profile_;
  const ScopeOptions& options_;
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
    for (size_t line = scopes[s].first_line; line < end; ++line) functions[line] = s;
  }
  return functions;
}

std::map<uint32_t, FunctionLines> lines_by_function(const Profile& profile,
                                                    const AnchoredSource& source,
                                                    const PythonSyntax& syntax) {
  const std::vector<uint32_t> function_of = functions_of_lines(syntax);
  const auto function_at = [&](uint32_t line) {
    return line <= function_of.size() ? function_of[line - 1] : kNone;
  };
  std::map<uint32_t, FunctionLines> functions;
  const FileRow& file = profile.files[source.file.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
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

LineId hottest_of(const Profile& profile, const std::vector<LineId>& lines) {
  LineId best;
  for (const LineId id : lines) {
    const uint64_t ticks = profile.lines[id.value].self_ticks;
    if (ticks > 0 && (!best.valid() || ticks > profile.lines[best.value].self_ticks)) best = id;
  }
  return best;
}

}  // namespace

const ClassRow* find_class(const PreparedProfile& prepared, FileId file, const PythonSyntax& syntax,
                           uint32_t scope) {
  const ProfileSnapshot& snapshot = *prepared.snapshot;
  const std::string name = syntax.qualified_name(scope);
  for (const ClassRow& row : prepared.classes.classes) {
    const std::string_view type = prepared.profile().record->text(row.type);
    if (!type.ends_with(name)) continue;
    std::string_view python_module = type.substr(0, type.size() - name.size());
    if (python_module.empty()) return &row;
    if (!python_module.ends_with('.')) continue;
    python_module.remove_suffix(1);
    if (python_module == "__main__" ||
        is_module_of_file(python_module, snapshot.sources[file.value].path) ||
        is_module_of_file(python_module, snapshot.recorded_path(file))) {
      return &row;
    }
  }
  return nullptr;
}

std::vector<ScopeLens> scope_lenses(const PreparedProfile& prepared, const AnchoredSource& source,
                                    const PythonSyntax& syntax, const ScopeOptions& options) {
  const Profile& profile = prepared.profile();
  const Totals totals(prepared, options);
  const std::map<uint32_t, FunctionLines> functions = lines_by_function(profile, source, syntax);
  std::vector<ScopeLens> lenses;
  const std::span<const PythonScope> scopes = syntax.scopes();
  for (uint32_t s = 0; s < scopes.size(); ++s) {
    ScopeLens lens{s, scopes[s].header_line, "", 0, {}};
    if (scopes[s].is_class) {
      const ClassRow* row = find_class(prepared, source.file, syntax, s);
      if (row == nullptr || totals.share(row->inclusive_ticks) < options.threshold) continue;
      lens.title = totals.time_and_share(row->inclusive_ticks);
      if (row->instances.size() > 1)
        lens.title += " · " + counted(row->instances.size(), "instance");
      lens.share = totals.share(row->inclusive_ticks);
      lenses.push_back(std::move(lens));
      continue;
    }
    const auto function = functions.find(s);
    if (function == functions.end()) continue;
    std::vector<LineId> lines = function->second.placed;
    lines.insert(lines.end(), function->second.stale.begin(), function->second.stale.end());
    const Rollup total = roll_up_inclusive(profile, lines);
    const Rollup stale = roll_up_self(profile, function->second.stale);
    const bool is_entry =
        scopes[s].name == "forward" && totals.share(total.self_ticks) >= options.threshold;
    const bool has_stale = totals.share(stale.self_ticks) >= options.threshold;
    if (!is_entry && !has_stale) continue;
    lens.title = totals.time_and_share(total.self_ticks);
    if (stale.self_ticks > 0) {
      lens.title += fmt::format(" · {} in {} that changed", totals.time(stale.self_ticks),
                                counted(function->second.stale.size(), "line"));
    }
    lens.share = totals.share(total.self_ticks);
    lens.hottest = hottest_of(profile, function->second.placed);
    lenses.push_back(std::move(lens));
  }
  return lenses;
}

std::vector<AttributeHint> attribute_hints(const PreparedProfile& prepared, FileId file,
                                           const PythonSyntax& syntax,
                                           const ScopeOptions& options) {
  const Totals totals(prepared, options);
  std::vector<AttributeHint> hints;
  const std::span<const PythonScope> scopes = syntax.scopes();
  for (uint32_t s = 0; s < scopes.size(); ++s) {
    if (!scopes[s].is_class) continue;
    const ClassRow* owner = find_class(prepared, file, syntax, s);
    if (owner == nullptr) continue;
    for (const AttributeAssignment& assignment : syntax.attribute_assignments(s)) {
      const auto row = std::find_if(prepared.classes.attributes.begin(),
                                    prepared.classes.attributes.end(), [&](const AttributeRow& r) {
                                      return r.type == owner->type && r.name == assignment.name;
                                    });
      if (row == prepared.classes.attributes.end()) continue;
      AttributeHint hint{&*row, 0, "", totals.share(row->inclusive_ticks)};
      if (hint.share < options.threshold) continue;
      const size_t last_byte = std::max(assignment.end, assignment.begin + 1) - 1;
      hint.line = static_cast<uint32_t>(syntax.document().line_at(last_byte));
      hint.text =
          fmt::format("Σ {} {}", totals.time(row->inclusive_ticks), format_share(hint.share));
      if (row->instances.size() > 1) hint.text += fmt::format(" ×{}", row->instances.size());
      hints.push_back(std::move(hint));
    }
  }
  return hints;
}

}  // namespace etlens
