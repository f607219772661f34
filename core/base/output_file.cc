// SPDX-License-Identifier: Apache-2.0
#include "core/base/output_file.h"

#include <cerrno>
#include <utility>

#include "core/base/file_system.h"
#include "core/base/path.h"

namespace etlens {
namespace {

constexpr int kStdout = 1;
constexpr int kStderr = 2;
constexpr unsigned kMaxAttempts = 100;
// A name may have 255 bytes.
constexpr size_t kMaxBaseName = 200;

ServedStreams served;  // of the one thread that answers

}  // namespace

std::string temporary_name(const std::string& path, unsigned attempt) {
  const size_t slash = path.find_last_of(system_paths().separators);
  const size_t begin = slash == std::string::npos ? 0 : slash + 1;
  std::string name = path.substr(begin);
  if (name.size() > kMaxBaseName) name.clear();
  return path.substr(0, begin) + "." + name + ".etlens-" + std::to_string(process_id()) + "-" +
         std::to_string(attempt);
}

Result<OutputFile> OutputFile::create(const std::string& path, OutputOptions options) {
  OutputFile file;
  file.path_ = path;
  file.options_ = options;
  const OutputTarget target = find_output_target(path);
  if (!target.problem.empty()) return file.cannot_write(target.problem);
  file.owns_descriptor_ = true;
  file.descriptor_ = target.descriptor;
  file.replaces_file_ = target.is_file;
  for (unsigned attempt = 0; file.descriptor_ < 0; ++attempt) {
    const std::string name = temporary_name(path, attempt);
    file.descriptor_ = create_unfinished(name, target, options.is_program);
    if (file.descriptor_ >= 0) {
      file.temporary_ = name;
    } else if (errno != EEXIST || attempt + 1 >= kMaxAttempts) {
      const std::string reason = last_problem();
      return file.cannot_write(target.is_file ? "no file can be made next to it: " + reason
                                              : reason);
    }
  }
  return file;
}

OutputFile OutputFile::standard_output() {
  OutputFile file;
  file.descriptor_ = kStdout;
  file.is_served_ = static_cast<bool>(served.out);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      options_(other.options_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      owns_descriptor_(std::exchange(other.owns_descriptor_, false)),
      replaces_file_(other.replaces_file_),
      is_served_(other.is_served_),
      has_no_reader_(other.has_no_reader_),
      problem_(std::move(other.problem_)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  temporary_ = std::exchange(other.temporary_, {});
  options_ = other.options_;
  descriptor_ = std::exchange(other.descriptor_, -1);
  owns_descriptor_ = std::exchange(other.owns_descriptor_, false);
  replaces_file_ = other.replaces_file_;
  is_served_ = other.is_served_;
  has_no_reader_ = other.has_no_reader_;
  problem_ = std::move(other.problem_);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

bool OutputFile::write(std::string_view text) {
  if (has_no_reader_ || !problem_.empty()) return false;
  if (is_served_) return !(has_no_reader_ = !served.out || !served.out(text));
  switch (write_all(descriptor_, text)) {
    case WriteEnd::Written:
      return true;
    case WriteEnd::NoReader:
      has_no_reader_ = true;
      return false;
    case WriteEnd::Failed:
      problem_ = last_problem();
      return false;
  }
  return false;
}

Result<void> OutputFile::copy(const std::string& from) {
  constexpr uint64_t kPiece = 1 << 20;
  const FileSystem& files = real_file_system();
  const Result<FileStamp> before = files.stat(from);
  if (!before) return before.error();
  if (!clone_into(descriptor_, from)) {
    for (uint64_t at = 0; at < before->size; at += kPiece) {
      const Result<Bytes> piece = files.read_range(from, at, kPiece);
      if (!piece) return piece.error();
      if (!write(piece->text())) return cannot_write(problem_);
    }
  }
  const Result<FileStamp> after = files.stat(from);
  if (!after) return after.error();
  if (*after != *before)
    return Error{ErrorCode::Incomplete,
                 from + " changed while it was copied; wait until it is written, and try again"};
  return {};
}

Result<void> OutputFile::commit() {
  if (!problem_.empty()) return cannot_write(problem_);
  Result<void> placed = put_in_place();
  discard();
  return placed;
}

Result<void> OutputFile::publish() {
  if (temporary_.empty()) return {};
  if (Result<void> placed = put_in_place(); !placed) return placed;
  descriptor_ = open_to_append(path_);
  if (descriptor_ < 0) return cannot_write(last_problem());
  owns_descriptor_ = true;
  return {};
}

// The old file may be the only good one that the user has: it goes once the new one is on the disk.
Result<void> OutputFile::put_in_place() {
  if (temporary_.empty()) {
    const bool is_closed =
        !std::exchange(owns_descriptor_, false) || close_descriptor(std::exchange(descriptor_, -1));
    return is_closed ? Result<void>() : cannot_write(last_problem());
  }
  if (replaces_file_ && !flush_to_disk(descriptor_)) return cannot_write(last_problem());
  const int descriptor = std::exchange(descriptor_, -1);
  if (!close_descriptor(descriptor)) return cannot_write(last_problem());
  if (!move_finished(temporary_, path_, options_.may_replace)) return cannot_write(last_problem());
  temporary_.clear();
  return {};
}

Error OutputFile::cannot_write(const std::string& reason) const {
  return {ErrorCode::Io, "cannot write " + (path_.empty() ? "to stdout" : path_) + ": " + reason +
                             "; check the path and the space left"};
}

void OutputFile::discard() {
  if (owns_descriptor_ && descriptor_ >= 0) close_descriptor(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) remove_unfinished(temporary_);
  temporary_.clear();
}

void write_message(std::string_view text) {
  if (served.message) served.message(text);
  else (void)write_all(kStderr, text);
}

void serve_streams(ServedStreams streams) { served = std::move(streams); }

}  // namespace etlens
