// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { unlike } from "../src/summary";
import { system } from "./fixture";

test("a comparison of systems with other counts of cores is not one of kernels", () => {
  assert.equal(unlike(system("sw"), system("hwrtos")), "");
  assert.equal(
    unlike(system("freertos", false), system("hwrtos-2", true, 2)),
    "freertos has 1 core, hwrtos-2 has 2 cores: not the kernel alone differs.",
  );
});
