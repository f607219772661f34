// SPDX-License-Identifier: Apache-2.0
// etlens/size: the bytes of a program's file as a tree.
#include "core/render/size_report.h"
#include "server/features/features.h"
#include "server/features/program_places.h"

namespace etlens {
namespace {

std::string_view name_of(FileNodeLevel level) {
  switch (level) {
    case FileNodeLevel::Kind:
      return "kind";
    case FileNodeLevel::Module:
      return "module";
    case FileNodeLevel::Part:
      break;
  }
  return "part";
}

void add_part(const SizeFacts& facts, size_t row, ProgramPlaces& places,
              extensions::SizeNode& node) {
  const SizePartFacts part = facts.part(row);
  node.name = part.name;
  node.users = part.users;
  node.module = part.module_path;
  if (part.partition > 0) node.partition = part.partition;
  node.place = places.add(part.method, part.line_id);
}

extensions::SizeNode size_node(const SizeFacts& facts, const FileNode& row, ProgramPlaces& places) {
  extensions::SizeNode node;
  node.level = name_of(row.level);
  node.kind = etlens::name_of(row.kind);
  if (row.parent != kNone) node.parent = row.parent;
  node.bytes = byte_count(row.bytes);
  node.share = facts.share(row.bytes);
  switch (row.level) {
    case FileNodeLevel::Kind:
      node.name = describe(row.kind);
      break;
    case FileNodeLevel::Module:
      node.name = row.module;
      break;
    case FileNodeLevel::Part:
      add_part(facts, row.part, places, node);
      break;
  }
  return node;
}

}  // namespace

extensions::SizeResult list_size(Session& session, const ProgramLoader::Program& program,
                                 const lsp::EmptyParams&) {
  extensions::SizeResult result;
  const OpenProgram* const read = begin_answer(session, program, result);
  if (read == nullptr) return result;
  const OpenProgram& open = *read;
  result.file = byte_count(open.size.file_bytes());
  result.external = byte_count(open.size.bytes_of(FilePartKind::External));
  ProgramPlaces places(session, open);
  for (const FileNode& row : open.size.tree())
    result.nodes.push_back(size_node(open.size, row, places));
  result.places = places.take();
  return result;
}

}  // namespace etlens
