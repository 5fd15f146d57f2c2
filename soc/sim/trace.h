/* SPDX-License-Identifier: Apache-2.0 */
// Trace: the file of 24-byte records (spec/trace.yaml). Records stand in the order of reporting; the reader sorts them by cycle (stable).
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

namespace mel {

// Kinds and exit reasons used by the simulation itself; spec/trace.yaml.
enum Kind : uint8_t { kTrap = 16, kIrqWire = 19, kPoint = 20, kMarker = 21, kExit = 22, kStack = 23 };
enum ExitReason : uint16_t { kProgram = 0, kCycleLimit = 1, kStackOverflow = 2, kFault = 3 };

constexpr uint32_t kCores = 4;  // at most
// Sets of registers: the core's own (its only one, or that of the idle context), that of its handlers, and those of tasks, which all cores share.
constexpr uint32_t kOwnBanks = 2;
constexpr uint32_t kBanks = kOwnBanks + 256;

struct Record {
  uint64_t cycle;
  uint8_t kind;
  uint8_t core;
  uint16_t a;
  uint32_t b, c, d;
};
static_assert(sizeof(Record) == 24, "spec/trace.yaml: a record is 24 bytes");

class Trace {
 public:
  ~Trace();
  // Returns false when the file cannot be made. Without a call nothing is recorded.
  bool open(const char *path);
  void add(const Record &record) {
    if (file_ == nullptr) return;
    buffer_.push_back(record);
    if (buffer_.size() == kBuffered) flush();
  }
  // Returns false when any write failed (full disk).
  bool close();

 private:
  static constexpr size_t kBuffered = 1 << 15;
  void flush();
  std::FILE *file_ = nullptr;
  std::vector<Record> buffer_;
  bool failed_ = false;
};

}  // namespace mel
