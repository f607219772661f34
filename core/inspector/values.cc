// SPDX-License-Identifier: Apache-2.0
#include "core/inspector/values.h"

#include <algorithm>
#include <cmath>

#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

// Of larger tensors only shape and type are told.
constexpr uint64_t kMaxSummarizedBytes = 1ull << 30;

// Bytes of a tensor; nullopt if the claimed sizes make no sense.
std::optional<uint64_t> tensor_bytes(const TensorInfo& tensor) {
  uint64_t bytes = scalar_type_size(tensor.scalar_type);
  for (const int64_t size : tensor.sizes) {
    if (size < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes)) return std::nullopt;
  }
  return bytes;
}

void summarize(const TensorInfo& tensor, std::span<const uint8_t> bytes, TensorSummary& summary) {
  const size_t size = scalar_type_size(tensor.scalar_type);
  double sum = 0;
  uint64_t finite = 0;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    const std::optional<double> value = scalar_value(tensor.scalar_type, bytes.subspan(at, size));
    if (!value) return;
    if (std::isnan(*value)) {
      ++summary.nan;
    } else if (std::isinf(*value)) {
      ++summary.inf;
    } else {
      summary.min = finite == 0 ? *value : std::min(*summary.min, *value);
      summary.max = finite == 0 ? *value : std::max(*summary.max, *value);
      sum += *value;
      ++finite;
    }
  }
  if (finite > 0) summary.mean = sum / static_cast<double>(finite);
}

TensorSummary number(std::string_view type, double value) {
  TensorSummary summary;
  summary.dtype = type;
  summary.min = summary.max = summary.mean = value;
  return summary;
}

}  // namespace

std::string op_type_of(const EtRecord& record, NodeId node) {
  const Node& row = record.nodes[node.value];
  const std::string_view target = record.text(row.target);
  const size_t dot = row.target_kind == TargetKind::EdgeOperator    ? std::string_view::npos
                     : row.target_kind == TargetKind::TorchOperator ? target.find('.')
                                                                    : target.rfind('.');
  return std::string(dot == std::string_view::npos ? target : target.substr(dot + 1));
}

void append_summaries(const InspectorRequest& request, const DebugValue& value,
                      std::vector<TensorSummary>& summaries) {
  switch (value.kind) {
    case DebugValueKind::Int:
      summaries.push_back(number("int", static_cast<double>(value.int_value)));
      return;
    case DebugValueKind::Bool:
      summaries.push_back(number("bool", static_cast<double>(value.int_value)));
      return;
    case DebugValueKind::Float:
    case DebugValueKind::Double:
      summaries.push_back(number("float", value.double_value));
      return;
    default:
      break;
  }
  for (const TensorInfo& tensor : value.tensors) {
    TensorSummary summary;
    summary.dtype = scalar_type_name(tensor.scalar_type);
    summary.shape = tensor.sizes;
    const std::optional<uint64_t> bytes = tensor_bytes(tensor);
    if (!request.debug_buffer.empty() && bytes && *bytes > 0 && *bytes <= kMaxSummarizedBytes &&
        tensor.offset >= 0) {
      const Result<Bytes> data = request.files->read_range(
          request.debug_buffer, static_cast<uint64_t>(tensor.offset), *bytes);
      if (data && data->size() == *bytes) summarize(tensor, data->span(), summary);
    }
    summaries.push_back(std::move(summary));
  }
}

}  // namespace etlens
