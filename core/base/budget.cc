// SPDX-License-Identifier: Apache-2.0
// Also replaces the global operator new, so that memory is counted where it grows and not where
// somebody thought of it.
#include "core/base/budget.h"

#include <time.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "core/base/large_pages.h"
#include "core/base/watchdog.h"
#include "core/base/work_signs.h"

namespace etlens {
namespace budget_detail {
constinit thread_local Ledger* ledger = nullptr;
}
namespace {

// What throws past a limit.
class OverBudget final : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "past the budget of a load"; }
};

constexpr int64_t kLookPauseNs = 1'000'000;
constexpr int64_t kNever = INT64_MAX;
constexpr int64_t kBytesPerEntry = 512;  // of a folder
constexpr int64_t kNsPerEntry = 5'000;
constexpr uint64_t kLessPerWeight = Ledger::kBytesPerByte - Ledger::kBytesPerWeight;

constinit thread_local WorkSigns* shown_signs = nullptr;
constinit thread_local int64_t base_bytes = Ledger::kBaseBytes;
constinit thread_local int64_t base_ns = Ledger::kBaseNs;
constinit thread_local int64_t failing_allocation = 0;
constinit thread_local int64_t allocations_of_last = 0;
constinit thread_local int64_t peak_of_last = 0;

// That this thread's work is held to a budget now, or no longer.
void show_held(bool is_held) {
  if (shown_signs != nullptr) shown_signs->is_held.store(is_held);
}

int64_t clock_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

int64_t processor_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// By what the user multiplies budgets; 1 for anything that makes no sense.
int64_t factor() {
  static const int64_t kFactor = [] {
    const char* text = std::getenv("ETLENS_BUDGET");
    const long number = text == nullptr ? 1 : std::strtol(text, nullptr, 10);
    return static_cast<int64_t>(std::clamp(number, 1L, 1000L));
  }();
  return kFactor;
}

std::string rounded(uint64_t amount, uint64_t unit) {
  return std::to_string((amount + unit - 1) / unit);
}

}  // namespace

int64_t bytes_of_block(void* block) noexcept {
#if defined(__APPLE__)
  return static_cast<int64_t>(::malloc_size(block));
#elif defined(_WIN32)
  return static_cast<int64_t>(::_msize(block));
#else
  return static_cast<int64_t>(::malloc_usable_size(block));
#endif
}

void Ledger::refuse(Limit limit) {
  over = limit;
  is_past = 1;
  throw OverBudget();
}

bool Ledger::count_quietly(size_t size) noexcept {
  const bool fails = --until_failure == 0;
  const bool fits = size <= INT64_MAX && used + static_cast<int64_t>(size) <= memory_limit;
  if (!fails && fits) return true;
  over = Limit::Memory;
  is_past = 1;
  steps_left = 0;
  return false;
}

void Ledger::look() {
  steps_left = kStepsPerLook;
  // While something else unwinds nothing may be thrown; nor is there anything to save.
  if (std::uncaught_exceptions() > 0) return;
  if (over != Limit::None) refuse(over);
  cancel.note_look();
  if (shown_signs != nullptr) shown_signs->looks.fetch_add(1, std::memory_order_relaxed);
  if (cancel.cancelled()) refuse(Limit::Cancelled);
  const int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (now - looked_ns < kLookPauseNs) return;
  looked_ns = now;
  if (processor_ns() > time_limit_ns) refuse(Limit::Time);
}

void Ledger::grant(int64_t bytes, int64_t ns) {
  memory_limit += bytes;
  time_limit_ns += ns;
  granted_ns += ns;
  tell_watchdog();
}

// Once more what was given, beyond the limit.
void Ledger::tell_watchdog() const {
  constexpr int64_t kNsPerMs = 1'000'000;
  if (is_watched) watch_until(static_cast<long>((time_limit_ns + granted_ns) / kNsPerMs + 1));
}

