# SPDX-License-Identifier: Apache-2.0
"""The page: simulations, programs and the golden model in a folder of static files.

`gallery` reads which programs there are and what a visitor may change of them, `programs` builds
them for each system, `page` writes the folder. `page_model` runs in the page: it is the golden
model's side of it. What the browser's side (studio/) finds in the folder is said once, in
studio/src/contract.ts.
"""

from melanion.studio.gallery import Gallery, load
from melanion.studio.page import write_page

__all__ = ["Gallery", "load", "write_page"]
