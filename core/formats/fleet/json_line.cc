// SPDX-License-Identifier: Apache-2.0
#include "core/formats/fleet/json_line.h"

#include <simdjson.h>

#include "core/base/budget.h"
#include "core/base/bytes.h"
#include "core/base/text.h"

namespace etlens {
namespace {

using simdjson::ondemand::json_type;

// A text or a number; false if the document is broken there.
bool take_scalar(simdjson::ondemand::value value, json_type type, std::string& out) {
  std::string_view text;
  if (type != json_type::string) {
    out = trim(value.raw_json_token());
    return true;
  }
  if (value.get_string().get(text)) return false;
  out = text;
  return true;
}

bool take_list(simdjson::ondemand::value value, std::vector<std::string>& out) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array)) return false;
  for (auto entry : array) {
    go_on();
    simdjson::ondemand::value item;
    json_type type{};
    if (entry.get(item) || item.type().get(type)) return false;
    if (type == json_type::array || type == json_type::object) continue;
    if (!take_scalar(item, type, out.emplace_back())) return false;
  }
  return true;
}

}  // namespace

std::optional<int64_t> JsonField::integer() const { return parse_int(text); }

bool for_each_field(std::string_view line, const std::function<void(const JsonField&)>& take) {
  const Bytes padded = Bytes::copy_of(line);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  if (parser.iterate(simdjson::padded_string_view(padded.text(), padded.size() + Bytes::kPadding))
          .get(document) ||
      document.get_object().get(object))
    return false;
  JsonField field;
  for (auto entry : object) {
    go_on();
    simdjson::ondemand::field raw;
    std::string_view name;
    json_type type{};
    if (std::move(entry).get(raw) || raw.unescaped_key().get(name)) return false;
    field.name = name;
    field.list.clear();
    field.text.clear();
    simdjson::ondemand::value value = raw.value();
    if (value.type().get(type)) return false;
    field.is_text = type == json_type::string;
    if (type == json_type::object) continue;
    if (type == json_type::array ? !take_list(value, field.list)
                                 : !take_scalar(value, type, field.text))
      return false;
    take(field);
  }
  const char* end = nullptr;
  if (document.current_location().get(end)) return true;
  return trim(padded.text().substr(static_cast<size_t>(end - padded.text().data()))).empty();
}

}  // namespace etlens