void Ledger::set_error_subject(std::string_view what) {
  if (subject == what) return;
  subject = what;
  if (is_watched) watch_subject(what);
}

void Ledger::take_over(Ledger& load, int64_t spent_ns) noexcept {
  used += load.used;
  peak = std::max(peak, used);
  uint64_t bytes = 0;
  uint64_t weights = 0;
  for (auto& [path, row] : load.readings) {
    const auto known = readings.find(path);
    Reading before = known == readings.end() ? Reading() : known->second;
    bytes += row.bytes - std::min(row.bytes, before.bytes);
    weights += row.weights - std::min(row.weights, before.weights);
    if (known == readings.end()) continue;
    known->second = {std::max(row.bytes, before.bytes), std::max(row.weights, before.weights)};
  }
  readings.merge(load.readings);  // allocates nothing
  read_bytes += bytes;
  const auto read = static_cast<int64_t>(bytes) * factor();
  const auto entries = static_cast<int64_t>(load.listed);
  const bool is_first = bytes > 0 || entries > 0;
  for_loads_ns += (is_first ? load.base_ns : 0) + read * kNsPerByte + entries * kNsPerEntry;
  const int64_t is_theirs = std::min(spent_ns, for_loads_ns);
  for_loads_ns -= is_theirs;
  time_limit_ns += is_theirs;
  grant(read * static_cast<int64_t>(kBytesPerByte) -
            static_cast<int64_t>(weights * kLessPerWeight) * factor() + entries * kBytesPerEntry,
        read * ns_per_byte);
  if (!load.subject.empty()) std::swap(subject, load.subject);
}

void grant_reading(std::string_view path, uint64_t bytes, uint64_t file_bytes) {
  Ledger* ledger = budget_detail::ledger;
  if (ledger == nullptr) return;
  ledger->set_error_subject(path);
  auto known = ledger->readings.find(path);
  if (known == ledger->readings.end())
    known = ledger->readings.try_emplace(std::string(path)).first;
  Ledger::Reading& row = known->second;
  ledger->reading = &row;
  bytes = std::min(bytes, file_bytes - std::min(row.bytes, file_bytes));
  row.bytes += bytes;
  ledger->read_bytes += bytes;
  ledger->grant(static_cast<int64_t>(bytes * Ledger::kBytesPerByte) * factor(),
                static_cast<int64_t>(bytes) * ledger->ns_per_byte * factor());
}

uint64_t granted_bytes() {
  const Ledger* ledger = budget_detail::ledger;
  return ledger == nullptr ? 0 : ledger->read_bytes;
}

void grant_listing(uint64_t entries) {
  Ledger* ledger = budget_detail::ledger;
  if (ledger == nullptr) return;
  ledger->listed += entries;
  ledger->grant(static_cast<int64_t>(entries) * kBytesPerEntry,
                static_cast<int64_t>(entries) * kNsPerEntry);
}

void lower_grant_for_weights(uint64_t bytes) {
  Ledger* ledger = budget_detail::ledger;
  if (ledger == nullptr || ledger->reading == nullptr) return;
  // A file that is read again was granted for once.
  Ledger::Reading& row = *ledger->reading;
  bytes = std::min(bytes, row.bytes - std::min(row.weights, row.bytes));
  row.weights += bytes;
  ledger->memory_limit -= static_cast<int64_t>(bytes * kLessPerWeight) * factor();
}

void set_error_subject(std::string_view subject) {
  if (Ledger* ledger = budget_detail::ledger) ledger->set_error_subject(subject);
}

namespace {

// Takes the ledger off the thread for a moment.
class NotCounted {
 public:
  NotCounted() : ledger_(budget_detail::ledger) { budget_detail::ledger = nullptr; }
  ~NotCounted() { budget_detail::ledger = ledger_; }
  NotCounted(const NotCounted&) = delete;
  NotCounted& operator=(const NotCounted&) = delete;

