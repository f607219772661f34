// SPDX-License-Identifier: Apache-2.0
// The classes of a source file that may be models: what makes them, and what their forward takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/source/python/python_syntax.h"

namespace etlens {

struct ModelParameter {
  std::string name;
  std::string type;  // as annotated; "" without
  bool is_optional = false;
};

struct ModelClass {
  std::string name;
  uint32_t line = 0;                        // 1-based
  std::vector<ModelParameter> constructor;  // without self; none if the class has no __init__
  std::vector<ModelParameter> inputs;       // of forward, without self
  bool is_part = false;                     // made by another class of the file
};

// Classes at the top level that define forward, in the order of the text; *args and **kwargs are
// left out. None while the text is no valid Python.
std::vector<ModelClass> model_classes(const PythonSyntax& syntax);

}  // namespace etlens
