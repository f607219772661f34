// SPDX-License-Identifier: Apache-2.0
// Bytes -> XNNPACK payload reader -> alignment with events that the payload itself suggests.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/names.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const Result<XnnpackPayload> payload = read_xnnpack_payload({data, size});
  if (!payload) return 0;
  // The first byte says which operators report nothing.
  std::vector<std::string> texts;
  for (size_t o = 0; o < payload->operators.size(); ++o) {
    if (size > 0 && (data[0] >> (o % 8) & 1) != 0) continue;
    const auto names = names_of(payload->operators[o].kind, XnnpackNameSet::OfKind);
    texts.push_back((names.empty() ? "Odd" : std::string(names.front().name)) + " (NC)");
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const XnnpackAlignment alignment = align_xnnpack(*payload, views);
  for (const XnnpackMatch& match : alignment.events) {
    if (match.origin.op != kNone && match.origin.op >= payload->operators.size()) std::abort();
    if (match.is_certain && match.candidates.size() != 1) std::abort();
  }
  if (alignment.is_as_predicted && count_unexplained(*payload, views) != 0) std::abort();
  return 0;
}
