// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

#include "Vmel_top___024root.h"

namespace mel {

namespace {

constexpr uint32_t kConsole = 0x2000, kExitOffset = 0x2004, kReceived = 0x2008, kMarkers = 0x2100, kIrqgen = 0x3000;
constexpr int kResetCycles = 4;
constexpr uint64_t kLookEvery = 1 << 14;  // cycles between two looks at the clock, about 10 ms

Simulation *g_simulation;  // for the DPI functions, which get no context

auto &memory_of(const Vmel_top &top) { return top.rootp->mel_top__DOT__u_memory_tile__DOT__u_memory__DOT__words; }

size_t words_of(const Vmel_top &top) { return sizeof(memory_of(top)) / sizeof(memory_of(top)[0]); }

// One number for each core, 16 bits each, core 0 the lowest.
template <typename Draw, typename Port>
void draw_for_cores(const Draw &draw, const Waits &waits, Port &port) {
  uint64_t of_cores = 0;
  for (size_t i = 0; i < sizeof(port) / 2; i++) of_cores |= uint64_t{draw(waits)} << 16 * i;
  port = static_cast<Port>(of_cores);
}

// The clock of a unit at twice that of its cores; a top without one has no such port.
template <typename Top>
auto unit_clock(Top &top, int) -> decltype(&top.clk_unit_i) {
  return &top.clk_unit_i;
}
template <typename Top>
CData *unit_clock(Top &, long) {
  return nullptr;
}

}  // namespace

Simulation::Simulation(const Options &options)
    : probe(trace_), irqgen(trace_, options.seed), input(trace_, options), options_(options), random_(~options.seed), top_(&context_) {
  g_simulation = this;
}

Simulation::~Simulation() { g_simulation = nullptr; }

std::string Simulation::load(const std::string &path, uint32_t address) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return path + ": cannot be read";
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const uint64_t offset = uint64_t{address} - kMemoryBase;
  if (address < kMemoryBase || offset + bytes.size() > words_of(top_) * 4) return path + ": does not fit into the memory";
  auto &memory = memory_of(top_);
  for (size_t i = 0; i < bytes.size(); i++) {
    const size_t at = offset + i, shift = at % 4 * 8;
    const uint32_t byte = static_cast<uint8_t>(bytes[i]);
    memory[at / 4] = (memory[at / 4] & ~(0xffu << shift)) | (byte << shift);
  }
  return "";
}

std::string Simulation::prepare() {
  // Both matter only for models built with --x-initial unique.
  context_.randSeed(static_cast<int>(options_.seed % 0x7fffffff + 1));
  context_.randReset(2);
  for (const auto &[line, cycle] : options_.pulses) irqgen.give(line, cycle);
  for (size_t i = 0; i < words_of(top_); i++) memory_of(top_)[i] = 0;
  std::string error = load(options_.image, kMemoryBase);
  for (const auto &[path, address] : options_.data) {
    if (error.empty()) error = load(path, address);
  }
  if (!error.empty()) return error;
  if (!options_.trace.empty() && !trace_.open(options_.trace.c_str())) return options_.trace + ": cannot be written";
  error = probe.load(options_.tracepoints, kMemoryBase, &memory_of(top_)[0], words_of(top_));
  if (!error.empty()) return error;
  console_ = options_.console.empty() ? stdout : std::fopen(options_.console.c_str(), "wb");
  if (console_ == nullptr) return options_.console + ": cannot be written";
  error = input.open();
  if (error.empty()) error = open_wave();
  if (error.empty()) reset();
  probe.end_cycle = options_.max_cycles;
  told_ = std::chrono::steady_clock::now();
  return error;
}

std::string Simulation::open_wave() {
  if (options_.wave.empty()) return "";
#ifdef MEL_WAVE
  context_.traceEverOn(true);
  top_.trace(&wave_, 99);
  wave_.open(options_.wave.c_str());
  return wave_.isOpen() ? "" : options_.wave + ": cannot be written";
#else
  return "--wave: this binary was built without waves";
#endif
}

void Simulation::reset() {
  draw_wait_states();
  top_.irq_i = 0;
  top_.rst_ni = 0;
  for (int i = 0; i < kResetCycles; i++) {
    clocks(false, false);
    clocks(true, true);
  }
  top_.rst_ni = 1;
  clocks(false, false);
}

void Simulation::draw_wait_states() {
  const auto draw = [this](const Waits &waits) {
    return waits.least == waits.most ? waits.least : static_cast<uint32_t>(random_.between(waits.least, waits.most));
  };
  top_.instr_wait_states_i = draw(options_.wait_states);
  top_.data_wait_states_i = draw(options_.data_wait_states);
  draw_for_cores(draw, options_.unit_wait_states, top_.unit_wait_states_i);
  draw_for_cores(draw, options_.bridge_read, top_.bridge_read_i);
  draw_for_cores(draw, options_.bridge_write, top_.bridge_write_i);
}

void Simulation::clocks(bool cores, bool unit) {
  top_.clk_i = cores;
  if (CData *clock = unit_clock(top_, 0)) *clock = unit;
  top_.eval();
}

