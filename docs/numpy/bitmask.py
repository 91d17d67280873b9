"""y = A x from the arrays of a matrix in a bitmask: python3 bitmask.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, words = (int(meta[name]) for name in ("rows", "cols", "wordsPerRow"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "bitmask" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected bitmask and one value per column.")

values, rowPtr = file["values"], file["rowPtr"]
if meta["valueType"] == "i4":
    # Two values in a byte, the lower half first; 8 means 0; 32 values share a scale.
    halves = np.stack([values & 15, values >> 4], axis=1).reshape(-1) - 8.0
    values = halves * np.repeat(file["scales"], 32)[: len(halves)]
mask = file["mask"].reshape(rows, words)
y = np.zeros(rows)
for r in range(rows):
    bits = np.unpackbits(mask[r].view(np.uint8), bitorder="little")
    columns = np.flatnonzero(bits)
    y[r] = values[rowPtr[r] : rowPtr[r + 1]] @ x[columns]
if meta["valueType"] == "i8":
    y *= file["scales"]
print(*y, sep="\n")
