// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/known_alignments.h"

#include <array>
#include <cstdint>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Alignments with more possibilities for each event are few, and not kept.
constexpr size_t kMostCandidates = 4;
// Nor are those of calls with longer names, which many events may share.
constexpr size_t kMostBytes = 256 << 10;
constexpr size_t kBytesPerStep = 64;

template <size_t Count>
void append(std::string& text, const std::array<uint32_t, Count>& numbers) {
  text.append(reinterpret_cast<const char*>(numbers.data()), sizeof(numbers));
}

void append(std::string& text, std::span<const uint32_t> numbers) {
  append(text, std::array{static_cast<uint32_t>(numbers.size())});
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void append(std::string& text, const XnnpackOperator& op) {
  const uint32_t flags = uint32_t{op.has_output_min_max} | uint32_t{op.pads_plane} << 1 |
                         uint32_t{op.swaps_last_two} << 2 | uint32_t{op.is_fully_shaped} << 3 |
                         uint32_t{op.is_pointwise} << 4;
  append(text, std::array{static_cast<uint32_t>(op.kind), flags, op.kernel_height, op.kernel_width,
                          op.first_operand, op.input_count, op.output_count});
}

void append(std::string& text, const XnnpackValue& value) {
  const uint32_t flags =
      uint32_t{value.is_constant} | uint32_t{value.is_input} << 1 | uint32_t{value.is_output} << 2;
  append(text, std::array{static_cast<uint32_t>(value.type), value.dimensions, value.external,
                          flags, static_cast<uint32_t>(value.elements),
                          static_cast<uint32_t>(value.elements >> 32), value.producer,
                          value.first_reader, value.reader_count});
  append(text, value.sizes);
}

void append(std::string& text, std::span<const std::string_view> names) {
  append(text, std::array{static_cast<uint32_t>(names.size())});
  for (const std::string_view name : names) {
    append(text, std::array{static_cast<uint32_t>(name.size())});
    text += name;
  }
}

// All that an alignment looks at: the payload without its weights and debug handles, and the names.
// Sizes stand before lists and texts, which may hold anything.
std::string compared_text(const XnnpackPayload& payload, std::span<const std::string_view> names) {
  std::string text;
  append(text, std::array{static_cast<uint32_t>(payload.operators.size()),
                          static_cast<uint32_t>(payload.values.size())});
  for (const XnnpackOperator& op : payload.operators) append(text, op);
  for (const XnnpackValue& value : payload.values) append(text, value);
  append(text, std::span<const uint32_t>(payload.operands));
  append(text, std::span<const uint32_t>(payload.readers));
  append(text, names);
  go_on(text.size() / kBytesPerStep);
  return text;
}

std::string compared_text(std::span<const std::vector<std::string_view>> handles,
                          std::span<const std::string_view> names) {
  std::string text;
  append(text, std::array{static_cast<uint32_t>(handles.size())});
  for (const std::vector<std::string_view>& operators : handles)
    append(text, std::span<const std::string_view>(operators));
  append(text, names);
  go_on(text.size() / kBytesPerStep);
  return text;
}

size_t bytes_of(std::span<const std::string_view> texts) {
  size_t bytes = 0;
  for (const std::string_view text : texts) bytes += sizeof(uint32_t) + text.size();
  return bytes;
}

size_t bytes_of(std::span<const std::vector<std::string_view>> lists) {
  size_t bytes = 0;
  for (const std::vector<std::string_view>& texts : lists) bytes += bytes_of(texts);
  return bytes;
}

bool is_worth_keeping(const XnnpackAlignment& alignment) {
  size_t candidates = 0;
  for (const XnnpackMatch& match : alignment.events) candidates += match.candidates.size();
  return candidates <= kMostCandidates * alignment.events.size();
}

bool is_worth_keeping(const XnnpackHandleMatches& matches) {
  size_t candidates = 0;
  for (const std::vector<ListedNode>& match : matches) candidates += match.size();
  return candidates <= kMostCandidates * matches.size();
}

// What is known by the text, or what `align` gives.
template <typename Known, typename Align>
auto known_or_aligned(Known& known, std::string text, Align align) {
  if (const auto at = known.find(text); at != known.end()) return at->second;
  const typename Known::mapped_type alignment = align();
  if (is_worth_keeping(*alignment)) known.emplace(std::move(text), alignment);
  return alignment;
}

}  // namespace

std::shared_ptr<KnownAlignments> KnownAlignments::of(const DelegateCall& call) {
  if (call.memory == nullptr) return std::make_shared<KnownAlignments>();
  // What XNNPACK keeps of its calls is nothing else.
  if (*call.memory == nullptr) *call.memory = std::make_shared<KnownAlignments>();
  return std::static_pointer_cast<KnownAlignments>(*call.memory);
}

std::shared_ptr<const XnnpackAlignment> KnownAlignments::align(
    const XnnpackPayload& payload, std::span<const std::string_view> names) {
  const auto align = [&] {
    return std::make_shared<const XnnpackAlignment>(align_xnnpack(payload, names));
  };
  if (bytes_of(names) > kMostBytes) return align();
  return known_or_aligned(by_payload_, compared_text(payload, names), align);
}

std::shared_ptr<const XnnpackHandleMatches> KnownAlignments::align_handles(
    std::span<const std::vector<std::string_view>> handles,
    std::span<const std::string_view> names) {
  const auto align = [&] {
    return std::make_shared<const XnnpackHandleMatches>(align_xnnpack_handles(handles, names));
  };
  if (bytes_of(handles) + bytes_of(names) > kMostBytes) return align();
  return known_or_aligned(by_handles_, compared_text(handles, names), align);
}

}  // namespace etlens
