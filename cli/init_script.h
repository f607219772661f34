// SPDX-License-Identifier: Apache-2.0
// The script of `etlens init`, for commands that run it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scaffold/scaffold.h"

namespace etlens::cli {

struct InitOptions {
  std::string model;
  std::string class_name;  // "": the file's last class that no other one makes
  std::string runner = "python";
  std::string backend = "xnnpack";
  std::string folder;  // "": the source's
};

// What `etlens init` would write.
struct InitScript {
  std::string model;  // absolute paths
  std::string folder;
  std::string path;
  ModelClass model_class;
  std::vector<ScaffoldFile> files;  // the script first
  bool is_there = false;            // the script
};

// Writes nothing. One sentence if the model's file cannot be used.
Result<InitScript> plan_script(const InitOptions& options);
// Of commands that have them.
CLI::Option* add_backend_option(CLI::App& command, std::string& backend,
                                const std::string& description);
CLI::Option* add_runner_option(CLI::App& command, std::string& runner);
// All of the files that are not there yet, or none.
Result<void> write_missing(const InitScript& script);

}  // namespace etlens::cli
