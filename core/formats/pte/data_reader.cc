// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/data_reader.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/budget.h"

namespace etlens {
namespace {

namespace ps = program_schema;

std::optional<ByteRange> range_of(const ps::DataSegment& segment, const ProgramLayout& layout) {
  const uint64_t room = layout.file_bytes - layout.segment_base;
  if (segment.offset() > room || segment.size() > room - segment.offset()) return std::nullopt;
  return ByteRange{layout.segment_base + segment.offset(), segment.size()};
}

ByteRange range_of(const flatbuffers::Vector<uint8_t>* bytes, std::span<const uint8_t> table) {
  if (bytes == nullptr) return {};
  return {static_cast<uint64_t>(bytes->data() - table.data()), bytes->size()};
}

class DataReader {
 public:
  DataReader(const ps::Program& root, std::span<const uint8_t> table, const ProgramLayout& layout,
             CopyBudget& budget, EtProgram& program)
      : root_(root), table_(table), layout_(layout), budget_(budget), program_(program) {}

  void read() {
    program_.file_bytes = layout_.file_bytes;
    program_.table_bytes = layout_.table_bytes;
    read_segments();
    read_constants();
    if (const auto* all = root_.mutable_data_segments()) {
      for (const ps::SubsegmentOffsets* offsets : *all)
        program_.mutable_data.push_back(subsegments(*offsets));
    }
    read_named_data();
  }

 private:
  void read_segments() {
    if (root_.segments() == nullptr) return;
    for (const ps::DataSegment* segment : *root_.segments()) {
      go_on();
      const std::optional<ByteRange> range = range_of(*segment, layout_);
      if (!range) {
        program_.report.add(Oddity::ProgramDataOdd,
                            "segment " + std::to_string(program_.segments.size()));
      }
      program_.segments.push_back(range.value_or(ByteRange{}));
    }
  }

  // Releases up to 0.3 keep them in the table.
  void read_constants() {
    const ps::SubsegmentOffsets* offsets = root_.constant_segment();
    if (offsets != nullptr && offsets->offsets() != nullptr && offsets->offsets()->size() > 0) {
      program_.constants = subsegments(*offsets);
    } else if (root_.constant_buffer() != nullptr) {
      for (const ps::Buffer* buffer : *root_.constant_buffer())
        program_.constants.push_back(range_of(buffer->storage(), table_));
    }
  }

  // Each reaches to the next one, or to the end of its segment.
  std::vector<ByteRange> subsegments(const ps::SubsegmentOffsets& list) {
    std::vector<ByteRange> ranges;
    const auto* offsets = list.offsets();
    if (offsets == nullptr || !budget_.take(offsets->size() * sizeof(uint64_t))) return ranges;
    if (list.segment_index() >= program_.segments.size()) {
      program_.report.add(Oddity::ProgramDataOdd,
                          "segment " + std::to_string(list.segment_index()) + " of constants");
      return ranges;
    }
    const ByteRange segment = program_.segments[list.segment_index()];
    const std::vector<uint64_t> begins = numbers_in(*offsets);
    std::vector<uint64_t> ends = begins;
    ends.push_back(segment.size);
    std::sort(ends.begin(), ends.end());
    ranges.resize(begins.size());
    for (size_t i = 1; i < begins.size(); ++i) {  // the first is reserved
      go_on();
      const uint64_t offset = begins[i];
      const auto next = std::upper_bound(ends.begin(), ends.end(), offset);
      if (next == ends.end() || *next > segment.size) {
        if (offset != segment.size)
          program_.report.add(Oddity::ProgramDataOdd, "constant " + std::to_string(i));
        continue;
      }
      ranges[i] = {segment.offset + offset, *next - offset};
    }
    return ranges;
  }

  void read_named_data() {
    if (root_.named_data() == nullptr) return;
    for (const ps::NamedData* data : *root_.named_data()) {
      go_on();
      const bool is_there = data->segment_index() < program_.segments.size();
      if (!is_there) program_.report.add(Oddity::ProgramDataOdd, budget_.text(data->key()));
      program_.named_data.push_back(
          {std::string(budget_.text(data->key())),
           is_there ? program_.segments[data->segment_index()] : ByteRange{}});
    }
  }

  const ps::Program& root_;
  std::span<const uint8_t> table_;
  const ProgramLayout& layout_;
  CopyBudget& budget_;
  EtProgram& program_;
};

}  // namespace

void read_data(const ps::Program& root, std::span<const uint8_t> table, const ProgramLayout& layout,
               CopyBudget& budget, EtProgram& program) {
  DataReader(root, table, layout, budget, program).read();
}

Result<void> locate_payloads(const ps::ExecutionPlan& plan, const ps::Program& root,
                             std::span<const uint8_t> table, const ProgramLayout& layout,
                             ProgramMethod& method) {
  for (size_t d = 0; d < method.delegates.size(); ++d) {
    const ps::BackendDelegate& delegate = *plan.delegates()->Get(static_cast<uint32_t>(d));
    const ps::BackendDelegateDataReference* reference = delegate.processed();
    if (reference == nullptr) continue;
    ByteRange found;
    if (reference->location() == ps::DataLocation_Segment) {
      if (root.segments() == nullptr || reference->index() >= root.segments()->size())
        return corrupt_program("a delegate's segment is missing");
      const std::optional<ByteRange> range =
          range_of(*root.segments()->Get(reference->index()), layout);
      if (!range) {
        return corrupt_program("a segment ends outside (" + std::to_string(layout.file_bytes) +
                               " bytes are here)");
      }
      found = *range;
    } else {
      const auto* all = root.backend_delegate_data();
      if (all == nullptr || reference->index() >= all->size())
        return corrupt_program("a delegate's data is missing");
      found = range_of(all->Get(reference->index())->data(), table);
    }
    method.delegates[d].offset = found.offset;
    method.delegates[d].size = found.size;
  }
  return {};
}

}  // namespace etlens
