// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/source_file.h"

#include "core/base/budget.h"

namespace etlens {

std::shared_ptr<const Document> read_source(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp || stamp->size > kMaxSourceBytes) return nullptr;
  grant_reading(path, stamp->size, stamp->size);
  const Result<Bytes> text = files.read_range(path, 0, stamp->size);
  return text ? std::make_shared<const Document>(std::string(text->text())) : nullptr;
}

}  // namespace etlens
