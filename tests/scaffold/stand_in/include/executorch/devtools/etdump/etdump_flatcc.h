// The names of ExecuTorch that a program of `etlens init` calls, without what they do.
#pragma once
#include <cstddef>

namespace executorch::runtime {
class EventTracer {
 public:
  virtual ~EventTracer() = default;
};
}  // namespace executorch::runtime

namespace executorch::etdump {
struct ETDumpResult {
  void* buf;
  size_t size;
};
class ETDumpGen : public runtime::EventTracer {
 public:
  ETDumpResult get_etdump_data();
};
}  // namespace executorch::etdump
