// SPDX-License-Identifier: Apache-2.0
// A record that an earlier load read: taken as it is while nothing that it came from has changed. A
// dump that replaces another costs neither reading the record again nor finding its lines again.
#pragma once

#include "core/workspace/load.h"

namespace etlens {

// Puts the record of request.earlier into the artifacts, whose record_stamp is that of the file
// now. False if it has to be read again.
bool take_earlier_record(const FileSystem& files, const LoadRequest& request, Artifacts& artifacts);

}  // namespace etlens
