// SPDX-License-Identifier: Apache-2.0
#include "core/measure/file_bytes.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/join/constant_names.h"
#include "core/measure/taken_bytes.h"

namespace etlens {
namespace {

class FileDivider {
 public:
  FileDivider(const EtProgram& program, const std::vector<std::shared_ptr<const Code>>& codes,
              const Backends& backends,
              const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload)
      : program_(program), codes_(codes), backends_(backends), read_payload_(read_payload) {
    for (const NamedData& data : program.named_data) named_.emplace(data.key, data.range);
  }

  FileBytes divide() {
    result_.file_bytes = program_.file_bytes;
    // What lies inside something else takes its bytes first.
    for (size_t m = 0; m < program_.methods.size(); ++m) add_constants_of(m);
    add_unused_data();
    add_payloads();
    add_rest();
    return std::move(result_);
  }

 private:
  struct Payload {
    ByteRange range;
    FilePart part;
  };

  void add_constants_of(size_t m) {
    const ProgramMethod& method = program_.methods[m];
    const ConstantNames names(*codes_[m], method);
    std::vector<bool> is_seen(method.tensors.size(), false);
    std::vector<uint32_t> tensors;
    for (uint32_t i = 0; i < method.instructions.size(); ++i) {
      const ProgramInstruction& row = method.instructions[i];
      tensors.clear();
      for (const uint32_t value : method.arguments_of(row))
        method.append_tensors_of(value, tensors);
      for (const uint32_t tensor : tensors) {
        if (is_seen[tensor]) continue;
        is_seen[tensor] = true;
        add_tensor(m, i, tensor, names);
      }
      if (row.kind == InstructionKind::Delegate) add_call(m, i, names);
    }
    for (uint32_t t = 0; t < method.tensors.size(); ++t) {
      if (!is_seen[t]) add_tensor(m, kNone, t, names);
    }
  }

  // `instruction`: the first that reads it; kNone if none does.
  void add_tensor(size_t m, uint32_t instruction, uint32_t t, const ConstantNames& names) {
    const ProgramMethod& method = program_.methods[m];
    const ProgramTensor& tensor = method.tensors[t];
    const ByteRange range = program_.data_of(tensor);
    const bool is_external = tensor.is_external && tensor.is_constant();
    if ((range.size == 0 && !is_external) || is_shared(range)) return;
    FilePart part = part_of(FilePartKind::Constant, m);
    if (instruction != kNone) {
      const bool is_kernel = method.instructions[instruction].kind == InstructionKind::Kernel;
      own(part, is_kernel ? names.of_kernel(instruction, t) : names.of_call(instruction));
    }
    if (!tensor.name.empty()) part.name = tensor.name;
    if (part.name.empty()) part.name = "constant " + std::to_string(tensor.data_buffer);
    if (is_external) {
      part.kind = FilePartKind::External;
      part.bytes = tensor.bytes;
      result_.parts.push_back(std::move(part));
    } else {
      take(range, std::move(part));
    }
  }

  void add_call(size_t m, uint32_t instruction, const ConstantNames& names) {
    const ProgramMethod& method = program_.methods[m];
    const ProgramDelegate& delegate = *method.delegate_of(method.instructions[instruction]);
    const ByteRange range{delegate.offset, delegate.size};
    if (range.size == 0) return;
    const auto [known, is_new] = payload_of_.try_emplace(range, payloads_.size());
    if (!is_new) {
      ++payloads_[known->second].part.users;
      return;
    }
    FilePart part = part_of(FilePartKind::DelegateOther, m);
    own(part, names.of_call(instruction));
    part.name = delegate.backend;
    payloads_.push_back({range, part});
    const Backend& backend = backends_.find(delegate.backend);
    // Payloads lie beside each other, so that together they are no more than the file.
    if (backend.list_constants == nullptr || !read_payload_ || range.size > unread_) return;
    unread_ -= range.size;
    const std::vector<PayloadConstant> constants = backend.list_constants(read_payload_(delegate));
    const std::vector<ConstantOwner> owners = names.of_payload(instruction, constants);
    for (size_t c = 0; c < constants.size(); ++c)
      add_payload_constant(m, constants[c], owners[c], range);
  }

