// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fact_sources.h"

#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kMaxTableBytes = size_t{1} << 30;

// A piece of a pattern: letters that must stand there, behind a value of any length.
struct Piece {
  bool has_value = false;
  std::string_view name;  // of the value; "" for *
  std::string_view letters;
};

// nullopt for a brace without its other.
std::optional<std::vector<Piece>> pieces_of(std::string_view pattern) {
  std::vector<Piece> pieces(1);
  while (!pattern.empty()) {
    const size_t next = pattern.find_first_of("{*");
    pieces.back().letters = pattern.substr(0, next);
    if (next == pattern.npos) break;
    const bool is_star = pattern[next] == '*';
    const size_t end = is_star ? next : pattern.find('}', next);
    if (end == pattern.npos) return std::nullopt;
    pieces.push_back(
        {true, is_star ? std::string_view() : pattern.substr(next + 1, end - next - 1), {}});
    pattern.remove_prefix(end + 1);
  }
  return pieces;
}

// One component of the path; each value is as short as it can be, the last as long as it must be.
bool match_component(std::string_view pattern, std::string_view text, DumpFacts& facts) {
  const std::optional<std::vector<Piece>> pieces = pieces_of(pattern);
  if (!pieces || !text.starts_with(pieces->front().letters)) return false;
  text.remove_prefix(pieces->front().letters.size());
  for (size_t i = 1; i < pieces->size(); ++i) {
    const Piece& piece = (*pieces)[i];
    const bool is_last = i + 1 == pieces->size();
    size_t length = 0;
    if (!is_last) length = piece.letters.empty() ? 0 : text.find(piece.letters);
    else if (text.ends_with(piece.letters)) length = text.size() - piece.letters.size();
    else return false;
    if (length == text.npos) return false;
    if (!piece.name.empty()) facts[std::string(piece.name)] = text.substr(0, length);
    text.remove_prefix(length + piece.letters.size());
  }
  return text.empty();
}

void take_over(const DumpFacts& from, DumpFacts& facts) {
  for (const auto& [name, value] : from) facts[name] = value;
}

std::optional<DumpFacts> read_sidecar(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp || stamp->is_directory || stamp->size > kMaxFactsBytes) return std::nullopt;
  const Result<Bytes> bytes = files.read_range(path, 0, stamp->size);
  if (!bytes) return std::nullopt;
  Result<DumpFacts> facts = read_facts_json(bytes->text());
  return facts ? std::optional(std::move(*facts)) : std::nullopt;
}

// A row names a path or the end of one.
const DumpFacts* find_in_table(const FactsTable& table, std::string_view path) {
  while (!path.empty()) {
    if (const auto at = table.find(path); at != table.end()) return &at->second;
    const size_t slash = path.find('/');
    if (slash == path.npos) break;
    path.remove_prefix(slash + 1);
  }
  return nullptr;
}

}  // namespace

Result<void> add_fact_source(const FileSystem& files, const std::string& text,
                             FactSources& sources) {
  if (!text.ends_with(".csv")) {
    for (const std::string_view component : split(text, '/')) {
      if (!pieces_of(component)) {
        return Error{
            ErrorCode::InvalidParams,
            text + " has a { without its }; write it like devices/{device}/{build}/*.etdp"};
      }
    }
    sources.patterns.push_back(text);
    return {};
  }
  const Result<FileStamp> stamp = files.stat(text);
  if (!stamp) return stamp.error();
  if (stamp->size > kMaxTableBytes)
    return Error{ErrorCode::Unsupported, text + " is larger than a table of facts may be (1 GB)"};
  const Result<Bytes> bytes = files.read_range(text, 0, stamp->size);
  if (!bytes) return bytes.error();
  Result<FactsTable> table = read_facts_csv(bytes->text());
  if (!table) return std::move(table).error().about(text);
  sources.table.merge(*table);
  return {};
}

std::optional<DumpFacts> match_path(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> wanted = path_components(pattern);
  const std::vector<std::string_view> given = path_components(path);
  if (wanted.empty() || wanted.size() > given.size()) return std::nullopt;
  DumpFacts facts;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!match_component(wanted[i], given[given.size() - wanted.size() + i], facts))
      return std::nullopt;
  }
  return facts;
}

DumpFacts facts_of_dump(const FileSystem& files, const FactSources& sources,
                        const std::string& path) {
  DumpFacts facts;
  for (const std::string& pattern : sources.patterns) {
    if (const std::optional<DumpFacts> matched = match_path(pattern, path))
      take_over(*matched, facts);
  }
  const std::string beside = join_path(parent_path(path), stem(path)) + ".json";
  for (const std::string& sidecar : {beside, path + ".json"}) {
    if (const std::optional<DumpFacts> read = read_sidecar(files, sidecar)) take_over(*read, facts);
  }
  if (const DumpFacts* row = find_in_table(sources.table, path)) take_over(*row, facts);
  return facts;
}

}  // namespace etlens
