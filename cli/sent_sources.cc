// SPDX-License-Identifier: Apache-2.0
#include "cli/sent_sources.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/code/library_frame.h"
#include "mcp/rooted_files.h"

namespace etlens::cli {

std::shared_ptr<const FileSystem> sent_sources(const LoadRequest& request) {
  std::vector<std::string> folders = request.roots;
  for (const std::string& path : {request.etdump, request.etrecord, request.pte, request.profile}) {
    if (!path.empty()) folders.emplace_back(parent_path(path));
  }
  for (const PathMapping& mapping : request.path_mappings) {
    const Result<FileStamp> stamp = real_file_system().stat(mapping.to);
    const bool is_folder = stamp && stamp->is_directory;
    folders.push_back(is_folder ? mapping.to : std::string(parent_path(mapping.to)));
  }
  // The whole machine is nobody's working folder.
  const std::string here = current_folder();
  if (here != root_of(here)) folders.push_back(here);
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return std::make_shared<mcp::RootedFiles>(real_file_system(), folders, mcp::RootAccess());
}

std::vector<std::string> left_out_sources(const Code& code,
                                          const std::vector<SourceLocation>& sources,
                                          const LoadRequest& request) {
  std::vector<std::string> left_out;
  for (size_t f = 0; f < sources.size(); ++f) {
    const std::string_view recorded = code.recorded_path(FileId(f));
    std::string path = sources[f].path;
    if (path.empty() && !(code.has_definitions && is_installed_file(recorded)))
      path = map_path(real_file_system(), recorded, request.path_mappings, {}).path;
    const bool is_sent = path.empty() || request.source_files->stat(path);
    if (!is_sent && real_file_system().stat(path)) left_out.emplace_back(recorded);
  }
  return left_out;
}

}  // namespace etlens::cli
