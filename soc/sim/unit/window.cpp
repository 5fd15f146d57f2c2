// SPDX-License-Identifier: Apache-2.0
#include "window.h"

namespace mel {

namespace {

Window *g_window;  // for the DPI function, which gets no context

}  // namespace

Window::Window(Simulation &simulation) : simulation_(simulation) { g_window = this; }

Window::~Window() { g_window = nullptr; }

void Window::record(uint64_t until) {
  cycles.clear();
  open_ = true;
  simulation_.advance(until);
  open_ = false;
}

void Window::word(uint32_t address, uint32_t flags) {
  if (!open_) return;
  cycles.push_back({static_cast<uint32_t>(simulation_.probe.cycle), static_cast<uint16_t>(address), static_cast<uint16_t>(flags)});
}

}  // namespace mel

// Before a window is made, while the system is reset, there is none.
extern "C" void mel_probe_word(unsigned address, unsigned flags) {
  if (mel::g_window != nullptr) mel::g_window->word(address, flags);
}
