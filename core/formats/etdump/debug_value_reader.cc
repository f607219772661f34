// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/debug_value_reader.h"

#include <cstring>

#include "core/base/budget.h"
#include "core/formats/etdump/schema/etdump_generated.h"

namespace etlens {
namespace {

// The verifier does not check that a vector's elements are aligned, so they are copied as bytes.
std::vector<int64_t> copy_of(const flatbuffers::Vector<int64_t>* numbers) {
  std::vector<int64_t> copy(numbers == nullptr ? 0 : numbers->size());
  if (!copy.empty()) std::memcpy(copy.data(), numbers->Data(), copy.size() * sizeof(int64_t));
  return copy;
}

TensorInfo tensor_of(const etdump_schema::Tensor& tensor) {
  TensorInfo info;
  info.scalar_type = tensor.scalar_type();
  info.sizes = copy_of(tensor.sizes());
  info.strides = copy_of(tensor.strides());
  info.offset = tensor.offset();
  return info;
}

}  // namespace

DebugValue read_debug_value(const etdump_schema::Value* value) {
  DebugValue result;
  if (value == nullptr) return result;
  result.is_output = value->output() != nullptr && value->output()->bool_val();
  switch (value->val()) {
    case etdump_schema::ValueType_Int:
      result.kind = DebugValueKind::Int;
      result.int_value = value->int_value() ? value->int_value()->int_val() : 0;
      break;
    case etdump_schema::ValueType_Bool:
      result.kind = DebugValueKind::Bool;
      result.int_value = value->bool_value() && value->bool_value()->bool_val() ? 1 : 0;
      break;
    case etdump_schema::ValueType_Float:
      result.kind = DebugValueKind::Float;
      result.double_value = value->float_value() ? value->float_value()->float_val() : 0;
      break;
    case etdump_schema::ValueType_Double:
      result.kind = DebugValueKind::Double;
      result.double_value = value->double_value() ? value->double_value()->double_val() : 0;
      break;
    case etdump_schema::ValueType_Tensor:
      result.kind = DebugValueKind::Tensor;
      if (value->tensor()) result.tensors.push_back(tensor_of(*value->tensor()));
      break;
    case etdump_schema::ValueType_TensorList:
      result.kind = DebugValueKind::TensorList;
      if (value->tensor_list() && value->tensor_list()->tensors()) {
        for (const auto* tensor : *value->tensor_list()->tensors()) {
          go_on();
          result.tensors.push_back(tensor_of(*tensor));
        }
      }
      break;
    default:
      break;
  }
  return result;
}

}  // namespace etlens
