// SPDX-License-Identifier: Apache-2.0
// What src/marks.ts and the tests use of Node: a package of types for all of it would be a dependency for four functions.
declare module "node:fs" {
  export function readFileSync(file: string): Uint8Array & { toString(): string };
}
declare module "node:test" {
  export default function test(name: string, body: () => void): void;
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
