// The names of ExecuTorch that a program of `etlens init` calls, without what they do.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/tensor/tensor.h>

namespace executorch::runtime {
template <class T>
class Result {
 public:
  bool ok() const;
  const T* operator->() const;
};
template <class T>
class Span {
 public:
  const T* begin() const;
  const T* end() const;
};
class EValue {
 public:
  EValue(aten::Tensor tensor);
};
class TensorInfo {
 public:
  Span<const int32_t> sizes() const;
  aten::ScalarType scalar_type() const;
};
class MethodMeta {
 public:
  size_t num_inputs() const;
  Result<TensorInfo> input_tensor_meta(size_t index) const;
};
}  // namespace executorch::runtime

namespace executorch::extension {
class Module {
 public:
  enum class LoadMode { File, Mmap, MmapUseMlock, MmapUseMlockIgnoreErrors };
  explicit Module(const std::string& path, LoadMode mode,
                  std::unique_ptr<runtime::EventTracer> tracer = nullptr);
  runtime::Result<runtime::MethodMeta> method_meta(const std::string& name);
  runtime::Result<std::vector<runtime::EValue>> forward(const std::vector<runtime::EValue>& inputs);
  runtime::EventTracer* event_tracer() const;
};
}  // namespace executorch::extension
