// SPDX-License-Identifier: Apache-2.0
// A workspace for tests of the server: a model of two classes whose blocks run on a delegate, with
// an operator on the CPU between two calls, and its artifacts as real bytes.
#pragma once

#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "tests/support/memory_file_system.h"

namespace etlens::test {

inline const std::string kModelPath = "/work/model.py";
inline const std::string kDumpPath = "/work/model.etdp";
inline const std::string kRecordPath = "/work/model.etrecord";

// 0-based lines of the model.
inline constexpr int kBlockClassLine = 4;
inline constexpr int kUpLine = 7;
inline constexpr int kBlockForwardLine = 10;
inline constexpr int kUpCallLine = 11;
inline constexpr int kReluLine = 12;  // fused into the line above
inline constexpr int kDownCallLine = 13;
inline constexpr int kModelClassLine = 16;
inline constexpr int kBlocksAttributeLine = 19;
inline constexpr int kHeadAttributeLine = 20;
inline constexpr int kModelForwardLine = 22;
inline constexpr int kCallLine = 24;  // runs both blocks
inline constexpr int kTopkLine = 25;  // falls back to the CPU
inline constexpr int kHeadLine = 26;

std::string model_source();
// The dump of `executions` runs; every duration is multiplied by `scale`.
Bytes model_dump(int scale = 1, int executions = 2);
// The dump of runs that differ.
struct ModelRun {
  int scale = 1;     // of every duration
  int topk = 9'000;  // ticks of the operator on the CPU, before that
};
Bytes model_dump(const std::vector<ModelRun>& runs);
Bytes model_record();
// Of another model.
Bytes other_model_dump();
Bytes other_model_record();
// Source, dump and record in /work.
MemoryFileSystem model_workspace();

}  // namespace etlens::test
