"""Reads files with NumPy and SciPy: a line of JSON in, a line out, null where they refuse.

In:  {"file": name with its folder in test/corpus, "tensor": name or null, "bytes": base64}
Out: {"rows", "cols", "cells": float32 in row-major order, -0 as 0, as base64}
"""

import base64
import gzip
import io
import json
import sys
import warnings

import numpy as np
from scipy import io as scipy_io
from scipy import sparse

MOST_CELLS = 2**22
warnings.simplefilter("ignore")


def cells_of(read):
    """One conversion to float32, in two dimensions."""
    if len(read.shape) not in (1, 2) or np.prod(read.shape, dtype=object) > MOST_CELLS:
        return None
    array = read.toarray() if sparse.issparse(read) else np.asarray(read)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        return None
    array = array.reshape(1, -1) if array.ndim == 1 else array
    with np.errstate(over="ignore", invalid="ignore"):
        return array.astype("<f4") + np.float32(0)


def read(file, tensor, content):
    if file.endswith(".gz"):
        return read(file[: -len(".gz")], tensor, gzip.decompress(content))
    if file.endswith(".npy"):
        return np.load(io.BytesIO(content), allow_pickle=False)
    if file.endswith(".npz"):
        if "sparse/" in file or "csr-" in file:
            return sparse.load_npz(io.BytesIO(content))
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            names = list(arrays)
            if tensor is None and len(names) != 1:
                return None
            return arrays[tensor if tensor is not None else names[0]]
    if file.endswith(".mtx"):
        return scipy_io.mmread(io.BytesIO(content))
    return None


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            cells = read(request["file"], request["tensor"], base64.b64decode(request["bytes"]))
            cells = None if cells is None else cells_of(cells)
        except Exception:  # what they refuse, they refuse in many ways
            cells = None
        reply = None
        if cells is not None:
            reply = {
                "rows": cells.shape[0],
                "cols": cells.shape[1],
                "cells": base64.b64encode(np.ascontiguousarray(cells).tobytes()).decode(),
            }
        print(json.dumps(reply), flush=True)


main()
