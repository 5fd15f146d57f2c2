# SPDX-License-Identifier: Apache-2.0
"""Melanion: an open hardware RTOS and the lab that builds, runs and measures systems with it."""

__version__ = "0.3.0"
