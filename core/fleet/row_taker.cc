// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/row_taker.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kMaxRowBytes = 4 << 20;

template <typename Row>
Result<void> add_row(Result<Row> row, FleetBuilder& fleet, std::optional<Error>& unfit) {
  if (row) return fleet.add(std::move(*row));
  unfit = std::move(row).error();
  return {};
}

}  // namespace

Result<void> RowTaker::take(std::string_view bytes) {
  while (!bytes.empty()) {
    go_on(1 + line_.size() / 4096);
    const size_t feed = bytes.find('\n');
    const std::string_view part = bytes.substr(0, feed);
    line_.append(part.substr(0, kMaxRowBytes - std::min(line_.size(), kMaxRowBytes)));
    if (feed == std::string_view::npos) return {};
    bytes.remove_prefix(feed + 1);
    if (Result<void> taken = take_line(); !taken) return taken;
  }
  return {};
}

Result<void> RowTaker::take_line() {
  ++number_;
  unfit_.reset();
  Result<void> added;
  if (!trim(line_).empty()) {
    added = add_line();
    used_ += unfit_ ? 0 : 1;
    // What is no row earns nothing, so that a file without end is given up.
    if (!unfit_) grant_reading(name_, line_.size(), UINT64_MAX);
  }
  if (unfit_ && left_out_.count++ == 0)
    left_out_.first = fmt::format("line {} of {} {}", number_, name_, unfit_->message);
  line_.clear();
  return added;
}

Result<void> RowTaker::add_line() {
  if (schema_.empty()) schema_ = schema_of_row(line_);
  if (schema_ == kFleetAnswerSchema) return add_row(read_fleet_answer(line_), fleet_, unfit_);
  if (schema_ == kDumpRowsSchema) return add_row(read_dump_row(line_), fleet_, unfit_);
  unfit_ =
      Error{ErrorCode::Corrupt, "is not a row with the schema " + std::string(kDumpRowsSchema)};
  return {};
}

Result<void> RowTaker::finish() {
  if (!line_.empty()) {
    if (Result<void> taken = take_line(); !taken) return taken;
  }
  if (used_ == 0) {
    return Error{ErrorCode::Corrupt,
                 (left_out_.count == 0 ? name_ + " is empty" : left_out_.first) +
                     "; give what `etlens rows` wrote, or an engine's answer to "
                     "fleet/clickhouse/places.sql"};
  }
  fleet_.leave_out_lines(std::move(left_out_));
  return {};
}

}  // namespace etlens
