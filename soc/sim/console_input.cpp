// SPDX-License-Identifier: Apache-2.0
#include "console_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace mel {

namespace {

constexpr size_t kDepth = 2048;             // bytes in the queue, as in a board's (mel_fifo.sv)
constexpr uint32_t kNothing = 0xffffffff, kEnded = 0xfffffffe;
constexpr int kNone = -1, kEnd = -2;
constexpr uint64_t kLookEvery = 1 << 12;    // cycles between two looks at what is typed, a few ms

}  // namespace

ConsoleInput::ConsoleInput(Trace &trace, const Options &options) : trace_(trace), options_(options) {}

std::string ConsoleInput::open() {
  if (options_.input.empty()) return "";
  typed_ = options_.input == "-";
  if (!typed_) {
    std::ifstream file(options_.input, std::ios::binary);
    if (!file) return options_.input + ": cannot be read";
    bytes_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (!options_.input_copy.empty() && (copy_ = std::fopen(options_.input_copy.c_str(), "wb")) == nullptr) {
    return options_.input_copy + ": cannot be written";
  }
  next_ = options_.input_cycles;
  mask_ = options_.input_line < 64 ? uint64_t{1} << options_.input_line : 0;
  return "";
}

int ConsoleInput::next_byte() {
  if (at_ == bytes_.size() && typed_) {
    pollfd typed{STDIN_FILENO, POLLIN, 0};
    if (poll(&typed, 1, 0) <= 0) return kNone;
    char some[4096];
    const ssize_t count = read(STDIN_FILENO, some, sizeof some);
    bytes_.assign(some, static_cast<size_t>(std::max<ssize_t>(count, 0)));
    at_ = 0;
  }
  return at_ == bytes_.size() ? kEnd : static_cast<uint8_t>(bytes_[at_++]);
}

void ConsoleInput::arrive(uint64_t cycle) {
  const int byte = next_byte();
  next_ = cycle + (byte == kNone ? kLookEvery : options_.input_cycles);
  if (byte == kNone) return;
  if (byte == kEnd) {
    ended_ = true;
    next_ = kNever;
    return;
  }
  arrived_++;
  if (copy_ != nullptr) std::fputc(byte, copy_);
  if (waiting_.size() == kDepth) {
    lost_++;
  } else {
    waiting_.push_back(static_cast<uint8_t>(byte));
  }
}

void ConsoleInput::turn(bool high, uint64_t cycle) {
  high_ = high;
  if (high && mask_ != 0) trace_.add({cycle, kIrqWire, 0, static_cast<uint16_t>(options_.input_line), 0, 0, 0});
}

uint32_t ConsoleInput::load(uint32_t offset) {
  if (offset != 0) return static_cast<uint32_t>(std::min<uint64_t>(lost_, 0xffff)) << 16;
  if (waiting_.empty()) return ended_ || options_.input.empty() ? kEnded : kNothing;
  const uint32_t byte = waiting_.front();
  waiting_.pop_front();
  return byte;
}

std::string ConsoleInput::counts() const {
  return "input: " + std::to_string(arrived_) + " arrived " + std::to_string(lost_) + " lost";
}

bool ConsoleInput::close() { return copy_ == nullptr || std::fclose(copy_) == 0; }

}  // namespace mel
