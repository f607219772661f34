// SPDX-License-Identifier: Apache-2.0
#include "core/facts/size_facts.h"

#include <algorithm>
#include <numeric>

#include "core/backend/payload_part.h"

namespace etlens {

SizeFacts::SizeFacts(const FileSystem& files, std::shared_ptr<const EtProgram> program,
                     std::vector<std::shared_ptr<const Code>> codes, const Backends& backends)
    : program_(std::move(program)), codes_(std::move(codes)) {
  const auto read_payload = [&](const ProgramDelegate& delegate) {
    return read_payload_part(files, *program_, delegate, backends);
  };
  bytes_ = divide_file(*program_, codes_, backends, read_payload);
  totals_ = total_file(bytes_, codes_);
  tree_ = file_tree(bytes_, codes_);
  ranked_.resize(part_count());
  std::iota(ranked_.begin(), ranked_.end(), size_t{0});
  std::stable_sort(ranked_.begin(), ranked_.end(), [&](size_t a, size_t b) {
    return bytes_.parts[a].bytes > bytes_.parts[b].bytes;
  });
}

double SizeFacts::share(uint64_t bytes) const {
  return static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(file_bytes(), 1));
}

SizePartFacts SizeFacts::part(size_t row) const {
  const FilePart& part = bytes_.parts[row];
  const Code& code = *codes_[part.method];
  SizePartFacts facts;
  facts.kind = part.kind;
  facts.name = part.name;
  facts.bytes = part.bytes;
  if (part.kind != FilePartKind::External) facts.share = share(part.bytes);
  if (part.module.valid()) facts.module_path = code.modules[part.module.value].path;
  if (part.line.valid()) {
    const CodeLine& line = code.lines[part.line.value];
    facts.recorded_path = code.recorded_path(line.file);
    facts.line = line.number;
  }
  facts.method = part.method;
  facts.line_id = part.line;
  if (part.partition.valid()) facts.partition = code.partitions[part.partition.value].number;
  facts.users = part.users;
  return facts;
}

}  // namespace etlens
