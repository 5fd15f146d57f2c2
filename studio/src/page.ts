// SPDX-License-Identifier: Apache-2.0
// Entry of the page of static files: its simulations are workers of the browser.
import { Page } from "./app";
import type { Manifest } from "./contract";
import { fail } from "./failing";
import { json } from "./fetched";
import { Workers } from "./simulators";

json<Manifest>("manifest.json")
  .then((manifest) => new Page(manifest, new Workers()).begin(0))
  .catch(fail);
