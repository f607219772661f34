// SPDX-License-Identifier: Apache-2.0
// What libgit2 may take: a packed object is made from others, of any size that a hostile pack
// claims, and libgit2 unpacks each of them whole.
#pragma once

namespace etlens {

// To be called before libgit2 is used for the first time: from then on no single allocation of it
// is larger than 64 MB; what would need one cannot be read. Later calls do nothing.
void limit_git_allocations();

}  // namespace etlens
