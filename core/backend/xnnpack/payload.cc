// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/payload.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/backend/payload_table.h"
#include "core/backend/xnnpack/schema/xnnpack_generated.h"
#include "core/base/budget.h"
#include "core/base/bytes.h"
#include "core/base/text.h"

namespace etlens {
namespace {

namespace xs = xnnpack_schema;

constexpr char kHeaderMagic[] = "XH00";
// A graph of a million operators takes less.
constexpr uint64_t kMaxOperatorBytes = 256ull << 20;
constexpr size_t kMaxKeyBytes = 256;   // keys are hashes
constexpr size_t kMaxDimensions = 16;  // XNNPACK has 6
constexpr uint32_t kNoPayloadHandle = 65535;
constexpr uint32_t kAbsent = 0xFFFFFFFFu;
constexpr uint32_t kInputFlag = 1;
constexpr uint32_t kOutputFlag = 2;

struct Header {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t constants = 0;  // where these begin
};

// Where the FlatBuffer is; nullopt without a header (release 0.1).
std::optional<Header> header_of(std::span<const uint8_t> front) {
  if (front.size() < kXnnpackFrontBytes || std::memcmp(front.data() + 4, kHeaderMagic, 4) != 0) {
    return std::nullopt;
  }
  ByteReader reader(front.subspan(10));
  Header header;
  header.offset = reader.u32();
  header.size = reader.u32();
  header.constants = reader.u32();
  return header;
}

bool is_table_identifier(std::span<const uint8_t> buffer) {
  return buffer.size() >= 8 && buffer[4] == 'X' && buffer[5] == 'N' && buffer[6] == '0' &&
         (buffer[7] == '0' || buffer[7] == '1');
}

Error corrupt(std::string what) {
  return {ErrorCode::Corrupt, "is a damaged XNNPACK payload: " + std::move(what)};
}

std::string operator_text(size_t row) { return "operator " + std::to_string(row); }

// The ids that an operator names, as the payload writes them.
struct RawOperands {
  std::array<uint32_t, 5> inputs{};
  std::array<uint32_t, 2> outputs{};
  size_t input_count = 0;
  size_t output_count = 0;

  RawOperands& in(uint32_t id) {
    if (id != kAbsent) inputs[input_count++] = id;
    return *this;
  }
  RawOperands& out(uint32_t id) {
    if (id != kAbsent) outputs[output_count++] = id;
    return *this;
  }
};

// Of an operator of one of several kinds with the same parameters.
template <typename Table>
const Table& table_of(const xs::Node& node) {
  return *static_cast<const Table*>(node.op());
}

RawOperands one_to_one(const auto& table) {
  return RawOperands().in(table.input_id()).out(table.output_id());
}

RawOperands with_filter(const auto& table) {
  RawOperands raw = RawOperands().in(table.input1_id()).in(table.filter_id());
  return raw.in(table.bias_id()).out(table.output_id());
}

RawOperands attention(const xs::Attention& table) {
  RawOperands raw = RawOperands().in(table.query_id()).in(table.key_id()).in(table.value_id());
  return raw.in(table.scale_id()).in(table.mask_id()).out(table.output_id());
}

bool swaps_last_two(const xs::StaticTranspose& table) {
  const auto* perm = table.perm();
  if (perm == nullptr || perm->size() < 2 || perm->size() > kMaxDimensions) return false;
  const uint32_t last = perm->size() - 1;
  for (uint32_t i = 0; i + 1 < last; ++i) {
    if (perm->Get(i) != i) return false;
  }
  return perm->Get(last - 1) == last && perm->Get(last) == last - 1;
}

// Zeros around the middle two of four dimensions: height and width of XNNPACK's channels-last
// layout.
bool pads_plane(const xs::ConstantPad& table) {
  const auto* pre = table.pre_paddings();
  const auto* post = table.post_paddings();
  if (pre == nullptr || post == nullptr || pre->size() != 4 || post->size() != 4) return false;
  return pre->Get(0) == 0 && pre->Get(3) == 0 && post->Get(0) == 0 && post->Get(3) == 0 &&
         table.padding_value() == 0;
}

bool is_pointwise(const xs::Convolution& table) {
  return table.kernel_height() == 1 && table.kernel_width() == 1 &&
         table.subsampling_height() == 1 && table.subsampling_width() == 1 &&
         (table.padding_top() | table.padding_right() | table.padding_bottom() |
          table.padding_left()) == 0;
}

bool is_fully_shaped(const xs::StaticReshape& table) {
  const auto* shape = table.new_shape();
  return shape != nullptr && shape->size() <= kMaxDimensions &&
         std::find(shape->begin(), shape->end(), 0u) == shape->end();
}

class PayloadParser {
 public:
  // `constants`: where these begin; `table`: where the FlatBuffer does.
  PayloadParser(const xs::Graph& graph, std::span<const uint8_t> buffer, uint64_t table,
                uint64_t constants)
      : graph_(graph), buffer_(buffer), table_(table), constants_(constants) {}

