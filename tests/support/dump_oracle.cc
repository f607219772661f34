// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dump_oracle.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstring>

#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/etdump/schema/etdump_generated.h"
#include "core/formats/etdump/schema/etdump_v01_generated.h"

namespace etlens::test {
namespace {

namespace now = etdump_schema;
namespace old = etdump_v01_schema;

std::string text_of(const flatbuffers::String* text) {
  return text == nullptr ? std::string() : text->str();
}

// What a person would print of it: two values are equal if this is.
std::string shown(const DebugValue& value) {
  std::string text = std::to_string(static_cast<int>(value.kind)) + (value.is_output ? "o " : " ") +
                     std::to_string(value.int_value) + " ";
  uint64_t bits = 0;
  std::memcpy(&bits, &value.double_value, sizeof(bits));  // a NaN is equal to itself
  text += std::to_string(bits);
  for (const TensorInfo& tensor : value.tensors) {
    text += " t" + std::to_string(tensor.scalar_type) + "@" + std::to_string(tensor.offset);
    for (const int64_t size : tensor.sizes) text += "," + std::to_string(size);
    text += ";";
    for (const int64_t stride : tensor.strides) text += "," + std::to_string(stride);
  }
  return text;
}

std::vector<int64_t> copy_of(const flatbuffers::Vector<int64_t>* numbers) {
  std::vector<int64_t> copy(numbers == nullptr ? 0 : numbers->size());
  if (!copy.empty()) std::memcpy(copy.data(), numbers->Data(), copy.size() * sizeof(int64_t));
  return copy;
}

TensorInfo tensor_of(const now::Tensor& tensor) {
  return {tensor.scalar_type(), copy_of(tensor.sizes()), copy_of(tensor.strides()),
          tensor.offset()};
}

DebugValue value_of(const now::Value* value) {
  DebugValue result;
  if (value == nullptr) return result;
  result.is_output = value->output() != nullptr && value->output()->bool_val();
  switch (value->val()) {
    case now::ValueType_Int:
      result.kind = DebugValueKind::Int;
      result.int_value = value->int_value() ? value->int_value()->int_val() : 0;
      break;
    case now::ValueType_Bool:
      result.kind = DebugValueKind::Bool;
      result.int_value = value->bool_value() && value->bool_value()->bool_val() ? 1 : 0;
      break;
    case now::ValueType_Float:
      result.kind = DebugValueKind::Float;
      result.double_value = value->float_value() ? value->float_value()->float_val() : 0;
      break;
    case now::ValueType_Double:
      result.kind = DebugValueKind::Double;
      result.double_value = value->double_value() ? value->double_value()->double_val() : 0;
      break;
    case now::ValueType_Tensor:
      result.kind = DebugValueKind::Tensor;
      if (value->tensor()) result.tensors.push_back(tensor_of(*value->tensor()));
      break;
    case now::ValueType_TensorList:
      result.kind = DebugValueKind::TensorList;
      if (value->tensor_list() && value->tensor_list()->tensors()) {
        for (const auto* tensor : *value->tensor_list()->tensors())
          result.tensors.push_back(tensor_of(*tensor));
      }
      break;
    default:
      break;
  }
  return result;
}

template <typename Keyed>
void read_key(const Keyed& from, OracleEvent& event) {
  event.name = text_of(from.name());
  event.instruction = from.instruction_id();
  event.delegate_id_int = from.delegate_debug_id_int();
  event.delegate_id_str = text_of(from.delegate_debug_id_str());
}

template <typename Event>
OracleEvent event_of(const Event& from) {
  OracleEvent event;
  if (const auto* profile = from.profile_event()) {
    event.kind = EventKind::Profile;
    read_key(*profile, event);
    event.chain = profile->chain_index();
    event.start = profile->start_time();
    event.end = profile->end_time();
    if (const auto* bytes = profile->delegate_debug_metadata())
      event.metadata.assign(bytes->begin(), bytes->end());
    return event;
  }
  if constexpr (requires { from.debug_event(); }) {
    if (const auto* debug = from.debug_event()) {
      event.kind = EventKind::Debug;
      read_key(*debug, event);
      event.chain =
          debug->chain_index() > INT32_MAX ? -1 : static_cast<int32_t>(debug->chain_index());
      event.value = shown(value_of(debug->debug_entry()));
      return event;
    }
  }
  if (const auto* allocation = from.allocation_event()) {
    event.kind = EventKind::Allocation;
    event.allocator = allocation->allocator_id();
    event.bytes = allocation->allocation_size();
  }
  return event;
}

template <typename Dump>
std::optional<std::vector<OracleRun>> runs_in(const Bytes& buffer, bool prefixed) {
  const auto tables = static_cast<flatbuffers::uoffset_t>(buffer.size() / 8 + 1);
  flatbuffers::Verifier verifier(buffer.data(), buffer.size(), 16, tables);
  const bool is_sound = prefixed ? verifier.VerifySizePrefixedBuffer<Dump>("ED00")
                                 : verifier.VerifyBuffer<Dump>("ED00");
  if (!is_sound) return std::nullopt;
  const Dump* dump = prefixed ? flatbuffers::GetSizePrefixedRoot<Dump>(buffer.data())
                              : flatbuffers::GetRoot<Dump>(buffer.data());
  std::vector<OracleRun> runs;
  if (dump->run_data() == nullptr) return runs;
  for (const auto* from : *dump->run_data()) {
    OracleRun& run = runs.emplace_back();
    run.name = text_of(from->name());
    if constexpr (requires { from->bundled_input_index(); })
      run.bundled_input_index = from->bundled_input_index();
    if (from->allocators() != nullptr) {
      for (const auto* allocator : *from->allocators())
        run.allocators.push_back(text_of(allocator->name()));
    }
    if (from->events() == nullptr) continue;
    for (const auto* event : *from->events()) run.events.push_back(event_of(*event));
  }
  return runs;
}

bool has_events(const std::optional<std::vector<OracleRun>>& runs) {
  return runs && std::any_of(runs->begin(), runs->end(),
                             [](const OracleRun& run) { return !run.events.empty(); });
}

// In the schema in which it has events.
std::optional<std::vector<OracleRun>> runs_of_buffer(const Bytes& buffer, bool prefixed) {
  auto runs = runs_in<now::ETDump>(buffer, prefixed);
  if (has_events(runs)) return runs;
  auto of_old = runs_in<old::ETDump>(buffer, prefixed);
  return has_events(of_old) ? of_old : runs;
}

std::string described(const OracleEvent& event) {
  return std::to_string(static_cast<int>(event.kind)) + " '" + event.name + "' " +
         std::to_string(event.chain) + "/" + std::to_string(event.instruction) + " " +
         std::to_string(event.delegate_id_int) + "/'" + event.delegate_id_str + "' " +
         std::to_string(event.start) + ".." + std::to_string(event.end) + " " + event.value;
}

std::string difference(const std::vector<OracleRun>& wanted, const std::vector<OracleRun>& found) {
  if (wanted.size() != found.size()) return "another number of runs";
  for (size_t r = 0; r < wanted.size(); ++r) {
    if (wanted[r] == found[r]) continue;
    const std::string run = "run " + std::to_string(r);
    if (wanted[r].events.size() != found[r].events.size())
      return run + ": another number of events";
    for (size_t e = 0; e < wanted[r].events.size(); ++e) {
      if (wanted[r].events[e] == found[r].events[e]) continue;
      return run + ", event " + std::to_string(e) + ": " + described(found[r].events[e]) +
             " instead of " + described(wanted[r].events[e]);
    }
    return run + ": another name, input or allocator";
  }
  return "";
}

}  // namespace

std::optional<std::vector<OracleRun>> oracle_of(const Bytes& file) {
  std::string_view text = file.text();
  const auto u32 = [&](size_t at) {
    uint32_t number = 0;
    std::memcpy(&number, text.data() + at, sizeof(number));
    return uint64_t{number};
  };
  if (text.size() >= 16 && text.substr(12, 4) == "ED00" && u32(0) == u32(4) + 4)
    text.remove_prefix(4);
  const bool prefixed = text.substr(4, 4) != "ED00";
  if (prefixed) text = text.substr(0, u32(file.size() - text.size()) + 4);
  auto runs = runs_of_buffer(Bytes::copy_of(text), prefixed);
  if (runs) return runs;
  // A size in front that somebody put there, or cut off.
  if (prefixed) return runs_of_buffer(Bytes::copy_of(text.substr(4)), false);
  const auto size = static_cast<uint32_t>(text.size());
  std::string sized(4, '\0');
  std::memcpy(sized.data(), &size, sizeof(size));
  return runs_of_buffer(Bytes::copy_of(sized.append(text)), true);
}

std::vector<OracleRun> runs_of(const EventLog& log) {
  std::vector<OracleRun> runs;
  for (const Run& row : log.runs) {
    const EventSequence& sequence = log.sequence(row.sequence);
    OracleRun& run = runs.emplace_back();
    run.name = log.text(sequence.name);
    run.bundled_input_index = sequence.bundled_input_index;
    for (const StringId allocator : sequence.allocators)
      run.allocators.emplace_back(log.text(allocator));
    size_t value = row.first_debug_value;
    size_t allocation = row.first_allocation;
    for (size_t i = 0; i < sequence.events.size(); ++i) {
      const EventKey& key = sequence.events[i];
      OracleEvent& event = run.events.emplace_back();
      event.kind = key.kind;
      if (key.kind == EventKind::Allocation) {
        event.allocator = log.allocations[allocation].allocator;
        event.bytes = log.allocations[allocation++].bytes;
      }
      if (key.kind == EventKind::Debug) event.value = shown(log.debug_values[value++]);
      if (key.kind != EventKind::Profile && key.kind != EventKind::Debug) continue;
      event.name = log.text(key.name);
      event.chain = key.chain;
      event.instruction = key.instruction.value;
      event.delegate_id_int = key.delegate_id_int;
      event.delegate_id_str = log.text(key.delegate_id_str);
      event.start = log.start[row.first_row + i];
      event.end = log.end[row.first_row + i];
      if (!log.metadata.empty()) event.metadata = log.text(log.metadata[row.first_row + i]);
    }
  }
  return runs;
}

std::string difference_from_oracle(const Bytes& file) {
  const Result<EventLog> log = read_etdump(file);
  if (!log) {
    const Error& error = log.error();
    const bool is_of_offsets = error.message.starts_with("is damaged: an offset points");
    if (!is_of_offsets) return "";
    return oracle_of(file) ? "refused, though the verifier accepts it" : "";
  }
  const auto wanted = oracle_of(file);
  return wanted ? difference(*wanted, runs_of(*log)) : "accepted, though the verifier refuses it";
}

}  // namespace etlens::test
