// SPDX-License-Identifier: Apache-2.0
// OpenStudy: what the session shows, with its sources as they were on disk when it was loaded.
// Immutable and shared: the next one replaces it whole.
#pragma once

#include <memory>
#include <vector>

#include "core/base/file_system.h"
#include "core/facts/headline.h"
#include "core/source/python/python_syntax.h"
#include "core/workspace/anchored_source.h"
#include "server/artifact_set.h"

namespace etlens {

struct DiskSource {
  FileStamp stamp;
  AnchoredSource anchored;
  std::shared_ptr<const PythonSyntax> syntax;  // null if the file was not found or not readable
};

struct OpenStudy {
  Facts facts;
  Headline headline;                // of the facts
  std::vector<DiskSource> sources;  // one per Code::files
  LoadKey used;                     // the artifacts that were chosen, with their stamps
};

}  // namespace etlens
