// SPDX-License-Identifier: Apache-2.0
#include "server/features/program_places.h"

#include <algorithm>

#include "core/render/format.h"
#include "protocol/uri.h"
#include "server/features/features.h"

namespace etlens {

extensions::ByteCount byte_count(uint64_t bytes) {
  return {bytes, format_reported(static_cast<double>(bytes), DelegateUnit::Bytes)};
}

std::optional<size_t> chosen_method(const Session& session, const EtProgram& program,
                                    const std::optional<std::string>& name) {
  if (name) return find_method(program, *name);
  std::optional<size_t> method;
  if (session.time_facts() != nullptr)
    method = find_method(program, session.time_facts()->code().method_name());
  return method ? method : find_method(program, "");
}

std::optional<uint32_t> ProgramPlaces::add(size_t method, LineId line) {
  if (!line.valid()) return std::nullopt;
  const Code& code = *program_.codes[method];
  const CodeLine& row = code.lines[line.value];
  const auto [at, is_new] = known_.try_emplace({code.recorded_path(row.file), row.number},
                                               static_cast<uint32_t>(places_.size()));
  if (is_new) places_.push_back(place(method, line));
  return at->second;
}

// The study follows the editor's texts; what it has no line of is where it was when the program was
// read.
extensions::SourceLine ProgramPlaces::place(size_t method, LineId line) {
  const Code& code = *program_.codes[method];
  const CodeLine& row = code.lines[line.value];
  if (const LineId same = find_in_study(code, row); same.valid())
    return source_line(session_, *session_.time_facts(), same);
  const ProgramSource& file = program_.sources[method][row.file.value];
  std::optional<lsp::DocumentUri> uri;
  if (!file.path.empty()) uri = lsp::DocumentUri::from_path(file.path);
  return source_line(code, line, file.anchored.of(code, line), std::move(uri));
}

LineId ProgramPlaces::find_in_study(const Code& code, const CodeLine& row) const {
  if (session_.time_facts() == nullptr) return {};
  const Code& shown = session_.time_facts()->code();
  const std::string_view path = code.recorded_path(row.file);
  for (size_t f = 0; f < shown.files.size(); ++f) {
    if (shown.recorded_path(FileId(f)) != path) continue;
    const auto begin = shown.lines.begin() + shown.files[f].first_line;
    const auto end = begin + shown.files[f].line_count;
    const auto at =
        std::lower_bound(begin, end, row.number,
                         [](const CodeLine& a, uint32_t number) { return a.number < number; });
    const bool is_same =
        at != end && at->number == row.number && shown.text(at->text) == code.text(row.text);
    if (is_same) return LineId(static_cast<size_t>(at - shown.lines.begin()));
  }
  return {};
}

}  // namespace etlens
