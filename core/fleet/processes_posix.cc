// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/processes.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/controls.h"
#include "core/base/watchdog.h"

namespace etlens {
namespace {

bool write_all(int to, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(to, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool read_all(int from, char* data, size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(from, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

// Ends this process when nobody reads from the pipe any more: who started it may have been killed,
// and the piece at hand may take long.
void end_with_reader(int to) {
  try {
    std::thread([to] {
      pollfd pipe{to, 0, 0};  // an error or a hangup is reported unasked
      while (::poll(&pipe, 1, -1) < 0 && errno == EINTR) {
      }
      ::_exit(0);
    }).detach();
  } catch (const std::system_error&) {  // no more threads: it ends with its next result
  }
}

// A process, and the end of the pipe that its results come from.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { stop(); }

  // Does pieces first, first + step, …; false if the system allows no more processes.
  // `others`: whose pipes it has no business with.
  bool start(size_t first, size_t step, size_t count,
             const std::function<std::string(size_t)>& work, std::vector<Worker>& others) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return false;
    child_ = ::fork();
    if (child_ == 0) {
      ::close(ends[0]);
      for (const Worker& other : others) {
        if (other.from_ >= 0) ::close(other.from_);
      }
      ::signal(SIGPIPE, SIG_IGN);
      start_watchdog_again();
      end_with_reader(ends[1]);
      for (size_t i = first; i < count; i += step) {
        const std::string result = work(i);
        const uint64_t size = result.size();
        char head[sizeof size];
        std::memcpy(head, &size, sizeof size);
        if (!write_all(ends[1], head, sizeof head) ||
            !write_all(ends[1], result.data(), result.size()))
          break;
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    from_ = ends[0];
    return child_ > 0;
  }

  std::optional<std::string> next() {
    char head[sizeof(uint64_t)];
    if (from_ < 0 || !read_all(from_, head, sizeof head)) return std::nullopt;
    uint64_t size = 0;
    std::memcpy(&size, head, sizeof size);
    std::string result(size, '\0');
    if (!read_all(from_, result.data(), result.size())) return std::nullopt;
    return result;
  }

  void stop() {
    if (from_ >= 0) ::close(from_);
    from_ = -1;
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);  // it has nothing to tidy up
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
  }

 private:
  pid_t child_ = -1;
  int from_ = -1;
};

}  // namespace

Result<void> work_in_processes(
    size_t count, size_t jobs, const std::function<std::string(size_t)>& work,
    const std::function<bool(size_t, std::optional<std::string>)>& take) {
  jobs = std::clamp<size_t>(jobs, 1, std::max<size_t>(count, 1));
  const Error no_process{ErrorCode::Io, std::string("cannot start a process: ") +
                                            std::strerror(EAGAIN) +
                                            std::string(words_of(Control::Jobs))};
  std::vector<Worker> workers(jobs);
  for (size_t w = 0; w < jobs; ++w) {
    if (!workers[w].start(w, jobs, count, work, workers)) return no_process;
  }
  for (size_t i = 0; i < count; ++i) {
    Worker& worker = workers[i % jobs];
    std::optional<std::string> result = worker.next();
    const bool has_ended = !result;
    if (!take(i, std::move(result))) return {};
    if (!has_ended || i + jobs >= count) continue;
    worker.stop();
    if (!worker.start(i + jobs, jobs, count, work, workers)) return no_process;
  }
  return {};
}

size_t processor_count() {
  const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<size_t>(count) : 1;
}

}  // namespace etlens
