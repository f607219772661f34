// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/read_ahead.h"

#include "core/base/budget.h"

namespace etlens {

void ReadAhead::keep_log(const std::string& path, FileStamp stamp,
                         std::shared_ptr<const EventLog> log) {
  log_origin_ = {path, stamp};
  log_ = std::move(log);
}

void ReadAhead::keep_record(const std::string& path, FileStamp stamp, EtRecord record) {
  record_origin_ = {path, stamp};
  record_ = std::move(record);
}

void ReadAhead::keep_program(const std::string& path, FileStamp stamp, EtProgram program) {
  program_origin_ = {path, stamp};
  program_ = std::move(program);
}

std::shared_ptr<const EventLog> ReadAhead::take_log(const FileSystem& files,
                                                    const std::string& path) {
  if (log_ == nullptr || !is_current(log_origin_, files, path)) return nullptr;
  grant_reading(path, log_->file_bytes, log_->file_bytes);
  return std::exchange(log_, nullptr);
}

std::optional<EtRecord> ReadAhead::take_record(const FileSystem& files, const std::string& path) {
  if (!record_ || !is_current(record_origin_, files, path)) return std::nullopt;
  grant_reading(path, record_->graph_bytes, record_->graph_bytes);
  return std::exchange(record_, std::nullopt);
}

std::optional<EtProgram> ReadAhead::take_program(const FileSystem& files, const std::string& path) {
  if (!program_ || !is_current(program_origin_, files, path)) return std::nullopt;
  grant_reading(path, program_->table_bytes, program_origin_.stamp.size);
  return std::exchange(program_, std::nullopt);
}

bool ReadAhead::is_current(const Origin& origin, const FileSystem& files, const std::string& path) {
  if (origin.path != path || origin.stamp == FileStamp{}) return false;
  const Result<FileStamp> now = files.stat(path);
  return now && *now == origin.stamp;
}

}  // namespace etlens
