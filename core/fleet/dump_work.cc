// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/dump_work.h"

#include <algorithm>
#include <cstring>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/fleet/processes.h"

namespace etlens {
namespace {

// What a process says of a dump: how many bytes of files it read for it, records that could not be
// used, a letter, and the rows or the parts of a BrokenDump.
constexpr char kLeftOut = 'L';
constexpr char kRows = 'R';
constexpr char kBroken = 'B';
constexpr char kEndOfPart = '\0';

std::string pack(const DumpOutcome& outcome, RowForm form, uint64_t read,
                 const std::vector<std::string>& left_out) {
  std::string text(sizeof read, kEndOfPart);
  std::memcpy(text.data(), &read, sizeof read);
  for (const std::string& sentence : left_out) {
    text += kLeftOut;
    text += std::string_view(sentence).substr(0, sentence.find(kEndOfPart));
    text += kEndOfPart;
  }
  if (const auto* rows = std::get_if<DumpRows>(&outcome)) {
    text += kRows;
    return text += dump_rows_text(*rows, form);
  }
  const auto& broken = std::get<BrokenDump>(outcome);
  text += kBroken;
  text += name_of(broken.reason);
  (text += kEndOfPart) += broken.name;
  return (text += kEndOfPart) += broken.sentence;
}

uint64_t take_read_bytes(std::string& text) {
  uint64_t read = 0;
  if (text.size() < sizeof read) return 0;
  std::memcpy(&read, text.data(), sizeof read);
  text.erase(0, sizeof read);
  return read;
}

std::vector<std::string> take_left_out(std::string& text) {
  std::vector<std::string> sentences;
  size_t at = 0;
  while (at < text.size() && text[at] == kLeftOut) {
    const size_t end = std::min(text.find(kEndOfPart, at), text.size());
    sentences.push_back(text.substr(at + 1, end - at - 1));
    at = std::min(end + 1, text.size());
  }
  text.erase(0, at);
  return sentences;
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
                        const std::function<bool(size_t, DumpText)>& take,
                        const std::function<void(std::string)>& leave_out) {
  DumpReader reader(files, work.reader);  // each process has its own copy
  return work_in_processes(
      work.dumps.size(), work.jobs,
      [&](size_t i) {
        const uint64_t before = granted_bytes();
        const DumpOutcome outcome = reader.read(work.dumps[i]);
        return pack(outcome, work.form, granted_bytes() - before, reader.take_left_out());
      },
      [&](size_t i, std::optional<std::string> result) {
        if (result) {
          // What is made of rows here is justified by what was read for them there.
          const uint64_t read = take_read_bytes(*result);
          grant_reading(work.dumps[i], read, read);
          for (std::string& sentence : take_left_out(*result)) {
            if (leave_out) leave_out(std::move(sentence));
          }
          return take(i, unpack(std::move(*result)));
        }
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
