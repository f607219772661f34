// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/debug_value_reader.h"

#include <cstring>

#include "core/base/budget.h"

namespace etlens {
namespace {

using namespace dump_schema;

// The numbers of the format.
enum class ValueType : int8_t { Null, Int, Bool, Float, Double, Tensor, TensorList };

class ValueReader {
 public:
  ValueReader(TableWalk& walk, Kinds& kinds, const FlatTable& value)
      : walk_(walk), kinds_(kinds), value_(value) {}

  // Members that the type does not choose are verified, but not kept.
  DebugValue read() {
    DebugValue result;
    const auto type = ValueType{TableWalk::number<int8_t>(value_, Value::kType)};
    result.is_output = member<uint8_t>(Value::kOutput, kinds_.bool_value) != 0;
    const auto int_value = member<int64_t>(Value::kInt, kinds_.int_value);
    const auto bool_value = member<uint8_t>(Value::kBool, kinds_.bool_value);
    const auto float_value = member<float>(Value::kFloat, kinds_.float_value);
    const auto double_value = member<double>(Value::kDouble, kinds_.double_value);
    read_tensor(walk_.table(value_, Value::kTensor, kinds_.tensor), type == ValueType::Tensor,
                result.tensors);
    read_list(type == ValueType::TensorList, result.tensors);
    switch (type) {
      case ValueType::Int:
        result.kind = DebugValueKind::Int;
        result.int_value = int_value;
        break;
      case ValueType::Bool:
        result.kind = DebugValueKind::Bool;
        result.int_value = bool_value != 0 ? 1 : 0;
        break;
      case ValueType::Float:
        result.kind = DebugValueKind::Float;
        result.double_value = static_cast<double>(float_value);
        break;
      case ValueType::Double:
        result.kind = DebugValueKind::Double;
        result.double_value = double_value;
        break;
      case ValueType::Tensor:
        result.kind = DebugValueKind::Tensor;
        break;
      case ValueType::TensorList:
        result.kind = DebugValueKind::TensorList;
        break;
      default:
        break;
    }
    return result;
  }

 private:
  template <typename Number>
  Number member(size_t field, FlatKind& kind) {
    return TableWalk::number<Number>(walk_.table(value_, field, kind), dump_schema::Number::kValue);
  }

  void read_list(bool is_kept, std::vector<TensorInfo>& tensors) {
    const FlatTable list = walk_.table(value_, Value::kTensorList, kinds_.tensor_list);
    const FlatVector elements = walk_.vector(list, TensorList::kTensors, kOffsetBytes);
    for (size_t i = 0; i < elements.count && walk_.sound(); ++i) {
      go_on();
      read_tensor(walk_.element(elements, i, kinds_.tensor), is_kept, tensors);
    }
  }

  void read_tensor(const FlatTable& tensor, bool is_kept, std::vector<TensorInfo>& tensors) {
    if (!tensor) return;
    const FlatVector sizes = walk_.vector(tensor, Tensor::kSizes, sizeof(int64_t));
    const FlatVector strides = walk_.vector(tensor, Tensor::kStrides, sizeof(int64_t));
    if (!is_kept) return;
    TensorInfo info;
    info.scalar_type = TableWalk::number<int8_t>(tensor, Tensor::kScalarType);
    info.sizes = copy_of(sizes);
    info.strides = copy_of(strides);
    info.offset = TableWalk::number<int64_t>(tensor, Tensor::kOffset);
    tensors.push_back(std::move(info));
  }

  std::vector<int64_t> copy_of(const FlatVector& numbers) {
    std::vector<int64_t> copy(numbers.count);
    if (!copy.empty())
      std::memcpy(copy.data(), walk_.bytes_of(numbers), copy.size() * sizeof(int64_t));
    return copy;
  }

  TableWalk& walk_;
  Kinds& kinds_;
  const FlatTable& value_;
};

}  // namespace

DebugValue read_debug_value(TableWalk& walk, dump_schema::Kinds& kinds, const FlatTable& value) {
  return value ? ValueReader(walk, kinds, value).read() : DebugValue();
}

}  // namespace etlens
