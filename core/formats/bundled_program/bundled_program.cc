// SPDX-License-Identifier: Apache-2.0
#include "core/formats/bundled_program/bundled_program.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "core/formats/bundled_program/schema/bundled_program_generated.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

namespace bs = bundled_schema;

constexpr size_t kIdentifierEnd = 8;
constexpr uint64_t kMaxBundleBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
// One table takes at least this much, so a file cannot honestly hold more of them.
constexpr size_t kMinBundleTableBytes = 8;
constexpr flatbuffers::uoffset_t kMaxBundleDepth = 16;

// Strides of a tensor whose dimension order[0] runs slowest; nullopt if that is no permutation.
std::optional<std::vector<int64_t>> strides_of_order(std::span<const int64_t> sizes,
                                                     const flatbuffers::Vector<uint8_t>* order) {
  if (order == nullptr || order->size() == 0) return row_major_strides(sizes);
  if (order->size() != sizes.size()) return std::nullopt;
  std::vector<int64_t> strides(sizes.size(), 0);
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    const uint8_t dimension = order->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (dimension >= sizes.size() || strides[dimension] != 0) return std::nullopt;
    strides[dimension] = stride;
    stride *= std::max<int64_t>(sizes[dimension], 1);
  }
  return strides;
}

BundledValue tensor_of(const bs::Tensor& row, const std::shared_ptr<const Bytes>& file) {
  StoredTensor tensor;
  tensor.scalar_type = row.scalar_type();
  if (row.sizes() != nullptr) tensor.sizes.assign(row.sizes()->begin(), row.sizes()->end());
  const std::optional<uint64_t> elements = element_count(tensor.sizes);
  if (!elements) return {};
  tensor.elements = *elements;
  std::optional<std::vector<int64_t>> strides = strides_of_order(tensor.sizes, row.dim_order());
  const uint64_t stored = row.data() == nullptr ? 0 : row.data()->size();
  if (!strides || scalar_type_size(tensor.scalar_type) == 0 || stored < tensor.byte_size())
    return {};
  tensor.strides = std::move(*strides);
  if (tensor.elements == 0) return tensor;
  const uint8_t* data = row.data()->data();
  tensor.read = [file, data](uint64_t offset, uint64_t size) -> Result<Bytes> {
    Bytes bytes(size);
    std::memcpy(bytes.data(), data + offset, size);
    return bytes;
  };
  return tensor;
}

BundledValue value_of(const bs::Value* value, const std::shared_ptr<const Bytes>& file) {
  if (value == nullptr) return {};
  if (const bs::Tensor* tensor = value->val_as_Tensor()) return tensor_of(*tensor, file);
  if (const bs::Int* number = value->val_as_Int()) return number->int_val();
  if (const bs::Bool* flag = value->val_as_Bool()) return flag->bool_val();
  if (const bs::Double* number = value->val_as_Double()) return number->double_val();
  return {};
}

std::vector<BundledValue> values_of(const flatbuffers::Vector<flatbuffers::Offset<bs::Value>>* rows,
                                    const std::shared_ptr<const Bytes>& file) {
  std::vector<BundledValue> values;
  if (rows == nullptr) return values;
  values.reserve(rows->size());
  for (const bs::Value* row : *rows) values.push_back(value_of(row, file));
  return values;
}

// Tables that are referred to more than once would multiply: the rows of an honest file take room.
class Budget {
 public:
  explicit Budget(uint64_t bytes) : left_(bytes / kMinBundleTableBytes) {}
  bool take(uint64_t rows) {
    if (rows > left_) return false;
    left_ -= rows;
    return true;
  }

 private:
  uint64_t left_;
};

template <typename Rows>
uint64_t count_of(const Rows* rows) {
  return rows == nullptr ? 0 : rows->size();
}

}  // namespace

bool looks_like_bundled_program(std::span<const uint8_t> front) {
  return front.size() >= kIdentifierEnd && (std::memcmp(front.data() + 4, "BP08", 4) == 0 ||
                                            std::memcmp(front.data() + 4, "BP06", 4) == 0);
}

Result<BundledProgram> read_bundled_program(const FileSystem& files, std::string_view path,
                                            const CancelToken& cancel) {
  const Error corrupt{ErrorCode::Corrupt,
                      "is damaged or cut off; bundle the program again or copy it again"};
  const Result<Bytes> front = files.read_range(path, 0, kIdentifierEnd);
  if (!front) return front.error();
  if (!looks_like_bundled_program(front->span())) {
    return Error{ErrorCode::Unsupported,
                 "is not a bundled program (no identifier BP08); give the .bpte that "
                 "serialize_from_bundled_program_to_flatbuffer wrote"};
  }
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  if (stamp->size > kMaxBundleBytes) return corrupt;
  Result<Bytes> read = files.read(path);
  if (!read) return read.error();
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
  if (read->size() > kMaxBundleBytes) return corrupt;
  const auto file = std::make_shared<const Bytes>(std::move(*read));
  flatbuffers::Verifier verifier(
      file->data(), file->size(), kMaxBundleDepth,
      static_cast<flatbuffers::uoffset_t>(file->size() / kMinBundleTableBytes + 1));
  if (!verifier.VerifyBuffer<bs::BundledProgram>(nullptr)) return corrupt;

  BundledProgram program;
  const auto* suites = flatbuffers::GetRoot<bs::BundledProgram>(file->data())->method_test_suites();
  if (suites == nullptr) return program;
  Budget budget(file->size());
  for (const bs::TestSuite* suite : *suites) {
    BundledMethod method;
    if (suite->method_name() != nullptr) {
      if (!budget.take(suite->method_name()->size() / kMinBundleTableBytes)) return corrupt;
      method.name = suite->method_name()->str();
    }
    if (!budget.take(count_of(suite->test_cases()) + 1)) return corrupt;
    for (flatbuffers::uoffset_t c = 0; c < count_of(suite->test_cases()); ++c) {
      const bs::TestCase* row = suite->test_cases()->Get(c);
      if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
      if (!budget.take(count_of(row->inputs()) + count_of(row->expected_outputs()))) return corrupt;
      method.cases.push_back(
          {values_of(row->inputs(), file), values_of(row->expected_outputs(), file)});
    }
    program.methods.push_back(std::move(method));
  }
  return program;
}

}  // namespace etlens
