// SPDX-License-Identifier: Apache-2.0
// boot: runs mel_board_top, as RTL or as the netlist of its synthesis, and talks to it over its UART as a terminal does.
// Arguments: edges of clk_i per bit of the UART, limit of edges, characters to send (each when the program has printed one more line), and a
// character `B` among those presses the second button instead. Prints what the UART sends; on the standard error one line: edges until the last stop bit,
// LEDs, changes of each GPIO. Ends behind the line `exit 00000000` (any code) with 0; with 1 at the limit, with 2 at a character without a stop bit.
// With BOOT_TRACE also: edges per bit of the trace, and edges to go on for behind the end. Writes what the trace UART sends to the file `stream`, and what
// mel_probe_unit of the simulation reports to `events`, as records of a trace file whose cycles are those of the unit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "Vbench.h"
#include "verilated.h"

namespace {

Vbench *g_top;
uint64_t g_edge, g_per_bit;

// A character from the board, at `per_bit` edges a bit.
struct Receiver {
  uint64_t per_bit;
  int bits = 0;  // still to sample: eight of data, and the stop bit
  uint64_t next = 0;
  unsigned data = 0;
  bool broken = false;

  // True when a character is complete.
  bool look(bool level) {
    if (bits == 0) {
      if (level) return false;
      bits = 10;
      data = 0;
      next = g_edge + per_bit / 2;
    }
    if (g_edge < next) return false;
    next += per_bit;
    bits--;
    if (bits == 9) return false;  // the start bit
    if (bits > 0) {
      data = data >> 1 | (level ? 0x80 : 0);
      return false;
    }
    broken = broken || !level;
    return true;
  }
};

// A character to the board.
struct Sender {
  int bits = 0;
  uint64_t next = 0;
  unsigned frame = 0;

  void send(char character) {
    frame = 0x200 | (static_cast<unsigned char>(character) << 1);
    bits = 10;
    next = g_edge;
  }
  void drive() {
    if (bits == 0 || g_edge < next) return;
    g_top->uart_rx_i = frame & 1;
    frame >>= 1;
    bits--;
    next += g_per_bit;
  }
};

bool ended(const std::string &text) {
  if (text.size() < 15 || text.back() != '\n') return false;
  return text.compare(text.size() - 15, 6, "\nexit ") == 0;
}

#ifdef BOOT_TRACE
const int kArguments = 6;
FILE *g_events;
#else
const int kArguments = 4;
#endif

}  // namespace

#ifdef BOOT_TRACE
extern "C" void mel_probe_event(unsigned kind, unsigned core, unsigned a, unsigned b, unsigned c, unsigned d) {
  const uint64_t cycle = g_edge / 2;
  const uint8_t names[2] = {static_cast<uint8_t>(kind), static_cast<uint8_t>(core)};
  const uint16_t first = static_cast<uint16_t>(a);
  const uint32_t rest[3] = {b, c, d};
  std::fwrite(&cycle, 8, 1, g_events);
  std::fwrite(names, 1, 2, g_events);
  std::fwrite(&first, 2, 1, g_events);
  std::fwrite(rest, 4, 3, g_events);
}
#endif

int main(int argc, char **argv) {
  if (argc != kArguments) return 3;
  g_per_bit = std::strtoull(argv[1], nullptr, 0);
  const uint64_t limit = std::strtoull(argv[2], nullptr, 0);
  const char *to_send = argv[3];
  VerilatedContext context;
  Vbench top(&context);
  g_top = &top;
  const auto idle = top.buttons_i = 1;  // the first button is active low: nothing is pressed
  top.uart_rx_i = 1;
  Receiver receiver{g_per_bit};
  Sender sender;
  std::string text;
  unsigned gpio = 0, changes[2] = {0, 0};
#ifdef BOOT_TRACE
  Receiver tracer{std::strtoull(argv[4], nullptr, 0)};
  uint64_t behind = std::strtoull(argv[5], nullptr, 0);
  FILE *stream = std::fopen("stream", "wb");
  g_events = std::fopen("events", "wb");
#else
  uint64_t behind = 0;
#endif
  for (; g_edge < limit && !(ended(text) && behind-- == 0); g_edge++) {
    top.clk_i = !top.clk_i;
    sender.drive();
    top.eval();
    for (int i = 0; i < 2; i++) changes[i] += (gpio ^ top.gpio_o) >> i & 1;
    gpio = top.gpio_o;
#ifdef BOOT_TRACE
    if (g_edge >= 64 && tracer.look(top.trace_tx_o)) std::fputc(static_cast<int>(tracer.data), stream);
#endif
    if (g_edge < 64 || !receiver.look(top.uart_tx_o)) continue;
    text += static_cast<char>(receiver.data);
    std::putchar(static_cast<int>(receiver.data));
    if (receiver.data != '\n' || *to_send == 0) continue;
    if (*to_send == 'B') top.buttons_i = idle | 2;
    else sender.send(*to_send);
    to_send++;
  }
#ifdef BOOT_TRACE
  std::fclose(stream);
  std::fclose(g_events);
  receiver.broken = receiver.broken || tracer.broken;
#endif
  std::fflush(stdout);
  std::fprintf(stderr, "edges %llu leds %x gpio %u %u\n", static_cast<unsigned long long>(g_edge), unsigned{top.leds_o},
               changes[0], changes[1]);
  top.final();
  if (receiver.broken) return 2;
  return ended(text) ? 0 : 1;
}
