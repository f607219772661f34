// SPDX-License-Identifier: Apache-2.0
// How POSIX opens what is below a folder, with what Linux has for it.
#pragma once

#include <string>
#include <string_view>

#include "core/base/open_descriptor.h"

namespace etlens {

// To be looked at, not read: below the folder `root`, in whose path no link is followed, along
// links that stay below it. errno says why it is not open.
Descriptor open_beneath(const std::string& root, std::string_view rest);
// Whether going there one folder after the other may do what open_beneath did not: the kernel is
// too old for it, or a link is absolute.
bool is_for_walking(int error);

// To be looked at: what is at the name in that folder; a link as such, or not at all.
Descriptor open_to_look(const Descriptor& folder, const std::string& name);
Descriptor open_top();

// To be read: what is open to be looked at, and nothing else, whatever its name leads to now.
// ENOENT where the system cannot do that.
Descriptor open_again(const Descriptor& file);

}  // namespace etlens
