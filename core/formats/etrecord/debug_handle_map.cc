// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/debug_handle_map.h"

#include <simdjson.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/etrecord/set_members.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

MethodMap& map_of(EtRecord& record, std::string_view method) {
  const StringId name = record.strings.intern(method);
  const auto at =
      std::lower_bound(record.maps.begin(), record.maps.end(), name,
                       [](const MethodMap& map, StringId wanted) { return map.method < wanted; });
  if (at != record.maps.end() && at->method == name) return *at;
  go_on(1 + static_cast<size_t>(record.maps.end() - at) / 8);
  return *record.maps.insert(at, {name, {}, {}, {}});
}

std::optional<Instruction> instruction_of(std::string_view key) {
  const std::optional<int64_t> number = parse_int(key);
  if (!number || *number < 0 || *number > INT32_MAX) return std::nullopt;
  return Instruction(static_cast<int32_t>(*number));
}

void add_handle(od::value value, MethodMap& map, LoadReport& report, std::string_view where) {
  int64_t handle = 0;
  if (value.get_int64().get(handle) != SUCCESS || handle < 0 || handle >= kNoHandle.value) {
    report.add(Oddity::RecordMapOdd, where);
    return;
  }
  map.handles.push_back(DebugHandle(static_cast<uint32_t>(handle)));
}

// One handle, or a list of them.
error_code read_handles(od::value value, MethodMap& map, LoadReport& report,
                        std::string_view where) {
  od::json_type type;
  if (const error_code e = value.type().get(type)) return e;
  if (type == od::json_type::array) {
    od::array handles;
    if (const error_code e = value.get_array().get(handles)) return e;
    for (auto element : handles) {
      go_on();
      od::value handle;
      if (const error_code e = element.get(handle)) return e;
      add_handle(handle, map, report, where);
    }
  } else if (type == od::json_type::number) {
    add_handle(value, map, report, where);
  } else if (type != od::json_type::null) {
    report.add(Oddity::RecordMapOdd, where);
  }
  return SUCCESS;
}

// Calls `row` for each {method: {instruction: value}}.
using RowReader = std::function<error_code(MethodMap&, Instruction, od::value)>;

Result<void> read_methods(const Bytes& json, EtRecord& record, const RowReader& row) {
  od::parser parser;
  od::document document;
  od::object methods;
  const simdjson::padded_string_view text(reinterpret_cast<const char*>(json.data()), json.size(),
                                          json.size() + Bytes::kPadding);
  const auto walk = [&]() -> error_code {
    if (const error_code e = parser.iterate(text).get(document)) return e;
    if (const error_code e = document.get_object().get(methods)) return e;
    for (auto method : methods) {
      od::field field;
      if (const error_code e = std::move(method).get(field)) return e;
      std::string_view name;
      if (const error_code e = field.unescaped_key().get(name)) return e;
      MethodMap& map = map_of(record, name);
      if (is_absent(field.value())) continue;
      od::object instructions;
      if (const error_code e = field.value().get_object().get(instructions)) return e;
      for (auto entry : instructions) {
        od::field instruction;
        if (const error_code e = std::move(entry).get(instruction)) return e;
        std::string_view key;
        if (const error_code e = instruction.unescaped_key().get(key)) return e;
        if (const std::optional<Instruction> id = instruction_of(key)) {
          if (const error_code e = row(map, *id, instruction.value())) return e;
        } else {
          record.report.add(Oddity::RecordMapOdd, key);
        }
      }
    }
    return SUCCESS;
  };
  if (const error_code e = walk()) {
    return Error{ErrorCode::Corrupt, std::string("is not a map: ") + simdjson::error_message(e)};
  }
  return {};
}

template <typename Row>
void sort_by_instruction(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.instruction < b.instruction; });
}

}  // namespace

Result<void> read_debug_handle_map(const Bytes& json, EtRecord& record) {
  Result<void> read = read_methods(
      json, record, [&](MethodMap& map, Instruction instruction, od::value value) -> error_code {
        InstructionHandles row{instruction, static_cast<uint32_t>(map.handles.size()), 0};
        const std::string where = "instruction " + std::to_string(instruction.value);
        if (const error_code e = read_handles(value, map, record.report, where)) return e;
        row.count = static_cast<uint32_t>(map.handles.size()) - row.first;
        map.instructions.push_back(row);
        return SUCCESS;
      });
  for (MethodMap& map : record.maps) sort_by_instruction(map.instructions);
  return read;
}

Result<void> read_delegate_map(const Bytes& json, EtRecord& record) {
  Result<void> read = read_methods(
      json, record, [&](MethodMap& map, Instruction instruction, od::value value) -> error_code {
        DelegateEntry entry;
        entry.instruction = instruction;
        const std::string where = "delegate call " + std::to_string(instruction.value);
        if (is_absent(value)) return SUCCESS;
        od::object object;
        if (const error_code e = value.get_object().get(object)) return e;
        for (auto part : object) {
          od::field field;
          if (const error_code e = std::move(part).get(field)) return e;
          if (is_absent(field.value())) continue;
          if (field.key() == "name") {
            std::string_view backend;
            if (const error_code e = field.value().get_string().get(backend)) return e;
            entry.backend = record.strings.intern(backend);
          } else if (field.key() == "delegate_map") {
            od::json_type type;
            if (const error_code e = field.value().type().get(type)) return e;
            if (type != od::json_type::object) continue;  // null: the backend has no map
            od::object ids;
            if (const error_code e = field.value().get_object().get(ids)) return e;
            for (auto item : ids) {
              od::field id;
              if (const error_code e = std::move(item).get(id)) return e;
              std::string_view key;
              if (const error_code e = id.unescaped_key().get(key)) return e;
              DelegateHandles handles{record.strings.intern(key),
                                      static_cast<uint32_t>(map.handles.size()), 0};
              if (const error_code e = read_handles(id.value(), map, record.report, where))
                return e;
              handles.count = static_cast<uint32_t>(map.handles.size()) - handles.first;
              entry.ids.push_back(handles);
            }
          }
        }
        map.delegates.push_back(std::move(entry));
        return SUCCESS;
      });
  for (MethodMap& map : record.maps) sort_by_instruction(map.delegates);
  return read;
}

}  // namespace etlens
