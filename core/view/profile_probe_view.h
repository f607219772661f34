// SPDX-License-Identifier: Apache-2.0
// What there is before a model is profiled: the document of `etlens profile` that runs nothing but its probe. An editor asks
// from it for what a run needs.
#pragma once

#include <string>
#include <vector>

#include "core/base/fields.h"

namespace etlens {

struct ProfileVersionsView {
  Nullable<std::string> python;
  Nullable<std::string> torch;
  Nullable<std::string> executorch;
  Nullable<std::string> etlens;  // the Python package
};
FIELDS(ProfileVersionsView, python, torch, executorch, etlens)

// What is missing. `id`: python, torch, executorch, runtime, tracer, backend, package, adb, runner, script, model or input.
struct ProfileProblemView {
  std::string id;
  std::string text;               // a sentence
  Nullable<std::string> remedy;   // what to do, in words
  Nullable<std::string> command;  // the line for a shell that does it: pip
  bool stops = false;             // a run would end here
};
FIELDS(ProfileProblemView, id, text, remedy, command, stops)

struct ProfileInputView {
  std::string name;              // of the argument of forward
  Nullable<std::string> guess;   // shape and type: "1x3x224x224:float32"
  Nullable<std::string> origin;  // script or model: these are the inputs; layer: guessed
  Nullable<std::string> source;  // where exactly: "the layer stem (Conv2d)"
};
FIELDS(ProfileInputView, name, guess, origin, source)

struct ProfileProbeView {
  Literal<"etlens/profile-probe@1"> schema;
  std::string model;  // absolute paths
  std::string class_name;
  std::string script;  // of `etlens init`; a run writes it if it is not there
  bool script_exists = false;
  Nullable<std::string> python;  // the executable; null if none can be started
  ProfileVersionsView versions;
  Nullable<bool>
      tracer;  // whether this release's runtime for Python has the event tracer; null without ExecuTorch
  std::string backend;                // what the model would be lowered to: xnnpack
  std::vector<std::string> backends;  // that the runtime for Python has: XnnpackBackend
  std::vector<ProfileProblemView> problems;
  bool needs_inputs = true;              // false: the script or the model's file has them
  std::vector<ProfileInputView> inputs;  // the arguments of forward that need a value, in order
  std::string dump;                      // that a run will write
};
FIELDS(ProfileProbeView, schema, model, class_name, script, script_exists, python, versions, tracer,
       backend, backends, problems, needs_inputs, inputs, dump)

}  // namespace etlens