  Result<XnnpackPayload> read() {
    if (Result<void> values = read_values(); !values) return values.error();
    if (graph_.nodes() != nullptr) {
      payload_.operators.reserve(graph_.nodes()->size());
      for (const xs::Node* node : *graph_.nodes()) {
        if (Result<void> read = read_node(*node); !read) return read.error();
      }
    }
    index_readers();
    read_constants();
    return std::move(payload_);
  }

 private:
  using IdRow = std::pair<uint32_t, uint32_t>;  // an id, and the row of its value

  void read_constants() {
    if (graph_.constant_data() != nullptr) {
      for (const xs::ConstantData* data : *graph_.constant_data()) {
        XnnpackConstant& row = payload_.constants.emplace_back();
        row.size = data->size();
        if (data->named_key() != nullptr && data->named_key()->size() <= kMaxKeyBytes)
          row.key = data->named_key()->string_view();
        if (row.key.empty() && __builtin_add_overflow(constants_, data->offset(), &row.offset))
          row.size = 0;
      }
    } else if (graph_.constant_buffers() != nullptr) {
      for (const xs::Buffer* data : *graph_.constant_buffers()) {
        XnnpackConstant& row = payload_.constants.emplace_back();
        if (data->storage() == nullptr) continue;
        row.offset = table_ + static_cast<uint64_t>(data->storage()->data() - buffer_.data());
        row.size = data->storage()->size();
      }
    }
  }

  Result<void> read_values() {
    if (graph_.values() == nullptr) return {};
    payload_.values.reserve(graph_.values()->size());
    rows_.reserve(graph_.values()->size());
    for (const xs::Value* value : *graph_.values()) {
      const xs::TensorValue* tensor = value->value_as_TensorValue();
      if (const auto* quantized = value->value_as_QuantizedTensorValue())
        tensor = quantized->tensor_value();
      if (tensor == nullptr) continue;  // of a later release; who reads it is an error below
      const auto* dims = tensor->dims();
      if (dims != nullptr && dims->size() > kMaxDimensions) {
        return corrupt("a value has " + std::to_string(dims->size()) + " dimensions");
      }
      XnnpackValue row;
      const int16_t type = tensor->datatype();
      if (type > 0 && type < static_cast<int16_t>(XnnpackType::kCount))
        row.type = static_cast<XnnpackType>(type);
      row.dimensions = dims == nullptr ? 0 : dims->size();
      row.constant = tensor->constant_buffer_idx();
      row.is_constant = row.constant != 0;
      row.is_input = (tensor->flags() & kInputFlag) != 0;
      row.is_output = (tensor->flags() & kOutputFlag) != 0;
      row.external = tensor->external_id();
      row.elements = 1;
      for (uint32_t d = 0; d < row.dimensions; ++d) {
        if (d < kXnnpackSizes) row.sizes[d] = dims->Get(d);
        if (__builtin_mul_overflow(row.elements, uint64_t{dims->Get(d)}, &row.elements))
          row.elements = UINT64_MAX;
      }
      rows_.emplace_back(tensor->id_out(), static_cast<uint32_t>(payload_.values.size()));
      payload_.values.push_back(row);
    }
    std::sort(rows_.begin(), rows_.end());
    mark_externals(graph_.input_ids(), &XnnpackValue::is_input);
    mark_externals(graph_.output_ids(), &XnnpackValue::is_output);
    return {};
  }

  void mark_externals(const flatbuffers::Vector<uint32_t>* ids, bool XnnpackValue::*flag) {
    if (ids == nullptr) return;
    for (const uint32_t id : *ids) {
      if (const std::optional<uint32_t> row = row_of(id)) payload_.values[*row].*flag = true;
    }
  }

  // Of several values with the same id the first. Ids are mostly rows.
  std::optional<uint32_t> row_of(uint32_t id) const {
    if (id < rows_.size() && rows_[id].first == id && (id == 0 || rows_[id - 1].first != id))
      return rows_[id].second;
    const auto at = std::ranges::lower_bound(rows_, id, {}, &IdRow::first);
    return at == rows_.end() || at->first != id ? std::nullopt : std::optional(at->second);
  }

