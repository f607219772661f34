// SPDX-License-Identifier: Apache-2.0
// The files with which a model is profiled for the first time: a Python script that exports it, and
// what runs it (folder templates). They call ExecuTorch's public interface, releases 1.0 and later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scaffold/model_class.h"

namespace etlens {

enum class Runner : uint8_t { Python, Adb, Cpp };

struct ScaffoldRequest {
  ModelClass model;
  std::string module;               // as Python imports it: "models.decoder"
  std::string search_path;          // folder where Python finds the module; "": beside the script
  std::string backend = "xnnpack";  // the name of a LoweringTarget
  Runner runner = Runner::Python;
};

struct ScaffoldFile {
  std::string name;
  std::string text;
  bool is_program = false;  // to be executable
};

// Nothing that stands in the model's file becomes code: names are names, and annotations comments.
// Unsupported, one sentence, for names that are none and unknown backends.
Result<std::vector<ScaffoldFile>> scaffold(const ScaffoldRequest& request);

}  // namespace etlens
