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
mask = file["mask"].reshape(rows, words)
y = np.zeros(rows)
for r in range(rows):
    bits = np.unpackbits(mask[r].view(np.uint8), bitorder="little")
    columns = np.flatnonzero(bits)
    y[r] = values[rowPtr[r] : rowPtr[r + 1]] @ x[columns]
print(*y, sep="\n")
