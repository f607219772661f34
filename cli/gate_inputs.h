// SPDX-License-Identifier: Apache-2.0
// What `etlens gate` checks: the policy that applies, and the evidence about the model.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "core/gate/evidence.h"
#include "core/gate/policy.h"

namespace etlens::cli {

struct GateOptions {
  CommonOptions common;              // its `paths`: a policy and a folder, each at most once
  std::vector<std::string> etdumps;  // those of the new side
  std::vector<std::string> base;
  std::string tick_unit;  // "": as the policy has it
  bool is_init = false;
};

// The two paths, apart.
struct GatePlaces {
  std::string policy;  // absolute; "" if none is named
  std::string folder;  // absolute; "" if none is named
};
// InvalidParams for two of a kind; NotFound for a path that does not exist, but that of a new
// policy.
Result<GatePlaces> gate_places(const GateOptions& options);

// The named policy, or the one of the folder or the working folder, or above them up to the root of
// the repository. NotFound if there is none.
Result<std::string> choose_policy(const GatePlaces& places);

// Puts what the policy names where no option names it. `folder`: the one that was named, or "".
void use_artifacts(const PolicyArtifacts& artifacts, const std::string& policy,
                   const std::string& folder, GateOptions& options);

// Which parts of the evidence are wanted.
struct GateNeeds {
  bool delegation = false;
  bool calls = false;
  bool program = false;  // memory and size
  bool cold_start = false;
  bool time = false;
  double threshold = 0.02;  // changes smaller than this do not matter
};
GateNeeds needs_of(const Policy& policy);

// What there is; use_artifacts() was called. Files that are named or found and cannot be used are
// an error; files that are not there are parts that are not known.
Result<Evidence> gather_evidence(const GateOptions& options, const GateNeeds& needs);

}  // namespace etlens::cli
