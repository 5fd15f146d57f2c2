// SPDX-License-Identifier: Apache-2.0
// Driver of mel_deadlock: commands concern a graph that it follows by their answers, so that many
// fit. Sizes: PROCESSES RESOURCES CORES. The bench: bench.h; the reference: deadlock.py.
#include <utility>

#include "bench.h"
#include "melanion/mel_deadlock.h"

namespace {

using Edge = std::pair<uint32_t, uint32_t>;   // process, resource

class Deadlock : public Bench {
 public:
  static constexpr unsigned kSizes = 3;
  Deadlock(uint64_t seed, const Sizes& sizes)
      : Bench(seed, sizes[2]), processes_(sizes[0]), resources_(sizes[1]) {}

 private:
  uint32_t irq() const override { return top_->irq_o; }

  // Habits: how many processes and resources are liked, and how often edges go.
  void live(uint64_t life) override {
    waits_.clear();
    holds_.clear();
    liked_ = life % 2 ? 5 : 64;
    leave_ = life % 3 ? 20 : 34;
  }

  Edge any_edge() {
    return {below(processes_ < liked_ ? processes_ : liked_), below(resources_ < liked_ ? resources_ : liked_)};
  }
  Edge one_of(const std::vector<Edge>& edges) { return edges.empty() ? any_edge() : edges[below(uint32_t(edges.size()))]; }

  Access choose(unsigned) override {
    Access access;
    access.write = true;
    Edge edge = any_edge();
    const uint32_t dice = below(100);
    if (irq() && chance(20)) {
      access.address = MEL_DEADLOCK_REG_NOTICE;
    } else if (dice < 36) {
      access.address = MEL_DEADLOCK_COMMAND_REQUEST;
    } else if (dice < 36 + leave_ / 2) {
      access.address = MEL_DEADLOCK_COMMAND_RELEASE;
      if (chance(90)) edge = one_of(holds_);
    } else if (dice < 36 + leave_) {
      access.address = MEL_DEADLOCK_COMMAND_WITHDRAW;
      if (chance(90)) edge = one_of(waits_);
    } else if (dice < 78) {
      access.address = MEL_DEADLOCK_COMMAND_GRANT;
      if (chance(70)) edge = one_of(waits_);
    } else if (dice < 80) {
      if (chance(25)) access.address = MEL_DEADLOCK_COMMAND_CLEAR;
      edge = chance(70) ? Edge{0, 0} : Edge{1, 0};
      if (access.address != MEL_DEADLOCK_COMMAND_CLEAR) edge = {below(80), below(80)};
    } else if (dice < 98) {
      access.write = chance(10);
      access.address = chance(60)   ? MEL_DEADLOCK_REG_IDENTITY + 4 * below(13)
                       : chance(50) ? MEL_DEADLOCK_REGION_HOLDER(below(chance(80) ? resources_ : 70))
                                    : MEL_DEADLOCK_REGION_WAITING(below(chance(80) ? resources_ : 66)) + 4 * below(2);
    } else {
      stray(access);
    }
    access.data = edge.first | edge.second << 8;
    if (chance(1)) access.data = any_word();
    return access;
  }

  static void drop(std::vector<Edge>& edges, Edge edge) {
    for (Edge& each : edges) {
      if (each == edge) {
        each = edges.back();
        edges.pop_back();
        return;
      }
    }
  }

  // Updates the graph, roughly: whether a request waits is known to the reference alone.
  void learn(unsigned, const Access& access, uint32_t answer) override {
    if (!access.write || answer != 0) return;
    const Edge edge{access.data & 0xFF, access.data >> 8 & 0xFF};
    if (access.address == MEL_DEADLOCK_COMMAND_CLEAR) {
      waits_.clear();
      holds_.clear();
    } else if (access.address == MEL_DEADLOCK_COMMAND_REQUEST) {
      bool held = false;
      for (const Edge& each : holds_) held = held || each.second == edge.second;
      for (const Edge& each : waits_) held = held || each.second == edge.second;
      (held ? waits_ : holds_).push_back(edge);
    } else if (access.address == MEL_DEADLOCK_COMMAND_GRANT) {
      drop(waits_, edge);
      holds_.push_back(edge);
    } else if (access.address == MEL_DEADLOCK_COMMAND_RELEASE) {
      drop(holds_, edge);
    } else if (access.address == MEL_DEADLOCK_COMMAND_WITHDRAW) {
      drop(waits_, edge);
    }
  }

  uint32_t processes_, resources_;
  std::vector<Edge> waits_, holds_;
  uint32_t liked_ = 5, leave_ = 20;
};

}  // namespace

int main(int argc, char** argv) { return drive<Deadlock>(argc, argv); }
