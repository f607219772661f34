// SPDX-License-Identifier: Apache-2.0
// The tables of an ETDump as TableWalk reads them: the kinds of schema/*.fbs, and the rows by which
// their fields are named. tests/core/formats/etdump compares them with what flatc makes of these.
#pragma once

#include "core/formats/table_walk.h"

namespace etlens::dump_schema {

struct Dump {
  enum : size_t { kVersion, kRunData };
};
struct RunData {
  enum : size_t { kName, kBundledInputIndex, kAllocators, kEvents };
};
struct Allocator {
  enum : size_t { kName };
};
struct Event {
  enum : size_t { kProfile, kAllocation, kDebug };
};
struct Profile {
  enum : size_t { kName, kChain, kInstruction, kIdInt, kIdStr, kMetadata, kStart, kEnd };
};
struct AllocationEvent {
  enum : size_t { kAllocator, kBytes };
};
struct Debug {
  enum : size_t { kChain, kInstruction, kEntry, kIdInt, kIdStr, kName };
};
struct Value {
  enum : size_t { kType, kTensor, kTensorList, kInt, kFloat, kDouble, kBool, kOutput };
};
struct Tensor {
  enum : size_t { kScalarType, kSizes, kStrides, kOffset };
};
struct TensorList {
  enum : size_t { kTensors };
};
struct Number {  // Int, Bool, Float, Double
  enum : size_t { kValue };
};

enum class Release : uint8_t { From02, Release01 };

// Of one walk: they remember layouts of its buffer.
struct Kinds {
  explicit Kinds(Release release)
      : run_data(release == Release::Release01
                     ? FlatKind{kOffsetBytes, kNoField, kOffsetBytes, kOffsetBytes}
                     : FlatKind{kOffsetBytes, 4, kOffsetBytes, kOffsetBytes}),
        event(release == Release::Release01 ? FlatKind{kOffsetBytes, kOffsetBytes, kNoField}
                                            : FlatKind{kOffsetBytes, kOffsetBytes, kOffsetBytes}) {}

  FlatKind dump{4, kOffsetBytes};
  FlatKind run_data;
  FlatKind allocator{kOffsetBytes};
  FlatKind event;
  FlatKind profile{kOffsetBytes, 4, 4, 4, kOffsetBytes, kOffsetBytes, 8, 8};
  FlatKind allocation{4, 8};
  FlatKind debug{8, 4, kOffsetBytes, 4, kOffsetBytes, kOffsetBytes};
  FlatKind value{1,
                 kOffsetBytes,
                 kOffsetBytes,
                 kOffsetBytes,
                 kOffsetBytes,
                 kOffsetBytes,
                 kOffsetBytes,
                 kOffsetBytes};
  FlatKind tensor{1, kOffsetBytes, kOffsetBytes, 8};
  FlatKind tensor_list{kOffsetBytes};
  FlatKind int_value{8};
  FlatKind bool_value{1};
  FlatKind float_value{4};
  FlatKind double_value{8};
};

}  // namespace etlens::dump_schema
