// SPDX-License-Identifier: Apache-2.0
// The dump, the record and the program that were read to find out which files belong together. The
// load that follows takes them, so that none is read twice.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/file_system.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/program.h"

namespace etlens {

class ReadAhead {
 public:
  // `stamp`: of the file before it was read.
  void keep_log(const std::string& path, FileStamp stamp, std::shared_ptr<const EventLog> log);
  // As it is: lines that it lost were not looked for. Of AsExported graphs.
  void keep_record(const std::string& path, FileStamp stamp, EtRecord record);
  void keep_program(const std::string& path, FileStamp stamp, EtProgram program);

  // What was kept of that file, once; nothing if the file has changed since. The caller's budget is
  // granted for it.
  std::shared_ptr<const EventLog> take_log(const FileSystem& files, const std::string& path);
  std::optional<EtRecord> take_record(const FileSystem& files, const std::string& path);
  std::optional<EtProgram> take_program(const FileSystem& files, const std::string& path);

  void clear() { *this = {}; }

 private:
  struct Origin {
    std::string path;
    FileStamp stamp;
  };
  static bool is_current(const Origin& origin, const FileSystem& files, const std::string& path);

  Origin log_origin_;
  Origin record_origin_;
  Origin program_origin_;
  std::shared_ptr<const EventLog> log_;
  std::optional<EtRecord> record_;
  std::optional<EtProgram> program_;
};

}  // namespace etlens
