"""y = A x from the arrays of a matrix in EC-CSR: python3 ec-csr.py ARRAYS.npz [X.txt]"""
import json, sys

import numpy as np

file = np.load(sys.argv[1])
meta = json.loads(file["meta.json"])
rows, cols, L, v, bits = (int(meta[name]) for name in ("rows", "cols", "lanes", "vectorSize", "deltaBits"))
x = np.loadtxt(sys.argv[2], ndmin=1) if len(sys.argv) > 2 else np.ones(cols)
if meta["format"] != "ec-csr" or len(x) != cols:
    sys.exit(f"Found {meta['format']} with {cols} columns and {len(x)} values of x, expected ec-csr and one value per column.")

lane = np.arange(L)
y = np.zeros(rows)
for G, blocks, columns, rows_at, ptr_at, base_at, delta_at, values_at, nnz in file["sets"].reshape(-1, 9).tolist():
    stored = np.unpackbits(file["deltaIndices"][delta_at:].view(np.uint8), bitorder="little")
    deltas = stored[: columns * bits].reshape(columns, bits) @ (1 << np.arange(bits))
    values = file["values"][values_at : values_at + columns * G].reshape(columns, G)
    ptr = file["blockPtr"][ptr_at : ptr_at + blocks + 1].astype(int)
    rowIndices = file["rowIndices"][rows_at : rows_at + blocks * G].reshape(blocks, G)
    base = file["baseIndices"][base_at : base_at + blocks * L].reshape(blocks, L)
    for b in range(blocks):
        n = (ptr[b + 1] - ptr[b]) // L  # columns of a lane
        i = np.arange(n)[:, None]
        # v columns of a lane lie together, then v of the next lane; those left over, one by one.
        place = ptr[b] + np.where(i < n - n % v, (i // v * L + lane) * v + i % v, i * L + lane)
        column = base[b] + np.cumsum(deltas[place], axis=0)
        y[rowIndices[b]] += (values[place] * x[column][:, :, None]).sum(axis=(0, 1))
print(*y, sep="\n")
