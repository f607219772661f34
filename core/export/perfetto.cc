// SPDX-License-Identifier: Apache-2.0
// Perfetto's trace: TracePackets with track events. Field numbers are those that Perfetto publishes
// (protos/perfetto/trace/trace_packet.proto, track_event/*.proto, interned_data.proto). Names and
// labels are written once, in front; a slice refers to them. Timestamps are whole nanoseconds since
// the begin of the timeline; where the clock counts cycles, a nanosecond stands for one.
#include <fmt/format.h>

#include <array>
#include <protozero/pbf_writer.hpp>

#include "core/base/path.h"
#include "core/base/shown_text.h"
#include "core/base/string_pool.h"
#include "core/export/labels.h"
#include "core/export/packets.h"
#include "core/facts/headline.h"
#include "core/facts/timeline.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

using protozero::pbf_writer;

// TracePacket, beside its timestamp
constexpr uint32_t kSequenceId = 10;
constexpr uint32_t kTrackEvent = 11;
constexpr uint32_t kInternedData = 12;
constexpr uint32_t kSequenceFlags = 13;
constexpr uint32_t kTrackDescriptor = 60;
constexpr uint32_t kCleared = 1;     // of the flags: interned data begin anew
constexpr uint32_t kNeedsState = 2;  // they are used
// InternedData, and its entries
constexpr uint32_t kEventCategories = 1;
constexpr uint32_t kEventNames = 2;
constexpr uint32_t kAnnotationNames = 3;
constexpr uint32_t kAnnotationStrings = 29;
constexpr uint32_t kIid = 1;
constexpr uint32_t kStringValue = 2;
// TrackDescriptor, ProcessDescriptor, ThreadDescriptor
constexpr uint32_t kUuid = 1;
constexpr uint32_t kProcessDescriptor = 3;
constexpr uint32_t kThread = 4;
constexpr uint32_t kParentUuid = 5;
constexpr uint32_t kPid = 1;
constexpr uint32_t kTid = 2;
constexpr uint32_t kThreadName = 5;
constexpr uint32_t kProcessName = 6;
// TrackEvent
constexpr uint32_t kCategoryIids = 3;
constexpr uint32_t kAnnotations = 4;
constexpr uint32_t kEventType = 9;
constexpr uint32_t kNameIid = 10;
constexpr uint32_t kTrackUuid = 11;
constexpr uint32_t kEventName = 23;
constexpr int32_t kSliceBegin = 1;
constexpr int32_t kSliceEnd = 2;
// DebugAnnotation
constexpr uint32_t kAnnotationNameIid = 1;
constexpr uint32_t kIntValue = 4;
constexpr uint32_t kStringIid = 17;

constexpr uint32_t kSequence = 1;
constexpr uint64_t kProcessTrack = 1;
constexpr uint64_t kExecutionTrack = 2;
constexpr uint64_t kBesideTrack = 3;

// Texts of one kind, each written once: numbers from 1 on.
class Interned {
 public:
  uint64_t of(std::string_view text) { return number_of(texts_.intern(text)); }
  void add_to(std::string& data, uint32_t field) const {
    pbf_writer out(data);
    for (uint32_t i = 0; i < texts_.size(); ++i) {
      pbf_writer entry(out, field);
      entry.add_uint64(kIid, number_of(StringId(i)));
      entry.add_string(kStringValue, shown_text(texts_[StringId(i)]));
    }
  }

 private:
  static uint64_t number_of(StringId id) { return uint64_t{id.value} + 1; }

  StringPool texts_;
};

class PerfettoWriter {
 public:
  PerfettoWriter(const ExportInput& input, Sink& sink)
      : input_(input), facts_(input.facts), sink_(sink), begins_(facts_.contribution_count()) {}

  void run() {
    describe_tracks();
    intern_all();
    for (size_t i = 0; i < timeline_.size(); ++i) {
      for (const Slice& slice : timeline_.read(i)) {
        close(slice.depth);
        begin(slice, i);
        open_.push_back(slice.end());
      }
      close(0);
    }
    for (const BesideSlice& slice : timeline_.beside()) write(slice);
  }

 private:
  // Of an event: the packet, whose content ends with the track event.
  struct Begin {
    TimedPackets::Kept packet;
    size_t event_size = 0;
  };

  void packet(std::string_view content) {
    frame_.clear();
    pbf_writer trace(frame_);
    trace.add_message(kTracePacket, content.data(), content.size());
    sink_ << frame_;
  }

  void describe_tracks() {
    const Headline head = headline(facts_);
    const std::string title = fmt::format("{} {}", head.method.empty() ? "etlens" : head.method,
                                          base_name(facts_.study().etdump_path));
    track(kProcessTrack, 0, kProcessDescriptor, title);
    track(kExecutionTrack, 1, kThread, std::string(head.block));
    if (!timeline_.beside().empty()) track(kBesideTrack, 2, kThread, "other blocks");
  }

