// SPDX-License-Identifier: Apache-2.0
#include "rpc/uv/stdio_transport.h"

#include <algorithm>
#include <array>

#include "rpc/uv/handle.h"
#include "rpc/uv/hung_up.h"

namespace etlens::uv {
namespace {

constexpr size_t kReadBytes = 64 * 1024;
constexpr size_t kPauseAbove = 32 * 1024 * 1024;  // bytes waiting to be written
constexpr size_t kResumeBelow = 8 * 1024 * 1024;
constexpr Delay kClientPause(500);

}  // namespace

// A descriptor as the kind of stream it is; neither handle for files.
struct StdioStream {
  UvHandle<uv_pipe_t> pipe;
  UvHandle<uv_tcp_t> tcp;
  UvHandle<uv_tty_t> tty;

  uv_stream_t* get() const {
    if (pipe) return as_stream(pipe.get());
    if (tcp) return as_stream(tcp.get());
    return tty ? as_stream(tty.get()) : nullptr;
  }
};

namespace {

StdioStream open_stream(uv_loop_t* loop, int descriptor) {
  StdioStream stream;
  switch (uv_guess_handle(descriptor)) {
    case UV_NAMED_PIPE:
      stream.pipe.reset(new uv_pipe_t);
      uv_pipe_init(loop, stream.pipe.get(), 0);
      if (uv_pipe_open(stream.pipe.get(), descriptor) != 0) stream.pipe.reset();
      break;
    case UV_TCP:
      stream.tcp.reset(new uv_tcp_t);
      uv_tcp_init(loop, stream.tcp.get());
      if (uv_tcp_open(stream.tcp.get(), descriptor) != 0) stream.tcp.reset();
      break;
    case UV_TTY:
      stream.tty.reset(new uv_tty_t);
      // Closes the handle itself if it cannot be made.
      if (uv_tty_init(loop, stream.tty.get(), descriptor, 0) != 0) delete stream.tty.release();
      break;
    default:
      break;
  }
  return stream;
}

}  // namespace

// Writes in order. A write that fails means that nobody reads: what follows is dropped.
class StdioTransport::Output {
 public:
  Output(Loop& loop, int descriptor)
      : loop_(loop.raw()),
        descriptor_(descriptor),
        stream_(open_stream(loop_, descriptor)),
        self_(std::make_shared<Output*>(this)) {}
  ~Output() { *self_ = nullptr; }

  void write(std::string bytes) {
    if (failed_) return;
    if (stream_.get() == nullptr) {
      write_file(bytes);
      return;
    }
    auto* request = new Write{{}, self_, std::move(bytes)};
    request->request.data = request;
    const uv_buf_t buffer =
        uv_buf_init(request->bytes.data(), static_cast<unsigned>(request->bytes.size()));
    waiting_ += request->bytes.size();
    ++writes_;
    const int status =
        uv_write(&request->request, stream_.get(), &buffer, 1, [](uv_write_t* done, int result) {
          const std::unique_ptr<Write> written(static_cast<Write*>(done->data));
          if (Output* output = *written->output) output->finish(written->bytes.size(), result);
        });
    if (status != 0) {
      const std::unique_ptr<Write> written(request);
      finish(written->bytes.size(), status);
    }
  }

  size_t waiting() const { return waiting_; }
  // Also of a message that is written in part.
  size_t unsent() const {
    return stream_.get() == nullptr ? 0 : uv_stream_get_write_queue_size(stream_.get());
  }
  bool failed() const { return failed_; }
  void on_progress(std::function<void()> handler) { on_progress_ = std::move(handler); }
  void flush(std::function<void()> done) {
    on_flushed_ = std::move(done);
    check_flushed();
  }

 private:
  struct Write {
    uv_write_t request;
    std::shared_ptr<Output*> output;  // to null once the output is gone
    std::string bytes;
  };

  void finish(size_t size, int result) {
    waiting_ -= size;
    --writes_;
    if (result < 0) failed_ = true;
    if (on_progress_) on_progress_();
    check_flushed();
  }

  void check_flushed() {
    if (writes_ > 0 && !failed_) return;
    if (const auto done = std::exchange(on_flushed_, nullptr)) done();
  }

  void write_file(std::string_view bytes) {
    while (!bytes.empty() && !failed_) {
      uv_fs_t request;
      const uv_buf_t buffer =
          uv_buf_init(const_cast<char*>(bytes.data()), static_cast<unsigned>(bytes.size()));
      const int written = uv_fs_write(loop_, &request, descriptor_, &buffer, 1, -1, nullptr);
      uv_fs_req_cleanup(&request);
      if (written <= 0) failed_ = true;
      else bytes.remove_prefix(static_cast<size_t>(written));
    }
  }

  uv_loop_t* loop_;
  int descriptor_;
  StdioStream stream_;
  std::shared_ptr<Output*> self_;
  size_t waiting_ = 0;  // bytes
  size_t writes_ = 0;
  bool failed_ = false;
  std::function<void()> on_progress_;
  std::function<void()> on_flushed_;
};

// Reads until the end; pauses while the output is full.
class StdioTransport::Input {
 public:
  Input(Loop& loop, int descriptor, Output& output, lsp::Framing framing)
      : loop_(loop),
        descriptor_(descriptor),
        output_(output),
        stream_(open_stream(loop.raw(), descriptor)),
        reader_(framing) {}
  ~Input() {
    if (reading_file_ != nullptr) reading_file_->input = nullptr;
  }

