// SPDX-License-Identifier: Apache-2.0
// The script of `etlens init`, for those that run it.
#pragma once

#include <string>

#include "core/base/result.h"

namespace etlens::cli {

struct InitOptions {
  std::string model;
  std::string class_name;
  std::string runner = "python";
  std::string backend = "xnnpack";
  std::string folder;  // "": the source's
};

struct InitScript {
  std::string path;     // absolute
  bool is_new = false;  // false: it was there already, and stays as it is
};

// Writes it unless a file of its name is there.
Result<InitScript> ensure_script(const InitOptions& options);

}  // namespace etlens::cli
