// SPDX-License-Identifier: Apache-2.0
// A line of NDJSON, field by field: what rows and answers of engines have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

struct JsonField {
  std::string name;
  std::string text;  // of a text, without quotes; of a number or truth value, as it is written
  bool is_text = false;
  std::vector<std::string> list;  // of an array: its texts and numbers, likewise

  // Engines put 64-bit integers in quotes.
  std::optional<int64_t> integer() const;
};

// False if the line is no object. Objects inside it are passed over.
bool for_each_field(std::string_view line, const std::function<void(const JsonField&)>& take);

struct RowPlace;
// Of a place: false if the field is known and its value is not what it is to be.
bool read_place_field(const JsonField& field, RowPlace& place);

}  // namespace etlens
