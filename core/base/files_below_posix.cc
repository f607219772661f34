// SPDX-License-Identifier: Apache-2.0
// Files below folders on POSIX.
#include "core/base/files_below.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <climits>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/open_beneath.h"
#include "core/base/open_descriptor.h"
#include "core/base/walk_below.h"

namespace etlens {
namespace {

constexpr int kMaxExchanges = 16;  // of a name between two looks at it

// Something that is open to be looked at, or why it is not.
class Opened {
 public:
  Opened() = default;
  Opened(Descriptor file, const struct stat& status) : file_(std::move(file)), status_(status) {}

  // No link in the path is followed: there was none when the folder became a root.
  static Opened root(const std::string& path, const std::function<void()>& between);
  static Opened failure(WalkFailure why) {
    Opened failed;
    failed.is_outside_ = why == WalkFailure::Outside;
    failed.error_ = why == WalkFailure::NoFolder  ? ENOTDIR
                    : why == WalkFailure::Changed ? EAGAIN
                                                  : ELOOP;
    return failed;
  }
  static Opened of_error(int error) {
    Opened failed;
    failed.error_ = error;
    return failed;
  }
  static Opened of(Descriptor file);

  Opened child(const std::string& name) const;

  StepKind kind() const {
    if (error_ != 0) return StepKind::Failed;
    if (S_ISLNK(status_.st_mode)) return StepKind::Link;
    if (S_ISDIR(status_.st_mode)) return StepKind::Folder;
    return S_ISREG(status_.st_mode) ? StepKind::File : StepKind::Other;
  }
  const std::string& link() const { return link_; }
  const Descriptor& file() const { return file_; }
  const struct stat& status() const { return status_; }
  int error() const { return error_; }
  bool is_outside() const { return is_outside_; }

 private:
  Descriptor file_;
  struct stat status_ {};
  const std::function<void()>* between_ = nullptr;  // two looks at a name
  std::string link_;                                // where it leads, if it is one
  int error_ = 0;
  bool is_outside_ = false;
};

Opened Opened::of(Descriptor file) {
  struct stat status;
  if (!file.is_open() || ::fstat(file.value(), &status) != 0) return of_error(errno);
  return {std::move(file), status};
}

// What is at the name; pipes, devices and links without being opened.
Opened Opened::child(const std::string& name) const {
  for (int n = 0; n < kMaxExchanges; ++n) {
    struct stat status;
    if (::fstatat(file_.value(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      return of_error(errno);
    if (*between_) (*between_)();
    if (S_ISLNK(status.st_mode)) {
      std::string text(PATH_MAX, '\0');
      const ssize_t size = ::readlinkat(file_.value(), name.c_str(), text.data(), text.size());
      if (size < 0 && errno == EINVAL) continue;  // it is none any more
      if (size < 0) return of_error(errno);
      text.resize(static_cast<size_t>(size));
      Opened link(Descriptor(), status);
      link.link_ = std::move(text);
      return link;
    }
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) return {Descriptor(), status};
    Opened opened = of(open_to_look(file_, name));
    const bool is_same = opened.error_ == 0 && opened.status_.st_dev == status.st_dev &&
                         opened.status_.st_ino == status.st_ino;
    opened.between_ = between_;
    if (is_same) return opened;
    if (opened.error_ != 0 && opened.error_ != ELOOP && opened.error_ != ENXIO) return opened;
  }
  return of_error(EAGAIN);
}

Opened Opened::root(const std::string& path, const std::function<void()>& between) {
  Opened at = of(open_top());
  at.between_ = &between;
  for (const std::string_view part : walk_below_detail::parts_of(path)) {
    if (at.kind() != StepKind::Folder) return at.error_ != 0 ? std::move(at) : of_error(ENOTDIR);
    at = at.child(std::string(part));
  }
  return at.kind() == StepKind::Link ? of_error(ELOOP) : std::move(at);
}

class FilesBelow final : public FileSystem {
 public:
  FilesBelow(RootNames roots, WayBelow way, std::function<void()> between)
      : roots_(std::move(roots)), way_(way), between_(std::move(between)) {}

  Result<FileStamp> stat(std::string_view path) const override {
    const End end = open(path);
    if (end.at.kind() == StepKind::Failed) return error_of(path, end.at);
    return stamp_of(end.at.status());
  }

  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }

  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    End end = open(path);
    if (end.at.kind() == StepKind::Failed) return error_of(path, end.at);
    if (Result<void> regular = check_regular(path, end.at.status()); !regular)
      return std::move(regular).error();
    if (between_) between_();
    Descriptor file = way_ == WayBelow::Best ? open_again(end.at.file()) : Descriptor();
    if (!file.is_open() && (way_ == WayBelow::StepByStep || errno == ENOENT)) {  // without /proc
      if (!end.above.file().is_open()) end = walk(path);
      if (end.at.kind() != StepKind::File) return error_of(path, end.at);
      file = Descriptor(::openat(end.above.file().value(), end.name.c_str(),
                                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    }
    struct stat status;
    if (!file.is_open() || ::fstat(file.value(), &status) != 0) return system_error(path, errno);
    const struct stat& looked_at = end.at.status();
    if (status.st_dev != looked_at.st_dev || status.st_ino != looked_at.st_ino)
      return system_error(path, EAGAIN);
    return read_open(path, file, offset, size);
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    const End end = open(folder);
    if (end.at.kind() == StepKind::Failed) return error_of(folder, end.at);
    if (end.at.kind() != StepKind::Folder) return system_error(folder, ENOTDIR);
    if (between_) between_();
    Descriptor opened(::openat(end.at.file().value(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.is_open()) return system_error(folder, errno);
    return list_open(folder, std::move(opened));
  }

 private:
  using End = WalkEnd<Opened>;

  Error error_of(std::string_view path, const Opened& failed) const {
    if (failed.is_outside()) return roots_.refusal(path);
    return system_error(path, failed.error() != 0 ? failed.error() : EAGAIN);  // is another now
  }

  End walk(std::string_view path) const {
    return walk_below<Opened>(
        roots_, path, [&](const std::string& root) { return Opened::root(root, between_); });
  }

  End open(std::string_view path) const {
    std::string_view rest;
    const RootFolder* root =
        path.find('\0') == std::string_view::npos ? roots_.find(path, rest) : nullptr;
    if (root == nullptr) return {Opened::failure(WalkFailure::Outside), Opened(), {}};
    if (path.size() >= PATH_MAX) return {Opened::of_error(ENAMETOOLONG), Opened(), {}};
    if (way_ == WayBelow::Best) {
      Descriptor file = open_beneath(root->real, rest);
      const int error = file.is_open() ? 0 : errno;
      if (error == 0) return {Opened::of(std::move(file)), Opened(), {}};
      if (!is_for_walking(error)) return {Opened::of_error(error), Opened(), {}};
    }
    return walk(path);
  }

  const RootNames roots_;
  const WayBelow way_;
  const std::function<void()> between_;
};

}  // namespace

std::unique_ptr<const FileSystem> files_below(RootNames roots, WayBelow way,
                                              std::function<void()> between) {
  return std::make_unique<const FilesBelow>(std::move(roots), way, std::move(between));
}

}  // namespace etlens
