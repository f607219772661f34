// SPDX-License-Identifier: Apache-2.0
// A timer of the process's processor time, and a handler that does only what a handler may.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <limits>

#include "core/base/output_system.h"
#include "core/base/watchdog.h"
#include "core/base/watchdog_sentence.h"

namespace etlens {
namespace {

using Atom = volatile std::sig_atomic_t;

Atom deadline_ms = std::numeric_limits<std::sig_atomic_t>::max();
Atom current_sentence = 0;  // which of the sentences is whole
WatchdogSentence sentences[2];
itimerval pause_of_timer{};
bool is_started = false;

void look_at_clock(int) {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  if (now.tv_sec * 1000 + now.tv_nsec / 1'000'000 <= deadline_ms) return;
  const WatchdogSentence& sentence = sentences[current_sentence];
  const ssize_t written = ::write(STDERR_FILENO, sentence.text.data(), sentence.size);
  (void)written;  // there is nobody else to tell
  remove_unfinished_files();
  ::_exit(1);
}

void start_timer() {
  struct sigaction action {};
  action.sa_handler = look_at_clock;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPROF, &action, nullptr);
  sigset_t own;
  ::sigemptyset(&own);
  ::sigaddset(&own, SIGPROF);
  ::sigprocmask(SIG_UNBLOCK, &own, nullptr);
  ::setitimer(ITIMER_PROF, &pause_of_timer, nullptr);
}

}  // namespace

void start_watchdog(std::chrono::milliseconds pause) {
  const auto ms = static_cast<long>(pause.count());
  pause_of_timer.it_value = {ms / 1000, static_cast<suseconds_t>(ms % 1000 * 1000)};
  pause_of_timer.it_interval = pause_of_timer.it_value;
  is_started = true;
  watch_subject("the command");
  start_timer();
}

void start_watchdog_again() {
  if (!is_started) return;
  sentences[current_sentence].size = 0;
  sentences[1 - current_sentence].size = 0;
  is_started = false;  // its subjects need no sentences
  start_timer();
}

void watch_until(long processor_ms) {
  deadline_ms = static_cast<std::sig_atomic_t>(
      std::min<long>(processor_ms, std::numeric_limits<std::sig_atomic_t>::max()));
}

void watch_subject(std::string_view subject) {
  if (!is_started) return;
  const std::sig_atomic_t other = 1 - current_sentence;
  sentences[other].set(subject);
  current_sentence = other;
}

}  // namespace etlens
