// The simulation binary: loads a program, runs the system cycle by cycle, writes the trace. Arguments: options.h, docs/decisions/0002.
// Exit status: 0 the run ended for whatever reason (the last trace record says why), 2 bad arguments or files, 3 internal.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>

#include "Vmel_top.h"
#include "Vmel_top___024root.h"
#include "irqgen.h"
#include "options.h"
#include "probe.h"
#include "trace.h"
#include "verilated.h"
#ifdef MEL_WAVE
#include "verilated_fst_c.h"
#endif

namespace {

constexpr uint32_t kMemoryBase = 0x10000000;  // docs/decisions/0002
constexpr uint32_t kConsole = 0x2000, kExitOffset = 0x2004, kMarkers = 0x2100, kIrqgen = 0x3000;
constexpr int kResetCycles = 4;
constexpr int kBadUse = 2, kInternal = 3;

mel::Probe *g_probe;
mel::IrqGenerator *g_irqgen;
mel::Trace *g_trace;
std::FILE *g_console;

int fail(int status, const std::string &text) {
  std::fprintf(stderr, "sim: %s\n", text.c_str());
  return status;
}

template <typename Memory>
std::string load_file(const std::string &path, uint32_t address, Memory &memory, size_t words) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return path + ": cannot be read";
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const uint64_t offset = uint64_t{address} - kMemoryBase;
  if (address < kMemoryBase || offset + bytes.size() > words * 4) return path + ": does not fit into the memory";
  for (size_t i = 0; i < bytes.size(); i++) {
    const size_t at = offset + i, shift = at % 4 * 8;
    const uint32_t byte = static_cast<uint8_t>(bytes[i]);
    memory[at / 4] = (memory[at / 4] & ~(0xffu << shift)) | (byte << shift);
  }
  return "";
}

}  // namespace

// The functions that the RTL calls (import "DPI-C").
extern "C" {

void mel_probe_retired(unsigned core, unsigned pc, unsigned age, unsigned rd, unsigned value) {
  g_probe->retired(core, pc, age, rd, value);
}

void mel_probe_event(unsigned kind, unsigned core, unsigned a, unsigned b, unsigned c, unsigned d) {
  g_probe->event(kind, core, a, b, c, d);
}

void mel_host_store(unsigned offset, unsigned value) {
  if (offset >= kIrqgen) {
    g_irqgen->store(offset - kIrqgen, value, g_probe->cycle);
  } else if (offset >= kMarkers) {
    g_trace->add({g_probe->cycle, mel::kMarker, 0, static_cast<uint16_t>((offset - kMarkers) / 4), value, 0, 0});
  } else if (offset == kExitOffset) {
    g_probe->exit_requested(value);
  } else if (offset == kConsole) {
    std::fputc(static_cast<int>(value & 0xff), g_console);
  }
}

unsigned mel_host_load(unsigned offset) { return g_irqgen->load(offset - kIrqgen); }

}  // extern "C"

int main(int argc, char **argv) {
  mel::Options options;
  if (const std::string error = mel::parse(argc, argv, options); !error.empty()) return fail(kBadUse, error);

  VerilatedContext context;
  context.randSeed(static_cast<int>(options.seed % 0x7fffffff + 1));
  context.randReset(2);  // matters only for models built with --x-initial unique
  Vmel_top top(&context);

  auto &memory = top.rootp->mel_top__DOT__u_memory__DOT__words;
  const size_t words = sizeof(memory) / sizeof(memory[0]);
  for (size_t i = 0; i < words; i++) memory[i] = 0;
  options.data.insert(options.data.begin(), {options.image, kMemoryBase});
  for (const auto &[path, address] : options.data) {
    if (const std::string error = load_file(path, address, memory, words); !error.empty()) return fail(kBadUse, error);
  }

  mel::Trace trace;
  if (!options.trace.empty() && !trace.open(options.trace.c_str())) return fail(kBadUse, options.trace + ": cannot be written");
  mel::Probe probe(trace, kMemoryBase, &memory[0], words);
  if (!options.points.empty()) {
    if (const std::string error = probe.load(options.points.c_str()); !error.empty()) return fail(kBadUse, error);
  }
  mel::IrqGenerator irqgen(trace, options.seed);
  g_console = options.console.empty() ? stdout : std::fopen(options.console.c_str(), "wb");
  if (g_console == nullptr) return fail(kBadUse, options.console + ": cannot be written");
  g_probe = &probe;
  g_irqgen = &irqgen;
  g_trace = &trace;

#ifdef MEL_WAVE
  VerilatedFstC wave;
  if (!options.wave.empty()) {
    context.traceEverOn(true);
    top.trace(&wave, 99);
    wave.open(options.wave.c_str());
    if (!wave.isOpen()) return fail(kBadUse, options.wave + ": cannot be written");
  }
#else
  if (!options.wave.empty()) return fail(kBadUse, "--wave: this binary was built without waves");
#endif

  top.wait_states_i = options.wait_states;
  top.unit_wait_states_i = options.unit_wait_states;
  top.irq_i = 0;
  top.rst_ni = 0;
  top.clk_i = 0;
  for (int i = 0; i < kResetCycles; i++) {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    if (i == kResetCycles - 1) top.rst_ni = 1;
    top.eval();
  }

  const auto start = std::chrono::steady_clock::now();
  probe.end_cycle = options.max_cycles;
  for (probe.cycle = 0; !probe.stopped && probe.cycle < probe.end_cycle; probe.cycle++) {
    top.irq_i = irqgen.lines(probe.cycle + 1);
    top.clk_i = 0;
    top.eval();
#ifdef MEL_WAVE
    if (wave.isOpen()) wave.dump(2 * probe.cycle);
#endif
    top.clk_i = 1;
    top.eval();
#ifdef MEL_WAVE
    if (wave.isOpen()) wave.dump(2 * probe.cycle + 1);
#endif
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  top.final();
  probe.finish();
#ifdef MEL_WAVE
  if (wave.isOpen()) wave.close();
#endif
  bool written = std::fflush(g_console) == 0;
  if (!options.console.empty()) written = std::fclose(g_console) == 0 && written;
  written = trace.close() && written;
  if (!written) return fail(kInternal, "the trace or console file could not be written (is the disk full?)");
  if (options.speed) {
    std::fprintf(stderr, "speed: %llu cycles %.6f seconds %llu instructions\n", static_cast<unsigned long long>(probe.cycle),
                 seconds.count(), static_cast<unsigned long long>(probe.retired_count));
  }
  return 0;
}