  void start(Handlers handlers) {
    handlers_ = std::move(handlers);
    output_.on_progress([this] { resume(); });
    if (uv_stream_t* stream = stream_.get()) {
      stream->data = this;
      read_stream();
    } else {
      read_file();
    }
  }

  void stop() {
    handlers_ = {};
    if (uv_stream_t* stream = stream_.get()) uv_read_stop(stream);
  }

 private:
  struct FileRead {
    uv_fs_t request;
    Input* input;  // null once the input is gone
    std::array<char, kReadBytes> bytes;
  };

  void read_stream() {
    const int status = uv_read_start(
        stream_.get(),
        [](uv_handle_t* handle, size_t, uv_buf_t* buffer) {
          auto& bytes = static_cast<Input*>(handle->data)->buffer_;
          *buffer = uv_buf_init(bytes.data(), static_cast<unsigned>(bytes.size()));
        },
        [](uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
          auto* input = static_cast<Input*>(stream->data);
          if (count > 0) input->take({buffer->base, static_cast<size_t>(count)});
          else if (count < 0) input->end();
        });
    if (status != 0) end();
  }

  void read_file() {
    auto* read = new FileRead;
    read->input = this;
    read->request.data = read;
    reading_file_ = read;
    const uv_buf_t buffer =
        uv_buf_init(read->bytes.data(), static_cast<unsigned>(read->bytes.size()));
    const int status =
        uv_fs_read(loop_.raw(), &read->request, descriptor_, &buffer, 1, -1, [](uv_fs_t* request) {
          const std::unique_ptr<FileRead> done(static_cast<FileRead*>(request->data));
          const ssize_t count = request->result;
          uv_fs_req_cleanup(request);
          if (done->input == nullptr) return;
          done->input->reading_file_ = nullptr;
          done->input->take_file(
              {done->bytes.data(), static_cast<size_t>(std::max<ssize_t>(count, 0))});
        });
    if (status != 0) {
      delete std::exchange(reading_file_, nullptr);
      end();
    }
  }

  void take_file(std::string_view bytes) {
    if (bytes.empty()) {
      end();
      return;
    }
    take(bytes);
    if (handlers_.on_frames && !paused_) read_file();
  }

  void take(std::string_view bytes) {
    reader_.push(bytes);
    std::vector<lsp::Frame> frames;
    while (std::optional<lsp::Frame> frame = reader_.pull()) frames.push_back(std::move(*frame));
    // A copy: a handler may close us while it runs.
    const auto on_frames = handlers_.on_frames;
    if (!frames.empty() && on_frames) on_frames(std::move(frames));
    if (output_.failed()) {
      end();  // nobody reads our answers
    } else if (output_.waiting() > kPauseAbove && !paused_) {
      paused_ = true;
      if (uv_stream_t* stream = stream_.get()) uv_read_stop(stream);
      watch_client(output_.unsent());
    }
  }

  // Nothing is read while too much is unread, so the end of the stream is not seen: a client that
  // has gone and takes nothing more is asked for.
  void watch_client(size_t unsent) {
    client_timer_ = loop_.after(kClientPause, [this, unsent] {
      if (!paused_ || !handlers_.on_frames) return;
      const size_t now = output_.unsent();
      if (now == unsent && has_hung_up(descriptor_)) end();
      else watch_client(now);
    });
  }

  void resume() {
    if (output_.failed()) {
      end();
      return;
    }
    if (!paused_ || output_.waiting() > kResumeBelow || !handlers_.on_frames) return;
    paused_ = false;
    if (stream_.get() != nullptr) read_stream();
    else if (reading_file_ == nullptr) read_file();
  }

  void end() {
    if (uv_stream_t* stream = stream_.get()) uv_read_stop(stream);
    const auto on_end = std::exchange(handlers_, {}).on_end;
    if (on_end) on_end();
  }

  Loop& loop_;
  int descriptor_;
  Output& output_;
  StdioStream stream_;
  std::array<char, kReadBytes> buffer_;
  lsp::FrameReader reader_;
  Handlers handlers_;
  FileRead* reading_file_ = nullptr;
  Timer client_timer_;
  bool paused_ = false;
};

StdioTransport::StdioTransport(Loop& loop, int input, int output, lsp::Framing framing)
    : framing_(framing),
      output_(std::make_unique<Output>(loop, output)),
      input_(std::make_unique<Input>(loop, input, *output_, framing)) {}

StdioTransport::~StdioTransport() = default;

void StdioTransport::start(Handlers handlers) { input_->start(std::move(handlers)); }

void StdioTransport::send(std::string json) { output_->write(lsp::frame(json, framing_)); }

size_t StdioTransport::unsent() const { return output_->unsent(); }

void StdioTransport::close(std::function<void()> on_flushed) {
  input_->stop();
  output_->flush(std::move(on_flushed));
}

}  // namespace etlens::uv
