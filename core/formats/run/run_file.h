// SPDX-License-Identifier: Apache-2.0
// RunFile: what the file next to a dump (`model.etdp.json`, `etlens/run@1`) says of the run: the
// hashes of what ran, and the machine. Written by `etlens.profile` and by the runners of
// `etlens init`; docs/python-export.md describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/base/result.h"

namespace etlens {

// A file as it was when the run began.
struct RunArtifact {
  std::string file;    // its name, without a folder
  std::string sha256;  // 64 hexadecimal digits in lower case
  uint64_t bytes = 0;

  friend bool operator==(const RunArtifact&, const RunArtifact&) = default;
};
FIELDS(RunArtifact, file, sha256, bytes)

// Seconds of an execution, and the 95 % interval around them.
struct RunAmount {
  double typical = 0;
  double low = 0;
  double high = 0;
};
FIELDS(RunAmount, typical, low, high)

// Seconds of a fixed calculation between the turns of the run, in their order.
struct RunPace {
  std::string calculation;
  double fastest = 0;
  double slowest = 0;
  std::vector<double> seconds;
};
FIELDS(RunPace, calculation, fastest, slowest, seconds)

struct RunDevice {
  Nullable<std::string> system;
  Nullable<std::string> machine;
  Nullable<std::string> processor;
};
FIELDS(RunDevice, system, machine, processor)

struct RunVersions {
  Nullable<std::string> python;
  Nullable<std::string> torch;
  Nullable<std::string> executorch;
};
FIELDS(RunVersions, python, torch, executorch)

// Everything but `dump` may be null.
struct RunFile {
  Literal<"etlens/run@1"> schema;
  RunArtifact dump;
  Nullable<RunArtifact> program;
  Nullable<RunArtifact> record;
  // How the record was found for the program: `export` (one export wrote both), `name`.
  Nullable<std::string> paired_by;
  Nullable<std::string> method;
  Nullable<std::string> started;
  Nullable<uint64_t> warmup;
  Nullable<uint64_t> executions;
  Nullable<std::string> ended;
  Nullable<RunAmount> traced;    // with the event tracer
  Nullable<RunAmount> untraced;  // without it
  Nullable<RunPace> pace;
  Nullable<RunDevice> device;
  Nullable<std::vector<uint64_t>> processors;  // that the process was allowed to use
  Nullable<std::vector<std::string>> governors;
  Nullable<std::vector<double>> load_before;  // averages of 1, 5 and 15 minutes
  Nullable<std::vector<double>> load_after;
  Nullable<std::string> commit;
  Nullable<RunVersions> versions;
};
FIELDS(RunFile, schema, dump, program, record, paired_by, method, started, warmup, executions,
       ended, traced, untraced, pace, device, processors, governors, load_before, load_after,
       commit, versions)

inline constexpr size_t kMaxRunFileBytes = 1 << 20;

// "model.etdp.json" of "model.etdp".
std::string run_file_path(std::string_view etdump);

// A field that is absent, or of another type than documented, is null; only `dump` has to be there.
// Errors: Corrupt, Unsupported (another schema); one sentence without a subject.
Result<RunFile> read_run_file(std::string_view json);

}  // namespace etlens
