// The names of ExecuTorch that a program of `etlens init` calls, without what they do.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace executorch::aten {
using SizesType = int32_t;
enum class ScalarType : int8_t { Float = 6 };
class Tensor {};
}  // namespace executorch::aten

namespace executorch::extension {
using TensorPtr = std::shared_ptr<aten::Tensor>;
TensorPtr ones(std::vector<aten::SizesType> sizes, aten::ScalarType type = aten::ScalarType::Float);
}  // namespace executorch::extension
