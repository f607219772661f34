// SPDX-License-Identifier: Apache-2.0
// Dumps to rows in several processes: each holds one dump and the records that it met.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/fleet/dump_reader.h"

namespace etlens {

// The rows of a dump in the form that was asked for, or why there are none.
using DumpText = std::variant<std::string, BrokenDump>;

struct DumpWork {
  std::vector<std::string> dumps;  // absolute paths
  DumpReaderOptions reader;
  RowForm form = RowForm::Ndjson;
  size_t jobs = 1;
};

// Gives `take` one dump after the other, in order, with its number; ends when it gives false.
// `leave_out`: gets the sentences of records that could not be used, those of one record again from
// every process that met it. Error: Io if no process can be made.
Result<void> read_dumps(const FileSystem& files, const DumpWork& work,
                        const std::function<bool(size_t, DumpText)>& take,
                        const std::function<void(std::string)>& leave_out = {});

// From a dump's rows as NDJSON. Empty if they are none.
DumpRows rows_from_text(std::string_view ndjson);

}  // namespace etlens
