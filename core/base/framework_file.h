// SPDX-License-Identifier: Apache-2.0
// Which recorded files are PyTorch's own, or of what turns a model into a program.
#pragma once

#include <string_view>

namespace etlens {

// True for PyTorch's own files and for generated code: a component `torch`, `functorch` or
// `torchgen` directly below `site-packages` or `dist-packages`; a relative path into one of torch's
// own folders; names in angle brackets other than an interactive session's; wherever they are,
// `executorch/backends`, `executorch/exir` and `torchao/quantization` without the models in them.
bool is_framework_file(std::string_view recorded_path);

}  // namespace etlens
