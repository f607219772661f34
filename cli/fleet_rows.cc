// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet_rows.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/options.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens::cli {
namespace {

constexpr size_t kMaxRowBytes = 4 << 20;

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Gives every line without its line feed; of a longer one than may be, what may.
class Lines {
 public:
  explicit Lines(std::FILE* file) : file_(file), buffer_(64 * 1024, '\0') {}

  bool next(std::string& line) {
    line.clear();
    bool has_any = false;
    while (true) {
      if (at_ == end_) {
        at_ = 0;
        end_ = std::fread(buffer_.data(), 1, buffer_.size(), file_);
        if (end_ == 0) return has_any;
      }
      has_any = true;
      const char* begin = buffer_.data() + at_;
      const void* feed = std::memchr(begin, '\n', end_ - at_);
      const size_t size = feed == nullptr
                              ? end_ - at_
                              : static_cast<size_t>(static_cast<const char*>(feed) - begin);
      if (line.size() < kMaxRowBytes) line.append(begin, size);
      at_ += size + (feed == nullptr ? 0 : 1);
      if (feed != nullptr) return true;
    }
  }

 private:
  std::FILE* file_;
  std::string buffer_;
  size_t at_ = 0;
  size_t end_ = 0;
};

template <typename Row>
Result<void> add_row(Result<Row> row, FleetBuilder& builder, std::optional<Error>& unfit) {
  if (row) return builder.add(std::move(*row));
  unfit = std::move(row).error();
  return {};
}

}  // namespace

Result<void> add_rows_of(const std::string& from, FleetBuilder& builder) {
  const std::string name = from == "-" ? "stdin" : from;
  const File file(from == "-" ? stdin
                              : std::fopen(absolute_path(current_folder(), from).c_str(), "rb"));
  if (file == nullptr) {
    return Error{ErrorCode::NotFound,
                 fmt::format("cannot open {}: {}; give a file that `etlens rows` wrote", name,
                             std::strerror(errno))};
  }
  Lines lines(file.get());
  std::string line;
  std::string schema;
  size_t number = 0;
  size_t used = 0;
  size_t unfit_count = 0;
  std::string first_unfit;
  while (lines.next(line)) {
    ++number;
    if (trim(line).empty()) continue;
    if (schema.empty()) schema = schema_of_row(line);
    std::optional<Error> unfit;
    Result<void> added;
    if (schema == kFleetAnswerSchema) added = add_row(read_fleet_answer(line), builder, unfit);
    else if (schema == kDumpRowsSchema) added = add_row(read_dump_row(line), builder, unfit);
    else
      unfit =
          Error{ErrorCode::Corrupt, "is no row with the schema " + std::string(kDumpRowsSchema)};
    if (!added) return added;
    used += unfit ? 0 : 1;
    if (unfit && unfit_count++ == 0)
      first_unfit = fmt::format("line {} of {} {}", number, name, unfit->message);
  }
  if (used == 0) {
    return Error{ErrorCode::Corrupt,
                 (first_unfit.empty() ? name + " is empty" : first_unfit) +
                     "; give what `etlens rows` wrote, or an engine's answer to "
                     "fleet/clickhouse/places.sql"};
  }
  if (unfit_count > 0)
    say(fmt::format("{} left out: {}", counted(unfit_count, "line"), first_unfit));
  return {};
}

}  // namespace etlens::cli
