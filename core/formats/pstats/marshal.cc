// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pstats/marshal.h"

#include <bit>
#include <optional>

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr uint8_t kFlagRef = 0x80;
constexpr int kBitsPerDigit = 15;  // of a long

Error broken(size_t at, std::string_view what) {
  return {ErrorCode::Corrupt,
          fmt::format("is not a Python profile, or is damaged: {} at byte {}; write it again", what,
                      at)};
}

// Takes no index of the reference list, flagged or not.
bool is_singleton(char type) {
  return std::string_view("0NFT.S").find(type) != std::string_view::npos;
}

}  // namespace

// One pass with a stack of its own. A container collects its items on `pending_`, which holds those
// of all open ones; when it is full, they move to their final place, all together.
class MarshalReader {
 public:
  explicit MarshalReader(std::span<const uint8_t> bytes) : in_(bytes) { data_.bytes_ = bytes; }

  Result<MarshalData> read() {
    do {
      go_on();
      if (Result<void> next = read_object(); !next) return std::move(next).error();
      close_full();
    } while (!open_.empty());
    data_.root_ = pending_.front();
    return std::move(data_);
  }

 private:
  using Node = MarshalData::Node;
  struct Open {
    MarshalId id;
    uint32_t expected = 0;  // kNone: until the Null of a dict
    size_t first = 0;       // of its items in pending_
  };

  Result<void> read_object() {
    const size_t at = in_.position();
    const uint8_t byte = in_.u8();
    const char type = static_cast<char>(byte & ~kFlagRef);
    if (!in_.ok()) return broken(at, "it ends too early");
    if (type == 'r') return read_reference(at);
    if (type == 'R') return read_string_reference(at);
    const MarshalId id(data_.nodes_.size());
    data_.nodes_.emplace_back();
    pending_.push_back(id);
    if ((byte & kFlagRef) != 0 && !is_singleton(type)) references_.push_back(id);
    Result<void> read = read_payload(type, id, at);
    if (read && !in_.ok()) return broken(at, "it ends too early");
    return read;
  }

  Result<void> read_payload(char type, MarshalId id, size_t at) {
    Node& node = data_.nodes_[id.value];
    switch (type) {
      case '0':
        if (open_.empty() || open_.back().expected != kNone || !expects_key())
          return broken(at, "an end of a dict where none is");
        node.type = MarshalType::Null;
        return {};
      case 'N':
        return {};
      case 'F':
      case 'T':
      case '.':
      case 'S':
        node.type = MarshalType::Constant;
        return {};
      case 'i':
        return integer(node, static_cast<int32_t>(in_.u32()));
      case 'I':
        return integer(node, static_cast<int64_t>(in_.u64()));
      case 'l':
        return long_integer(node, at);
      case 'f':
      case 'g': {
        node.type = MarshalType::Float;
        const std::optional<double> value = real(type == 'f');
        if (!value) return broken(at, "a number that is none");
        node.payload = std::bit_cast<uint64_t>(*value);
        return {};
      }
      case 'x':
      case 'y':
        node.type = MarshalType::Complex;
        if (!real(type == 'x') || !real(type == 'x')) return broken(at, "a number that is none");
        return {};
      case 's':
      case 'u':
      case 'a':
      case 'A':
        return string(node, in_.u32(), at);
      case 't':
        interned_.push_back(id);
        return string(node, in_.u32(), at);
      case 'z':
      case 'Z':
        return string(node, in_.u8(), at);
      default:
        return read_container(type, id, at);
    }
  }

  Result<void> read_container(char type, MarshalId id, size_t at) {
    switch (type) {
      case ')':
        return open(id, MarshalType::Tuple, in_.u8(), at);
      case '(':
        return open(id, MarshalType::Tuple, in_.u32(), at);
      case '[':
        return open(id, MarshalType::List, in_.u32(), at);
      case '<':
      case '>':
        return open(id, MarshalType::Set, in_.u32(), at);
      case ':':
        return open(id, MarshalType::Slice, 3, at);
      case '{':
        return open(id, MarshalType::Dict, kNone, at);
      case 'c':
        return Error{ErrorCode::Unsupported,
                     "holds compiled Python code, no profile; give the file that cProfile, or "
                     "Dynamo's profiler, wrote"};
      default:
        return broken(
            at, fmt::format("an object of the unknown kind {:#04x}", static_cast<uint8_t>(type)));
    }
  }

  bool expects_key() const { return (pending_.size() - open_.back().first) % 2 == 1; }

  static Result<void> integer(Node& node, int64_t value) {
    node.type = MarshalType::Int;
    node.payload = static_cast<uint64_t>(value);
    return {};
  }

