// SPDX-License-Identifier: Apache-2.0
#include "core/runs/run.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/path.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr std::string_view kFirstLine = "etlens stored run 1";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '\\') out += "\\\\";
    else out += c;
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) out += text[i];
    else out += text[++i] == 'n' ? '\n' : text[i];
  }
  return out;
}

std::string line(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format("{} {}\n", name, escaped(value));
}

std::string line(std::string_view name, const StoredFile& file) {
  return file ? fmt::format("{} {} {}\n", name, file.hash, file.bytes) : "";
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\\:") == name.npos;
}

bool read(std::string_view value, StoredFile& file) {
  const size_t blank = value.find(' ');
  if (blank == value.npos) return false;
  const auto bytes = parse_int(value.substr(blank + 1));
  if (!bytes || *bytes < 0 || !is_sha256(value.substr(0, blank))) return false;
  file = {std::string(value.substr(0, blank)), static_cast<uint64_t>(*bytes)};
  return true;
}

// "11300000 ns typical 50".
bool read(std::string_view value, std::optional<RunTotal>& total) {
  const std::vector<std::string_view> parts = split(value, ' ');
  if (parts.size() != 4) return false;
  const auto number = parse_double(parts[0]);
  const auto executions = parse_int(parts[3]);
  const bool is_unit = parts[1] == "ns" || parts[1] == "cycles";
  if (!number || !std::isfinite(*number) || *number < 0 || !is_unit || !executions ||
      *executions < 0)
    return false;
  total = RunTotal{*number, std::string(parts[1]), std::string(parts[2]),
                   static_cast<uint64_t>(*executions)};
  return true;
}

// "1 - decode", "28.5 32 prefill": work, size or "-", name.
bool read_group(std::string_view value, std::optional<RunTotal>& total) {
  const size_t first = value.find(' ');
  if (first == value.npos || !total) return false;
  const size_t second = value.find(' ', first + 1);
  if (second == value.npos) return false;
  const auto work = parse_double(value.substr(0, first));
  const std::string_view size = value.substr(first + 1, second - first - 1);
  GroupEvidence group;
  group.name = unescaped(value.substr(second + 1));
  if (size != "-") group.size = parse_int(size);
  if (!work || !std::isfinite(*work) || *work < 0 || (size != "-" && !group.size)) return false;
  group.work = *work;
  total->group = std::move(group);
  return true;
}

bool read_field(StoredRun& run, std::string_view name, std::string_view value) {
  if (name == "dump") return read(value, run.dump);
  if (name == "record") return read(value, run.record);
  if (name == "program") return read(value, run.program);
  if (name == "total") return read(value, run.total);
  if (name == "group") return read_group(value, run.total);
  if (name == "time") {
    const auto time = parse_int(value);
    run.time_ms = time.value_or(0);
    return time.has_value();
  }
  std::string* const text = name == "dump_path"   ? &run.dump_path
                            : name == "dump_name" ? &run.dump_name
                            : name == "left_out"  ? &run.left_out
                            : name == "method"    ? &run.method
                            : name == "code"      ? &run.code
                            : name == "branch"    ? &run.branch
                            : name == "commit"    ? &run.commit
                                                  : nullptr;
  if (text != nullptr) *text = unescaped(value);
  return true;
}

}  // namespace

std::string text_of(const StoredRun& run) {
  std::string text = fmt::format("{}\ntime {}\n", kFirstLine, run.time_ms);
  text +=
      line("dump_path", run.dump_path) + line("dump_name", run.dump_name) + line("dump", run.dump);
  text +=
      line("record", run.record) + line("program", run.program) + line("left_out", run.left_out);
  text += line("method", run.method) + line("code", run.code);
  if (run.total) {
    text += fmt::format("total {} {} {} {}\n", run.total->value, run.total->unit,
                        run.total->statistic, run.total->executions);
    if (const std::optional<GroupEvidence>& group = run.total->group) {
      text +=
          line("group", fmt::format("{} {} {}", group->work,
                                    group->size ? std::to_string(*group->size) : "-", group->name));
    }
  }
  return text + line("branch", run.branch) + line("commit", run.commit);
}

Result<StoredRun> read_run(std::string_view text) {
  StoredRun run;
  const auto broken = [](std::string_view what) {
    return Error{ErrorCode::Corrupt, fmt::format("is not a stored run: {}", what)};
  };
  bool is_first = true;
  for (const std::string_view row : split_lines(text)) {
    if (is_first && row != kFirstLine) return broken("another etlens wrote it, or it is damaged");
    if (!std::exchange(is_first, false)) {
      const size_t blank = std::min(row.find(' '), row.size());
      const std::string_view value = row.substr(std::min(blank + 1, row.size()));
      if (!read_field(run, row.substr(0, blank), value))
        return broken(fmt::format("its field {} is damaged", row.substr(0, blank)));
    }
  }
  if (!run.dump || !is_plain_name(run.dump_name)) return broken("it names no dump");
  return run;
}

bool is_same_model(const StoredRun& earlier, const StoredRun& later) {
  if (!earlier.total || !later.total || earlier.method != later.method) return false;
  if (earlier.total->unit != later.total->unit ||
      earlier.total->statistic != later.total->statistic)
    return false;
  const std::optional<GroupEvidence>& a = earlier.total->group;
  const std::optional<GroupEvidence>& b = later.total->group;
  if (a.has_value() != b.has_value() || (a && !may_be_same_work(*a, *b))) return false;
  if (earlier.dump_path == later.dump_path) return true;
  return parent_path(earlier.dump_path) == parent_path(later.dump_path) && !earlier.code.empty() &&
         earlier.code == later.code;
}

}  // namespace etlens
