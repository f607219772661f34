// SPDX-License-Identifier: Apache-2.0
#include "core/backend/vulkan/payload_operators.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "core/backend/payload_table.h"
#include "core/backend/vulkan/schema/vulkan_generated.h"
#include "core/base/budget.h"
#include "core/base/bytes.h"

namespace etlens {
namespace {

namespace vs = vulkan_schema;

constexpr char kVulkanMagic[] = "VH00";
constexpr char kVulkanIdentifier[] = "VK00";
constexpr uint64_t kMaxChainBytes = 256ull << 20;
constexpr size_t kMostSizes = 16;
constexpr size_t kMaxCallName = 200;

// Copies a constant when the program is loaded: nothing that an execution runs.
constexpr std::string_view kPrepack = "et_vk.prepack.default";

// Names of data types, by their number in the format. Other numbers have no name.
constexpr std::array<std::string_view, 8> kVulkanTypes{"bool",    "uint8",   "int8",    "int32",
                                                       "float16", "float32", "float64", "int64"};

struct TablePart {
  uint64_t offset = 0;
  uint64_t size = 0;
};

std::optional<TablePart> table_part_of(std::span<const uint8_t> front) {
  if (front.size() < kVulkanFrontBytes || std::memcmp(front.data() + 4, kVulkanMagic, 4) != 0)
    return std::nullopt;
  ByteReader reader(front.subspan(10));
  TablePart part;
  part.offset = reader.u32();
  part.size = reader.u32();
  return part;
}

std::string shape_of_tensor(const vs::Tensor& tensor) {
  if (tensor.dims() == nullptr) return "[]";
  if (tensor.dims()->size() > kMostSizes) return "";
  std::string shape = "[";
  for (uint32_t d = 0; d < tensor.dims()->size(); ++d)
    shape += (d > 0 ? ", " : "") + std::to_string(tensor.dims()->Get(d));
  return shape + "]";
}

class VulkanReader {
 public:
  explicit VulkanReader(const vs::Graph& graph) : graph_(graph) {}

  std::optional<PayloadGraph> read() {
    if (graph_.chain() == nullptr || graph_.values() == nullptr) return std::nullopt;
    for (const vs::Value* value : *graph_.values()) add(*value);
    made_.assign(read_.values.size(), false);
    if (!add_ends(graph_.input_ids(), read_.inputs)) return std::nullopt;
    for (const uint32_t row : read_.inputs) made_[row] = true;
    for (const vs::OperatorCall* call : *graph_.chain())
      if (!add(*call)) return std::nullopt;
    if (!add_ends(graph_.output_ids(), read_.outputs)) return std::nullopt;
    return std::move(read_);
  }

 private:
  void add(const vs::Value& value) {
    go_on();
    PayloadValue& row = read_.values.emplace_back();
    const vs::Tensor* tensor = value.value_as_Tensor();
    if (tensor == nullptr) return;
    row.shape = shape_of_tensor(*tensor);
    const auto type = static_cast<uint8_t>(tensor->datatype());
    row.dtype = type < kVulkanTypes.size() ? kVulkanTypes[type] : std::string_view();
    row.is_constant = tensor->constant_id() >= 0;
  }

  bool is_row(int64_t id) const {
    return id >= 0 && id < static_cast<int64_t>(read_.values.size());
  }

  bool add_ends(const flatbuffers::Vector<uint32_t>* ids, std::vector<uint32_t>& rows) const {
    if (ids == nullptr) return true;
    for (const uint32_t id : *ids) {
      go_on();
      if (!is_row(id)) return false;
      rows.push_back(id);
    }
    return true;
  }

  // The tensors that an argument names: itself, those of a list, or none.
  bool add_tensors(int64_t id, std::vector<uint32_t>& rows) const {
    if (!is_row(id)) return false;
    const vs::Value& value = *graph_.values()->Get(static_cast<uint32_t>(id));
    if (value.value_as_Tensor() != nullptr) rows.push_back(static_cast<uint32_t>(id));
    const vs::ValueList* list = value.value_as_ValueList();
    if (list == nullptr || list->items() == nullptr) return true;
    for (const int32_t item : *list->items()) {
      go_on();
      // A list of lists is not in the format.
      if (!is_row(item)) return false;
      if (graph_.values()->Get(static_cast<uint32_t>(item))->value_as_Tensor() != nullptr)
        rows.push_back(static_cast<uint32_t>(item));
    }
    return true;
  }

  // The last argument is the output. What reads a value before something makes it is no graph.
  bool add(const vs::OperatorCall& call) {
    go_on();
    const flatbuffers::Vector<int32_t>* args = call.args();
    if (call.name() == nullptr || args == nullptr || args->size() == 0) return false;
    if (call.name()->size() > kMaxCallName) return false;
    PayloadOperator op;
    op.op = call.name()->str();
    for (uint32_t i = 0; i + 1 < args->size(); ++i)
      if (!add_tensors(args->Get(i), op.inputs)) return false;
    if (!add_tensors(args->Get(args->size() - 1), op.outputs)) return false;
    for (const uint32_t row : op.inputs)
      if (!made_[row] && !read_.values[row].is_constant) return false;
    for (const uint32_t row : op.outputs) made_[row] = true;
    if (op.op == kPrepack) {
      for (const uint32_t row : op.outputs) read_.values[row].is_constant = true;
      return true;
    }
    read_.operators.push_back(std::move(op));
    return true;
  }

  const vs::Graph& graph_;
  PayloadGraph read_;
  std::vector<bool> made_;  // per value: an input, or what an operator before made
};

}  // namespace

uint64_t vulkan_operator_bytes(std::span<const uint8_t> front, uint64_t size) {
  const std::optional<TablePart> part = table_part_of(front);
  return part ? std::min({part->offset + part->size, size, kMaxChainBytes}) : 0;
}

std::optional<PayloadGraph> graph_of_vulkan(std::span<const uint8_t> payload) {
  const std::optional<TablePart> part = table_part_of(payload);
  if (!part || part->offset > payload.size() || part->size > payload.size() - part->offset)
    return std::nullopt;
  const std::span<const uint8_t> buffer = payload.subspan(part->offset, part->size);
  if (buffer.size() < 8 || std::memcmp(buffer.data() + 4, kVulkanIdentifier, 4) != 0)
    return std::nullopt;
  std::vector<uint8_t> aligned;
  const vs::Graph* graph = payload_table<vs::Graph>(buffer, aligned);
  return graph == nullptr ? std::nullopt : VulkanReader(*graph).read();
}

}  // namespace etlens
