// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npz/npy.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/text.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;

struct TypeName {
  std::string_view name;  // without the byte order
  int scalar_type;
};
constexpr std::array<TypeName, 13> kTypeNames{{
    {"u1", 0},
    {"i1", 1},
    {"i2", 2},
    {"i4", 3},
    {"i8", 4},
    {"f2", 5},
    {"f4", 6},
    {"f8", 7},
    {"b1", 11},
    {"u2", 27},
    {"u4", 28},
    {"u8", 29},
    {"V2", 15},  // what numpy makes of ml_dtypes' bfloat16
}};

Error corrupt() {
  return {ErrorCode::Corrupt, "is not an .npy array, or its header is damaged; save it again"};
}

// The header is a Python dictionary with three known keys. Walks over it.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : left_(text) {}

  bool skip(char c) {
    left_ = trim(left_);
    if (left_.empty() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  std::optional<std::string_view> string() {
    left_ = trim(left_);
    if (left_.empty() || (left_.front() != '\'' && left_.front() != '"')) return std::nullopt;
    const size_t end = left_.find(left_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view value = left_.substr(1, end - 1);
    left_.remove_prefix(end + 1);
    return value;
  }
  std::optional<bool> boolean() {
    left_ = trim(left_);
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      if (!left_.starts_with(word)) continue;
      left_.remove_prefix(std::string_view(word).size());
      return value;
    }
    return std::nullopt;
  }
  std::optional<std::vector<int64_t>> tuple() {
    std::vector<int64_t> values;
    if (!skip('(')) return std::nullopt;
    while (!skip(')')) {
      left_ = trim(left_);
      size_t digits = 0;
      while (digits < left_.size() && left_[digits] >= '0' && left_[digits] <= '9') ++digits;
      const std::optional<int64_t> value = parse_int(left_.substr(0, digits));
      if (!value) return std::nullopt;
      values.push_back(*value);
      left_.remove_prefix(digits);
      if (!left_.empty() && left_.front() == 'L') left_.remove_prefix(1);  // written by Python 2
      if (!skip(',') && (trim(left_).empty() || trim(left_).front() != ')')) return std::nullopt;
    }
    return values;
  }

 private:
  std::string_view left_;
};

Result<void> read_type(std::string_view descr, NpyHeader& header) {
  const std::string_view name = descr.empty() ? descr : descr.substr(1);
  const auto at = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                               [&](const TypeName& row) { return row.name == name; });
  if (at == kTypeNames.end() || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
    return Error{ErrorCode::Unsupported, "holds an array of type " + std::string(descr) +
                                             "; save arrays of numbers (for bfloat16: "
                                             ".float().numpy())"};
  }
  header.scalar_type = at->scalar_type;
  header.is_big_endian = descr[0] == '>';
  return {};
}

std::string type_name(int scalar_type, size_t size) {
  switch (scalar_type) {
    case 12:
      return "|i1";  // qint8
    case 14:
      return "<i4";  // qint32
    default:
      break;
  }
  const auto at = std::find_if(kTypeNames.begin(), kTypeNames.end() - 1,
                               [&](const TypeName& row) { return row.scalar_type == scalar_type; });
  const std::string order = size == 1 ? "|" : "<";
  if (at != kTypeNames.end() - 1) return order + std::string(at->name);
  return order + "u" + std::to_string(size);
}

// Copies values to the order of their indices: all of one piece, `size` bytes each.
void copy_in_order(const StoredTensor& tensor, size_t size, const uint8_t* from, uint8_t* to) {
  const size_t rank = tensor.sizes.size();
  std::vector<int64_t> index(rank);
  int64_t element = 0;
  for (uint64_t i = 0; i < tensor.elements; ++i) {
    std::memcpy(to + i * size, from + static_cast<uint64_t>(element) * size, size);
    for (size_t d = rank; d-- > 0;) {
      element += tensor.strides[d];
      if (++index[d] < tensor.sizes[d]) break;
      element -= tensor.strides[d] * tensor.sizes[d];
      index[d] = 0;
    }
  }
}

}  // namespace

