"""y = A x from the arrays of a matrix in SlideSparse: python3 slidesparse.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, N, windows = (int(meta[name]) for name in ("rows", "cols", "halfGroup", "windowsPerRow"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "slidesparse" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected slidesparse and one value per column.")

values = file["values"].reshape(rows, windows, 2)
# A nibble for each window, the lowest first: the slots of its two values.
nibbles = (file["metadata"][:, None] >> 4 * np.arange(8)) & 15
nibbles = nibbles.reshape(rows, windows, 1)
slots = np.concatenate([nibbles & 3, nibbles >> 2], axis=2)
# A group of 2N columns has N - 1 windows, two columns apart.
w = np.arange(windows)
starts = w // (N - 1) * 2 * N + w % (N - 1) * 2
columns = starts[:, None] + slots
x = np.pad(x, (0, 2 * N * (windows + 1)))  # the last windows can reach beyond the row
y = (values * x[columns]).sum(axis=(1, 2))
if meta["valueType"] == "i8":
    y *= file["scales"]
print(*y, sep="\n")
