// SPDX-License-Identifier: Apache-2.0
// The simulation binary: loads a program, runs the system cycle by cycle, writes the trace. Arguments: options.h, docs/decisions/0002.
// Exit status: 0 the run ended for whatever reason (the last trace record says why), 2 bad arguments or files, 3 internal.
#include <cstdio>

#include "options.h"
#include "process.h"
#include "simulation.h"

namespace {

constexpr int kBadUse = 2, kInternal = 3;

int fail(int status, const std::string &text) {
  std::fprintf(stderr, "sim: %s\n", text.c_str());
  return status;
}

}  // namespace

int main(int argc, char **argv) {
  mel::Options options;
  if (const std::string error = mel::parse(argc, argv, options); !error.empty()) return fail(kBadUse, error);
  mel::refuse_no_size();
  if (!mel::end_with(options.parent)) return fail(kInternal, "the process that started it has ended");
  mel::Simulation simulation(options);
  if (const std::string error = simulation.prepare(); !error.empty()) return fail(kBadUse, error);
  simulation.run();
  if (!simulation.finish()) return fail(kInternal, "the trace or console file could not be written (is the disk full?)");
  return 0;
}
