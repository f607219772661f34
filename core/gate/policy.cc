// SPDX-License-Identifier: Apache-2.0
#include "core/gate/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/budget.h"
#include "core/base/nearest_name.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/base/time_scale.h"
#include "core/gate/amounts.h"
#include "core/gate/toml.h"

namespace etlens {
namespace {

struct BudgetKind {
  std::string_view name;
  BudgetUnit unit;
};

// In the order of Budget.
constexpr std::array<BudgetKind, kBudgets> kKinds{{{"cpu_operators", BudgetUnit::Names},
                                                   {"cpu_nodes", BudgetUnit::Count},
                                                   {"delegated", BudgetUnit::Share},
                                                   {"delegate_calls", BudgetUnit::Count},
                                                   {"cold_start", BudgetUnit::Nanoseconds},
                                                   {"peak_memory", BudgetUnit::Bytes},
                                                   {"file_size", BudgetUnit::Bytes},
                                                   {"slower_total", BudgetUnit::Share},
                                                   {"slower_lines", BudgetUnit::Share}}};
constexpr std::string_view kRequired = "required";
constexpr size_t kShownKey = 60;

// What a value of the unit has to look like.
std::string_view example_of(BudgetUnit unit) {
  switch (unit) {
    case BudgetUnit::Names:
      return "a list of operators, such as [\"aten.topk.*\"]";
    case BudgetUnit::Count:
      return "a whole number, such as 3";
    case BudgetUnit::Share:
      return "a share, such as \"95%\"";
    case BudgetUnit::Nanoseconds:
      return "a time with its unit, such as \"50 ms\"";
    case BudgetUnit::Bytes:
      break;
  }
  return "a size with its unit, such as \"16 MB\"";
}

uint32_t line_of(const toml::key& key) { return key.source().begin.line; }

// Keys of hostile files may be long.
std::string shown_key(std::string_view key) {
  std::string shown(key);
  if (key.size() > kShownKey) shown = valid_utf8(key.substr(0, kShownKey)) + "…";
  std::ranges::replace(shown, '\n', ' ');
  return shown;
}

std::optional<double> number_of(const toml::node& node, BudgetUnit unit) {
  const std::optional<std::string> text = node.value_exact<std::string>();
  const std::optional<int64_t> whole = node.value_exact<int64_t>();
  switch (unit) {
    case BudgetUnit::Names:
      break;
    case BudgetUnit::Count:
      if (whole && *whole >= 0) return static_cast<double>(*whole);
      break;
    case BudgetUnit::Share:
      if (text) return parse_percent(*text);
      if (const std::optional<double> real = node.value_exact<double>();
          real && *real >= 0 && *real <= 1)
        return *real;
      break;
    case BudgetUnit::Nanoseconds:
      if (text) return parse_duration(*text);
      break;
    case BudgetUnit::Bytes:
      if (text) return parse_bytes(*text);
      if (whole && *whole >= 0) return static_cast<double>(*whole);
      break;
  }
  return std::nullopt;
}

// Strings that are not empty.
std::optional<std::vector<std::string>> texts_of(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (list == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const toml::node& item : *list) {
    go_on();
    std::optional<std::string> text = item.value_exact<std::string>();
    if (!text || text->empty()) return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return texts;
}

class PolicyReader {
 public:
  PolicyReader(const FileSystem& files, std::string path)
      : files_(files), folder_(parent_path(path)) {
    policy_.path = std::move(path);
  }

  Result<Policy> read(const toml::table& root) {
    for (auto&& [key, node] : root) {
      go_on();
      const toml::table* table = node.as_table();
      if (key.str() != "artifacts" && key.str() != "budget") {
        unknown(key, "of a policy", {"artifacts", "budget"});
      } else if (table == nullptr) {
        fault(line_of(key), fmt::format("{0} is not a table; write [{0}] on a line of its own",
                                        std::string(key.str())));
      } else {
        key.str() == "budget" ? read_budgets(*table) : read_artifacts(*table);
      }
    }
    if (problem_) return Error{ErrorCode::Unsupported, *problem_};
    if (policy_.budgets.empty()) {
      return Error{ErrorCode::Unsupported, policy_.path +
                                               " has no budget; write one below [budget], such as "
                                               "delegate_calls = 3"};
    }
    require();
    std::ranges::sort(policy_.budgets, {}, &BudgetRow::budget);
    return std::move(policy_);
  }

 private:
  // Of several faults the first one of the file is reported.
  void fault(uint32_t line, const std::string& what) {
    if (problem_ && line >= problem_line_) return;
    problem_line_ = line;
    problem_ = fmt::format("{}:{}: {}", policy_.path, line, what);
  }

  void unknown(const toml::key& key, std::string_view of, const std::vector<std::string>& known) {
    const std::string nearest = nearest_name(key.str(), known);
    fault(line_of(key), fmt::format("{} is not a key {}; {}", shown_key(key.str()), of,
                                    nearest.empty() ? "the keys are " + join(known, ", ")
                                                    : "did you mean " + nearest + "?"));
  }

  void read_budgets(const toml::table& table) {
    std::vector<std::string> known;
    for (const BudgetKind& kind : kKinds) known.emplace_back(kind.name);
    known.emplace_back(kRequired);
    for (auto&& [key, node] : table) {
      go_on();
      const auto kind = std::ranges::find(kKinds, key.str(), &BudgetKind::name);
      if (kind != kKinds.end()) read_budget(static_cast<size_t>(kind - kKinds.begin()), key, node);
      else if (key.str() == kRequired) read_required(key, node);
      else unknown(key, "of [budget]", known);
    }
  }

  void read_budget(size_t kind, const toml::key& key, const toml::node& node) {
    const auto [name, unit] = kKinds[kind];
    BudgetRow row{static_cast<Budget>(kind), line_of(key), 0, {}, false};
    bool is_read = false;
    if (unit == BudgetUnit::Names) {
      if (std::optional<std::vector<std::string>> names = texts_of(node)) {
        row.names = std::move(*names);
        is_read = true;
      }
    } else if (const std::optional<double> limit = number_of(node, unit)) {
      row.limit = *limit;
      is_read = row.budget != Budget::Delegated || *limit <= 1;
    }
    if (!is_read) return fault(row.line, fmt::format("{} has to be {}", name, example_of(unit)));
    policy_.budgets.push_back(std::move(row));
  }

  // Names are compared with the budgets when all of them are read.
  void read_required(const toml::key& key, const toml::node& node) {
    required_line_ = line_of(key);
    if (const std::optional<bool> all = node.value_exact<bool>()) {
      requires_all_ = *all;
      return;
    }
    std::optional<std::vector<std::string>> names = texts_of(node);
    if (!names) {
      return fault(required_line_,
                   "required has to be true or a list of budgets, such as [\"peak_memory\"]");
    }
    for (const std::string& name : *names) {
      if (std::ranges::find(kKinds, name, &BudgetKind::name) != kKinds.end()) continue;
      std::vector<std::string> known;
      for (const BudgetKind& kind : kKinds) known.emplace_back(kind.name);
      const std::string nearest = nearest_name(name, known);
      fault(required_line_,
            fmt::format("required names {}, which is not a budget; {}", shown_key(name),
                        nearest.empty() ? "the budgets are " + join(known, ", ")
                                        : "did you mean " + nearest + "?"));
    }
    required_ = std::move(*names);
  }

  void require() {
    for (BudgetRow& row : policy_.budgets) {
      row.is_required =
          requires_all_ || std::ranges::find(required_, name_of(row.budget)) != required_.end();
    }
  }

  void read_artifacts(const toml::table& table) {
    PolicyArtifacts& to = policy_.artifacts;
    const std::vector<std::string> known{"folder", "etrecord",         "pte", "etdump", "base",
                                         "method", "source_time_scale"};
    for (auto&& [key, node] : table) {
      go_on();
      const std::string_view name = key.str();
      if (name == "folder") read_path(key, node, to.folder);
      else if (name == "etrecord") read_path(key, node, to.etrecord);
      else if (name == "pte") read_path(key, node, to.pte);
      else if (name == "method") read_text(key, node, to.method);
      else if (name == "etdump") read_paths(key, node, to.etdump);
      else if (name == "base") read_paths(key, node, to.base);
      else if (name == "source_time_scale") read_time_scale(key, node);
      else unknown(key, "of [artifacts]", known);
    }
  }

  void read_text(const toml::key& key, const toml::node& node, std::string& to) {
    std::optional<std::string> text = node.value_exact<std::string>();
    if (!text || text->empty() || text->find('\0') != std::string::npos) {
      return fault(line_of(key),
                   fmt::format("{} has to be a text in quotes", std::string(key.str())));
    }
    to = std::move(*text);
  }

  void read_path(const toml::key& key, const toml::node& node, std::string& to) {
    read_text(key, node, to);
    if (!to.empty()) to = absolute_path(folder_, to);
  }

  // One path, or a list. A path that does not exist may be a revision of git ("main:runs").
  void read_paths(const toml::key& key, const toml::node& node, std::vector<std::string>& to) {
    std::optional<std::vector<std::string>> paths = texts_of(node);
    if (!paths && node.is_string()) {
      std::string one;
      read_text(key, node, one);
      if (one.empty()) return;
      paths = std::vector<std::string>{std::move(one)};
    }
    if (!paths || paths->empty()) {
      return fault(line_of(key),
                   fmt::format("{} has to be a path, or a list of paths", std::string(key.str())));
    }
    for (std::string& path : *paths) {
      std::string absolute = absolute_path(folder_, path);
      const bool is_revision = path.find(':') != std::string::npos && !files_.stat(absolute);
      to.push_back(is_revision ? std::move(path) : std::move(absolute));
    }
  }

  void read_time_scale(const toml::key& key, const toml::node& node) {
    std::string& to = policy_.artifacts.tick_unit;
    if (const std::optional<std::string> text = node.value_exact<std::string>()) to = *text;
    if (!parse_time_scale(to))
      fault(line_of(key),
            "source_time_scale has to be \"ns\", \"us\", \"ms\", \"s\" or \"cycles\"");
  }

  const FileSystem& files_;
  std::string folder_;
  Policy policy_;
  bool requires_all_ = false;
  std::vector<std::string> required_;
  uint32_t required_line_ = 0;
  uint32_t problem_line_ = 0;
  std::optional<std::string> problem_;
};

// What ends a parser's stack: tables that lie in each other, one for each dot of a key.
bool has_too_many_dots(std::string_view text) {
  size_t dots = 0;
  for (const std::string_view line : split_lines(text)) {
    go_on();
    if (!trim(line).starts_with('#')) dots += static_cast<size_t>(std::ranges::count(line, '.'));
  }
  return dots > kMaxPolicyDots;
}

}  // namespace

std::string_view name_of(Budget budget) { return kKinds[static_cast<size_t>(budget)].name; }
BudgetUnit unit_of(Budget budget) { return kKinds[static_cast<size_t>(budget)].unit; }

const BudgetRow* Policy::find(Budget budget) const {
  const auto at = std::ranges::find(budgets, budget, &BudgetRow::budget);
  return at == budgets.end() ? nullptr : &*at;
}

Result<Policy> parse_policy(const FileSystem& files, const std::string& path,
                            std::string_view text) {
  if (text.size() > kMaxPolicyBytes) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("{} is larger than {} bytes, which a policy is not; name the right "
                             "file, or use globs",
                             path, kMaxPolicyBytes)};
  }
  if (has_too_many_dots(text)) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("{} has more than {} dots; use globs for the names of operators", path,
                             kMaxPolicyDots)};
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    std::string what(error.description());
    std::ranges::replace(what, '\n', ' ');
    if (what.size() > 200) what = valid_utf8(std::string_view(what).substr(0, 200)) + "…";
    return Error{ErrorCode::Corrupt, fmt::format("{}:{}: this is not valid TOML: {}", path,
                                                 error.source().begin.line, what)};
  }
  return PolicyReader(files, path).read(parsed.table());
}

Result<Policy> read_policy(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  if (stamp->is_directory) {
    return Error{ErrorCode::Io, path + " is a folder, not a policy; name a TOML file"};
  }
  const Result<Bytes> bytes = files.read_range(path, 0, kMaxPolicyBytes + 1);
  if (!bytes) return bytes.error();
  return parse_policy(files, path, bytes->text());
}

}  // namespace etlens
