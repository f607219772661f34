// SPDX-License-Identifier: Apache-2.0
#include "tests/support/mutation.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/assert.h"
#include "core/formats/etrecord/zip_archive.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::test {
namespace {

constexpr size_t kMaxRange = 512;
constexpr size_t kMaxText = 1 << 20;

// What readers look for, and what numbers are at the ends of their ranges.
constexpr auto kWords =
    std::to_array<std::string_view>({"0",
                                     "-1",
                                     "4294967295",
                                     "2147483647",
                                     "9223372036854775807",
                                     "1e999",
                                     "null",
                                     "true",
                                     "[]",
                                     "{}",
                                     "\"\"",
                                     "\"\\u0000\"",
                                     "\"forward\"",
                                     "\"debug_handle\":\"1\"",
                                     "\"name\":\"a\"",
                                     "\"target\":\"\"",
                                     "\"stack_trace\":\"\"",
                                     "\"nn_module_stack\":\"k,getattr(x, '0'),T\"",
                                     "\"as_graph\":{\"name\":\"g\",\"graph\":{\"nodes\":[]}}",
                                     "\"as_string\":\"{\\\"\"",
                                     "\"as_tensor\":{\"name\":\"a\"}",
                                     "\"delegate_map\":null",
                                     "[[[[[[[[",
                                     "\xFF\xFE",
                                     "\\"});

struct Mutation {
  uint8_t part, operation;
  size_t at, value;
};

size_t number_of(std::span<const uint8_t> bytes) {
  size_t number = 0;
  for (const uint8_t byte : bytes) number = number << 8 | byte;
  return number;
}

void overwrite(std::string& bytes, size_t at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i));
}

// Offsets of a FlatBuffer count in words from where they stand, so words are what is changed.
void mutate_bytes(std::string& bytes, const Mutation& m) {
  if (bytes.empty()) return;
  const size_t at = m.at % bytes.size();
  const size_t word = at / 4 * 4;
  switch (m.operation % 7) {
    case 0:
      overwrite(bytes, at, m.value, 1);
      break;
    case 1:
      overwrite(bytes, word, m.value, 4);
      break;
    case 2:
      overwrite(bytes, word, 0xFFFFFFFFu - m.value % 64, 4);
      break;
    case 3: {  // what another place says: tables and strings get shared
      const size_t from = m.value % bytes.size() / 4 * 4;
      overwrite(bytes, word, number_of({reinterpret_cast<const uint8_t*>(bytes.data()) + from, 1}),
                4);
      break;
    }
    case 4: {  // a step aside
      uint32_t number = 0;
      if (word + 4 <= bytes.size()) std::memcpy(&number, bytes.data() + word, 4);
      overwrite(bytes, word, number + 4 * (m.value % 32) - 64, 4);
      break;
    }
    case 5:
      overwrite(bytes, at / 2 * 2, m.value, 2);
      break;
    default:
      if (m.value % 8 == 0) bytes.resize(at);
      break;
  }
}

void mutate_text(std::string& text, const Mutation& m) {
  if (text.empty()) return;
  const size_t at = m.at % text.size();
  const size_t range = std::min(1 + m.value % kMaxRange, text.size() - at);
  switch (m.operation % 6) {
    case 0:
      text[at] = static_cast<char>(m.value);
      break;
    case 1:
      text.erase(at, range);
      break;
    case 2:
      if (text.size() < kMaxText) text.insert(at, text.substr(at, range));
      break;
    case 3:
      text.insert(at, kWords[m.value % kWords.size()]);
      break;
    case 4: {  // in the place of a whole value
      const size_t begin = std::min(text.find_first_of(":[,", at), text.size() - 1) + 1;
      const size_t end = std::min(text.find_first_of(",]}", begin), text.size());
      text.replace(begin, end - begin, kWords[m.value % kWords.size()]);
      break;
    }
    default:
      if (m.value % 8 == 0) text.resize(at);
      break;
  }
}

}  // namespace

ArtifactParts parts_of(const HostilePair& pair) {
  MemoryFileSystem files;
  files.put("/record", pair.etrecord);
  const Result<ZipArchive> archive = ZipArchive::open(files, "/record");
  ETLENS_ASSERT(archive.has_value());
  ArtifactParts parts{pair.etdump, {}};
  for (const ZipMember& member : archive->members()) {
    const Result<Bytes> content = archive->read(member);
    ETLENS_ASSERT(content.has_value());
    parts.members.emplace_back(member.name, content->text());
  }
  return parts;
}

HostilePair pair_of(const ArtifactParts& parts) {
  ZipBuilder zip;
  for (const auto& [name, content] : parts.members) zip.add(name, content);
  return {parts.etdump, std::string(zip.build().text())};
}

void mutate(ArtifactParts& parts, std::span<const uint8_t> script) {
  for (; script.size() >= kMutationBytes; script = script.subspan(kMutationBytes)) {
    const Mutation m{script[0], script[1], number_of(script.subspan(2, 3)),
                     number_of(script.subspan(5, 3))};
    const size_t part = m.part % (parts.members.size() + 1);
    if (part == 0) mutate_bytes(parts.etdump, m);
    else mutate_text(parts.members[part - 1].second, m);
  }
}

HostilePair sound_pair() {
  DumpBuilder dump;
  for (int i = 0; i < 3; ++i) {
    dump.block("Execute").operator_call("add.out", 0, 10, 20);
    dump.tensor({0, {2, 3}, 6, 0, false});
    dump.delegate("7", 1, 32, 38).event("DELEGATE_CALL", 1, 30, 40);
    dump.framework("Method::execute", 0, 50);
  }
  RecordBuilder record;
  const std::string trace = stack_trace({{"/w/a.py", 3, "forward", "x = x + 1"}});
  record.node({"a", "aten.add.Tensor", 1, trace, "k,L['self'].layers[0],T", {"x"}}).map(0, {1});
  record.lowered("b", "Sample", {{"mul", "aten.mul.Tensor", 2, trace, "", {"a"}}});
  record.map(1, {2}).delegate(1, "Sample", {{"7", {2}}});
  record.cond("c", 3, {{{"d", "aten.sub.Tensor", 4, trace, "", {"a"}}}, {}});
  return {std::string(dump.build().text()), std::string(record.build().text())};
}

}  // namespace etlens::test
