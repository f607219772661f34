// SPDX-License-Identifier: Apache-2.0
// The executable with standard streams that are full, closed or left by their reader, and under
// limits.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>
#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::test {

enum class Stream { Captured, Full, Closed, WithoutReader };

struct Surroundings {
  Stream out = Stream::Captured;
  Stream err = Stream::Captured;
  bool has_stdin = true;
  std::optional<rlim_t> file_limit{};  // bytes
  bool obeys_rights = false;           // also as root
};

struct Ended {
  int status = -1;  // negative: the signal
  std::string out;
  std::string err;
};

// Root without the right to read and write what is not allowed. Others are so already.
inline void obey_rights() {
  for (const int right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH})
    ::prctl(PR_CAPBSET_DROP, static_cast<unsigned long>(right), 0, 0, 0);
}

class Process {
 public:
  Process(const std::string& folder, const std::vector<std::string>& arguments,
          const Surroundings& surroundings = {}) {
    std::array<int, 2> out{-1, -1};
    std::array<int, 2> err{-1, -1};
    if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return;
    child_ = ::fork();
    if (child_ == 0) start(folder, arguments, surroundings, out, err);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
    if (surroundings.out == Stream::WithoutReader) close(out_);
    if (surroundings.err == Stream::WithoutReader) close(err_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (child_ > 0) {
      ::kill(-child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    close(out_);
    close(err_);
  }

  // To it and to the processes that it started, as a terminal does.
  void send(int signal) const { ::kill(-child_, signal); }

  // To it alone.
  void send_alone(int signal) const { ::kill(child_, signal); }

  Ended wait() {
    Ended ended;
    while (out_ >= 0 || err_ >= 0) {
      std::array<pollfd, 2> ready{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
      if (::poll(ready.data(), ready.size(), -1) <= 0) continue;
      if (ready[0].revents != 0) take(out_, ended.out);
      if (ready[1].revents != 0) take(err_, ended.err);
    }
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return ended;
  }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  static void take(int& end, std::string& text) {
    std::array<char, 65536> bytes;
    const ssize_t got = ::read(end, bytes.data(), bytes.size());
    if (got > 0) text.append(bytes.data(), static_cast<size_t>(got));
    else close(end);
  }

  // The read end of a stream without a reader is held by nobody once the parent closed it; the
  // child waits for that.
  static void place(Stream stream, const std::array<int, 2>& ends, int number) {
    if (stream == Stream::Closed) {
      ::close(number);
    } else if (stream == Stream::Full) {
      ::dup2(::open("/dev/full", O_WRONLY | O_CLOEXEC), number);
    } else {
      ::dup2(ends[1], number);
    }
    if (stream != Stream::WithoutReader) return;
    ::close(ends[0]);
    pollfd left{number, 0, 0};
    while (::poll(&left, 1, -1) <= 0) {
    }
  }

  [[noreturn]] static void start(const std::string& folder,
                                 const std::vector<std::string>& arguments,
                                 const Surroundings& surroundings, const std::array<int, 2>& out,
                                 const std::array<int, 2>& err) {
    ::setpgid(0, 0);
    // nohup and shells start what is in the background with some of them ignored.
    for (const int signal : {SIGPIPE, SIGHUP, SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    if (surroundings.has_stdin) ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    place(surroundings.out, out, STDOUT_FILENO);
    place(surroundings.err, err, STDERR_FILENO);
    if (!surroundings.has_stdin) ::close(STDIN_FILENO);
    if (surroundings.file_limit) {
      const rlimit limit{*surroundings.file_limit, *surroundings.file_limit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (surroundings.obeys_rights) obey_rights();
    std::vector<char*> words{const_cast<char*>(ETLENS_EXECUTABLE)};
    for (const std::string& argument : arguments)
      words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::execv(ETLENS_EXECUTABLE, words.data());
    ::_exit(127);
  }

  pid_t child_ = -1;
  int out_ = -1;
  int err_ = -1;
};

// `arguments` with a blank between two.
inline Ended run_in(const std::string& folder, std::string_view arguments,
                    const Surroundings& surroundings = {}) {
  std::vector<std::string> words;
  for (const std::string_view word : split(arguments, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return Process(folder, words, surroundings).wait();
}

}  // namespace etlens::test
