"""y = A x from the arrays of a matrix in BSR: python3 bsr.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, S = (int(meta[name]) for name in ("rows", "cols", "blockSize"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "bsr" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected bsr and one value per column.")

indices, indptr = file["indices"], file["indptr"]
blocks = file["data"].reshape(-1, S, S)
x = np.pad(x, (0, S))  # the last block of a row can reach beyond it
y = np.zeros((len(indptr) - 1, S))
for i in range(len(y)):
    for b in range(indptr[i], indptr[i + 1]):
        first = S * int(indices[b])
        y[i] += blocks[b] @ x[first : first + S]
y = y.ravel()[:rows]
if meta["valueType"] == "i8":
    y *= file["scales"]
print(*y, sep="\n")
