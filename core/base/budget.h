// SPDX-License-Identifier: Apache-2.0
// Budget: what one load may take, and one command, in proportion to what it reads. 64 MB of memory
// and 16 bytes for every byte that is read and is no weight (8 for weights); 5 seconds of processor
// time and one for every 100 MB. The variable ETLENS_BUDGET multiplies both (ETLENS_BUDGET=4), for
// sound files that are this large.
//
// A load runs inside within_budget(). Every allocation of its thread counts there, whoever makes
// it, and every loop over input asks go_on(). Past a limit, or when the load was cancelled, both
// throw what only within_budget() catches and turns into an Error: files that cost too much are no
// case that a hundred functions could each answer. Nothing else throws, and without a budget on the
// thread nothing is counted.
//
// A command runs inside a CommandScope, the loads of the command inside that: what it does with
// what it loaded is held to a budget, too. It is granted for a file once, however often it loads
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <string_view>

#include "core/base/cancellation.h"
#include "core/base/result.h"

namespace etlens {

// What is counted for a load or a command. The one of the innermost is on the thread.
struct Ledger {
  static constexpr int64_t kCommandBaseFactor = 2;
  static constexpr int64_t kCommandNsPerByte = 100;
  static constexpr uint64_t kBaseBytes = 64 << 20;
  static constexpr uint64_t kBytesPerByte = 16;
  static constexpr uint64_t kBytesPerWeight = 8;
  static constexpr int64_t kBaseNs = 5'000'000'000;
  static constexpr int64_t kNsPerByte = 10;
  static constexpr int64_t kStepsPerLook = 1024;

  enum class Limit : uint8_t { None, Memory, Time, Cancelled };

  int64_t used = 0;  // bytes that are allocated now; below zero if more was freed than taken here
  int64_t peak = 0;
  int64_t memory_limit = 0;
  int64_t steps_left = 0;             // until the clock is looked at
  int64_t until_failure = INT64_MAX;  // allocations; for tests
  int64_t time_limit_ns = 0;          // of the thread's processor time
  int64_t base_ns = 0;                // of that, what was given before anything was read
  int64_t granted_ns = 0;             // all that was given, `base_ns` included
  int64_t for_loads_ns = 0;           // of a command: what its loads may still take beside its own
  int64_t ns_per_byte = kNsPerByte;
  Ledger* around = nullptr;  // of the command that this load is a part of
  bool is_of_command = false;
  bool is_watched = false;   // what asks no more is ended (core/base/watchdog.h)
  int64_t looked_ns = 0;     // when the clock was last looked at
  uint64_t read_bytes = 0;   // that were granted for, weights included
  Limit over = Limit::None;  // what was exceeded
  size_t is_past = 0;        // 1 once something was, for libraries that look at a number
  CancelToken cancel;
  std::string subject;  // what is being worked on, for the error
  struct Reading {
    uint64_t bytes = 0;    // that were granted for
    uint64_t weights = 0;  // of these
  };
  using Readings = std::map<std::string, Reading, std::less<>>;  // by path
  Readings readings;
  Reading* reading = nullptr;  // the one that was granted for last
  uint64_t listed = 0;         // entries of folders

