// SPDX-License-Identifier: Apache-2.0
// The call hierarchy of a measure whose contributions call each other (Facts::has_calls). An item
// carries the contribution's id and the generation of what is shown, so no state is kept; items of
// another generation have no calls. What has no place in any source is left out.
#pragma once

#include <vector>

#include "server/features/features.h"

namespace etlens {

// What is defined at a 0-based line, or around it: the innermost that has a cost.
std::vector<lsp::CallHierarchyItem> prepare_calls(Session& session, const SourceView& view,
                                                  uint32_t line);
std::vector<lsp::CallHierarchyIncomingCall> callers_of(Session& session,
                                                       const lsp::CallHierarchyItem& item);
std::vector<lsp::CallHierarchyOutgoingCall> callees_of(Session& session,
                                                       const lsp::CallHierarchyItem& item);

}  // namespace etlens
