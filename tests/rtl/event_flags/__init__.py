# SPDX-License-Identifier: Apache-2.0
"""mel_event_flags alone: a random bench with a plain reference (bench.cpp), and mutants."""