  void track(uint64_t uuid, int32_t thread, uint32_t kind, const std::string& name) {
    std::string data;
    {
      pbf_writer out(data);
      out.add_uint32(kSequenceId, kSequence);
      pbf_writer descriptor(out, kTrackDescriptor);
      descriptor.add_uint64(kUuid, uuid);
      if (uuid != kProcessTrack) descriptor.add_uint64(kParentUuid, kProcessTrack);
      pbf_writer owner(descriptor, kind);
      owner.add_int32(kPid, 1);
      if (kind == kThread) owner.add_int32(kTid, thread);
      owner.add_string(kind == kThread ? kThreadName : kProcessName, shown_text(name));
    }
    packet(data);
  }

  // Everything that slices refer to, and their unchanging part.
  void intern_all() {
    for (size_t e = 0; e < facts_.contribution_count(); ++e) make_begin(ContributionId(e));
    labels_.of("execution");
    std::string interned;
    names_.add_to(interned, kEventNames);
    categories_.add_to(interned, kEventCategories);
    labels_.add_to(interned, kAnnotationNames);
    texts_.add_to(interned, kAnnotationStrings);
    std::string data;
    pbf_writer out(data);
    out.add_uint32(kSequenceId, kSequence);
    out.add_uint32(kSequenceFlags, kCleared | kNeedsState);
    out.add_message(kInternedData, interned);
    packet(data);
  }

  void annotate(pbf_writer& event, const Label& label) {
    pbf_writer annotation(event, kAnnotations);
    annotation.add_uint64(kAnnotationNameIid, labels_.of(label.name));
    if (const auto* number = std::get_if<int64_t>(&label.value))
      annotation.add_int64(kIntValue, *number);
    else annotation.add_uint64(kStringIid, texts_.of(std::get<std::string>(label.value)));
  }

  void make_begin(ContributionId id) {
    event_.clear();
    pbf_writer event(event_);
    event.add_int32(kEventType, kSliceBegin);
    event.add_uint64(kTrackUuid, kExecutionTrack);
    event.add_uint64(kNameIid, names_.of(facts_.join().readable_name(id)));
    event.add_uint64(kCategoryIids, categories_.of(category_of(facts_, id)));
    for (const Label& label : labels_of(input_, id)) annotate(event, label);
    begins_[id.value][0] = kept(event_);
    annotate(event, in_order_label(input_, timeline_.step_of(id)));
    begins_[id.value][1] = kept(event_);
  }

  Begin kept(const std::string& event) { return {packets_.keep(content_of(event)), event.size()}; }

  // The packet of a track event, but for its timestamp.
  static std::string content_of(const std::string& event) {
    std::string content;
    pbf_writer out(content);
    out.add_uint32(kSequenceId, kSequence);
    out.add_uint32(kSequenceFlags, kNeedsState);
    out.add_message(kTrackEvent, event);
    return content;
  }

  // A packet that does not come again.
  void write_once(uint64_t time, std::string content) {
    pbf_writer out(content);
    out.add_uint64(kPacketTimestamp, time);
    packet(content);
  }

  uint64_t at(uint64_t ticks) const { return nanoseconds(ticks, clock_); }

  void begin(const Slice& slice, size_t index) {
    const Begin& begin = begins_[slice.event.value][slice.is_in_order ? 1 : 0];
    if (slice.depth > 0) return packets_.write(at(slice.start), begin.packet);
    const std::string_view content = packets_.content_of(begin.packet);
    event_ = content.substr(content.size() - begin.event_size);
    pbf_writer event(event_);
    annotate(event, {"execution", int64_t{timeline_.number(index)} + 1});
    write_once(at(slice.start), content_of(event_));
  }

  // Ends what is open at this depth and below it, the innermost first.
  void close(size_t depth) {
    for (; open_.size() > depth; open_.pop_back()) packets_.write(at(open_.back()), end_);
  }

  static std::string end_on(uint64_t track) {
    std::string event;
    pbf_writer out(event);
    out.add_int32(kEventType, kSliceEnd);
    out.add_uint64(kTrackUuid, track);
    return content_of(event);
  }

  void write(const BesideSlice& slice) {
    event_.clear();
    pbf_writer event(event_);
    event.add_int32(kEventType, kSliceBegin);
    event.add_uint64(kTrackUuid, kBesideTrack);
    event.add_string(kEventName, shown_text(slice.name));
    write_once(at(slice.start), content_of(event_));
    write_once(at(slice.start + static_cast<uint64_t>(slice.length.value)), end_on(kBesideTrack));
  }

  const ExportInput& input_;
  const Facts& facts_;
  Sink& sink_;
  const TimeScale clock_ = facts_.quantity().ticks;
  Timeline timeline_{facts_};
  Interned names_, categories_, labels_, texts_;
  TimedPackets packets_{sink_};
  std::vector<std::array<Begin, 2>> begins_;  // per event: as logged, and in order
  const TimedPackets::Kept end_ = packets_.keep(end_on(kExecutionTrack));
  std::vector<uint64_t> open_;  // ends of the slices that are open
  std::string event_, frame_;
};

}  // namespace

void write_perfetto(const ExportInput& input, Sink& sink) { PerfettoWriter(input, sink).run(); }

}  // namespace etlens
