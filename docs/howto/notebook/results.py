# SPDX-License-Identifier: Apache-2.0
"""Cells of a notebook: results of Melanion as tables of pandas (docs/howto/notebook.md).

Each `# %%` begins a cell for Jupyter, VS Code and Spyder. It needs pandas, rows.csv, rows.json, and
the results store; nothing of Melanion.
"""

# ruff: noqa: E402 - each cell has what it imports

# %% Rows of CSV
import pandas

rows = pandas.read_csv("rows.csv")
latency = rows[rows["metric"] == "latency"]
table = latency.pivot(index="parameters", columns="kernel", values="max")
print(table)

# %% Each parameter in a column of its own
import json
from pathlib import Path

units = json.loads(Path("rows.json").read_text(encoding="utf-8"))["units"]
described = pandas.json_normalize(
    units, "measurements", ["measured", ["provenance", "commit"], ["provenance", "seed"]]
)
described.columns = described.columns.str.removeprefix("row.").str.removeprefix("provenance.")
print(described[["kernel", "metric", "parameters.region", "n", "max", "commit", "seed"]])

# %% Every sample: a value and how often it occurred
samples = described[described["metric"] == "latency"].explode("histogram")
samples[["value", "count"]] = samples.pop("histogram").to_list()
print(samples.groupby(["kernel", "value"])["count"].sum().unstack("kernel", fill_value=0))

# %% The store itself, which is only read
import sqlite3
from contextlib import closing

QUERY = """
SELECT plan."set", units.experiment, units.kernel, rows.metric, rows.median, rows.max
FROM plan JOIN units ON units.id = plan.unit JOIN rows USING (outcome)
ORDER BY plan."set", rows.place"""

with closing(sqlite3.connect("file:results.sqlite?mode=ro", uri=True)) as store:
    stored = pandas.read_sql_query(QUERY, store)
print(stored.pivot_table(index=["set", "kernel"], columns="metric", values="max"))

# %% Two sets: what has changed
keys = ["experiment", "metric", "parameters", "unit"]
before, after = (pandas.read_csv(name) for name in ("before.csv", "after.csv"))
both = before.merge(after, on=keys, suffixes=(" before", " after"))
both["change"] = both["max after"] - both["max before"]
print(both[["metric", "max before", "max after", "change"]])
