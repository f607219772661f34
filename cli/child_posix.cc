// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "cli/child.h"

extern char** environ;

namespace etlens::cli {
namespace {

volatile pid_t child_of_signals = 0;
volatile int early_signal = 0;  // that came before the child was known

void send_to_child(int signal) {
  if (child_of_signals > 0) ::kill(child_of_signals, signal);
  else early_signal = signal;
}

// A terminal sends the first two to both processes. The other two are sent to this one alone, and are passed on.
class SignalsLeftToChild {
 public:
  SignalsLeftToChild() {
    early_signal = 0;
    for (size_t s = 0; s < kSignals.size(); ++s)
      before_[s] = std::signal(kSignals[s], s < 2 ? SIG_IGN : send_to_child);
  }
  ~SignalsLeftToChild() {
    child_of_signals = 0;
    for (size_t s = 0; s < kSignals.size(); ++s) std::signal(kSignals[s], before_[s]);
  }
  SignalsLeftToChild(const SignalsLeftToChild&) = delete;
  SignalsLeftToChild& operator=(const SignalsLeftToChild&) = delete;

 private:
  static constexpr std::array<int, 4> kSignals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<void (*)(int), 4> before_{};
};

// argv or envp: pointers into `words`.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const ChildRequest& request) {
  std::vector<std::string> words;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    words.emplace_back(*variable);
  for (const auto& variable : request.variables) {
    const std::string begin = variable.first + "=";
    std::erase_if(words, [&](const std::string& word) { return word.starts_with(begin); });
    words.push_back(begin + variable.second);
  }
  return words;
}

// Its stdout is `output`.
int spawn(const ChildRequest& request, int output, pid_t& child) {
  std::vector<std::string> words{request.program};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  const std::vector<std::string> environment = environment_with(request);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t defaults;
  ::sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) ::sigaddset(&defaults, signal);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  const int code = ::posix_spawnp(&child, request.program.c_str(), &actions, &attributes,
                                  pointers_to(words).data(), pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return code;
}

// Takes a piece of it; what is more than the limit is dropped. As read() returns.
ssize_t read_piece(int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  const size_t room = kMaxChildOutput - text.size();
  if (got > 0) text.append(buffer.data(), std::min(room, static_cast<size_t>(got)));
  return got;
}

// What is in the pipe now.
void drain(int descriptor, std::string& text) {
  constexpr int kMostPieces = 256;  // 1 MB: who is left may write without end
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  for (int i = 0; i < kMostPieces && read_piece(descriptor, text) > 0; ++i) {
  }
}

// Its status as waitpid() has it, when the child has ended: processes that it leaves behind may hold the pipe open for long.
// nullopt if it is lost (errno).
std::optional<int> read_until_end(pid_t child, int descriptor, std::string& output) {
  constexpr int kLookAgain = 50;  // ms
  int status = 0;
  for (;;) {
    pollfd ready{descriptor, POLLIN, 0};
    const bool has_some = ::poll(&ready, 1, kLookAgain) > 0;
    const bool is_closed = has_some && read_piece(descriptor, output) == 0;
    const pid_t ended = ::waitpid(child, &status, is_closed ? 0 : WNOHANG);
    if (ended == child) {
      drain(descriptor, output);
      return status;
    }
    if (ended < 0 && errno != EINTR) return std::nullopt;
  }
}

Error cannot_start(const ChildRequest& request, int code) {
  return {code == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
          request.program + " cannot be started: " + std::strerror(code)};
}

}  // namespace

Result<ChildOutcome> run_child(const ChildRequest& request) {
  int ends[2];
  if (::pipe(ends) != 0) return cannot_start(request, errno);
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  const SignalsLeftToChild held;
  pid_t child = 0;
  const int code = spawn(request, ends[1], child);
  ::close(ends[1]);
  if (code != 0) {
    ::close(ends[0]);
    return cannot_start(request, code);
  }
  child_of_signals = child;
  if (early_signal != 0) ::kill(child, early_signal);
  ChildOutcome outcome;
  const std::optional<int> status = read_until_end(child, ends[0], outcome.output);
  const int lost = errno;
  ::close(ends[0]);
  if (!status) return Error{ErrorCode::Io, request.program + " is lost: " + std::strerror(lost)};
  constexpr int kSignal = 128;
  outcome.status = WIFEXITED(*status) ? WEXITSTATUS(*status) : kSignal + WTERMSIG(*status);
  return outcome;
}

}  // namespace etlens::cli
