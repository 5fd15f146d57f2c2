// SPDX-License-Identifier: Apache-2.0
// The simulation with a window (in the place of soc/sim/main.cpp): `sim FILE FROM OPTIONS…` runs to the cycle FROM, records what the unit does from there to the
// end of the run (--max-cycles), and writes the records of window.h into FILE. Options: ../options.h. Exit status: as of soc/sim/main.cpp.
#include <cstdio>
#include <cstdlib>

#include "../options.h"
#include "../process.h"
#include "../simulation.h"
#include "window.h"

namespace {

constexpr int kBadUse = 2, kInternal = 3;

int fail(int status, const std::string &text) {
  std::fprintf(stderr, "sim: %s\n", text.c_str());
  return status;
}

bool write(const char *path, const std::vector<mel::UnitCycle> &cycles) {
  std::FILE *file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(cycles.data(), sizeof(mel::UnitCycle), cycles.size(), file) == cycles.size();
  return std::fclose(file) == 0 && written;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return fail(kBadUse, "FILE and FROM are missing");
  const char *file = argv[1];
  const uint64_t from = std::strtoull(argv[2], nullptr, 0);
  mel::Options options;
  if (const std::string error = mel::parse(argc - 2, argv + 2, options); !error.empty()) return fail(kBadUse, error);
  mel::refuse_no_size();
  if (!mel::end_with(options.parent)) return fail(kInternal, "the process that started it has ended");
  mel::Simulation simulation(options);
  mel::Window window(simulation);
  if (const std::string error = simulation.prepare(); !error.empty()) return fail(kBadUse, error);
  simulation.advance(from);
  window.record(options.max_cycles);
  const bool written = write(file, window.cycles);
  if (!simulation.finish() || !written) return fail(kInternal, "a file of the run could not be written (is the disk full?)");
  return 0;
}