void Simulation::half_cycle(bool clock) {
  if (unit_clock(top_, 0) != nullptr && !clock) {  // an edge of the unit's clock between two of the cores'
    step(false, false);
    step(false, true);
  }
  step(clock, clock);
}

void Simulation::step(bool cores, bool unit) {
  clocks(cores, unit);
#ifdef MEL_WAVE
  if (wave_.isOpen()) wave_.dump(wave_step_++);
#endif
}

void Simulation::advance(uint64_t until) {
  const std::clock_t start = std::clock();  // processor time: other work on the machine does not count
  for (; !probe.stopped && probe.cycle < std::min(until, probe.end_cycle); probe.cycle++) {
    top_.irq_i = irqgen.lines(probe.cycle + 1) | input.lines(probe.cycle + 1);
    draw_wait_states();
    half_cycle(false);
    half_cycle(true);
    if (options_.progress && probe.cycle % kLookEvery == 0) tell_progress();
  }
  seconds_ += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void Simulation::tell_progress() {
  const auto now = std::chrono::steady_clock::now();
  if (now - told_ < std::chrono::seconds(1)) return;
  told_ = now;
  std::fprintf(stderr, "progress: %llu cycles\n", static_cast<unsigned long long>(probe.cycle));
}

bool Simulation::finish() {
  top_.final();
  probe.finish();
#ifdef MEL_WAVE
  if (wave_.isOpen()) wave_.close();
#endif
  for (const std::string &line : lines_) std::fwrite(line.data(), 1, line.size(), console_);
  bool written = std::fflush(console_) == 0;
  if (console_ != stdout) written = std::fclose(console_) == 0 && written;
  written = trace_.close() && input.close() && written;
  if (options_.speed) {
    std::fprintf(stderr, "speed: %llu cycles %.6f seconds %llu instructions\n", static_cast<unsigned long long>(probe.cycle), seconds_,
                 static_cast<unsigned long long>(probe.retired_count));
    std::fprintf(stderr, "pulses: %llu left\n", static_cast<unsigned long long>(irqgen.left()));
    if (!options_.input.empty()) std::fprintf(stderr, "%s\n", input.counts().c_str());
    for (const std::string &line : counts_) std::fprintf(stderr, "%s\n", line.c_str());
  }
  return written;
}

void Simulation::print(uint32_t core, char character) {
  std::string &line = lines_[core];
  line += character;
  if (options_.input == "-") {  // somebody watches
    std::fputc(character, stdout);
    std::fflush(stdout);
  }
  if (character != '\n') return;
  std::fwrite(line.data(), 1, line.size(), console_);
  line.clear();
}

void Simulation::cache_count(uint32_t core, bool instr, uint64_t loads, uint64_t misses) {
  counts_.push_back("cache: core " + std::to_string(core) + (instr ? " instructions " : " data ") + std::to_string(loads) + " loads " +
                    std::to_string(misses) + " misses");
}

void Simulation::unit_counted(uint32_t refused, uint32_t lost_irqs) {
  counts_.push_back("unit: " + std::to_string(refused) + " refused " + std::to_string(lost_irqs) + " lost");
}

uint32_t Simulation::host_load(uint32_t offset) {
  return offset >= kIrqgen ? irqgen.load(offset - kIrqgen) : input.load(offset - kReceived);
}

void Simulation::host_store(uint32_t core, uint32_t offset, uint32_t value) {
  if (offset >= kIrqgen) {
    irqgen.store(offset - kIrqgen, value, probe.cycle);
  } else if (offset >= kMarkers) {
    trace_.add({probe.cycle, kMarker, static_cast<uint8_t>(core), static_cast<uint16_t>((offset - kMarkers) / 4), value, 0, 0});
  } else if (offset == kExitOffset) {
    probe.exit_requested(core, value);
  } else if (offset == kConsole) {
    print(core, static_cast<char>(value & 0xff));
  }
}

}  // namespace mel

extern "C" {

void mel_probe_retired(unsigned core, unsigned bank, unsigned pc, unsigned age, unsigned rd, unsigned value) {
  mel::g_simulation->probe.retired(core, bank, pc, age, rd, value);
}

void mel_probe_put(unsigned core, unsigned bank, unsigned rd, unsigned value) {
  mel::g_simulation->probe.put(core, bank, rd, value);
}

void mel_probe_event(unsigned kind, unsigned core, unsigned a, unsigned b, unsigned c, unsigned d) {
  mel::g_simulation->probe.event(kind, core, a, b, c, d);
}

void mel_probe_cache(unsigned core, unsigned instr, unsigned long long loads, unsigned long long misses) {
  mel::g_simulation->cache_count(core, instr != 0, loads, misses);
}

void mel_probe_counts(unsigned refused, unsigned lost_irqs) { mel::g_simulation->unit_counted(refused, lost_irqs); }

void mel_host_store(unsigned core, unsigned offset, unsigned value) { mel::g_simulation->host_store(core, offset, value); }

unsigned mel_host_load(unsigned offset) { return mel::g_simulation->host_load(offset); }

}  // extern "C"