 private:
  Ledger* ledger_;
};

}  // namespace

BudgetScope::BudgetScope(const CancelToken& cancel, BudgetShare share)
    : ledger_(budget_detail::ledger),
      outer_limit_ns_(kNever),
      read_before_(0),
      outer_cancel_(cancel),
      began_ns_(processor_ns()) {
  const int64_t now = began_ns_;
  if (ledger_ != nullptr && !ledger_->is_of_command) {
    read_before_ = ledger_->read_bytes;
    outer_limit_ns_ = ledger_->time_limit_ns;
    std::swap(outer_cancel_, ledger_->cancel);
    if (share == BudgetShare::Half) ledger_->time_limit_ns = now + (outer_limit_ns_ - now) / 2;
    return;
  }
  own_.around = ledger_;
  own_.is_watched = ledger_ != nullptr && ledger_->is_watched;
  own_.memory_limit = base_bytes * factor();
  own_.base_ns = own_.granted_ns = base_ns * factor();
  own_.time_limit_ns = now + own_.base_ns;
  own_.steps_left = Ledger::kStepsPerLook;
  own_.until_failure = failing_allocation > 0 ? failing_allocation : kNever;
  own_.cancel = cancel;
  ledger_ = budget_detail::ledger = &own_;
  own_.tell_watchdog();
  show_held(true);
}

BudgetScope::~BudgetScope() {
  if (ledger_ != &own_) {
    // What was granted inside counts outside, too.
    const auto read = static_cast<int64_t>(ledger_->read_bytes - read_before_);
    ledger_->time_limit_ns = outer_limit_ns_ + read * Ledger::kNsPerByte * factor();
    ledger_->cancel = std::move(outer_cancel_);
    if (ledger_->over != Ledger::Limit::Cancelled) ledger_->over = Ledger::Limit::None;
    ledger_->is_past = ledger_->over == Ledger::Limit::None ? 0 : 1;
    return;
  }
  budget_detail::ledger = own_.around;
  show_held(own_.around != nullptr);
  if (own_.around != nullptr) own_.around->take_over(own_, processor_ns() - began_ns_);
  allocations_of_last = (failing_allocation > 0 ? failing_allocation : kNever) - own_.until_failure;
  peak_of_last = own_.peak;
}

int64_t thread_time_ns() { return processor_ns(); }

void BudgetScope::hold_to(int64_t ns) {
  ledger_->time_limit_ns = std::min(ledger_->time_limit_ns, began_ns_ + ns);
}

bool BudgetScope::is_over() const { return ledger_->over != Ledger::Limit::None; }

CommandScope::CommandScope(const CancelToken& cancel, Watched watched) {
  own_.is_of_command = true;
  own_.is_watched = watched == Watched::Yes;
  own_.memory_limit = Ledger::kCommandBaseFactor * base_bytes * factor();
  own_.base_ns = own_.granted_ns = Ledger::kCommandBaseFactor * base_ns * factor();
  own_.ns_per_byte = Ledger::kCommandNsPerByte;
  own_.time_limit_ns = processor_ns() + own_.base_ns;
  own_.steps_left = Ledger::kStepsPerLook;
  own_.until_failure = kNever;
  own_.cancel = cancel;
  budget_detail::ledger = &own_;
  own_.tell_watchdog();
  show_held(true);
}

CommandScope::~CommandScope() {
  budget_detail::ledger = nullptr;
  show_held(false);
}

void show_signs(WorkSigns* signs) { shown_signs = signs; }

