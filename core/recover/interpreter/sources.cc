// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/sources.h"

#include <algorithm>

#include "core/base/path.h"

namespace etlens::recover {
namespace {

// What one record makes us open, and look for.
constexpr size_t kMaxFiles = 256;
constexpr size_t kMaxBytes = 8 << 20;
constexpr size_t kMaxPaths = 4096;
constexpr size_t kMaxFileSteps = 4'000'000;  // of all top levels

std::string folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

}  // namespace

void PythonSources::spell(std::string_view recorded_path) {
  spelled_.try_emplace(with_slashes(recorded_path), recorded_path);
}

SourceFile* PythonSources::open(const std::string& recorded_path) {
  const std::string path = with_slashes(recorded_path);
  const auto at = files_.find(path);
  if (at != files_.end()) return at->second.get();
  if (files_.size() >= kMaxPaths || opened_ >= kMaxFiles || opened_bytes_ >= kMaxBytes)
    return nullptr;
  std::unique_ptr<SourceFile>& slot = files_[path];
  const std::shared_ptr<const PythonSyntax> syntax = read_(path);
  std::shared_ptr<const PythonTree> tree = syntax == nullptr ? nullptr : syntax->tree();
  if (tree == nullptr) return nullptr;
  opened_bytes_ += tree->document->text().size();
  ++opened_;
  slot = std::make_unique<SourceFile>();
  slot->path = path;
  const auto spelled = spelled_.find(path);
  slot->recorded_path = spelled == spelled_.end() ? path : spelled->second;
  slot->tree = std::move(tree);
  changes_.add(*slot->tree);
  slot->is_package = path.ends_with("/__init__.py");
  slot->globals = arena_.environment(nullptr, slot.get());
  slot->value = arena_.make(payload::File{slot.get()});
  return slot.get();
}

SourceFile* PythonSources::open_module(const std::string& base) {
  if (SourceFile* file = open(base + ".py")) return file;
  return open(base + "/__init__.py");
}

SourceFile* PythonSources::find_module(std::string_view dotted) {
  for (const auto& [path, file] : files_) {
    if (file != nullptr && file->name == dotted) return file.get();
  }
  std::string relative(dotted);
  std::replace(relative.begin(), relative.end(), '.', '/');
  for (const std::string& root : roots_) {
    if (SourceFile* file = open_module(root + relative)) {
      if (file->name.empty()) file->name = dotted;
      return file;
    }
  }
  return nullptr;
}

SourceFile* PythonSources::find_relative(const SourceFile& from, size_t dots,
                                         std::string_view dotted) {
  std::string folder = folder_of(from.path);
  for (size_t i = 1; i < dots; ++i) {
    if (folder.empty()) return nullptr;
    folder = folder_of(std::string_view(folder).substr(0, folder.size() - 1));
  }
  if (dotted.empty()) return open(folder + "__init__.py");
  std::string relative(dotted);
  std::replace(relative.begin(), relative.end(), '.', '/');
  return open_module(folder + relative);
}

void PythonSources::name_file(const std::string& recorded_path, std::string_view dotted) {
  const std::string path = with_slashes(recorded_path);
  std::string tail(dotted);
  std::replace(tail.begin(), tail.end(), '.', '/');
  std::string root;
  if (path.ends_with("/" + tail + ".py")) {
    root = path.substr(0, path.size() - tail.size() - 3);
  } else if (path.ends_with("/" + tail + "/__init__.py")) {
    root = path.substr(0, path.size() - tail.size() - 12);
  } else {
    root = folder_of(path);  // __main__, or a module that was put on the path by itself
  }
  if (std::find(roots_.begin(), roots_.end(), root) == roots_.end()) roots_.push_back(root);
  if (SourceFile* file = open(path); file != nullptr && file->name.empty()) file->name = dotted;
}

bool PythonSources::may_run_file() const { return file_steps_ < kMaxFileSteps; }

bool PythonSources::is_project(std::string_view dotted) const {
  const std::string top(dotted.substr(0, dotted.find('.')));
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
    const std::string folder = root + top + "/";
    const auto first = spelled_.lower_bound(folder);
    return spelled_.contains(root + top + ".py") ||
           (first != spelled_.end() && first->first.starts_with(folder));
  });
}

void PythonSources::name_main(const std::string& recorded_path) {
  name_file(recorded_path, "__main__");
}

std::vector<SourceFile*> PythonSources::opened() const {
  std::vector<SourceFile*> files;
  for (const auto& [path, file] : files_) {
    if (file != nullptr) files.push_back(file.get());
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile* a, const SourceFile* b) { return a->path < b->path; });
  return files;
}

}  // namespace etlens::recover