  void add_payload_constant(size_t m, const PayloadConstant& constant, const ConstantOwner& owner,
                            ByteRange payload) {
    ByteRange range;
    FilePart part = part_of(FilePartKind::DelegateConstant, m);
    if (!constant.key.empty()) {
      const auto data = named_.find(constant.key);
      if (data == named_.end()) {  // of another file
        part.kind = FilePartKind::External;
        part.bytes = constant.size;
      } else {
        range = data->second;
      }
    } else if (constant.offset < payload.size) {
      range = {payload.offset + constant.offset,
               std::min(constant.size, payload.size - constant.offset)};
    }
    if (is_shared(range) || (range.size == 0 && part.kind != FilePartKind::External)) return;
    own(part, owner);
    if (part.name.empty()) {
      part.name = constant.op.empty() ? std::string("constant") : constant.op + " " + constant.role;
    } else if (constant.role.ends_with(" scales")) {
      part.name += " scales";
    }
    if (part.kind == FilePartKind::External) result_.parts.push_back(std::move(part));
    else take(range, std::move(part));
  }

  // Data that no tensor and no payload names.
  void add_unused_data() {
    for (const NamedData& data : program_.named_data) {
      if (data.range.size == 0 || part_at_.contains(data.range)) continue;
      FilePart part = part_of(FilePartKind::Constant, 0);
      part.name = data.key;
      take(data.range, std::move(part));
    }
  }

  void add_payloads() {
    for (Payload& payload : payloads_) {
      payload.part.bytes = taken_.take(payload.range);
      result_.parts.push_back(std::move(payload.part));
    }
  }

  void add_rest() {
    uint64_t all = 0;
    for (const FilePart& part : result_.parts)
      all += part.kind == FilePartKind::External ? 0 : part.bytes;
    FilePart table = part_of(FilePartKind::Program, 0);
    table.name = "program";
    table.bytes = taken_.take({0, program_.table_bytes});
    FilePart padding = part_of(FilePartKind::Padding, 0);
    padding.name = "padding";
    padding.bytes = result_.file_bytes - all - table.bytes;
    result_.parts.push_back(std::move(table));
    if (padding.bytes > 0) result_.parts.push_back(std::move(padding));
  }

  // Counts one more user of a range that has its part.
  bool is_shared(ByteRange range) {
    const auto known = part_at_.find(range);
    if (range.size == 0 || known == part_at_.end()) return false;
    ++result_.parts[known->second].users;
    return true;
  }

  void take(ByteRange range, FilePart part) {
    part.bytes = taken_.take(range);
    if (part.bytes < range.size) result_.report.add(Oddity::ProgramDataOdd, part.name);
    part_at_.emplace(range, result_.parts.size());
    result_.parts.push_back(std::move(part));
  }

  static FilePart part_of(FilePartKind kind, size_t method) {
    FilePart part;
    part.kind = kind;
    part.method = method;
    return part;
  }

  void own(FilePart& part, const ConstantOwner& owner) const {
    part.line = owner.landing.line;
    part.partition = owner.landing.partition;
    if (codes_[part.method]->record != nullptr) part.module = owner.module;
    part.name = owner.name;
  }

  const EtProgram& program_;
  const std::vector<std::shared_ptr<const Code>>& codes_;
  const Backends& backends_;
  const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload_;
  std::unordered_map<std::string_view, ByteRange> named_;
  uint64_t unread_ = program_.file_bytes;  // of payloads
  TakenBytes taken_;
  std::map<ByteRange, size_t> part_at_;  // parts by what they are in the file
  std::map<ByteRange, size_t> payload_of_;
  std::vector<Payload> payloads_;
  FileBytes result_;
};

}  // namespace

std::string_view name_of(FilePartKind kind) {
  switch (kind) {
    case FilePartKind::Constant:
      return "constant";
    case FilePartKind::DelegateConstant:
      return "delegate_constant";
    case FilePartKind::DelegateOther:
      return "delegate_other";
    case FilePartKind::Program:
      return "program";
    case FilePartKind::Padding:
      return "padding";
    case FilePartKind::External:
      return "external";
  }
  return "external";
}

FileBytes divide_file(
    const EtProgram& program, const std::vector<std::shared_ptr<const Code>>& codes,
    const Backends& backends,
    const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload) {
  return FileDivider(program, codes, backends, read_payload).divide();
}

}  // namespace etlens