namespace {

Error error_of(const Ledger& ledger) {
  const NotCounted unlimited;  // the sentence itself must not be refused
  constexpr std::string_view kWhatToDo =
      ": the file may be damaged; write it again, or set ETLENS_BUDGET=4 to allow it more";
  const std::string what = ledger.subject.empty() ? "loading" : ledger.subject;
  switch (ledger.over) {
    case Ledger::Limit::Cancelled:
      return {ErrorCode::Cancelled, "loading was cancelled"};
    case Ledger::Limit::Memory:
      return {ErrorCode::Unsupported,
              what + " takes more than " +
                  rounded(static_cast<uint64_t>(ledger.memory_limit), 1 << 20) +
                  " MB of memory, for " + rounded(ledger.read_bytes, 1 << 10) +
                  " KB that were read" + std::string(kWhatToDo)};
    case Ledger::Limit::Time:
      return {ErrorCode::Unsupported,
              what + " takes more than " +
                  rounded(static_cast<uint64_t>(ledger.base_ns) +
                              ledger.read_bytes * static_cast<uint64_t>(ledger.ns_per_byte),
                          1'000'000'000) +
                  " seconds, for " + rounded(ledger.read_bytes, 1 << 10) + " KB that were read" +
                  std::string(kWhatToDo)};
    case Ledger::Limit::None:
      break;
  }
  return out_of_memory(what);
}

}  // namespace

Error BudgetScope::error() const { return error_of(*ledger_); }
Error CommandScope::error() const { return error_of(own_); }

Error out_of_memory(std::string_view what) {
  return {ErrorCode::Unsupported,
          std::string(what) +
              " cannot be loaded: the machine has no more memory; close something and try again"};
}

void set_base_budget(int64_t bytes, int64_t ns) {
  base_bytes = bytes;
  base_ns = ns;
}

void fail_allocation(int64_t n) { failing_allocation = n; }
int64_t counted_allocations() { return allocations_of_last; }
int64_t last_peak_bytes() { return peak_of_last; }

}  // namespace etlens

namespace {

// Before an allocation of a load.
void count_before(etlens::Ledger& ledger, size_t size) {
  // A large block costs time as it is filled.
  etlens::go_on(1 + size / 4096);
  if (--ledger.until_failure == 0) throw std::bad_alloc();
  if (size <= INT64_MAX && ledger.used + static_cast<int64_t>(size) <= ledger.memory_limit) return;
  if (std::uncaught_exceptions() == 0) ledger.refuse(etlens::Ledger::Limit::Memory);
}

void* allocate(etlens::Ledger* ledger, size_t size) noexcept {
  void* block = size >= etlens::kLargePageBytes ? etlens::allocate_large(size)
                                                : std::malloc(size == 0 ? 1 : size);
  if (ledger != nullptr && block != nullptr) [[unlikely]] {
    ledger->add_used(etlens::bytes_of_block(block));
  }
  return block;
}

// Of allocations that must not throw. Who asks for memory this way need not look at what it gets
// (simdjson does not always), so it gets it, and the load ends at the next turn of a loop.
void* allocate_quietly(size_t size) noexcept {
  etlens::Ledger* ledger = etlens::budget_detail::ledger;
  if (ledger != nullptr) ledger->count_quietly(size);
  return allocate(ledger, size);
}

}  // namespace

// All forms but the aligned ones, which count nothing: those of a sanitizer's runtime do not call
// these, as the standard library's would, and must not free what was allocated here.
void* operator new(size_t size) {
  etlens::Ledger* ledger = etlens::budget_detail::ledger;
  if (ledger != nullptr) [[unlikely]]
    count_before(*ledger, size);
  void* block = allocate(ledger, size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate_quietly(size); }

void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate_quietly(size); }

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  if (etlens::Ledger* ledger = etlens::budget_detail::ledger)
    ledger->used -= etlens::bytes_of_block(block);
  std::free(block);
}

void* operator new[](size_t size) { return ::operator new(size); }

void operator delete(void* block, size_t) noexcept { ::operator delete(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { ::operator delete(block); }
void operator delete[](void* block) noexcept { ::operator delete(block); }
void operator delete[](void* block, size_t) noexcept { ::operator delete(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { ::operator delete(block); }
