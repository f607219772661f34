// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/other_blocks.h"

#include <algorithm>

#include "core/base/optional_part.h"

namespace etlens {
namespace {

std::optional<OtherBlock> describe(const FileSystem& files, const Artifacts& artifacts,
                                   const LoadRequest& request, BlockId id) {
  const Block& block = artifacts.blocks[id.value];
  const Result<Selection> selection =
      select_block(*artifacts.log, artifacts.trees, artifacts.blocks, artifacts.record.get(),
                   {"", block.name}, artifacts.backends);
  std::optional<MethodFit> fit;
  if (selection && selection->fit && selection->fit->verdict() != PairVerdict::Mismatch)
    fit = selection->fit;
  const JoinedBlock joined = join_block(files, artifacts, request, id, fit);
  TimeOptions options = request.time;
  options.executions.clear();
  options.group.clear();
  const Result<TimeMeasure> time = measure_time(joined.join, options);
  if (!time) return std::nullopt;
  const Measure& measure = time->measure;
  return OtherBlock{std::string(joined.join.code().method_name()), block.name,
                    measure.samples.totals.size(), measure.shown(measure.total.typical())};
}

}  // namespace

std::vector<OtherBlock> other_blocks(const FileSystem& files, const Artifacts& artifacts,
                                     const LoadRequest& request, BlockId shown,
                                     const CancelToken& cancel) {
  const auto has_more = [&](BlockId a, BlockId b) {
    return artifacts.blocks[a.value].runs.size() > artifacts.blocks[b.value].runs.size();
  };
  std::vector<BlockId> ids;  // a dump may have thousands of blocks: those that are described
  for (size_t b = 0; b < artifacts.blocks.size(); ++b) {
    const BlockId id(b);
    if (!artifacts.blocks[b].is_execution || id == shown) continue;
    ids.insert(std::upper_bound(ids.begin(), ids.end(), id, has_more), id);
    if (ids.size() > kMostOtherBlocks) ids.pop_back();
  }
  std::vector<OtherBlock> others;
  for (const BlockId id : ids) {
    auto other = optional_part(nullptr, Oddity::MeasureExpensive, cancel,
                               [&] { return describe(files, artifacts, request, id); });
    if (other && *other) others.push_back(**std::move(other));
  }
  return others;
}

}  // namespace etlens
