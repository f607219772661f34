// SPDX-License-Identifier: Apache-2.0
#include "core/join/payload_titles.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

class PayloadTitles {
 public:
  PayloadTitles(const ProgramMethod& program,
                const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload,
                Join& join)
      : program_(program), read_payload_(read_payload), join_(join) {}

  void run() {
    const std::vector<SequenceId>& sequences = join_.selected().sequences;
    for (size_t s = 0; s < sequences.size(); ++s) {
      const std::vector<EventKey>& events = join_.log->sequence(sequences[s]).events;
      const EventTree& tree = join_.trees[sequences[s].value];
      std::vector<uint32_t> call;  // positions
      for (uint32_t i = 0; i < events.size(); ++i) {
        go_on();
        if (tree.roles[i] != EventRole::DelegateEvent) continue;
        const bool is_same = !call.empty() && tree.parents[i] == tree.parents[call.back()] &&
                             events[i].instruction == events[call.back()].instruction;
        if (!is_same) name_call(s, events, std::exchange(call, {}));
        call.push_back(i);
      }
      name_call(s, events, call);
    }
    for (const ContributionId id : unclear_) join_.titles.erase(id);
  }

 private:
  void name_call(size_t sequence, const std::vector<EventKey>& events,
                 const std::vector<uint32_t>& positions) {
    if (positions.empty()) return;
    const Instruction instruction = events[positions.front()].instruction;
    const ProgramInstruction* row = program_.find(instruction);
    const ProgramDelegate* delegate = row == nullptr ? nullptr : program_.delegate_of(*row);
    if (delegate == nullptr) return;
    const Backend& backend = join_.backends->find(delegate->backend);
    if (backend.title_operators == nullptr) return;
    std::vector<std::string_view> ids;
    for (const uint32_t i : positions) ids.push_back(join_.log->text(events[i].delegate_id_str));
    const std::vector<std::string>& titles = titles_of(backend, *delegate, row->target, ids);
    for (size_t k = 0; k < titles.size(); ++k) {
      const ContributionId event = join_.event_of_position[sequence][positions[k]];
      if (!event.valid()) continue;
      const auto [at, is_new] = join_.titles.try_emplace(event, titles[k]);
      if (titles[k].empty() || at->second != titles[k]) unclear_.insert(event);
    }
  }

  // Calls are reported in the same way again and again.
  const std::vector<std::string>& titles_of(const Backend& backend, const ProgramDelegate& delegate,
                                            uint32_t number,
                                            const std::vector<std::string_view>& ids) {
    const auto [titles, is_unknown] = titles_.try_emplace(std::pair(number, ids));
    if (!is_unknown) return titles->second;
    const auto [payload, is_unread] = payloads_.try_emplace(number);
    if (is_unread) payload->second = read_payload_(delegate);
    if (!payload->second.empty()) titles->second = backend.title_operators(payload->second, ids);
    return titles->second;
  }

  const ProgramMethod& program_;
  const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload_;
  Join& join_;
  std::unordered_map<uint32_t, std::vector<uint8_t>> payloads_;  // by delegate
  std::map<std::pair<uint32_t, std::vector<std::string_view>>, std::vector<std::string>> titles_;
  std::set<ContributionId> unclear_;  // that have no title in some call, or another one
};

}  // namespace

void name_by_payload(
    const ProgramMethod& program,
    const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload, Join& join) {
  PayloadTitles(program, read_payload, join).run();
}

}  // namespace etlens
