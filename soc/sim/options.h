// Options: the arguments of the simulation binary (docs/decisions/0002).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mel {

struct Options {
  std::string image, points, trace, console, wave;
  uint64_t max_cycles = 100'000'000;
  uint32_t wait_states = 0, unit_wait_states = 0;
  uint64_t seed = 1;
  std::vector<std::pair<std::string, uint32_t>> data;  // file, address
  bool speed = false;
};

// Returns an error text, empty when all is well.
std::string parse(int argc, char **argv, Options &options);

}  // namespace mel
