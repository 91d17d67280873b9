"""y = A x from the arrays of a matrix in MACKO: python3 macko.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, b_delta = (int(meta[name]) for name in ("rows", "cols", "deltaBits"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "macko" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected macko and one value per column.")

values, indptr = file["values"], file["indptr"]
entries = int(indptr[rows])
if meta["valueType"] == "i4":
    # Two entries in a byte, the lower half first; 8 means 0; 32 entries share a scale.
    halves = np.stack([values & 15, values >> 4], axis=1).reshape(-1) - 8.0
    values = halves[:entries] * np.repeat(file["scales"], 32)[:entries]
bits = np.unpackbits(file["deltas"].view(np.uint8), bitorder="little")
deltas = bits[: entries * b_delta].reshape(entries, b_delta) @ (1 << np.arange(b_delta))
y = np.zeros(rows)
for r in range(rows):
    row = slice(indptr[r], indptr[r + 1])
    # A delta of 0 is the next column; padding is a value of 0 with the largest delta.
    columns = np.cumsum(deltas[row] + 1) - 1
    y[r] = values[row] @ x[columns]
if meta["valueType"] == "i8":
    y *= file["scales"]
print(*y, sep="\n")
