// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/quantization.h"

#include <simdjson.h>

#include <cmath>

#include "core/formats/etrecord/members.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;

constexpr std::string_view kOperator = "quantize_per_tensor.default";  // and dequantize_…

struct NodeText {
  bool is_quantizing = false;
  Quantization quantization;
  std::string output;
};

void read_number(std::string_view name, od::object argument, Quantization& row) {
  double real = 0;
  int64_t whole = 0;
  if (name == "scale" && argument["as_float"].get_double().get(real) == simdjson::SUCCESS)
    row.scale = real;
  if (name == "scale" || argument["as_int"].get_int64().get(whole) != simdjson::SUCCESS) return;
  if (name == "zero_point") row.zero_point = whole;
  if (name == "quant_min") row.minimum = whole;
  if (name == "quant_max") row.maximum = whole;
}

void read_inputs(od::array inputs, Quantization& row) {
  for (auto entry : inputs) {
    od::object input;
    std::string_view name;
    od::object argument;
    if (entry.get_object().get(input) || input["name"].get_string().get(name) ||
        input["arg"].get_object().get(argument))
      continue;
    read_number(name, argument, row);
  }
}

error_code read_node(od::object node, NodeText& text) {
  for (auto entry : node) {
    od::field field;
    if (const error_code e = std::move(entry).get(field)) return e;
    if (field.key() == "target") {
      std::string_view target;
      if (const error_code e = field.value().get_string().get(target)) return e;
      text.is_quantizing = target.ends_with(kOperator);
      if (!text.is_quantizing) return simdjson::SUCCESS;
    } else if (field.key() == "inputs") {
      od::array inputs;
      if (const error_code e = field.value().get_array().get(inputs)) return e;
      read_inputs(inputs, text.quantization);
    } else if (field.key() == "outputs") {
      od::array outputs;
      if (const error_code e = field.value().get_array().get(outputs)) return e;
      for (auto output : outputs) {
        std::string_view name;
        if (!output["as_tensor"]["name"].get_string().get(name)) text.output = name;
      }
    }
  }
  return simdjson::SUCCESS;
}

Result<Quantizations> read_nodes(const Bytes& json) {
  Quantizations found;
  const Error corrupt{ErrorCode::Corrupt, "is not the JSON of an exported program"};
  const simdjson::padded_string_view padded(json.text(), json.size() + Bytes::kPadding);
  od::parser parser;
  od::document document;
  od::array nodes;
  if (parser.iterate(padded).get(document) ||
      document["graph_module"]["graph"]["nodes"].get_array().get(nodes))
    return corrupt;
  for (auto entry : nodes) {
    od::object node;
    NodeText text;
    if (entry.get_object().get(node) || read_node(node, text)) return corrupt;
    const Quantization& row = text.quantization;
    const bool is_sound = text.is_quantizing && !text.output.empty() && std::isfinite(row.scale) &&
                          row.scale > 0 && row.minimum < row.maximum;
    if (is_sound) found.emplace(std::move(text.output), row);
  }
  return found;
}

}  // namespace

Result<Quantizations> read_quantizations(const FileSystem& files, std::string_view path,
                                         std::string_view method) {
  const Result<ZipArchive> archive = ZipArchive::open(files, path);
  if (!archive) return archive.error();
  const ZipMember* member = archive->find(std::string(kEdgeProgram) + "/" + std::string(method));
  if (member == nullptr && method == kForward) member = archive->find(kEdgeProgram);
  if (member == nullptr) return Quantizations();
  const Result<Bytes> json = archive->read(*member);
  if (!json) return json.error();
  return read_nodes(*json);
}

}  // namespace etlens
