// SPDX-License-Identifier: Apache-2.0
// Timing: every delay of the server, in one place.
#pragma once

#include "rpc/timer_queue.h"

namespace etlens {

struct Timing {
  // A changed artifact is whole when two looks this far apart see the same stamp.
  Delay settle{300};
  // If a dump alone changed, the second look is so soon. What it reads then is shown if it is whole
  // and belongs to its record; else nobody hears of it, and `settle` decides.
  Delay settle_dump{75};
  // A file that is cut off and has not grown for so long is damaged; until then it is being copied.
  Delay receiving{10'000};
  // Artifacts that changed last before this are whole when the server starts.
  Delay quiet_before_start{1000};
  // After a keystroke, hints are looked at again thoroughly when typing pauses for so long.
  Delay typing_pause{150};
  // Processor time that may go into looking at sources at once, of all that one message asks for;
  // the rest goes on in the background.
  std::chrono::nanoseconds at_once = std::chrono::milliseconds(20);
  // Refresh requests closer together than this become one.
  Delay refresh_merge{100};
  // Loads that are done sooner show no progress.
  Delay progress_after{250};
  // A load that did not ask for so long whether it may go on waits for its disk, for which
  // nobody can do anything: four times what a load may take, and twice that of every byte.
  Delay load_hangs{20'000};
  int64_t load_hangs_bytes_per_ms = 50'000;
  // A fleet is read so long at a time; then the client hears how far it is.
  Delay fleet_slice{200};
  // Looks at the stamps of what is shown, for file systems that report no changes; 0: never.
  Delay stamp_poll{2000};
  // Pause between walks through the workspace: scan_share times what a walk took, within bounds.
  Delay scan_min{10'000};
  Delay scan_max{600'000};
  int64_t scan_share = 1000;
  // How long the first load waits for the client's settings.
  Delay settings_wait{500};
  // How long a client that cannot be told to ask again waits for its first hints; 0: not at all.
  Delay first_answer{5000};
  // Is the client still alive?
  Delay client_check{3000};
  // How long the last answers may take to be written when the client has gone.
  Delay flush_limit{3000};
  // How long a client that has gone may take no byte of them.
  Delay flush_pause{400};
};

// As the stamps of files have it.
inline int64_t wall_clock_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(now).count();
}

}  // namespace etlens
