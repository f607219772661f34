// SPDX-License-Identifier: Apache-2.0
#include "bench/corpus_dumps.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/workspace/load.h"

namespace etlens {
namespace {

// `path`, or an unpacked copy of a .gz file.
std::string unpacked(const fs::path& path) {
  if (path.extension() != ".gz") return path.string();
  std::string name = path.string();
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path copy = fs::temp_directory_path() / ("etlens-bench" + name);
  std::ofstream out(copy, std::ios::binary);
  gzFile file = gzopen(path.c_str(), "rb");
  std::vector<char> chunk(1 << 20);
  for (int n = 0; (n = gzread(file, chunk.data(), static_cast<unsigned>(chunk.size()))) > 0;)
    out.write(chunk.data(), n);
  gzclose(file);
  return copy.string();
}

bool has_extension(const fs::path& path, std::initializer_list<std::string_view> endings) {
  const std::string name = path.filename().string();
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

std::optional<Join> join_of(const DumpFiles& of) {
  LoadRequest request;
  request.etdump = unpacked(of.dump);
  request.etrecord = of.record.string();
  if (fs::exists(of.program)) request.pte = of.program.string();
  const auto complain = [&](const Error& error) {
    fmt::print(stderr, "{}: {}\n", of.dump.string(), error.message);
    return std::nullopt;
  };
  const Result<Artifacts> artifacts = load_artifacts(real_file_system(), request);
  if (!artifacts) return complain(artifacts.error());
  const Result<Selection> selection =
      select_block(*artifacts->log, artifacts->trees, artifacts->blocks, artifacts->record.get(),
                   request.selection);
  if (!selection) return complain(selection.error());
  if (selection->fit->verdict() == PairVerdict::Mismatch)
    return complain({ErrorCode::Unsupported, mismatch_sentence(request, *selection->fit)});
  return join_block(real_file_system(), *artifacts, request, selection->block, selection->fit).join;
}

std::vector<fs::path> folders_below(const fs::path& folder) {
  std::vector<fs::path> folders{folder};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<DumpFiles> dumps_in(const fs::path& folder) {
  std::vector<fs::path> dumps;
  std::vector<fs::path> records;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (has_extension(entry.path(), {".etrecord"})) records.push_back(entry.path());
    if (has_extension(entry.path(), {".etdp", ".etdump", ".etdp.gz"}))
      dumps.push_back(entry.path());
  }
  std::sort(dumps.begin(), dumps.end());
  std::sort(records.begin(), records.end());
  std::vector<DumpFiles> files;
  if (records.empty()) return files;
  for (const fs::path& dump : dumps) files.push_back({dump, records.front(), folder / "model.pte"});
  return files;
}

}  // namespace etlens
