// SPDX-License-Identifier: Apache-2.0
// Files beside the page. An answer that is no file is an error, which names it.

export async function fetched(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  return response;
}

/** The content of a file of the contract (contract.ts), which is taken as it is. */
export async function json<T>(path: string): Promise<T> {
  return (await (await fetched(path)).json()) as T;
}
