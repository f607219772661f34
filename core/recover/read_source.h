// SPDX-License-Identifier: Apache-2.0
// ReadSource: how the texts of the project are asked for, by the paths that the record knows them
// under.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/source/document.h"

namespace etlens {

// The text that stands for a recorded path, with slashes; null if there is none.
using ReadSource = std::function<std::shared_ptr<const Document>(std::string_view recorded_path)>;

}  // namespace etlens
