"""y = A x from the arrays of a matrix in CSR: python3 csr.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols = (int(meta[name]) for name in ("rows", "cols"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "csr" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected csr and one value per column.")

data, indices, indptr = file["data"], file["indices"], file["indptr"]
y = np.zeros(rows)
for r in range(rows):
    row = slice(indptr[r], indptr[r + 1])
    y[r] = data[row] @ x[indices[row]]
print(*y, sep="\n")
