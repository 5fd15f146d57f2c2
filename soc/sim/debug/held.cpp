// SPDX-License-Identifier: Apache-2.0
// The simulation under a debugger (melanion/debug, in the place of soc/sim/main.cpp): the same run, cycle by cycle, that somebody may hold.
// Arguments: ../options.h. Standard input: questions, standard output: answers (session.h). Exit status: as of soc/sim/main.cpp.
#include <cstdio>

#include "../options.h"
#include "../process.h"
#include "../simulation.h"
#include "session.h"

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
  mel::Session session(simulation);
  if (const std::string error = simulation.prepare(); !error.empty()) return fail(kBadUse, error);
  simulation.run();
  const bool written = simulation.finish();
  session.end();
  if (!written) return fail(kInternal, "the trace or console file could not be written (is the disk full?)");
  return 0;
}