  Result<void> read_node(const xs::Node& node) {
    XnnpackOperator op;
    const auto code = static_cast<uint8_t>(node.op_type());
    if (code < static_cast<uint8_t>(XnnpackKind::kCount)) op.kind = static_cast<XnnpackKind>(code);
    if (op.kind != XnnpackKind::Unknown && node.op() == nullptr) {
      return corrupt(operator_text(payload_.operators.size()) + " has no content");
    }
    const uint32_t handle = node.debug_handle();
    if (handle != 0 && handle != kNoPayloadHandle) op.debug_handle = handle;
    op.has_output_min_max = node.output_min_max() != nullptr;
    const RawOperands raw = operands_of(node, op);
    return add(op, raw);
  }

  // Also fills in what the rules need to know of the operator's parameters.
  static RawOperands operands_of(const xs::Node& node, XnnpackOperator& op) {
    switch (op.kind) {
      case XnnpackKind::Unknown:
        return {};
      case XnnpackKind::Add:
      case XnnpackKind::Subtract:
      case XnnpackKind::Multiply:
      case XnnpackKind::Div:
      case XnnpackKind::Minimum:
      case XnnpackKind::Maximum:
      case XnnpackKind::PReLU:
      case XnnpackKind::BatchMatrixMultiply: {
        const auto& table = table_of<xs::Binary>(node);
        return RawOperands().in(table.input1_id()).in(table.input2_id()).out(table.output_id());
      }
      case XnnpackKind::FullyConnected:
        return with_filter(*node.op_as_FullyConnected());
      case XnnpackKind::Conv2d:
      case XnnpackKind::DepthwiseConv2d:
      case XnnpackKind::ConvTranspose2d: {
        const auto& table = table_of<xs::Convolution>(node);
        op.kernel_height = table.kernel_height();
        op.kernel_width = table.kernel_width();
        op.is_pointwise = is_pointwise(table);
        return with_filter(table);
      }
      case XnnpackKind::AvgPooling2d:
      case XnnpackKind::MaxPooling2d:
        return one_to_one(table_of<xs::Pooling>(node));
      case XnnpackKind::ArgMaxPooling2d:
        return value_and_index(*node.op_as_ArgMaxPooling2d());
      case XnnpackKind::Concatenate2:
      case XnnpackKind::Concatenate3:
      case XnnpackKind::Concatenate4:
      case XnnpackKind::Concatenate5:
        return concatenation(op.kind, table_of<xs::Concatenation>(node));
      case XnnpackKind::StaticTranspose:
        op.swaps_last_two = swaps_last_two(*node.op_as_StaticTranspose());
        return one_to_one(*node.op_as_StaticTranspose());
      case XnnpackKind::StaticConstantPad:
        op.pads_plane = pads_plane(*node.op_as_StaticConstantPad());
        return one_to_one(*node.op_as_StaticConstantPad());
      case XnnpackKind::StaticResizeBilinear2D:
        return one_to_one(*node.op_as_StaticResizeBilinear2D());
      case XnnpackKind::StaticReshape:
        op.is_fully_shaped = is_fully_shaped(*node.op_as_StaticReshape());
        return one_to_one(*node.op_as_StaticReshape());
      case XnnpackKind::StaticSlice:
        return one_to_one(*node.op_as_StaticSlice());
      case XnnpackKind::ScaledDotProductAttention:
        return attention(*node.op_as_ScaledDotProductAttention());
      case XnnpackKind::LeakyReLU:
      case XnnpackKind::ELU:
        return one_to_one(table_of<xs::ParametricUnary>(node));
      default:  // all others have one input, one output and no parameters
        return one_to_one(table_of<xs::Unary>(node));
    }
  }

  static RawOperands value_and_index(const xs::ArgMaxPooling& table) {
    return RawOperands()
        .in(table.input_id())
        .out(table.output_value_id())
        .out(table.output_index_id());
  }

  // The unused slots of a concatenation hold zero, which is an id like any other.
  static RawOperands concatenation(XnnpackKind kind, const xs::Concatenation& table) {
    RawOperands raw;
    raw.in(table.input1_id()).in(table.input2_id());
    if (kind != XnnpackKind::Concatenate2) raw.in(table.input3_id());
    if (kind == XnnpackKind::Concatenate4 || kind == XnnpackKind::Concatenate5)
      raw.in(table.input4_id());
    if (kind == XnnpackKind::Concatenate5) raw.in(table.input5_id());
    raw.out(table.output_id());
    return raw;
  }

