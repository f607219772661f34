// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/dump_work.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/fleet/processes.h"

namespace etlens {
namespace {

// What a process says of a dump: a letter, and the rows or the parts of a BrokenDump.
constexpr char kRows = 'R';
constexpr char kBroken = 'B';
constexpr char kEndOfPart = '\0';

std::string pack(const DumpOutcome& outcome, RowForm form) {
  if (const auto* rows = std::get_if<DumpRows>(&outcome))
    return kRows + dump_rows_text(*rows, form);
  const auto& broken = std::get<BrokenDump>(outcome);
  std::string text(1, kBroken);
  text += name_of(broken.reason);
  (text += kEndOfPart) += broken.name;
  return (text += kEndOfPart) += broken.sentence;
}

DumpText unpack(std::string text) {
  if (text.starts_with(kRows)) {
    text.erase(0, 1);
    return text;
  }
  const std::vector<std::string_view> parts =
      split(std::string_view(text).substr(std::min<size_t>(text.size(), 1)), kEndOfPart);
  BrokenDump broken;
  if (parts.size() >= 3) {
    broken.reason = parse_broken_reason(parts[0]).value_or(BrokenReason::Damaged);
    broken.name = parts[1];
    broken.sentence = parts[2];
  }
  return broken;
}

}  // namespace

Result<void> read_dumps(const FileSystem& files, const DumpWork& work,
                        const std::function<bool(size_t, DumpText)>& take) {
  DumpReader reader(files, work.reader);  // each process has its own copy
  return work_in_processes(
      work.dumps.size(), work.jobs,
      [&](size_t i) { return pack(reader.read(work.dumps[i]), work.form); },
      [&](size_t i, std::optional<std::string> result) {
        if (result) return take(i, unpack(std::move(*result)));
        const std::string name(relative_path(work.reader.here, work.dumps[i]));
        return take(i, BrokenDump{BrokenReason::Crashed, name,
                                  "the process that read " + name +
                                      " ended; try `etlens check` on this dump alone"});
      });
}

DumpRows rows_from_text(std::string_view ndjson) {
  DumpRows rows;
  for (const std::string_view line : split_lines(ndjson)) {
    Result<ReadRow> read = read_dump_row(line);
    if (!read) continue;
    if (rows.rows.empty()) rows.head = std::move(read->head);
    rows.rows.push_back(std::move(read->row));
  }
  return rows;
}

}  // namespace etlens
