# SPDX-License-Identifier: Apache-2.0
"""Commands that a user adds to the microprogrammed unit, by the example of apps/examples."""
