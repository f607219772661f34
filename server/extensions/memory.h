// SPDX-License-Identifier: Apache-2.0
// etlens/memory: the memory that the exporter planned for a method, tensor by tensor. Of the
// program of the study that is shown; without one, of the newest program that is found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct MemoryParams {
  std::optional<std::string> method;  // absent: the one that is shown, or the first of some size
};
FIELDS(MemoryParams, method)

struct MemoryMethod {
  std::string name;
  ByteCount peak;
  bool current = false;
};
FIELDS(MemoryMethod, name, peak, current)

struct MemoryTensor {
  uint32_t value = 0;   // in the plan's table
  uint64_t offset = 0;  // in the buffer
  ByteCount bytes;
  uint64_t at_peak = 0;  // of them, in use at the peak; 0 for a view, whose base has them
  double share = 0;      // of the peak
  std::string type;      // "float32 [1, 64]"
  uint32_t first = 0;    // instructions in which its bytes are needed, both included
  uint32_t last = 0;
  std::optional<uint32_t> view_of;    // a value
  std::vector<std::string> roles;     // input, output, state, scratch; state with its name
  std::string op;                     // that makes it; "" if nothing does
  std::optional<std::string> node;    // of the record
  std::optional<std::string> module;  // "" is the root
  std::optional<uint32_t> partition;  // number of the delegate call that makes it
  std::optional<uint32_t> place;      // into `places`: where it is made
  std::optional<std::string> buffer;  // state: its dotted path in the model
  std::optional<uint32_t> written;    // into `places`: where state gets a new value
};
FIELDS(MemoryTensor, value, offset, bytes, at_peak, share, type, first, last, view_of, roles, op,
       node, module, partition, place, buffer, written)

struct MemoryBuffer {
  uint32_t id = 0;  // memory id
  ByteCount size;   // what the runtime has to provide
  ByteCount peak;   // the most in use
  uint32_t peak_instruction = 0;
  ByteCount without_reuse;
  std::vector<uint64_t> live;  // bytes in use, by instruction
  std::vector<MemoryTensor> tensors;
};
FIELDS(MemoryBuffer, id, size, peak, peak_instruction, without_reuse, live, tensors)

// Tensors that nothing uses while memory peaks, and that are kept for one later instruction.
struct MemoryWaiting {
  uint32_t instruction = 0;
  ByteCount bytes;
  double share = 0;  // of the peak
  std::string text;  // "2 tensors (256 kB) keep the peak up unused: they wait for …"
  std::vector<uint32_t> values;
  std::optional<uint32_t> place;
};
FIELDS(MemoryWaiting, instruction, bytes, share, text, values, place)

// A line that made what is in use at the peak.
struct MemoryLine {
  ByteCount at_peak;
  double share = 0;  // of the peak
  uint32_t place = 0;
};
FIELDS(MemoryLine, at_peak, share, place)

// What an allocator gave out while the program ran, as the dump that is shown logged it.
struct MemoryAllocator {
  std::string block;
  std::string name;
  uint64_t executions = 0;
  uint64_t events = 0;  // of all of them
  ByteCount most;       // in one execution
  ByteCount largest;    // of one event
};
FIELDS(MemoryAllocator, block, name, executions, events, most, largest)

struct MemoryResult {
  uint64_t generation = 0;
  std::string why;  // why there is nothing, in one sentence, or ""
  std::string pte;
  std::optional<std::string> etrecord;
  std::vector<MemoryMethod> methods;
  std::vector<std::string> instructions;  // of the method: what each runs
  ByteCount peak;                         // of all buffers together
  uint32_t peak_instruction = 0;
  std::vector<MemoryBuffer> buffers;
  std::vector<MemoryLine> lines;       // those with most of the peak, the most first
  std::vector<MemoryWaiting> waiting;  // the most bytes first
  uint32_t unplanned = 0;              // values that the caller or the runtime allocates
  std::vector<MemoryAllocator> allocators;
  std::vector<SourceLine> places;
};
FIELDS(MemoryResult, generation, why, pte, etrecord, methods, instructions, peak, peak_instruction,
       buffers, lines, waiting, unplanned, allocators, places)

}  // namespace etlens::extensions
