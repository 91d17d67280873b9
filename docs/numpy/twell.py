"""y = A x from the arrays of a matrix in TwELL: python3 twell.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, tiles, slots = (int(meta[name]) for name in ("rows", "cols", "tiles", "slots"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "twell" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected twell and one value per column.")

if meta["layout"] == "packed":
    # The count of a tile row, then a bf16 above each column; bf16 is the upper half of an f32.
    words = file["words"].reshape(rows, tiles, slots)
    counts, entries = words[:, :, 0], words[:, :, 1:]
    values, columns = (entries & 0xFFFF0000).view(np.float32), entries & 0xFFFF
else:
    counts = file["counts"].reshape(rows, tiles)
    values = (file["values"].astype(np.uint32) << 16).view(np.float32).reshape(rows, tiles, slots)
    columns = file["indices"].reshape(rows, tiles, slots)
used = np.arange(values.shape[2]) < counts[:, :, None]
y = np.where(used, values * x[columns], 0).sum(axis=(1, 2))
print(*y, sep="\n")