  // Throws if the load may not go on.
  void look();
  [[noreturn]] void refuse(Limit limit);
  void grant(int64_t bytes, int64_t ns);
  void tell_watchdog() const;
  void set_error_subject(std::string_view what);
  // Before an allocation that must not throw. False if it is too much: then the load ends at the
  // next turn of a loop.
  bool count_quietly(size_t size) noexcept;
  void add_used(int64_t bytes) noexcept {
    used += bytes;
    if (used > peak) peak = used;
  }
  // A load of this command has ended after `spent_ns`: what it leaves is the command's, and what it
  // read that no load before it did is granted for. Never throws.
  void take_over(Ledger& load, int64_t spent_ns) noexcept;
};

namespace budget_detail {
extern constinit thread_local Ledger* ledger;  // of the load that this thread is in; or null
}

// May the load go on? Asked in every turn of a loop over input; `steps` is what the turn costs,
// one for what takes less than a microsecond. Throws if it may not.
inline void go_on(size_t steps = 1) {
  Ledger* ledger = budget_detail::ledger;
  if (ledger != nullptr && (ledger->steps_left -= static_cast<int64_t>(steps)) < 0) ledger->look();
}

// `bytes` of a file of `file_bytes` are about to be read: the load may take more, once for every
// byte of a file however often it is read. Errors from here on are about the file.
void grant_reading(std::string_view path, uint64_t bytes, uint64_t file_bytes);
// Bytes that this thread's load, or its command, was granted for so far.
uint64_t granted_bytes();
// So many entries of folders were listed: a load may hold them, however large the workspace is.
void grant_listing(uint64_t entries);
// Of what was granted for, `bytes` are weights.
void lower_grant_for_weights(uint64_t bytes);
// Errors from here on are about `subject`: a file, or several.
void set_error_subject(std::string_view subject);

// What a load inside another may take of its time: all that is left; or half of it, so that what
// one of several candidates costs is not what the others must pay for.
enum class BudgetShare : uint8_t { All, Half };

// Puts a ledger on the thread, or shares that of the load that is there.
class BudgetScope {
 public:
  explicit BudgetScope(const CancelToken& cancel, BudgetShare share = BudgetShare::All);
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  // However much may be read, the time from the begin of the scope is this at most.
  void hold_to(int64_t ns);
  bool is_over() const;
  // Why the work ended: past a limit, cancelled, or the machine has no more memory.
  Error error() const;

 private:
  Ledger own_;
  Ledger* ledger_;  // own_, or that of the load around this
  int64_t outer_limit_ns_;
  uint64_t read_before_;
  CancelToken outer_cancel_;
  int64_t began_ns_;
};

// Around everything that a command does on this thread: what it makes of what it loaded. Twice the
// base of a load; memory for what it reads as a load; 10 seconds of processor time for every 100
// MB. Past it std::bad_alloc is thrown, and error() is the sentence. The time of loads inside is
// theirs, as far as they read what was not read before.
//
// Watched: for the one thread of a process that does nothing else, if it has a watchdog.
class CommandScope {
 public:
  enum class Watched : uint8_t { No, Yes };
  explicit CommandScope(const CancelToken& cancel, Watched watched = Watched::No);
  ~CommandScope();
  CommandScope(const CommandScope&) = delete;
  CommandScope& operator=(const CommandScope&) = delete;

  Error error() const;

 private:
  Ledger own_;
};

// Runs `work`, which gives a Result, within a budget.
template <typename Work>
auto within_budget(const CancelToken& cancel, Work&& work, BudgetShare share = BudgetShare::All)
    -> decltype(work()) {
  BudgetScope scope(cancel, share);
  try {
    auto result = work();
    if (!scope.is_over()) return result;
  } catch (const std::bad_alloc&) {
  }
  return scope.error();
}

// As within_budget, for work that is done in a moment or not at all: within so much of the thread's
// processor time.
template <typename Work>
auto within_moment(int64_t ns, Work&& work) -> decltype(work()) {
  BudgetScope scope{CancelToken()};
  scope.hold_to(ns);
  try {
    auto result = work();
    if (!scope.is_over()) return result;
  } catch (const std::bad_alloc&) {
  }
  return scope.error();
}

// That malloc gave for a block.
int64_t bytes_of_block(void* block) noexcept;

// The processor time of this thread.
int64_t thread_time_ns();

// That the machine, not the budget, refused memory to load `what`.
Error out_of_memory(std::string_view what);

// For tests: what a load on this thread may take before it reads anything.
void set_base_budget(int64_t bytes, int64_t ns);
// For tests: the n-th allocation (1-based) of the next load on this thread fails, 0 for none; and
// how many allocations the last load made.
void fail_allocation(int64_t n);
int64_t counted_allocations();
// Bytes that the last load on this thread held at most.
int64_t last_peak_bytes();

}  // namespace etlens
