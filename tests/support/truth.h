// SPDX-License-Identifier: Apache-2.0
// Truth: for real XNNPACK calls, the operator and debug handle that each event really came from, as
// an instrumented runtime told them. Cases of tests/data always, those of ETLENS_CORPUS as well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/xnnpack/payload.h"

namespace etlens::test {

struct TruthEvent {
  std::string name;            // with its number, as the dump has it
  std::optional<uint32_t> op;  // of the payload; none for what XNNPACK inserted
  std::string kind;            // of the operator, e.g. XNNAdd
  uint32_t handle = 0;         // 65535: none
  std::string origin;          // xnode, extra, rewritten, inserted

  bool has_handle() const { return op && handle != 65535 && handle != 0; }
};

struct TruthCall {
  std::string method;
  int32_t instruction = 0;
  std::vector<TruthEvent> events;
  // Operators without an event, with those whose events have their work (ascending).
  struct Absorbed {
    uint32_t op;
    std::vector<uint32_t> by;
  };
  std::vector<Absorbed> absorbed;

  std::vector<std::string_view> names() const;
};

struct TruthCase {
  std::string name;
  std::string pte;
  std::vector<std::string> records;
  std::vector<std::string> dumps;
  std::vector<TruthCall> calls;      // with the names of the runtime that made the truth
  std::vector<TruthCall> old_calls;  // with those of release 0.5; empty for cases of other releases

  // The names that the dumps have.
  const std::vector<TruthCall>& calls_of_dumps() const {
    return old_calls.empty() ? calls : old_calls;
  }
};

std::vector<TruthCase> truth_cases();

// The payload of a delegate instruction of a .pte.
XnnpackPayload payload_of(const std::string& pte, const std::string& method, int32_t instruction);

}  // namespace etlens::test
