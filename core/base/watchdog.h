// SPDX-License-Identifier: Apache-2.0
// Watchdog: ends a command that asks go_on() no more (core/base/budget.h), whatever it is in: with
// a sentence and status 1, once it has used twice the processor time that it may. It is for a
// process in which one thread works; servers have none. What was being written is left as it is.
#pragma once

#include <chrono>
#include <string_view>

namespace etlens {

// Looks whenever so much processor time was used. Until watch_until is called nothing ends.
void start_watchdog(std::chrono::milliseconds pause = std::chrono::seconds(1));
// In a process that was forked: if there was a watchdog, one that says nothing, because who forked
// it sees that it ended.
void start_watchdog_again();

// Processor time of this process, in milliseconds from its beginning, past which it ends.
void watch_until(long processor_ms);
// What is being worked on, for the sentence.
void watch_subject(std::string_view subject);

}  // namespace etlens
