// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_answer.h"

#include <optional>

#include "core/base/text.h"

namespace etlens::cli {
namespace {

Nullable<std::string> text_or_null(std::string_view text) {
  return text.empty() ? Nullable<std::string>() : Nullable<std::string>(std::string(text));
}

void read_version(std::string_view package, std::string_view release,
                  ProfileVersionsView& versions) {
  Nullable<std::string> value = text_or_null(release);
  if (package == "python") versions.python = std::move(value);
  else if (package == "torch") versions.torch = std::move(value);
  else if (package == "executorch") versions.executorch = std::move(value);
  else if (package == "etlens") versions.etlens = std::move(value);
}

// One row; `fields` begins with its kind.
void read_row(const std::vector<std::string_view>& fields, ProfileProbeView& view) {
  const auto field = [&](size_t i) { return i < fields.size() ? fields[i] : std::string_view(); };
  const std::string_view kind = field(0);
  if (kind == "python") view.python = text_or_null(field(1));
  else if (kind == "version") read_version(field(1), field(2), view.versions);
  else if (kind == "tracer") view.tracer = field(1) == "1";
  else if (kind == "backend") view.backends.emplace_back(field(1));
  else if (kind == "problem")
    view.problems.push_back({std::string(field(1)), std::string(field(2)), text_or_null(field(3)),
                             text_or_null(field(4)), field(5) == "1"});
  else if (kind == "needs_inputs") view.needs_inputs = field(1) == "1";
  else if (kind == "input")
    view.inputs.push_back({std::string(field(1)), text_or_null(field(2)), text_or_null(field(3)),
                           text_or_null(field(4))});
  else if (kind == "dump") view.dump = std::string(field(1));
}

}  // namespace

void read_answer(std::string_view rows, ProfileProbeView& view) {
  bool has_inputs = false;
  for (const std::string_view row : split_lines(rows)) {
    const std::vector<std::string_view> fields = split(row, '\t');
    if (!has_inputs && !fields.empty() && (fields[0] == "input" || fields[0] == "needs_inputs")) {
      view.inputs.clear();
      has_inputs = true;
    }
    read_row(fields, view);
  }
}

}  // namespace etlens::cli
