# SPDX-License-Identifier: Apache-2.0
"""The manual as a site (`make docs`): the pages of docs/ and those beside folders, built by Sphinx.

`staging` copies the pages and points their links at pages of the site, `sources` shows the files of
the tree that pages link to, `site` builds it all. Needs the packages of requirements-docs.txt.
"""
