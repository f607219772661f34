// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/reference_outputs.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/text.h"
#include "core/formats/etrecord/members.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

constexpr std::string_view kArchiveStart = "PK\x03\x04";
constexpr std::string_view kData = "/data/";
constexpr uint64_t kMaxOutputsBytes = 1ull << 30;

// One file, already in memory.
class OneFile final : public FileSystem {
 public:
  explicit OneFile(const Bytes& content) : content_(content) {}

  Result<FileStamp> stat(std::string_view) const override { return FileStamp{content_.size()}; }
  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, content_.size());
  }
  Result<Bytes> read_range(std::string_view, uint64_t offset, uint64_t size) const override {
    if (offset >= content_.size()) return Bytes(0);
    Bytes part(std::min<uint64_t>(size, content_.size() - offset));
    std::memcpy(part.data(), content_.data() + offset, part.size());
    return part;
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view) const override {
    return std::vector<DirectoryEntry>();
  }

 private:
  const Bytes& content_;
};

// "archive/data/12" -> 12.
std::optional<int64_t> storage_number(std::string_view name) {
  const size_t at = name.rfind(kData);
  return at == std::string_view::npos ? std::nullopt : parse_int(name.substr(at + kData.size()));
}

}  // namespace

Result<std::vector<Bytes>> read_reference_outputs(const FileSystem& files, std::string_view path) {
  const Result<ZipArchive> record = ZipArchive::open(files, path);
  if (!record) return record.error();
  std::vector<Bytes> tensors;
  const ZipMember* member = record->find(kReferenceOutputs);
  if (member == nullptr || member->size == 0) return tensors;
  if (member->size > kMaxOutputsBytes) {
    return Error{ErrorCode::Unsupported, "has over 1 GB of reference outputs"};
  }
  const Result<Bytes> content = record->read(*member);
  if (!content) return content.error();
  if (!content->text().starts_with(kArchiveStart)) {
    return Error{ErrorCode::Unsupported,
                 "has its reference outputs in a pickle, as releases before 1.3 wrote them; give "
                 "the bundled program (.bpte) instead"};
  }
  const OneFile file(*content);
  const Result<ZipArchive> archive = ZipArchive::open(file, kReferenceOutputs);
  if (!archive) return archive.error();
  std::vector<std::pair<int64_t, const ZipMember*>> storages;
  for (const ZipMember& row : archive->members()) {
    if (const std::optional<int64_t> number = storage_number(row.name))
      storages.emplace_back(*number, &row);
  }
  std::sort(storages.begin(), storages.end());
  for (const auto& [number, row] : storages) {
    Result<Bytes> bytes = archive->read(*row);
    if (!bytes) return std::move(bytes).error();
    tensors.push_back(std::move(*bytes));
  }
  return tensors;
}

}  // namespace etlens
