// SPDX-License-Identifier: Apache-2.0
#include "tests/core/backend/sample/sample.h"

#include <array>
#include <utility>

#include "core/base/text.h"

namespace etlens::test {
namespace {

constexpr std::array<std::string_view, 1> kHostPhases{"SAMPLE_"};
constexpr std::string_view kMagic = "SAMPLE";
constexpr std::string_view kStep = "step ";

std::optional<size_t> step_of(std::string_view id) {
  const std::optional<NamedUnit> named = split_unit(id);
  if (!named || !named->name.starts_with(kStep)) return std::nullopt;
  const std::optional<int64_t> step = parse_int(named->name.substr(kStep.size()));
  return step && *step >= 0 ? std::optional<size_t>(static_cast<size_t>(*step)) : std::nullopt;
}

std::optional<BackendEvent> describe(std::string_view id, bool) {
  const std::optional<size_t> step = step_of(id);
  if (!step) return std::nullopt;
  BackendEvent event = describe_by_unit(id);
  event.title = "step number " + std::to_string(*step);
  return event;
}

uint64_t operator_bytes(std::span<const uint8_t> front, uint64_t size) {
  if (front.size() <= kMagic.size()) return size;
  return std::min<uint64_t>(size, kMagic.size() + 1 + (front[kMagic.size()] - '0'));
}

// The debug handles of the steps.
std::vector<DebugHandle> handles_in(std::span<const uint8_t> payload) {
  std::vector<DebugHandle> handles;
  for (size_t i = kMagic.size() + 1; i < payload.size(); ++i) handles.push_back(payload[i] - '0');
  return handles;
}

class StepPlacer final : public CallPlacer {
 public:
  explicit StepPlacer(const DelegateCall& call)
      : context_(*call.context), handles_(handles_in(call.payload)) {}

  std::vector<NodePlacement> place(std::span<const std::string_view> ids) override {
    std::vector<NodePlacement> placements;
    for (const std::string_view id : ids) {
      const std::optional<size_t> step = step_of(id);
      placements.push_back(
          step && *step < handles_.size()
              ? place_on_dominating(context_, context_.nodes().nodes_of(handles_[*step]), true)
              : NodePlacement());
    }
    return placements;
  }

 private:
  const MethodContext& context_;
  std::vector<DebugHandle> handles_;
};

std::unique_ptr<CallPlacer> open_placer(DelegateCall call, LoadReport&) {
  return std::make_unique<StepPlacer>(call);
}

std::optional<size_t> contradict_payload(std::span<const uint8_t> payload,
                                         std::span<const std::string_view> ids) {
  const size_t steps = handles_in(payload).size();
  return steps > ids.size() ? steps - ids.size() : ids.size() - steps;
}

std::optional<MetadataFields> read_lane(std::string_view bytes) {
  if (bytes.size() != 1) return std::nullopt;
  return MetadataFields{{"lane", std::to_string(static_cast<uint8_t>(bytes[0]))}};
}

}  // namespace

Backend sample_backend() {
  return {.id = "SampleBackend",
          .label = "The Sample",
          .host_phases = kHostPhases,
          .describe = describe,
          .resolution_ns = 2000,
          .operator_bytes = operator_bytes,
          .payload_front_bytes = kMagic.size() + 1,
          .open_placer = open_placer,
          .contradict_payload = contradict_payload,
          .read_metadata = read_lane};
}

}  // namespace etlens::test
