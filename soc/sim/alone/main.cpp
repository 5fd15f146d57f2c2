// SPDX-License-Identifier: Apache-2.0
// The simulation without Melanion around it (`melanion export`, in the place of soc/sim/main.cpp): runs a program, shows its console, and says how
// it ended. Arguments: options.h. Exit status: 0 the program ended with exit code 0, 1 with another or not at all, 2 bad arguments or files,
// 3 internal.
#include <cstdio>

#include "options.h"
#include "simulation.h"

namespace {

constexpr int kFailed = 1, kBadUse = 2, kInternal = 3;

int fail(int status, const std::string &text) {
  std::fprintf(stderr, "sim: %s\n", text.c_str());
  return status;
}

// The last line of the output.
void say(const mel::Probe &probe) {
  const auto cycles = static_cast<unsigned long long>(probe.cycle);
  switch (probe.reason) {
    case mel::kProgram:
      std::printf("exit code %u after %llu cycles\n", probe.code, cycles);
      break;
    case mel::kCycleLimit:
      std::printf("no exit within %llu cycles (--max-cycles)\n", cycles);
      break;
    case mel::kStackOverflow:
      std::printf("a stack overflowed after %llu cycles\n", cycles);
      break;
    case mel::kFault:
      std::printf("an exception ended the run after %llu cycles: cause %u\n", cycles, probe.code);
      break;
  }
}

}  // namespace

int main(int argc, char **argv) {
  mel::Options options;
  if (const std::string error = mel::parse(argc, argv, options); !error.empty()) return fail(kBadUse, error);
  mel::Simulation simulation(options);
  if (const std::string error = simulation.prepare(); !error.empty()) return fail(kBadUse, error);
  simulation.run();
  if (!simulation.finish()) return fail(kInternal, "the trace or console file could not be written (is the disk full?)");
  say(simulation.probe);
  return simulation.probe.reason == mel::kProgram && simulation.probe.code == 0 ? 0 : kFailed;
}
