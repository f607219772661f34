// SPDX-License-Identifier: Apache-2.0
// ReadSource: how the sources of the project are asked for, by the paths that the record knows them
// under.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/source/python/python_syntax.h"

namespace etlens {

// What stands for a recorded path, with slashes, parsed; null if there is none.
using ReadSource =
    std::function<std::shared_ptr<const PythonSyntax>(std::string_view recorded_path)>;

}  // namespace etlens
