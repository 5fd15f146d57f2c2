/* SPDX-License-Identifier: Apache-2.0 */
// State of the hardware that a flip can hit: registers (`…_q`) and memories (`…_mem`) of the modules that state.vlt makes public.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace mel {

// A line for each variable: `state SCOPE VARIABLE ELEMENTS BITS`, in the order of their names, which is the same on every machine. Each is flipped and put back: a
// variable that does not keep that is no state. `settle`: computes combinational logic anew.
std::string list_state(const std::function<void()> &settle);

// Flips a bit of an element. Returns false when there is none.
bool flip_state(const std::string &scope, const std::string &variable, uint64_t element, uint64_t bit);

}  // namespace mel
