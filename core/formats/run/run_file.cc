// SPDX-License-Identifier: Apache-2.0
#include "core/formats/run/run_file.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "core/base/budget.h"
#include "core/base/sha256.h"

namespace etlens {
namespace {

namespace dom = simdjson::dom;

constexpr size_t kMostDepth = 16;

// Each takes a value of its type, and leaves `out` as it is for any other: false.
bool take_value(dom::element value, std::string& out) {
  std::string_view text;
  if (value.get_string().get(text)) return false;
  out = text;
  return true;
}

bool take_value(dom::element value, uint64_t& out) { return !value.get_uint64().get(out); }

bool take_value(dom::element value, double& out) {
  return !value.get_double().get(out) && std::isfinite(out) && out >= 0;
}

template <typename T>
bool take_value(dom::element value, std::vector<T>& out) {
  dom::array array;
  if (value.get_array().get(array)) return false;
  for (const dom::element entry : array) {
    go_on();
    T item{};
    if (!take_value(entry, item)) return false;
    out.push_back(std::move(item));
  }
  return true;
}

template <FixedText kText>
bool take_value(dom::element value, Literal<kText>&) {
  std::string_view text;
  return !value.get_string().get(text) && text == Literal<kText>::text();
}

template <typename T>
inline constexpr bool kIsNullable = false;
template <typename T>
inline constexpr bool kIsNullable<Nullable<T>> = true;

template <HasFields T>
bool take_value(dom::element value, T& out) {
  dom::object object;
  if (value.get_object().get(object)) return false;
  bool is_whole = true;
  visit_fields(out, [&]<typename Field>(const char* name, Field& field) {
    dom::element found;
    const bool is_there = !object.at_key(name).get(found);
    if constexpr (kIsNullable<Field>) {
      typename decltype(field.value)::value_type read{};
      if (is_there && take_value(found, read)) field.value = std::move(read);
    } else {
      is_whole = is_whole && is_there && take_value(found, field);
    }
  });
  return is_whole;
}

// One whose hash is none says nothing.
void drop_without_hash(Nullable<RunArtifact>& artifact) {
  if (artifact.value && !is_sha256(artifact.value->sha256)) artifact.value.reset();
}

}  // namespace

std::string run_file_path(std::string_view etdump) { return std::string(etdump) + ".json"; }

Result<RunFile> read_run_file(std::string_view json) {
  const Error corrupt{ErrorCode::Corrupt,
                      "is not a file about a run; delete it, or run the program again"};
  if (json.size() > kMaxRunFileBytes) return corrupt;
  dom::parser parser(kMaxRunFileBytes);
  dom::element document;
  std::string_view schema;
  if (parser.allocate(json.size(), kMostDepth) || parser.parse(json).get(document)) return corrupt;
  if (document["schema"].get_string().get(schema)) return corrupt;
  if (schema != decltype(RunFile::schema)::text()) {
    return Error{ErrorCode::Unsupported,
                 "is not of the schema etlens/run@1; delete it, or run the program again"};
  }
  RunFile run;
  if (!take_value(document, run) || !is_sha256(run.dump.sha256)) return corrupt;
  drop_without_hash(run.program);
  drop_without_hash(run.record);
  return run;
}

}  // namespace etlens