  Result<void> add(XnnpackOperator op, const RawOperands& raw) {
    const auto self = static_cast<uint32_t>(payload_.operators.size());
    op.first_operand = static_cast<uint32_t>(payload_.operands.size());
    op.input_count = static_cast<uint32_t>(raw.input_count);
    op.output_count = static_cast<uint32_t>(raw.output_count);
    for (size_t i = 0; i < raw.input_count + raw.output_count; ++i) {
      const bool is_input = i < raw.input_count;
      const uint32_t id = is_input ? raw.inputs[i] : raw.outputs[i - raw.input_count];
      const std::optional<uint32_t> row = row_of(id);
      if (!row) {
        return corrupt(operator_text(self) + " names value " + std::to_string(id) +
                       ", which does not exist");
      }
      payload_.operands.push_back(*row);
    }
    for (const uint32_t row : payload_.outputs_of(op)) {
      XnnpackValue& value = payload_.values[row];
      if (value.is_constant || value.is_input || value.producer != kNone || was_read(row)) {
        return corrupt(operator_text(self) +
                       " writes a value that is read before or has another source");
      }
    }
    for (const uint32_t row : payload_.inputs_of(op)) mark_read(row);
    for (const uint32_t row : payload_.outputs_of(op)) {
      if (was_read(row)) return corrupt(operator_text(self) + " reads what it writes");
      payload_.values[row].producer = self;
    }
    payload_.operators.push_back(op);
    return {};
  }

  bool was_read(uint32_t row) const { return payload_.values[row].reader_count > 0; }
  void mark_read(uint32_t row) { ++payload_.values[row].reader_count; }

  void index_readers() {
    for (XnnpackValue& value : payload_.values) value.reader_count = 0;
    const auto for_each_read = [&](auto&& visit) {
      for (uint32_t o = 0; o < payload_.operators.size(); ++o) {
        const std::span<const uint32_t> inputs = payload_.inputs_of(payload_.operators[o]);
        for (size_t i = 0; i < inputs.size(); ++i) {
          go_on(1 + i / 16);
          const bool repeated =
              std::find(inputs.begin(), inputs.begin() + static_cast<ptrdiff_t>(i), inputs[i]) !=
              inputs.begin() + static_cast<ptrdiff_t>(i);
          if (!repeated) visit(payload_.values[inputs[i]], o);
        }
      }
    };
    for_each_read([](XnnpackValue& value, uint32_t) { ++value.reader_count; });
    uint32_t next = 0;
    for (XnnpackValue& value : payload_.values) {
      value.first_reader = next;
      next += value.reader_count;
      value.reader_count = 0;
    }
    payload_.readers.resize(next);
    for_each_read([&](XnnpackValue& value, uint32_t o) {
      payload_.readers[value.first_reader + value.reader_count++] = o;
    });
  }

  const xs::Graph& graph_;
  std::span<const uint8_t> buffer_;
  uint64_t table_;
  uint64_t constants_;
  XnnpackPayload payload_;
  std::vector<IdRow> rows_;  // of values, sorted
};

}  // namespace

std::string_view name_of(XnnpackKind kind) {
  if (kind == XnnpackKind::Unknown || kind >= XnnpackKind::kCount) return "Unknown";
  return xs::EnumNameOperator(static_cast<xs::Operator>(kind));
}

bool is_arithmetic(XnnpackKind kind) {
  using enum XnnpackKind;
  return kind == Add || kind == Subtract || kind == Multiply || kind == Div || kind == Minimum ||
         kind == Maximum;
}

Result<XnnpackPayload> read_xnnpack_payload(std::span<const uint8_t> bytes) {
  std::span<const uint8_t> buffer = bytes;
  const std::optional<Header> header = header_of(bytes);
  if (header) {
    if (header->offset > bytes.size() || header->size > bytes.size() - header->offset) {
      return corrupt("its header points outside");
    }
    buffer = bytes.subspan(header->offset, header->size);
  }
  if (!is_table_identifier(buffer)) {
    return Error{ErrorCode::Unsupported, "is not an XNNPACK payload (no identifier XN00 or XN01)"};
  }
  if (buffer.size() > kMaxOperatorBytes)
    return corrupt("it describes more operators than fit in 256 MB");
  std::vector<uint8_t> aligned;
  const xs::Graph* graph = payload_table<xs::Graph>(buffer, aligned);
  if (graph == nullptr) return corrupt("an offset points outside");
  if (!aligned.empty()) buffer = aligned;
  return PayloadParser(*graph, buffer, header ? header->offset : 0, header ? header->constants : 0)
      .read();
}

uint64_t xnnpack_operator_bytes(std::span<const uint8_t> front, uint64_t size) {
  const std::optional<Header> header = header_of(front);
  return std::min({header ? header->offset + header->size : size, size, kMaxOperatorBytes});
}

}  // namespace etlens
