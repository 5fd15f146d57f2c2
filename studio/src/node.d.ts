// SPDX-License-Identifier: Apache-2.0
// Types for src/marks.ts and the tests: a package for all of Node would be a dependency for four functions.
declare module "node:fs" {
  export function readFileSync(file: string): Uint8Array & { toString(): string };
}
declare module "node:test" {
  export default function test(name: string, body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  const assert: {
    equal(found: unknown, expected: unknown): void;
    deepEqual(found: unknown, expected: unknown): void;
    ok(found: unknown): asserts found;
  };
  export default assert;
}
declare const process: { argv: string[]; stdout: { write(text: string): void } };
