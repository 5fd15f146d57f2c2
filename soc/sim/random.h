/* SPDX-License-Identifier: Apache-2.0 */
// Random: numbers from a seed. splitmix64 (Vigna): passes the usual tests for every seed, and needs no warm-up.
#pragma once

#include <cstdint>

namespace mel {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // Uniform, both ends included; `least` when the range is empty.
  uint64_t between(uint32_t least, uint32_t most) {
    const uint64_t span = most >= least ? uint64_t{most} - least + 1 : 1;
    return least + next() % span;
  }

 private:
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace mel
