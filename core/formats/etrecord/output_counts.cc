// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/output_counts.h"

#include <simdjson.h>

#include "core/base/text.h"
#include "core/formats/etrecord/members.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

void read_counts(simdjson::ondemand::object rows, OutputCounts& counts) {
  for (auto row : rows) {
    std::string_view key;
    int64_t count = 0;
    if (row.unescaped_key().get(key) || row.value().get_int64().get(count)) continue;
    const std::optional<int64_t> instruction = parse_int(key);
    const bool is_sound = instruction && *instruction >= 0 && *instruction <= INT32_MAX &&
                          count >= 0 && count <= INT32_MAX;
    if (is_sound) counts[static_cast<int32_t>(*instruction)] = static_cast<uint32_t>(count);
  }
}

}  // namespace

Result<OutputCounts> read_output_counts(const FileSystem& files, std::string_view path,
                                        std::string_view method) {
  const Result<ZipArchive> archive = ZipArchive::open(files, path);
  if (!archive) return archive.error();
  OutputCounts counts;
  const ZipMember* member = archive->find(kNumOutsMap);
  if (member == nullptr) return counts;
  const Result<Bytes> json = archive->read(*member);
  if (!json) return json.error();
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::object methods;
  const simdjson::padded_string_view text(json->text(), json->size() + Bytes::kPadding);
  if (parser.iterate(text).get(document) || document.get_object().get(methods)) {
    return Error{ErrorCode::Corrupt,
                 "has a damaged " + std::string(kNumOutsMap) + "; export the record again"};
  }
  for (auto row : methods) {
    std::string_view name;
    simdjson::ondemand::object rows;
    if (row.unescaped_key().get(name) || name != method) continue;
    if (!row.value().get_object().get(rows)) read_counts(rows, counts);
    break;
  }
  return counts;
}

}  // namespace etlens
