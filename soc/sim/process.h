/* SPDX-License-Identifier: Apache-2.0 */
// Operating system services of the simulation's process.
#pragma once

#include <csignal>
#include <cstdint>

#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>
#endif

namespace mel {

// End this process when `parent` (0: none) ends. Return false if `parent` has ended already. Linux only; elsewhere do nothing.
inline bool end_with(uint64_t parent) {
#ifdef __linux__
  if (parent == 0) return true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return static_cast<uint64_t>(getppid()) == parent;
#else
  (void)parent;
  return true;
#endif
}

// A file beyond the limit of the process (ulimit -f) is then a write that failed, as on a full disk, and no signal.
inline void refuse_no_size() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace mel
