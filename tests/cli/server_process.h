// SPDX-License-Identifier: Apache-2.0
// The executable as a language server, with pipes to it.
#pragma once

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "test_paths.h"

namespace etlens::test {

class ServerProcess {
 public:
  ServerProcess() {
    int in[2];
    int out[2];
    if (::pipe(in) != 0 || ::pipe(out) != 0) return;
    std::signal(SIGPIPE, SIG_IGN);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
      ::execl(ETLENS_EXECUTABLE, ETLENS_EXECUTABLE, "lsp", "--log", "/dev/null", nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
  }
  ~ServerProcess() {
    ::close(in_);
    ::close(out_);
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  void send(const std::string& json) const {
    const std::string text = "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json;
    for (size_t at = 0; at < text.size();) {
      const ssize_t n = ::write(in_, text.data() + at, text.size() - at);
      if (n < 0 && errno != EINTR) return;
      at += static_cast<size_t>(n > 0 ? n : 0);
    }
  }
  void initialize(const std::string& root) const {
    send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"window":)"
         R"({"workDoneProgress":true}},"rootUri":"file://)" +
         root + "\"}}");
    send(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  }

  // Reads until `text` came, from what was not looked at yet; false if the server ends or says
  // nothing more.
  bool wait_for(const std::string& text) {
    while (true) {
      if (const size_t at = read_.find(text); at != std::string::npos) {
        read_.erase(0, at + text.size());
        return true;
      }
      pollfd ready{out_, POLLIN, 0};
      if (::poll(&ready, 1, kPatienceMs) <= 0) return false;
      char bytes[65536];
      const ssize_t n = ::read(out_, bytes, sizeof bytes);
      if (n <= 0) return false;
      read_.append(bytes, static_cast<size_t>(n));
      said_.append(bytes, static_cast<size_t>(n));
    }
  }
  // Asks for the status until `text` is in it; false if it never is.
  bool reaches(const std::string& text) {
    for (int waited = 0; waited < kPatienceMs; waited += kPauseMs) {
      const std::string id = "\"id\":\"status " + std::to_string(++asked_) + "\"";
      send(R"({"jsonrpc":"2.0","method":"etlens/status",)" + id + "}");
      const size_t before = said_.size();
      if (!wait_for(id)) return false;
      if (said_.find(text, before) != std::string::npos) return true;
      ::usleep(kPauseMs * 1000);
    }
    return false;
  }
  // Everything that was read so far.
  const std::string& said() const { return said_; }
  // Of /proc: what the system knows of the process.
  std::string proc(const std::string& name) const {
    return "/proc/" + std::to_string(process_) + "/" + name;
  }

  // Says shutdown and exit; false if the process does not end.
  bool leave(int& status) {
    send(R"({"jsonrpc":"2.0","id":9999,"method":"shutdown"})");
    send(R"({"jsonrpc":"2.0","method":"exit"})");
    for (int waited = 0; waited < kPatienceMs; waited += kPauseMs) {
      int state = 0;
      if (::waitpid(process_, &state, WNOHANG) == process_) {
        process_ = -1;
        status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
        return true;
      }
      ::usleep(kPauseMs * 1000);
    }
    return false;
  }

 private:
  static constexpr int kPatienceMs = 120'000;  // nothing that a busy machine uses up
  static constexpr int kPauseMs = 5;

  pid_t process_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string read_;
  std::string said_;
  int asked_ = 0;
};

}  // namespace etlens::test
