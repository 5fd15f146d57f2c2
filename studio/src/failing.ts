// SPDX-License-Identifier: Apache-2.0
// A page that cannot begin says why.
import { byId, make } from "./dom";

/** Say why where the first picture would be. */
export function fail(error: Error): void {
  document.body.dataset["state"] = "failed";
  const served = location.protocol !== "file:";
  const why = served ? error.message : "it needs a server, such as `python -m http.server` in its folder.";
  const message = make("span", { class: "bad" }, `The page cannot start: ${why}`);
  byId("comparison", HTMLElement).replaceChildren(message);
}
