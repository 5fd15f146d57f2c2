// SPDX-License-Identifier: Apache-2.0
// Client of the studio's server: every request has the token, which the address brought behind its #.

const KEPT = "melanion-token"; // in the storage of this tab, so that a reload has it, too
const HEADER = "X-Melanion-Token";

/** The token of the address, which then goes from it; else that of this tab. */
export function takeToken(): string {
  const words = new URLSearchParams(location.hash.replace(/^#/, ""));
  const given = words.get("token");
  if (given === null) return sessionStorage.getItem(KEPT) ?? "";
  sessionStorage.setItem(KEPT, given);
  words.delete("token");
  const rest = words.toString();
  history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  return given;
}

export class Server {
  constructor(private readonly token: string) {}

  /** Rejects with the sentence of the server. A body is posted. */
  async fetch(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { [HEADER]: this.token };
    if (body) headers["Content-Type"] = "application/json";
    const response = await fetch(`api/${path}`, {
      headers,
      method: body ? "POST" : "GET",
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new Error("the studio does not answer: it has ended, so start it again.");
    });
    if (response.ok) return response;
    const found = (await response.json().catch(() => ({}))) as { message?: string };
    throw new Error(found.message ?? `${path}: ${response.status} ${response.statusText}`);
  }

  async ask<T>(path: string, body?: object): Promise<T> {
    return (await (await this.fetch(path, body)).json()) as T;
  }

  async bytes(path: string): Promise<ArrayBuffer> {
    return (await this.fetch(path)).arrayBuffer();
  }

  /** Lines of JSON as they come. */
  async *lines<T>(path: string, body: object, signal?: AbortSignal): AsyncGenerator<T> {
    const reader = (await this.fetch(path, body, signal)).body?.getReader();
    if (!reader) throw new Error(`${path}: the answer is empty`);
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as T;
    }
  }
}
