// SPDX-License-Identifier: Apache-2.0
// Resets the unit in cycles of one recorded run, and wants another one to follow as after power-up: the same responses,
// interrupt lines and trace records in the same cycles.
//
//   resets BEFORE AFTER LAST EVERY BEHIND SEED
//
// BEFORE, AFTER: one Cycle for each cycle from the end of reset on (resets.py). For every EVERY-th k < LAST: the first k cycles of BEFORE are
// played, `rst_ni` is low for one cycle, the first BEHIND cycles of AFTER are played, and another reset is made. All is compared.
// Exit status 0: always the same; 1: a difference, one line on standard error; 2: wrong use.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "Vbench.h"
#include "verilated.h"

namespace {

struct Cycle {
  uint64_t irq;
  uint32_t wdata, rdata;  // data of the request; of the response
  uint32_t trace;         // expected: see traced()
  uint32_t addr;
  uint8_t valid, write, be;
  uint8_t answered, lines;  // expected: a response; bit 0 dispatch, bit 1 handler
  uint8_t unused[3];
};
static_assert(sizeof(Cycle) == 32, "resets.py writes 32 bytes");

std::vector<Cycle> read_recording(const char *name) {
  std::vector<Cycle> cycles;
  FILE *file = std::fopen(name, "rb");
  if (!file) {
    std::fprintf(stderr, "resets: cannot read %s\n", name);
    std::exit(2);
  }
  Cycle cycle;
  while (std::fread(&cycle, sizeof cycle, 1, file) == 1) cycles.push_back(cycle);
  std::fclose(file);
  return cycles;
}

void edge(Vbench &top, bool clock) {
  top.clk_i = clock;
  top.eval();
}

void drive(Vbench &top, const Cycle &cycle) {
  top.req_valid_i = cycle.valid;
  top.req_write_i = cycle.write;
  top.req_addr_i[0] = cycle.addr;
  top.req_be_i = cycle.be;
  top.req_wdata_i[0] = cycle.wdata;
  top.irq_i = cycle.irq;
}

// Reset is low for `cycles` clock edges, with whatever the recording has at that place on the inputs; on return it is high.
void reset(Vbench &top, const Cycle &inputs, int cycles) {
  top.rst_ni = 0;
  drive(top, inputs);
  for (int i = 0; i < cycles; ++i) {
    edge(top, false);
    edge(top, true);
  }
  drive(top, Cycle{});
  top.rst_ni = 1;
}

// One number of all trace records of this cycle: their words times odd numbers. 0: none.
uint32_t traced(const Vbench &top) {
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < 3; ++lane) {
    if (!(top.trace_valid_o >> lane & 1)) continue;
    for (unsigned word = 0; word < 4; ++word) sum += top.trace_o[4 * lane + word] * (2 * word + 1);
  }
  return sum;
}

// Empty when the unit does in this cycle what the recording says.
const char *difference(const Vbench &top, const Cycle &cycle) {
  if (top.rsp_valid_o != cycle.answered) return "a response comes or is missing";
  if (cycle.answered && top.rsp_rdata_o[0] != cycle.rdata) return "a response differs";
  if ((unsigned{top.irq_dispatch_o} | unsigned{top.irq_handler_o} << 1) != cycle.lines) return "an interrupt line differs";
  if (traced(top) != cycle.trace) return "the trace differs";
  return nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  const std::vector<Cycle> runs[] = {read_recording(argv[1]), read_recording(argv[2])};
  const unsigned last = std::strtoul(argv[3], nullptr, 0), every = std::strtoul(argv[4], nullptr, 0);
  const unsigned behind = std::strtoul(argv[5], nullptr, 0);
  if (every == 0 || last > runs[0].size() || behind > runs[1].size()) return 2;
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(std::atoi(argv[6]) | 1);
  auto top = std::make_unique<Vbench>(&context);
  reset(*top, Cycle{}, 4);
  for (unsigned k = 0; k < last; k += every) {
    for (unsigned part = 0; part < 2; ++part) {
      const unsigned length = part ? behind : k;
      for (unsigned i = 0; i < length; ++i) {
        const Cycle &cycle = runs[part][i];
        drive(*top, cycle);
        edge(*top, false);
        if (const char *text = difference(*top, cycle)) {
          std::fprintf(stderr, "%s in cycle %u after the %s reset in cycle %u\n", text, i, part ? "first" : "second", part ? k : k - 1);
          return 1;
        }
        edge(*top, true);
      }
      reset(*top, runs[part][length % runs[part].size()], 1);
    }
  }
  return 0;
}
