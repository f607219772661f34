// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/bundled_record.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/base/budget.h"
#include "core/bundle/binary_texts.h"
#include "core/bundle/bundled_program_bytes.h"
#include "core/bundle/json_text.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

constexpr std::array<std::string_view, 3> kSideFiles{"_state_dict", "_constants",
                                                     "_example_inputs"};

// Belongs to a graph of the record, and has its weights or examples.
bool is_side_file(const ZipArchive& archive, std::string_view name) {
  return std::ranges::any_of(kSideFiles, [&](std::string_view ending) {
    return name.ends_with(ending) &&
           archive.find(name.substr(0, name.size() - ending.size())) != nullptr;
  });
}

bool is_json(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos || std::string_view("{[\"-0123456789").find(text[first]) != text.npos;
}

std::string cleared(std::string_view backend, std::string bytes, const Backends& backends) {
  const Backend& row = backends.find(backend);
  bytes.resize(
      operator_bytes_of({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, row));
  clear_payload_constants({reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}, row);
  return bytes;
}

}  // namespace

Result<std::vector<RecordMember>> record_without_weights(const FileSystem& files,
                                                         const std::string& path,
                                                         const Backends& backends) {
  std::vector<RecordMember> members;
  if (path.empty()) return members;
  Result<ZipArchive> archive = ZipArchive::open(files, path);
  if (!archive) return std::move(archive).error().about(path);
  JsonChange change;
  change.payload = [&](std::string_view backend, std::string bytes) {
    return cleared(backend, std::move(bytes), backends);
  };
  for (const ZipMember& member : archive->members()) {
    go_on();
    if (is_side_file(*archive, member.name)) {
      members.push_back({member.name, ""});
      continue;
    }
    Result<Bytes> front = archive->read_front(member, 16);
    if (!front) return std::move(front).error().about(path);
    if (!is_json(front->text())) continue;  // archives and pickles of tensors
    Result<Bytes> content = archive->read(member);
    if (!content) return std::move(content).error().about(path);
    Result<std::string> json = changed_json(content->text(), change);
    if (!json) return std::move(json).error().about(path);
    members.push_back({member.name, std::move(*json)});
  }
  return members;
}

Result<void> see_record(const std::vector<RecordMember>& members, Renamer& names) {
  JsonChange look;
  look.payload = [&](std::string_view, std::string bytes) {
    see_binary_texts({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                     [&](std::string_view text) { names.see(text); });
    return bytes;
  };
  look.text = [&](std::string_view text) {
    names.see(text);
    return std::string(text);
  };
  for (const RecordMember& member : members) {
    names.see(member.name);
    if (Result<std::string> seen = changed_json(member.content, look); !seen)
      return std::move(seen).error();
  }
  return {};
}

Result<void> rename_record(std::vector<RecordMember>& members, Renamer& names) {
  JsonChange change;
  change.text = [&](std::string_view text) { return names.renamed(text); };
  change.payload = [&](std::string_view, std::string bytes) {
    const std::span<uint8_t> payload{reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()};
    rename_binary(names, payload);
    return bytes;
  };
  for (RecordMember& member : members) {
    Result<std::string> json = changed_json(member.content, change);
    if (!json) return std::move(json).error();
    member.content = std::move(*json);
    member.name = names.renamed(member.name);
  }
  return {};
}

}  // namespace etlens