  // Digits of 15 bits, the least first; the sign is that of their number.
  Result<void> long_integer(Node& node, size_t at) {
    const int64_t signed_count = static_cast<int32_t>(in_.u32());
    const auto count = static_cast<uint64_t>(signed_count < 0 ? -signed_count : signed_count);
    if (count * 2 > in_.left()) return broken(at, "a number that is longer than the file");
    uint64_t value = 0;
    bool fits = true;
    uint16_t digit = 0;
    for (uint64_t d = 0; d < count; ++d) {
      digit = in_.u16();
      if (digit >> kBitsPerDigit != 0) return broken(at, "a number that is none");
      const auto shift = static_cast<int>(d) * kBitsPerDigit;
      if (d > 4 || (d == 4 && digit > 7)) fits &= digit == 0;  // 63 bits
      else value |= static_cast<uint64_t>(digit) << shift;
    }
    if (count > 0 && digit == 0) return broken(at, "a number that is none");
    if (!fits) {
      node.type = MarshalType::BigInt;
      return {};
    }
    const auto magnitude = static_cast<int64_t>(value);
    return integer(node, signed_count < 0 ? -magnitude : magnitude);
  }

  std::optional<double> real(bool is_text) {
    if (!is_text) return std::bit_cast<double>(in_.u64());
    const std::span<const uint8_t> text = in_.take(in_.u8());
    return parse_double({reinterpret_cast<const char*>(text.data()), text.size()});
  }

  Result<void> string(Node& node, uint32_t size, size_t at) {
    if (size > in_.left()) return broken(at, "a text that is longer than the file");
    node.type = MarshalType::String;
    node.size = size;
    node.payload = in_.position();
    in_.skip(size);
    return {};
  }

  // No object is shorter than a byte.
  Result<void> open(MarshalId id, MarshalType type, uint32_t count, size_t at) {
    if (count != kNone && count > in_.left())
      return broken(at, "more items than the file has bytes");
    if (open_.size() >= kMaxMarshalDepth) return broken(at, "nesting that Python does not read");
    data_.nodes_[id.value].type = type;
    data_.nodes_[id.value].is_open = true;
    open_.push_back({id, count, pending_.size()});
    return {};
  }

  void close_full() {
    while (!open_.empty()) {
      const Open top = open_.back();
      const size_t count = pending_.size() - top.first;
      if (top.expected == kNone) {
        const bool is_ended = count % 2 == 1 && data_.type(pending_.back()) == MarshalType::Null;
        if (!is_ended) return;
        pending_.pop_back();
      } else if (count < top.expected) {
        return;
      }
      Node& node = data_.nodes_[top.id.value];
      node.is_open = false;
      node.payload = data_.items_.size();
      node.size = static_cast<uint32_t>(pending_.size() - top.first);
      const auto first = pending_.begin() + static_cast<ptrdiff_t>(top.first);
      data_.items_.insert(data_.items_.end(), first, pending_.end());
      pending_.resize(top.first);
      open_.pop_back();
    }
  }

  Result<void> read_reference(size_t at) {
    const uint32_t index = in_.u32();
    if (!in_.ok() || index >= references_.size()) return broken(at, "a reference to nothing");
    const MarshalId id = references_[index];
    if (data_.nodes_[id.value].is_open) return broken(at, "an object inside itself");
    pending_.push_back(id);
    return {};
  }

  // Python 2's: to the interned strings alone.
  Result<void> read_string_reference(size_t at) {
    const uint32_t index = in_.u32();
    if (!in_.ok() || index >= interned_.size()) return broken(at, "a reference to nothing");
    pending_.push_back(interned_[index]);
    return {};
  }

  ByteReader in_;
  MarshalData data_;
  std::vector<Open> open_;
  std::vector<MarshalId> pending_;
  std::vector<MarshalId> references_;
  std::vector<MarshalId> interned_;
};

std::string_view describe(MarshalType type) {
  switch (type) {
    case MarshalType::Null:
    case MarshalType::None:
      return "None";
    case MarshalType::Constant:
      return "a constant";
    case MarshalType::Int:
    case MarshalType::BigInt:
      return "a whole number";
    case MarshalType::Float:
      return "a number";
    case MarshalType::Complex:
      return "a complex number";
    case MarshalType::String:
      return "a text";
    case MarshalType::Tuple:
      return "a tuple";
    case MarshalType::List:
      return "a list";
    case MarshalType::Set:
      return "a set";
    case MarshalType::Dict:
      return "a dict";
    case MarshalType::Slice:
      return "a slice";
  }
  return "an object";
}

Result<MarshalData> MarshalData::read(std::span<const uint8_t> bytes) {
  if (bytes.empty()) return Error{ErrorCode::Corrupt, "is empty; write the profile again"};
  if (bytes.size() > kMaxMarshalBytes) {
    return Error{ErrorCode::Unsupported, fmt::format("is larger than {} MiB; profile less at once",
                                                     kMaxMarshalBytes >> 20)};
  }
  return MarshalReader(bytes).read();
}

std::span<const MarshalId> MarshalData::items(MarshalId id) const {
  const Node& node = nodes_[id.value];
  if (node.type < MarshalType::Tuple) return {};
  return std::span(items_).subspan(node.payload, node.size);
}

int64_t MarshalData::integer(MarshalId id) const {
  return static_cast<int64_t>(nodes_[id.value].payload);
}

double MarshalData::real(MarshalId id) const {
  return std::bit_cast<double>(nodes_[id.value].payload);
}

std::string_view MarshalData::text(MarshalId id) const {
  const Node& node = nodes_[id.value];
  return {reinterpret_cast<const char*>(bytes_.data()) + node.payload, node.size};
}

}  // namespace etlens
