// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet_rows.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/options.h"
#include "core/base/budget.h"
#include "core/base/open_file.h"
#include "core/base/path.h"
#include "core/fleet/row_taker.h"

namespace etlens::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

Result<void> add_rows_of(const std::string& from, FleetBuilder& builder) {
  const std::string name = from == "-" ? "stdin" : from;
  const File file(from == "-" ? stdin : open_to_read(absolute_path(current_folder(), from)));
  if (file == nullptr) {
    return Error{ErrorCode::NotFound,
                 fmt::format("cannot open {}: {}; give a file that `etlens rows` wrote", name,
                             std::strerror(errno))};
  }
  set_error_subject(name);
  RowTaker taker(name, builder);
  std::string buffer(64 * 1024, '\0');
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    if (Result<void> taken = taker.take(std::string_view(buffer).substr(0, got)); !taken)
      return taken;
  }
  return taker.finish();
}

}  // namespace etlens::cli
