"""y = A x from the arrays of a matrix in dense form: python3 dense.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, stride = (int(meta[name]) for name in ("rows", "cols", "stride"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "dense" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected dense and one value per column.")

data, scales = file["data"], file["scales"]
if meta["valueType"] == "i4":
    # 16 bytes hold 32 columns, first those of the low halves; 8 means 0.
    halves = data.reshape(-1, 16)
    data = (np.hstack([halves & 15, halves >> 4]) - 8.0) * scales[:, None]
cells = data.reshape(rows, stride)[:, :cols]  # past the last column a row is padded
y = cells @ x
if meta["valueType"] == "i8":
    y *= scales
print(*y, sep="\n")
