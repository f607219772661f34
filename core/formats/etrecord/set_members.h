// SPDX-License-Identifier: Apache-2.0
// Walks over an ETRecord's JSON: the members of an object that are set, the elements of a list.
#pragma once

#include <simdjson.h>

#include "core/base/budget.h"
#include "core/base/string_pool.h"

namespace etlens {

// Releases up to 0.3 write all members of a union and all optional values, unset ones as null. Such
// a member counts as one that is not there. The value is not consumed.
inline bool is_absent(simdjson::ondemand::value value) {
  simdjson::ondemand::json_type type;
  return value.type().get(type) == simdjson::SUCCESS && type == simdjson::ondemand::json_type::null;
}

// Calls `take(key, value)`, which returns an error code, for each member that is set, in the order of
// the text. The first error ends the walk. Keys are as they are written, with their escapes.
template <typename Take>
simdjson::error_code each_member(simdjson::ondemand::object object, const Take& take) {
  for (auto entry : object) {
    simdjson::ondemand::field field;
    if (const simdjson::error_code e = std::move(entry).get(field)) return e;
    if (is_absent(field.value())) continue;
    if (const simdjson::error_code e = take(field.key(), field.value())) return e;
  }
  return simdjson::SUCCESS;
}

// The same of a value that has to be an object.
template <typename Take>
simdjson::error_code each_member(simdjson::ondemand::value value, const Take& take) {
  simdjson::ondemand::object object;
  if (const simdjson::error_code e = value.get_object().get(object)) return e;
  return each_member(object, take);
}

// Calls `take(value)`, which returns an error code, for each element of a value that has to be a
// list. The first error ends the walk.
template <typename Take>
simdjson::error_code each_element(simdjson::ondemand::value value, const Take& take) {
  simdjson::ondemand::array elements;
  if (const simdjson::error_code e = value.get_array().get(elements)) return e;
  for (auto element : elements) {
    go_on();
    simdjson::ondemand::value item;
    if (const simdjson::error_code e = element.get(item)) return e;
    if (const simdjson::error_code e = take(item)) return e;
  }
  return simdjson::SUCCESS;
}

// A string, as one of the pool.
inline simdjson::error_code read_text(simdjson::ondemand::value value, StringPool& strings,
                                      StringId& text) {
  std::string_view read;
  if (const simdjson::error_code e = value.get_string().get(read)) return e;
  text = strings.intern(read);
  return simdjson::SUCCESS;
}

}  // namespace etlens
