// SPDX-License-Identifier: Apache-2.0
// Sources of what is made to be sent or posted: a page, a report, a table in Markdown. A record can
// name any file of this machine, so that such output holds the text of no file but those below the
// roots, the artifacts' folders and the working folder, wherever links among them lead.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/code/code.h"
#include "core/workspace/load.h"

namespace etlens::cli {

// The files whose text may be sent: below the folders of the request and the working folder, and
// where the user's own mappings lead.
std::shared_ptr<const FileSystem> sent_sources(const LoadRequest& request);

// The files of the code, as they were recorded, that are on this machine and whose text is left
// out. `sources`: as they were found among sent_sources(), which the request has.
std::vector<std::string> left_out_sources(const Code& code,
                                          const std::vector<SourceLocation>& sources,
                                          const LoadRequest& request);

}  // namespace etlens::cli
