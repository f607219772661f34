// SPDX-License-Identifier: Apache-2.0
// What `etlens memory` prints: planned memory as tables, in words and as a curve.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/facts/allocator_facts.h"
#include "core/facts/memory_facts.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"

namespace etlens {

// input, output, state with its name in the model ("state layers.0.k_cache"), scratch.
std::vector<std::string> role_names(const TensorFacts& tensor);
// "float32 [1, 64]"; "<=" before sizes that are upper bounds.
std::string tensor_text(const TensorFacts& tensor);
// "2 tensors (256 kB) keep the peak up unused: they wait for instruction 57 aten::add.out,
// layers.py:57".
std::string waiting_text(const MemoryFacts& facts, const WaitingFacts& waiting);

// One row per buffer of each method.
Table memory_buffers_table(const std::vector<MemoryFacts>& methods, TableStyle style);
// For people the tensors in use at the peak; as data all planned ones, in the order of values.
Table memory_tensors_table(const MemoryFacts& facts, TableStyle style);
// Lines that make tensors, those with most of the peak first; for people those with any of it.
Table memory_lines_table(const MemoryFacts& facts, TableStyle style);
// What the allocators of a dump gave out.
Table allocators_table(const std::vector<AllocatorFacts>& allocators, TableStyle style);

// Bytes in use over the instructions, as block characters: at most kMaxCurve of them, each by the
// most in what it stands for. "" without instructions.
std::string memory_curve(const PlannedBuffer& buffer);
inline constexpr size_t kMaxCurve = 60;

// Of a dump of the program; nullopt if none was given.
using DumpAllocators = std::optional<std::vector<AllocatorFacts>>;

// All of it for people: buffers of every method, then curve, tensors and lines of `facts`, and what
// the dump says besides.
std::string memory_text(const std::vector<MemoryFacts>& methods, const MemoryFacts& facts,
                        const DumpAllocators& allocators, TablePrinter& printer);

}  // namespace etlens