Result<NpyHeader> read_npy_header(std::span<const uint8_t> front) {
  ByteReader reader(front);
  const std::span<const uint8_t> magic = reader.take(kMagic.size());
  if (!reader.ok() || std::memcmp(magic.data(), kMagic.data(), kMagic.size()) != 0)
    return corrupt();
  const uint8_t major = reader.u8();
  reader.skip(1);
  if (major < 1 || major > 3) return corrupt();
  const size_t size = major == 1 ? reader.u16() : reader.u32();
  const std::span<const uint8_t> raw = reader.take(size);
  if (!reader.ok()) return corrupt();

  NpyHeader header;
  header.data_offset = reader.position();
  HeaderText text({reinterpret_cast<const char*>(raw.data()), raw.size()});
  if (!text.skip('{')) return corrupt();
  bool has_type = false;
  bool has_shape = false;
  while (!text.skip('}')) {
    const std::optional<std::string_view> key = text.string();
    if (!key || !text.skip(':')) return corrupt();
    if (*key == "descr") {
      const std::optional<std::string_view> descr = text.string();
      if (!descr)
        return Error{ErrorCode::Unsupported,
                     "holds an array of structures; save arrays of numbers"};
      if (Result<void> type = read_type(*descr, header); !type) return std::move(type).error();
      has_type = true;
    } else if (*key == "fortran_order") {
      const std::optional<bool> value = text.boolean();
      if (!value) return corrupt();
      header.is_fortran_order = *value;
    } else if (*key == "shape") {
      std::optional<std::vector<int64_t>> shape = text.tuple();
      if (!shape) return corrupt();
      header.sizes = std::move(*shape);
      has_shape = true;
    } else {
      return corrupt();
    }
    text.skip(',');
  }
  return has_type && has_shape ? Result<NpyHeader>(std::move(header)) : corrupt();
}

std::optional<std::string> npy_header(int scalar_type, std::span<const int64_t> sizes) {
  const size_t size = scalar_type_size(scalar_type);
  if (size == 0) return std::nullopt;
  std::string text =
      "{'descr': '" + type_name(scalar_type, size) + "', 'fortran_order': False, 'shape': (";
  for (size_t d = 0; d < sizes.size(); ++d)
    text += std::to_string(sizes[d]) + (d + 1 < sizes.size() ? ", " : sizes.size() == 1 ? "," : "");
  text += "), }";
  constexpr size_t kFront = 10;  // magic, version, length
  text.append((kAlignment - (kFront + text.size() + 1) % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

Result<void> write_npy(const StoredTensor& tensor,
                       const std::function<bool(std::string_view)>& write) {
  const Error failed{ErrorCode::Io, "could not be written; check the space left"};
  const std::optional<std::string> header = npy_header(tensor.scalar_type, tensor.sizes);
  if (!header || header->size() > UINT16_MAX) {
    return Error{ErrorCode::Unsupported, "is of type " +
                                             std::string(scalar_type_name(tensor.scalar_type)) +
                                             ", which .npy has no word for"};
  }
  if (!write(*header)) return failed;
  const uint64_t bytes = tensor.byte_size();
  const bool is_in_order = tensor.is_row_major();
  const uint64_t piece = is_in_order ? tensor.piece : bytes;
  for (uint64_t at = 0; at < bytes; at += piece) {
    const Result<Bytes> read = tensor.read(at, std::min(piece, bytes - at));
    if (!read) return read.error();
    if (is_in_order) {
      if (!write(read->text())) return failed;
      continue;
    }
    Bytes ordered(read->size());
    copy_in_order(tensor, scalar_type_size(tensor.scalar_type), read->data(), ordered.data());
    if (!write(ordered.text())) return failed;
  }
  return {};
}

}  // namespace etlens
