// SPDX-License-Identifier: Apache-2.0
// A timer whose callback looks at the process's processor time. Windows has no forks.
#include <windows.h>

#include "core/base/watchdog.h"
#include "core/base/watchdog_sentence.h"

namespace etlens {
namespace {

volatile LONG deadline_ms = MAXLONG;
volatile LONG current_sentence = 0;  // which of the sentences is whole
WatchdogSentence sentences[2];
bool is_started = false;

// Of the kernel and the user, in units of 100 ns.
ULONGLONG ticks_of(const FILETIME& time) {
  return ULONGLONG{time.dwHighDateTime} << 32 | time.dwLowDateTime;
}

VOID CALLBACK look_at_clock(PVOID, BOOLEAN) {
  constexpr ULONGLONG kTicksPerMs = 10'000;
  FILETIME begin, end, kernel, user;
  if (!::GetProcessTimes(::GetCurrentProcess(), &begin, &end, &kernel, &user)) return;
  const ULONGLONG used = (ticks_of(kernel) + ticks_of(user)) / kTicksPerMs;
  if (used <= static_cast<ULONGLONG>(::InterlockedCompareExchange(&deadline_ms, 0, 0))) return;
  const WatchdogSentence& sentence =
      sentences[::InterlockedCompareExchange(&current_sentence, 0, 0)];
  DWORD written = 0;
  ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), sentence.text.data(),
              static_cast<DWORD>(sentence.size), &written, nullptr);
  ::TerminateProcess(::GetCurrentProcess(), 1);
}

}  // namespace

void start_watchdog(std::chrono::milliseconds pause) {
  is_started = true;
  watch_subject("the command");
  const auto ms = static_cast<DWORD>(pause.count());
  HANDLE timer = nullptr;
  ::CreateTimerQueueTimer(&timer, nullptr, look_at_clock, nullptr, ms, ms, WT_EXECUTEDEFAULT);
}

void start_watchdog_again() {}

void watch_until(long processor_ms) { ::InterlockedExchange(&deadline_ms, processor_ms); }

void watch_subject(std::string_view subject) {
  if (!is_started) return;
  const LONG other = 1 - current_sentence;
  sentences[other].set(subject);
  ::InterlockedExchange(&current_sentence, other);
}

}  // namespace etlens
