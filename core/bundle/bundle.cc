// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/bundle.h"

#include <algorithm>

#include "core/bundle/binary_texts.h"
#include "core/bundle/bundled_program_bytes.h"
#include "core/bundle/bundled_record.h"
#include "core/bundle/renamer.h"
#include "core/formats/etdump/etdump_reader.h"

namespace etlens {
namespace {

std::span<uint8_t> bytes_of(std::string& text, size_t size) {
  return {reinterpret_cast<uint8_t*>(text.data()), std::min(size, text.size())};
}

}  // namespace

Result<Bundle> make_bundle(const FileSystem& files, const BundleRequest& request) {
  Bundle bundle;
  std::string dump;
  if (!request.etdump.empty()) {
    const Result<Bytes> read = read_etdump_file(files, request.etdump);
    if (!read) return read.error();
    dump = read->text();
  }
  Result<ProgramBytes> program =
      program_without_weights(files, request.pte, request.backends, bundle.notes);
  if (!program) return std::move(program).error();
  Result<std::vector<RecordMember>> record =
      record_without_weights(files, request.etrecord, request.backends);
  if (!record) return std::move(record).error();
  if (request.is_redacted) {
    Renamer names;
    const auto see = [&](std::string_view text) { names.see_in_binary(text); };
    see_binary_texts(bytes_of(dump, dump.size()), see);
    see_binary_texts(bytes_of(program->bytes, program->table_bytes), see);
    for (const ByteRange& part : program->payloads)
      see_binary_texts(
          bytes_of(program->bytes, program->bytes.size()).subspan(part.offset, part.size), see);
    if (Result<void> seen = see_record(*record, names); !seen) return std::move(seen).error();
    if (Result<void> renamed = rename_record(*record, names); !renamed)
      return std::move(renamed).error();
    rename_binary(names, bytes_of(dump, dump.size()));
    rename_binary(names, bytes_of(program->bytes, program->table_bytes));
    for (const ByteRange& part : program->payloads)
      rename_binary(
          names, bytes_of(program->bytes, program->bytes.size()).subspan(part.offset, part.size));
    for (const auto& [word, name] : names.replaced()) bundle.words.push_back(word);
  }
  if (!dump.empty()) bundle.parts.push_back({"model.etdp", std::move(dump)});
  if (!record->empty()) {
    std::vector<ZipPart> members;
    for (RecordMember& member : *record)
      members.push_back({std::move(member.name), std::move(member.content)});
    Result<std::string> zip = zip_of(members, ZipMethod::Stored);
    if (!zip) return std::move(zip).error();
    bundle.parts.push_back({"model.etrecord", std::move(*zip)});
  }
  if (!program->bytes.empty()) bundle.parts.push_back({"model.pte", std::move(program->bytes)});
  return bundle;
}

}  // namespace etlens
