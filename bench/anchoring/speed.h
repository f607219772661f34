// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace etlens::bench {

// Time to anchor 2,000 recorded lines in a file of 5,000, unchanged and edited in several ways;
// after keystrokes; and of files four and sixteen times as large.
void print_speed();

}  // namespace etlens::bench
