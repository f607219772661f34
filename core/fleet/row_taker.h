// SPDX-License-Identifier: Apache-2.0
// Rows, or an engine's answer, into a fleet: bytes as they come from a file or a pipe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/fleet/fleet.h"

namespace etlens {

class RowTaker {
 public:
  // `name`: of what the bytes come from, for sentences. The fleet must outlive the taker.
  RowTaker(std::string name, FleetBuilder& fleet) : name_(std::move(name)), fleet_(fleet) {}

  // The first line decides between rows and an answer; lines that are neither are counted and
  // skipped. An error is the fleet's: the row does not go with those before it.
  Result<void> take(std::string_view bytes);
  // After the last bytes: adds the skipped lines to the fleet. An error if there was no row at all.
  Result<void> finish();

 private:
  Result<void> take_line();
  Result<void> add_line();

  std::string name_;
  FleetBuilder& fleet_;
  std::string line_;  // so far
  std::string schema_;
  size_t number_ = 0;
  size_t used_ = 0;
  LeftOutLines left_out_;
  std::optional<Error> unfit_;  // of the line
};

}  // namespace etlens
