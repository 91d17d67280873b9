"""y = A x from the arrays of a matrix in ELLPACK-R: python3 ell.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, width = (int(meta[name]) for name in ("rows", "cols", "width"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "ell" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected ell and one value per column.")

# Slot s of all rows lies together.
values = file["values"].reshape(width, rows)
indices = file["indices"].reshape(width, rows)
counts = file["counts"]
y = np.zeros(rows)
for s in range(width):
    used = counts > s
    y[used] += values[s, used] * x[indices[s, used]]
print(*y, sep="\n")
