// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/other_models.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/code/library_frame.h"
#include "core/workspace/choose_partners.h"

namespace etlens {
namespace {

// Dumps that are looked at: a record is found by reading both.
constexpr size_t kMaxCompared = 8;
constexpr size_t kMaxNamed = 3;
constexpr uint64_t kComparedBytes = 1 << 20;  // of two files at once

bool is_same_file(const FileSystem& files, const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (a.empty() || b.empty()) return false;
  const Result<FileStamp> x = files.stat(a);
  const Result<FileStamp> y = files.stat(b);
  if (!x || !y || x->size != y->size) return false;
  for (uint64_t at = 0; at < x->size; at += kComparedBytes) {
    go_on();
    const uint64_t bytes = std::min(kComparedBytes, x->size - at);
    const Result<Bytes> one = files.read_range(a, at, bytes);
    const Result<Bytes> other = files.read_range(b, at, bytes);
    if (!one || !other || one->text() != other->text()) return false;
  }
  return true;
}

}  // namespace

std::vector<OtherModel> other_models(const FileSystem& files,
                                     const std::vector<FoundArtifact>& found,
                                     const std::string& etdump, const std::string& etrecord,
                                     const CancelToken& cancel) {
  const auto record_count = std::count_if(found.begin(), found.end(), [](const FoundArtifact& a) {
    return a.kind == FileKind::EtRecord;
  });
  if (record_count < 2) return {};
  std::vector<std::string> records{etrecord};
  std::vector<OtherModel> others;
  std::vector<const FoundArtifact*> dumps = dumps_by_age(found);
  if (dumps.size() > kMaxCompared) dumps.resize(kMaxCompared);
  for (const FoundArtifact* dump : dumps) {
    if (cancel.cancelled()) break;
    if (dump->path == etdump) continue;
    const Result<std::string> record = choose_record(files, found, dump->path, cancel);
    if (!record || record->empty()) continue;
    const bool is_known = std::any_of(records.begin(), records.end(), [&](const std::string& path) {
      return is_same_file(files, path, *record);
    });
    if (is_known) continue;
    records.push_back(*record);
    others.push_back({dump->path, *record});
  }
  return others;
}

std::vector<std::string> find_other_models(const FileSystem& files,
                                           const std::vector<FoundArtifact>& found,
                                           const std::string& etdump, const std::string& etrecord,
                                           const CancelToken& cancel) {
  std::vector<std::string> dumps;
  for (OtherModel& model : other_models(files, found, etdump, etrecord, cancel))
    dumps.push_back(std::move(model.etdump));
  return dumps;
}

ModelSources ModelSources::read(const FileSystem& files, const std::string& etrecord,
                                const CancelToken& cancel) {
  ModelSources sources;
  const Result<std::shared_ptr<const EtRecord>> loaded =
      load_record(files, etrecord, built_in_backends(), cancel);
  if (!loaded) return sources;
  const EtRecord& record = **loaded;
  size_t lines = 0;
  (void)within_budget(cancel, [&]() -> Result<void> {
    for (const Frame& frame : record.frames) {
      go_on();
      const std::string_view path = record.text(frame.file);
      const std::string_view text = record.text(frame.text);
      if (text.empty() || is_installed_file(path) || ++lines > kMaxLines) continue;
      sources.files_[std::string(base_name(path))][std::string(path)].push_back(
          {frame.line, std::string(text)});
    }
    return {};
  });
  return sources;
}

bool ModelSources::has(std::string_view path, const Document& text) const {
  const auto named = files_.find(base_name(path));
  if (named == files_.end()) return false;
  return std::ranges::any_of(named->second, [&](const auto& recorded) {
    const std::vector<Line>& lines = recorded.second;
    const auto there = std::ranges::count_if(lines, [&](const Line& line) {
      return line.number > 0 && line.number <= text.line_count() &&
             trim(text.line(line.number - 1)) == line.text;
    });
    return 2 * static_cast<size_t>(there) > lines.size();
  });
}

std::string other_models_text(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  const auto end = names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kMaxNamed));
  const size_t more = names.size() - std::min(names.size(), kMaxNamed);
  return fmt::format("{}{} {}", join(std::vector<std::string>(names.begin(), end), ", "),
                     more > 0 ? fmt::format(" and {} more", more) : std::string(),
                     names.size() == 1 ? "is of another model" : "are of other models");
}

}  // namespace etlens
