# SPDX-License-Identifier: Apache-2.0
"""Builds simulation binaries and programs into a content-addressed cache.

`hardware` makes (or finds) the Verilated binary of a system's hardware; `program` an application
linked with a kernel; `application` reads an application's folder.
"""

from melanion.build.app import App, application
from melanion.build.cache import Report
from melanion.build.errors import BuildError
from melanion.build.footprint import kernel_bytes
from melanion.build.image import Stack
from melanion.build.kernel_objects import KernelObject, kernel_objects
from melanion.build.linkage import Program, has_atomics, program
from melanion.build.project import freertos_application
from melanion.build.record import system_files
from melanion.build.simulator import Hardware, hardware

__all__ = [
    "App",
    "BuildError",
    "Hardware",
    "KernelObject",
    "Program",
    "Report",
    "Stack",
    "application",
    "freertos_application",
    "hardware",
    "has_atomics",
    "kernel_bytes",
    "kernel_objects",
    "program",
    "system_files",
]
