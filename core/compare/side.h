// SPDX-License-Identifier: Apache-2.0
// A side of a comparison: one or more dumps of one program. They are read one after the other, and
// of each only what its operations amount to is kept: a side of a hundred dumps is as large as one
// with a few.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/recorded_text.h"
#include "core/measure/group_pairs.h"
#include "core/workspace/load.h"

namespace etlens {

// What tells contributions of one side apart, whichever dump they are of. Beside each in
// Side::landings: where it lands.
struct Operation {
  std::string kernel;   // "Fully Connected (NC, F32) GEMM", "convolution.out"
  std::string_view op;  // of its node; "" without one. Text of the code
  std::string backend;  // its label; "" on the CPU
  int32_t chain = -1;
  Instruction instruction;
};

struct DumpAmounts {
  std::string path;
  size_t executions = 0;           // that are used
  std::vector<Total> self;         // one per operation, over these executions
  std::vector<float> clock_error;  // likewise: ticks by which a coarse clock may be wrong, of one
  Amount total;                    // of Method::execute, as it was
  ColdStart cold;                  // of this process
};

struct Side {
  std::shared_ptr<const Code> code;
  std::vector<SourceLocation> sources;  // one per Code::files
  SourceTexts texts;                    // likewise: as they were exported
  std::vector<Operation> operations;
  Landings landings;  // a row per operation; nothing else is filled in
  std::vector<DumpAmounts> dumps;
  ChosenGroup group;  // of its first dump; those of the others did the same work
  // Of a side with one dump, the influence of its executions on what each operation takes
  // (core/measure/influence.h): ticks of one execution, a row per execution, or per block of
  // neighbouring ones where there are more than kMaxInfluences. Else empty.
  std::vector<std::vector<float>> influences;
  // Executions of all its dumps alike, at most kMaxSamples of them, for pictures: ticks of each
  // operation, a row per execution (shorter where the last operations are of later dumps). Empty
  // where nobody asked for them.
  std::vector<std::vector<float>> samples;
  TimeScale clock = TimeScale::Nanoseconds;
  std::string etrecord_path;          // "" without a record
  std::string pte_path;               // "" without a program
  std::vector<std::string> left_out;  // dumps that are of other programs
  std::string record_problem;         // why a record that was found is left out; "" for none
  // Modules with lines inside helpers that were looked for and not found, by their paths.
  std::vector<std::string> unrecovered;

  size_t executions() const;
  Amount measured() const;  // all of Method::execute, disturbance too
  // The middle one of its dumps that tell of loading, by its total; without loads if none does.
  ColdStart cold_start() const;
};

inline constexpr size_t kMaxSamples = 64;
inline constexpr size_t kMaxInfluences = 200;

struct OtherArtifacts {
  std::string etrecord;
  std::string pte;
  std::vector<std::string> roots;
};

struct SideRequest {
  LoadRequest load;                // of every dump; its `etdump` is not looked at
  std::vector<std::string> dumps;  // absolute paths; at least one
  // Dumps that do not belong to the record are left out. Else they are an error.
  bool leaves_out_others = false;
  bool keeps_samples = false;  // Side::samples
  // Of the other side: each dump's numbers are of the group that did the same work, if it has one.
  // nullopt: of the group that the load names.
  std::optional<ChosenGroup> like;
  // A side that has dumps but no record may be of the other side's export: its artifacts.
  std::optional<OtherArtifacts> other;
};

// `progress`, if any, is called before each dump with how many were read. Errors are one sentence:
// which file, what is wrong, what to do.
Result<Side> load_side(const FileSystem& files, const SideRequest& request,
                       const std::function<void(size_t)>& progress = {},
                       const CancelToken& cancel = {});

// Lines inside helpers that both exports lost were found again of one side alone, be it in one
// module: its time stands on other lines than the same time of the other side.
bool differ_in_recovery(const Side& a, const Side& b);
// Some of its lines were found again.
bool has_recovered_lines(const Side& side);

// Errors: Unsupported, if the numbers are of groups that did different work. `a`, `b`: which is
// which, for the sentence.
Result<void> check_groups(const ChosenGroup& a, const ChosenGroup& b, std::string_view name_of_a,
                          std::string_view name_of_b);

// A side of the one dump of a study that is open, with samples. `texts`: as Side::texts.
Side side_of(const Study& study, SourceTexts texts = {});

}  // namespace etlens
