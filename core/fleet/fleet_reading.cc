// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet_reading.h"

#include <algorithm>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr uint64_t kRowBytesAtOnce = 256 * 1024;

// NDJSON, however it is called.
bool is_rows(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp || stamp->is_directory) return false;
  const Result<Bytes> front = files.read_range(path, 0, 1);
  return front && front->span().size() == 1 && front->span().front() == '{';
}

}  // namespace

FleetReading::FleetReading(const FileSystem& files, FleetSource source)
    : files_(files), source_(std::move(source)), builder_(source_.fleet) {}

Result<void> FleetReading::begin() {
  has_begun_ = true;
  if (source_.paths.size() == 1 && is_rows(files_, source_.paths.front())) {
    const Result<FileStamp> stamp = files_.stat(source_.paths.front());
    if (!stamp) return stamp.error();
    all_ = stamp->size;
    rows_.emplace(source_.paths.front(), builder_);
    return {};
  }
  Result<DumpSearch> search = find_dumps(files_, source_.paths, source_.cancel);
  if (!search) return std::move(search).error();
  if (search->dumps.empty()) {
    return Error{ErrorCode::NotFound, "no ETDump below " + join(source_.paths, ", ") +
                                          "; name a folder that holds dumps of one program"};
  }
  DumpReaderOptions options;
  for (const std::string& text : source_.facts) {
    if (Result<void> added = add_fact_source(files_, text, options.facts); !added) return added;
  }
  options.load = source_.load;
  options.partners = std::move(search->partners);
  for (const FoundArtifact& partner : source_.partners) {
    if (std::none_of(options.partners.begin(), options.partners.end(),
                     [&](const FoundArtifact& known) { return known.path == partner.path; }))
      options.partners.push_back(partner);
  }
  options.here = source_.here;
  reader_.emplace(files_, std::move(options));
  dumps_ = std::move(search->dumps);
  all_ = dumps_.size();
  return {};
}

Result<bool> FleetReading::read_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  if (!has_begun_) {
    if (Result<void> begun = begin(); !begun) return std::move(begun).error();
  }
  do {
    if (source_.cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
    const Result<bool> is_over = rows_ ? read_rows() : read_one();
    if (!is_over || *is_over) return is_over;
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

Result<bool> FleetReading::read_one() {
  if (done_ == all_) return true;
  DumpOutcome outcome = reader_->read(dumps_[done_++]);
  for (std::string& sentence : reader_->take_left_out())
    builder_.leave_out_record(std::move(sentence));
  if (auto* broken = std::get_if<BrokenDump>(&outcome)) {
    builder_.add(std::move(*broken));
  } else if (Result<void> added = builder_.add(std::get<DumpRows>(outcome)); !added) {
    return std::move(added).error();
  }
  return done_ == all_;
}

Result<bool> FleetReading::read_rows() {
  const Result<Bytes> bytes =
      files_.read_range(source_.paths.front(), done_, std::min(kRowBytesAtOnce, all_ - done_));
  if (!bytes) return bytes.error();
  const std::span<const uint8_t> span = bytes->span();
  done_ += span.size();
  const std::string_view text(reinterpret_cast<const char*>(span.data()), span.size());
  if (Result<void> taken = rows_->take(text); !taken) return std::move(taken).error();
  if (!span.empty() && done_ < all_) return false;
  if (Result<void> over = rows_->finish(); !over) return std::move(over).error();
  return true;
}

double FleetReading::progress() const {
  return all_ == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(all_);
}

Result<Fleet> FleetReading::finish() && {
  Fleet fleet = std::move(builder_).finish();
  if (fleet.dumps > 0) return fleet;
  std::string sentence = "there is no dump that can be used in " + join(source_.paths, ", ");
  for (const BrokenDumps& broken : fleet.broken) {
    if (broken.count == 0) continue;
    sentence += ": " + broken.named.front().sentence;
    break;
  }
  return Error{ErrorCode::Unsupported, std::move(sentence)};
}

}  // namespace etlens
