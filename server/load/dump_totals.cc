// SPDX-License-Identifier: Apache-2.0
#include "server/load/dump_totals.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/facts/headline.h"
#include "core/workspace/load.h"

namespace etlens {

struct DumpTotals::Job {
  StudyWish wish;
  FoundArtifact dump;
  CancelToken cancel;
  std::optional<DumpTotal> total;
};

const DumpTotals::Known* DumpTotals::known(const FoundArtifact& dump) const {
  const auto at = known_.find(dump.path);
  return at == known_.end() || at->second.stamp != dump.stamp ? nullptr : &at->second;
}

std::optional<DumpTotal> DumpTotals::find(const FoundArtifact& dump) const {
  const Known* row = known(dump);
  return row == nullptr ? std::nullopt : row->total;
}

void DumpTotals::want(const std::vector<FoundArtifact>& found, const std::string& shown,
                      const LoadSettings& settings) {
  StudyWish wish = of_any_dump(settings);
  wish.selection.method.clear();  // a dump alone does not tell methods apart
  if (wish != wish_) known_.clear();
  wish_ = std::move(wish);
  waiting_.clear();
  uint64_t bytes = 0;
  std::unordered_map<std::string, Known> kept;
  for (const FoundArtifact* dump : dumps_by_age(found)) {
    if (dump->path == shown) continue;
    bytes += dump->stamp.size;
    if (bytes > kMostBytes || kept.size() + waiting_.size() == kMostDumps) break;
    if (const Known* row = known(*dump)) kept.emplace(dump->path, *row);
    else waiting_.push_back(*dump);
  }
  known_ = std::move(kept);
  std::reverse(waiting_.begin(), waiting_.end());
  if (!is_busy()) start();
}

void DumpTotals::start() {
  // The one that was being read when it was asked for again.
  while (!waiting_.empty() && known(waiting_.back()) != nullptr) waiting_.pop_back();
  if (waiting_.empty()) return;
  const auto next = std::make_shared<Job>(Job{wish_, std::move(waiting_.back()), {}, {}});
  waiting_.pop_back();
  worker_.start(
      next,
      [&files = files_](Job& job) {
        try {
          job.total = read(files, job.wish, job.dump.path, job.cancel);
        } catch (const std::bad_alloc&) {
          // As one that cannot be read.
        }
      },
      [this](const Job& job) {
        if (job.wish == wish_) known_[job.dump.path] = {job.dump.stamp, job.total};
        start();
        if (!is_busy()) changed_();
      });
}

std::optional<DumpTotal> DumpTotals::read(const FileSystem& files, const StudyWish& wish,
                                          const std::string& path, const CancelToken& cancel) {
  LoadRequest request{wish};
  request.etdump = path;
  request.measures = {};
  request.looks_at_others = false;
  const Result<std::shared_ptr<const Study>> study = load_study(files, request, cancel);
  if (!study) return std::nullopt;
  const std::vector<Block>& blocks = (*study)->join->blocks;
  const auto executed = std::count_if(blocks.begin(), blocks.end(),
                                      [](const Block& block) { return block.is_execution; });
  if (executed != 1 && wish.selection.block.empty()) return std::nullopt;
  const Headline head = headline(Facts(*study, 0, FactsFor::Reports));
  if (head.used.empty()) return std::nullopt;
  return DumpTotal{head.total.value, (*study)->clock(), head.samples};
}

}  // namespace etlens
