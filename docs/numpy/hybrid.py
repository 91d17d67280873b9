"""y = A x from the arrays of a matrix in the hybrid of ELL and a dense tail: python3 hybrid.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, slots, capacity = (int(meta[name]) for name in ("rows", "cols", "slots", "tailCapacity"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "hybrid" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected hybrid and one value per column.")

def bf16(name):
    """bf16 is the upper half of an f32."""
    return (file[name].astype(np.uint32) << 16).view(np.float32)


values = bf16("values").reshape(rows, slots)
indices = file["indices"].reshape(rows, slots)
tail = bf16("tail").reshape(capacity, cols)
y = (values * x[indices]).sum(axis=1)  # empty slots hold 0
for t, r in enumerate(file["tailRows"]):
    if r != 0xFFFFFFFF:  # a free row of the tail
        y[r] = tail[t] @ x
print(*y, sep="\n")
