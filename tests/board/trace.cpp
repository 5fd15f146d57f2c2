// SPDX-License-Identifier: Apache-2.0
// trace: drives mel_trace with random records, and hears its UART.
// Arguments: seed, cycles of the unit, accesses of the core in 1000 of its cycles, cycles of the unit in a bit, cycles of the unit in one of the core,
// cycles between two ticks (on an average).
// Each access brings a step or an answer a few cycles later; ticks and further steps come by themselves, also together. Then it waits until the queue is
// empty, and on until an entry without a record has followed.
// Writes the bytes to the file `stream` and all records to `events`, as records of a trace file. Prints the accesses, and the longest time for which one waited.
// Ends with 1 when the UART does not rest, with 2 at a byte without a stop bit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "Vbench.h"
#include "verilated.h"

namespace {

struct Record {
  uint64_t cycle;
  uint8_t kind;
  uint16_t a;
  uint32_t b, c, d;
};

std::mt19937_64 g_random;
FILE *g_events;
uint64_t g_cycle, g_time;

unsigned below(unsigned count) { return static_cast<unsigned>(g_random() % count); }

uint32_t status() { return static_cast<uint32_t>(static_cast<int32_t>(below(3) ? 0 : static_cast<int>(below(40)) - 37)); }

// Few bytes of most words are not zero, as in a unit.
uint32_t word() { return static_cast<uint32_t>(g_random()) >> (8 * below(5) % 32) << (8 * below(3)); }

template <typename Port>
void drive(Port &port, const Record *record) {
  if (record == nullptr) {
    port[4] = 0;  // `valid`; the rest stays, as the unit's
    return;
  }
  port[0] = record->d;
  port[1] = record->c;
  port[2] = record->b;
  port[3] = static_cast<uint32_t>(record->kind) << 24 | record->a;
  port[4] = 1;
  std::fwrite(&record->cycle, 8, 1, g_events);
  const uint8_t names[2] = {record->kind, 0};
  std::fwrite(names, 1, 2, g_events);
  std::fwrite(&record->a, 2, 1, g_events);
  const uint32_t rest[3] = {record->b, record->c, record->d};
  std::fwrite(rest, 4, 3, g_events);
}

Record tick() {
  g_time++;
  return {g_cycle, 3, 0, static_cast<uint32_t>(g_time), static_cast<uint32_t>(g_time >> 32), 0};
}

Record step() {
  static const uint8_t kKinds[] = {1, 1, 1, 2, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15};
  const uint8_t kind = kKinds[below(16)];
  auto a = static_cast<uint16_t>(below(64));
  if (kind == 1) a = static_cast<uint16_t>(below(3) << 8 | below(60));
  if ((kind == 7 || kind == 10) && below(4) == 0) a = 0xFFFF;
  return {g_cycle, kind, a, below(255), word(), status()};
}

Record answer() { return {g_cycle, 8, static_cast<uint16_t>(below(4) ? below(65) : 0xFFFF), 0, 0, status()}; }

}  // namespace

int main(int argc, char **argv) {
  if (argc != 7) return 3;
  g_random.seed(std::strtoull(argv[1], nullptr, 0));
  const uint64_t cycles = std::strtoull(argv[2], nullptr, 0);
  const auto often = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 0));
  const uint64_t per_bit = std::strtoull(argv[4], nullptr, 0);
  const uint64_t ratio = std::strtoull(argv[5], nullptr, 0);
  const auto apart = static_cast<unsigned>(std::strtoul(argv[6], nullptr, 0));
  const uint64_t limit = cycles + 5000000;  // a queue of 2048 entries is sent long before
  VerilatedContext context;
  Vbench top(&context);
  g_events = std::fopen("events", "wb");
  FILE *stream = std::fopen("stream", "wb");
  unsigned bits = 0, data = 0;
  uint64_t end = cycles;
  uint64_t next = 0, quiet = 0, accesses = 0, waited = 0, longest = 0;
  bool wants = false, broken = false;
  unsigned due_step = 0, due_answer = 0;  // cycles until the record of an access
  for (; g_cycle < limit && (end == cycles || g_cycle < end || quiet < 200 * per_bit); g_cycle++) {
    if (end == cycles && g_cycle >= cycles && quiet >= 200 * per_bit) end = g_cycle + 60000;
    const bool runs = g_cycle > 4 && g_cycle < cycles;
    top.rst_ni = g_cycle > 2;
    Record steps = step(), answers = answer();
    const bool ticks = runs && below(apart) == 0;
    const bool stepped = (due_step && --due_step == 0) || (runs && below(apart) == 0) || (ticks && below(2));
    const bool answered = (due_answer && --due_answer == 0) || (ticks && below(2));
    if (ticks) {
      const Record record = tick();
      drive(top.tick_i, &record);
    } else {
      drive(top.tick_i, nullptr);
    }
    drive(top.step_i, stepped ? &steps : nullptr);
    drive(top.answer_i, answered ? &answers : nullptr);
    if (g_cycle % ratio == 0) {
      // The core decides at the beginning of its cycle, and hears of a grant at the end.
      top.eval();
      wants = wants || (runs && below(1000) < often);
      top.access_i = wants && !top.hold_o && due_step == 0 && due_answer == 0;
      if (top.access_i) {
        accesses++;
        wants = false;
        waited = 0;
        (below(2) ? due_step : due_answer) = 2 + below(3);
      } else if (wants && top.hold_o) {
        waited++;
        if (waited > longest) longest = waited;
      }
    }
    top.clk_i = 0;
    if (g_cycle % ratio == ratio / 2 || ratio == 1) top.clk_core_i = 0;
    top.eval();
    top.clk_i = 1;
    if (g_cycle % ratio == ratio - 1) top.clk_core_i = 1;
    top.eval();
    quiet = top.tx_o && bits == 0 ? quiet + 1 : 0;
    if (bits == 0) {
      if (!top.tx_o && top.rst_ni) {
        bits = 10;
        data = 0;
        next = g_cycle + per_bit / 2;
      }
      continue;
    }
    if (g_cycle < next) continue;
    next += per_bit;
    bits--;
    if (bits == 9) continue;
    if (bits > 0) {
      data = data >> 1 | (top.tx_o ? 0x80 : 0);
      continue;
    }
    broken = broken || !top.tx_o;
    std::fputc(static_cast<int>(data), stream);
  }
  std::fclose(stream);
  std::fclose(g_events);
  std::printf("%llu %llu\n", static_cast<unsigned long long>(accesses), static_cast<unsigned long long>(longest));
  if (broken) return 2;
  return g_cycle < limit ? 0 : 1;
}
