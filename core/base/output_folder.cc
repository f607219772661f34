// SPDX-License-Identifier: Apache-2.0
#include "core/base/output_folder.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/output_file.h"
#include "core/base/path.h"

namespace etlens {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostNames = 100;

// Paths are UTF-8 on every system.
fs::path system_path(const std::string& path) { return {std::u8string(path.begin(), path.end())}; }

Error folder_error(const std::string& path, const std::string& reason) {
  return {ErrorCode::Io,
          "cannot write " + path + ": " + reason + "; check the path and the space left"};
}

// False: `error` says why, or is empty if the name is taken.
bool make_folder(const fs::path& path, std::error_code& error) {
  if (!fs::create_directory(path, error)) return false;
  fs::permissions(path, fs::perms::owner_all, error);
  return !error;
}

// The names that temporary_name() gives: ".NAME.etlens-PID-N".
bool is_temporary(const std::string& name) {
  return name.starts_with('.') && name.find(".etlens-") != std::string::npos;
}

}  // namespace

Result<void> make_private_folder(const std::string& path) {
  std::error_code error;
  if (make_folder(system_path(path), error)) return {};
  if (error) return folder_error(path, error.message());
  if (fs::is_directory(fs::symlink_status(system_path(path), error))) return {};
  return folder_error(path, "a file or a symbolic link has this name");
}

OutputFolder::OutputFolder(std::string path, std::string temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)) {}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

OutputFolder::~OutputFolder() {
  if (!temporary_.empty()) (void)remove_tree(temporary_);
}

Result<OutputFolder> OutputFolder::create(const std::string& path) {
  for (unsigned attempt = 0; attempt < kMostNames; ++attempt) {
    std::string name = temporary_name(path, attempt);
    std::error_code error;
    if (make_folder(system_path(name), error)) return OutputFolder(path, std::move(name));
    if (error) return folder_error(path, error.message());
  }
  return folder_error(path, "temporary folders of earlier runs are next to it");
}

// An empty folder would be replaced where the system allows that; nobody else makes folders of this name.
Result<void> OutputFolder::commit() {
  std::error_code error;
  if (fs::exists(fs::symlink_status(system_path(path_), error)))
    return folder_error(path_, "the name is taken");
  fs::rename(system_path(temporary_), system_path(path_), error);
  if (error) return folder_error(path_, error.message());
  temporary_.clear();
  return {};
}

size_t remove_leftovers(const std::string& folder) {
  std::vector<std::string> left;
  std::error_code error;
  for (fs::directory_iterator at(system_path(folder), error), end; !error && at != end;
       at.increment(error)) {
    const std::u8string name = at->path().filename().u8string();
    if (std::string text(name.begin(), name.end()); is_temporary(text))
      left.push_back(std::move(text));
  }
  size_t removed = 0;
  for (const std::string& name : left)
    removed += remove_tree(join_path(folder, name)).has_value() ? 1 : 0;
  return removed;
}

Result<void> remove_tree(const std::string& path) {
  std::error_code error;
  fs::remove_all(system_path(path), error);
  if (error) return Error{ErrorCode::Io, "cannot remove " + path + ": " + error.message()};
  return {};
}

}  // namespace etlens
