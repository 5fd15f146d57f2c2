// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "Vmel_top___024root.h"
#include "access.h"

namespace mel {

namespace {

constexpr uint64_t kEvery = 1024;  // cycles between two points: a digest takes as long as some hundred cycles

uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t z = (a ^ b) * 0x9e3779b97f4a7c15u;
  return z ^ (z >> 29);
}

// Four lanes, so that multiplications overlap.
uint64_t digest_of(const void *data, size_t size, uint64_t start) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  uint64_t lanes[4] = {start, start + 1, start + 2, start + 3}, words[4];
  size_t at = 0;
  for (; at + sizeof words <= size; at += sizeof words) {
    std::memcpy(words, bytes + at, sizeof words);
    for (int i = 0; i < 4; i++) lanes[i] = mixed(lanes[i], words[i]);
  }
  uint64_t rest[4] = {};
  std::memcpy(rest, bytes + at, size - at);
  uint64_t sum = size;
  for (int i = 0; i < 4; i++) sum = mixed(sum, mixed(lanes[i], rest[i]));
  return sum;
}

// Numbers in spec/trace.yaml and spec/status.yaml.
constexpr uint8_t kCommand = 1, kAnswer = 8;
constexpr uint32_t kRefused = static_cast<uint32_t>(-5);  // E_SYS

// A record in the buffer, from `first` on, has the status E_SYS.
bool refuses(const std::vector<Record> &records, size_t first) {
  return std::any_of(records.begin() + static_cast<ptrdiff_t>(std::min(first, records.size())), records.end(),
                     [](const Record &each) { return (each.kind == kCommand || each.kind == kAnswer) && each.d == kRefused; });
}

void *shared(size_t bytes) {
  void *found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) std::abort();
  return found;
}

}  // namespace

Reference::Reference(Simulation &simulation, uint64_t limit) : simulation_(simulation), count_(limit / kEvery + 1) {
  shared_ = static_cast<Shared *>(shared(sizeof(Shared)));
  points_ = static_cast<Point *>(shared(count_ * sizeof(Point)));
}

uint64_t Reference::digest() {
  const auto &root = *(simulation_.*member(OpenedTop())).rootp;
  uint64_t sum = digest_of(&root, sizeof root, 0);
  sum = digest_of(&simulation_.irqgen, sizeof simulation_.irqgen, sum);
  sum = digest_of(&simulation_.input, sizeof simulation_.input, sum);
  sum = digest_of(&simulation_.probe, sizeof simulation_.probe, sum);
  for (const std::string &line : simulation_.*member(OpenedLines())) sum = digest_of(line.data(), line.size(), sum);
  return sum;
}

void Reference::record() {
  for (uint64_t point = 1; !simulation_.probe.stopped && point < count_; point++) {
    simulation_.advance(point * kEvery);
    if (simulation_.probe.cycle == point * kEvery) points_[point] = {digest(), records_of(simulation_)};
  }
  simulation_.run();
  *shared_ = {simulation_.probe.cycle, digest()};
}

bool Reference::noticed(uint64_t cycle) {
  const auto &records = trace_of(simulation_).*member(OpenedBuffer());
  while (!simulation_.probe.stopped && simulation_.probe.cycle < std::min(cycle, simulation_.probe.end_cycle)) {
    const size_t before = records.size();
    simulation_.advance(std::min(cycle, simulation_.probe.cycle + kEvery));
    if (refuses(records, records.size() < before ? 0 : before)) return true;  // 0: the buffer has gone to the file
  }
  return false;
}

std::string Reference::follow(bool early) {
  uint64_t distance = 1;
  for (uint64_t point = simulation_.probe.cycle / kEvery + 1; early && !simulation_.probe.stopped && point < count_; point += distance, distance *= 2) {
    if (noticed(point * kEvery)) return "noticed";
    if (simulation_.probe.cycle != point * kEvery || points_[point].records == 0) break;
    if (points_[point].digest == digest()) return "equal " + std::to_string(points_[point].records);
  }
  if (early && noticed(UINT64_MAX)) return "noticed";
  simulation_.run();
  return simulation_.probe.cycle == shared_->end_cycle && digest() == shared_->end_digest ? "clean" : "latent";
}

}  // namespace mel
