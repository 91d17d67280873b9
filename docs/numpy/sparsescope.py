"""Matrices in the formats of SparseScope, in Python: reads and writes the files that the page, the package and the command
save (“Arrays as .npz” or “.safetensors” under “Export”). Needs NumPy alone; SciPy where it is named.

    e = load("ARRAYS.npz")   # e.format, e.numbers (rows, cols, nnz, parameters) and e.arrays, as they are in the file
    A = to_dense(e)          # its cells, in f32
    A = to_scipy(e)          # the same as scipy.sparse.csr_array
    y = e @ x                # y = A x, or Y = A X for a matrix X, in f64; spmv(e, x) is the same for a vector

    e = encode(A, "macko", deltaBits=4)   # of NumPy or scipy.sparse, in csr, bsr, ell, bitmask or macko
    save(e, "ARRAYS.npz")                 # or .safetensors

`python3 sparsescope.py ARRAYS.npz [X.txt]` prints y, a number on each line; without X.txt x is 1 everywhere.
A wrong file or argument is a ValueError of one sentence. `pip install FOLDER`, with the folder of this file, installs it.
"""
import json, os, sys, warnings, zipfile
from collections import namedtuple

import numpy as np


class Encoded(namedtuple("Encoded", "path format numbers arrays")):
    """A matrix in a format. path: its file, or the format's name; numbers: rows, cols, nnz, parameters; arrays: by name."""

    __slots__ = ()
    __array_ufunc__ = None  # for NumPy: x @ e is an error, not an array of objects

    def __matmul__(self, x):
        """A x for a vector, A X for a matrix: in f64, or in scipy.sparse if X is."""
        if hasattr(x, "tocsr"):
            return to_scipy(self) @ x
        x = np.asarray(x, np.float64)
        rows, cols = self.numbers["rows"], self.numbers["cols"]
        if x.ndim not in (1, 2) or x.shape[0] != cols:
            raise ValueError(f"x: found the shape {x.shape}, expected one value or one row per column, {cols}.")
        if x.ndim == 1:
            return spmv(self, x)
        row, column, values = cells(self)
        products = [np.bincount(row, values * x[column, j], rows) for j in range(x.shape[1])]
        return np.stack(products, axis=1) if products else np.zeros((rows, 0))


# The storage of an array is the name of a type, such as "u16", or one of these four:

# By a parameter: choices has the storage for each value.
By = namedtuple("By", "parameter choices")

# Codes times scales. type: of the codes; scales: the array with the scales; each: "row", or how many codes share a scale.
Codes = namedtuple("Codes", "type scales each")

# Words of 32 bits with several fields. types: the type of each by name, the one in the highest bits first.
Fields = namedtuple("Fields", "types")

# Numbers of a type share words of 32 bits, the first in the lowest bits.
Words = namedtuple("Words", "type")

# A parameter: its default, and its possible values.
Parameter = namedtuple("Parameter", "default choices")

# The non-zeros of a matrix, row by row in ascending columns, values in f32; row r has entries indptr[r] to indptr[r + 1] - 1.
Rows = namedtuple("Rows", "rows cols indptr columns values")
Row = namedtuple("Row", "index length columns values")

DECODERS = {}
ENCODERS = {}


def decodes(name):
    """Marks the function that finds the cells of a format, from elements by array and numbers by name."""
    return lambda decoder: DECODERS.setdefault(name, decoder)


def encodes(name):
    """Marks the function that stores a matrix in a format: from Rows and parameters to the elements of each array by name,
    and further numbers by name. Elements that are stored as codes are a pair: plain numbers, and the row of each."""
    return lambda encoder: ENCODERS.setdefault(name, encoder)


def encodes_rows(name):
    """Marks a function that appends the rows of a matrix to lists. Only the copies of this file that scripts/numpy-readers.ts
    generates for further formats use it: it translates the encoder of such a format."""

    def mark(encoder):
        def encode_rows(m, p):
            # Rounded as they will be stored, since the encoder may ask which values are 0.
            values = m.values.astype(np.float16).astype(np.float32) if p.get("valueType") == "f16" else m.values
            parts = [np.split(part, m.indptr[1:-1]) for part in (m.columns, values)] if m.rows > 0 else ([], [])
            rows = [Row(r, len(columns), columns.tolist(), values.tolist()) for r, (columns, values) in enumerate(zip(*parts))]
            arrays = {array: [] for array in ARRAYS[name]}
            more = encoder(rows, arrays, {"rows": m.rows, "cols": m.cols, "nnz": len(m.values), **p}) or {}
            return arrays, more

        return ENCODERS.setdefault(name, encode_rows)

    return mark


def rows_of(starts):
    """The row of each entry, from the entries before each row."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


@decodes("dense")
def dense(a, n):
    data = a["data"]
    if n["valueType"] == "i4":
        # 16 bytes store 32 columns: 16 in the low halves, then 16 in the high ones; 8 means 0.
        halves = data.reshape(-1, 16)
        data = (np.hstack([halves & 15, halves >> 4]) - 8).astype(np.float32) * a["scales"][:, None]
    cells = data.reshape(n["rows"], n["stride"])[:, : n["cols"]]  # rows are padded at the end
    if n["valueType"] == "i8":
        cells = cells.astype(np.float32) * a["scales"][:, None]
    rows, columns = np.nonzero(cells)
    return rows, columns, cells[rows, columns]


@decodes("csr")
def csr(a, n):
    return rows_of(a["indptr"]), a["indices"], a["data"]


@decodes("bsr")
def bsr(a, n):
    S = n["blockSize"]
    blocks = a["data"].reshape(-1, S, S)
    b, i, j = np.nonzero(blocks)
    return rows_of(a["indptr"])[b] * S + i, a["indices"][b] * S + j, blocks[b, i, j]


@decodes("ell")
def ell(a, n):
    # Slot 0 of all rows, then slot 1.
    slots, rows = np.nonzero(np.arange(n["width"])[:, None] < a["counts"])
    entries = slots * n["rows"] + rows
    return rows, a["indices"][entries], a["values"][entries]


@decodes("bitmask")
def bitmask(a, n):
    # A row is a whole number of words.
    rows, columns = np.nonzero(a["mask"].reshape(n["rows"], 32 * n["wordsPerRow"]))
    return rows, columns, a["values"][: len(rows)]


@decodes("macko")
def macko(a, n):
    indptr = a["indptr"]
    # A delta of 0 is the next column; padding is a value of 0 with the largest delta.
    passed = np.concatenate([[0], np.cumsum(a["deltas"][: indptr[-1]] + 1)])
    rows = rows_of(indptr)
    return rows, passed[1:] - passed[indptr[rows]] - 1, a["values"][: indptr[-1]]


@decodes("ec-csr")
def ec_csr(a, n):
    L, v = n["lanes"], n["vectorSize"]
    lane = np.arange(L)
    cells = [(np.empty(0, int), np.empty(0, int), np.empty(0))]
    for G, blocks, columns, rows_at, ptr_at, base_at, word_at, values_at, _ in a["sets"].reshape(-1, 9):
        deltas = a["deltaIndices"][word_at * 32 // n["deltaBits"] :]
        values = a["values"][values_at : values_at + columns * G].reshape(columns, G)
        ptr = a["blockPtr"][ptr_at : ptr_at + blocks + 1]
        rows = a["rowIndices"][rows_at : rows_at + blocks * G].reshape(blocks, G)
        base = a["baseIndices"][base_at : base_at + blocks * L].reshape(blocks, L)
        for b in range(blocks):
            per_lane = (ptr[b + 1] - ptr[b]) // L  # columns of a lane
            i = np.arange(per_lane)[:, None]
            # v columns of a lane, then v of the next; the rest alternates between lanes.
            position = ptr[b] + np.where(i < per_lane - per_lane % v, (i // v * L + lane) * v + i % v, i * L + lane)
            column = base[b] + np.cumsum(deltas[position], axis=0)
            cells.append([part.ravel() for part in np.broadcast_arrays(rows[b], column[:, :, None], values[position])])
    return [np.concatenate(part) for part in zip(*cells)]


@decodes("twell")
def twell(a, n):
    rows, tiles, slots = n["rows"], n["tiles"], n["slots"]
    shape = (rows, tiles, slots)
    if n["layout"] == "packed":
        # The first word of a tile row is its count.
        counts = a["words"].reshape(shape)[:, :, :1]
        values, columns = (a[f"words.{field}"].reshape(shape)[:, :, 1:] for field in ("value", "column"))
    else:
        counts = a["counts"].reshape(rows, tiles, 1)
        values, columns = a["values"].reshape(shape), a["indices"].reshape(shape)
    used = np.arange(values.shape[2]) < counts
    return np.nonzero(used)[0], columns[used], values[used]


@decodes("hybrid")
def hybrid(a, n):
    slots, cols = n["slots"], n["cols"]
    is_long = a["counts"] > slots
    used = np.arange(slots) < np.where(is_long, 0, a["counts"])[:, None]
    entries = np.flatnonzero(used)
    # A long row has all its cells in a row of the tail.
    tail = a["tail"].reshape(n["tailCapacity"], cols)[a["tailMap"][is_long]]
    t, columns = np.nonzero(tail)
    return (
        np.concatenate([np.nonzero(used)[0], np.flatnonzero(is_long)[t]]),
        np.concatenate([a["indices"][entries], columns]),
        np.concatenate([a["values"][entries], tail[t, columns]]),
    )


@decodes("slidesparse")
def slidesparse(a, n):
    N, windows = n["halfGroup"], n["windowsPerRow"]
    # Two entries for each window. A group of 2N columns has N - 1 windows, two columns apart.
    entry = np.arange(n["rows"] * windows * 2)
    window = entry // 2 % windows if windows > 0 else entry
    starts = window // (N - 1) * 2 * N + window % (N - 1) * 2
    return entry // (2 * windows) if windows > 0 else entry, starts + a["metadata"][: len(entry)], a["values"]


@encodes("csr")
def encode_csr(m, p):
    return {"data": m.values, "indices": m.columns, "indptr": m.indptr}, {}


@encodes("bsr")
def encode_bsr(m, p):
    S = p["blockSize"]
    across, down = -(-m.cols // S), -(-m.rows // S)
    rows = rows_of(m.indptr)
    numbers, block = np.unique(rows // S * across + m.columns // S, return_inverse=True)
    cells = np.zeros((len(numbers), S, S), np.float32)
    cells[block, rows % S, m.columns % S] = m.values
    row = np.repeat(numbers // max(1, across) * S, S * S) + np.tile(np.repeat(np.arange(S), S), len(numbers))
    row = np.minimum(row, m.rows - 1)  # below the last row all cells are 0
    starts = np.concatenate([[0], np.cumsum(np.bincount(numbers // max(1, across), minlength=down))])
    return {"data": (cells.ravel(), row), "indices": numbers % max(1, across), "indptr": starts}, {"nnz": "data"}


@encodes("ell")
def encode_ell(m, p):
    counts = np.diff(m.indptr)
    width = int(counts.max(initial=0))
    rows = rows_of(m.indptr)
    position = (np.arange(len(rows)) - m.indptr[rows]) * m.rows + rows
    values, indices = np.zeros(width * m.rows, np.float32), np.zeros(width * m.rows, int)
    values[position], indices[position] = m.values, m.columns
    return {"values": values, "indices": indices, "counts": counts}, {"width": width}


@encodes("bitmask")
def encode_bitmask(m, p):
    words = -(-m.cols // 32)
    rows = rows_of(m.indptr)
    mask = np.zeros(m.rows * words * 32, np.uint8)
    mask[rows * words * 32 + m.columns] = 1
    return {"values": (m.values, rows), "mask": mask, "rowPtr": m.indptr}, {"wordsPerRow": words}


@encodes("macko")
def encode_macko(m, p):
    reach = 1 << p["deltaBits"]
    rows = rows_of(m.indptr)
    previous = np.concatenate([[-1], m.columns[:-1]])
    previous[m.indptr[:-1][np.diff(m.indptr) > 0]] = -1  # at the beginning of a row
    skips = m.columns - previous - 1
    ends = np.cumsum(skips // reach + 1)  # zeros bridge a skip that is too wide
    entries = int(ends[-1]) if len(ends) else 0
    deltas, values = np.full(entries, reach - 1), np.zeros(-(-entries // 8) * 8, np.float32)
    deltas[ends - 1], values[ends - 1] = skips % reach, m.values
    row = np.zeros(len(values), int)
    row[ends - 1] = rows
    return {"values": (values, row), "deltas": deltas, "indptr": np.concatenate([[0], ends])[m.indptr]}, {}


# Generated by scripts/numpy-readers.ts: do not edit up to "# /printed".
# printed: the arrays of each format, as they are declared
ARRAYS = {
    "csr": {
        # non-zeros in row-major order
        "data": By("valueType", {"f16": "f16", "f32": "f32"}),
        # column of each, ascending inside a row
        "indices": By("indexBits", {16: "u16", 32: "u32"}),
        # entries before row i
        "indptr": "u32",
    },
    "bsr": {
        # cells of the blocks, row by row; 0 where the matrix has no non-zero
        "data": By("valueType", {"f16": "f16", "f32": "f32", "i8": Codes("i8", "scales", "row")}),
        # block column of each, ascending inside a block row
        "indices": "u32",
        # blocks before block row i
        "indptr": "u32",
        # of i8 the value of one step of the row
        "scales": "f32",
    },
    "ell": {
        # non-zeros of a row; 0 in empty slots
        "values": By("valueType", {"f16": "f16", "f32": "f32"}),
        # column of each; 0 in empty slots
        "indices": By("indexBits", {16: "u16", 32: "u32"}),
        # non-zeros of the row
        "counts": "u32",
    },
    "bitmask": {
        # non-zeros in row-major order; as i4, 8 means 0
        "values": By("valueType", {"f16": "f16", "f32": "f32", "i8": Codes("i8", "scales", "row"), "i4": Codes("u4", "scales", 32)}),
        # 1 where a value is stored; 0 past the last column of a row
        "mask": Words("u1"),
        # values before row i
        "rowPtr": "u32",
        # value of one step of i8 in a row, or of i4 in 32 values
        "scales": By("valueType", {"f16": "f32", "f32": "f32", "i8": "f32", "i4": "f16"}),
    },
    "macko": {
        # non-zeros and stored zeros in row-major order; 0 in the tail; as i4, 8 means 0
        "values": By("valueType", {"f16": "f16", "f32": "f32", "i8": Codes("i8", "scales", "row"), "i4": Codes("u4", "scales", 32)}),
        # column gap - 1 of each entry; rows are not aligned
        "deltas": By("deltaBits", {1: Words("u1"), 2: Words("u2"), 4: Words("u4"), 8: Words("u8")}),
        # first entry of row i
        "indptr": "u32",
        # value of one step of i8 in a row, or of i4 in 32 entries, where it may be negative
        "scales": By("valueType", {"f16": "f32", "f32": "f32", "i8": "f32", "i4": "f16"}),
    },
    "ec-csr": {
        # of each set granularity, blocks, columns, where it begins in five arrays, and its non-zeros
        "sets": "u32",
        # matrix rows of each block
        "rowIndices": "u32",
        # start of each block, in columns of its set; multiples of L and of v
        "blockPtr": "u32",
        # column of the first of each lane
        "baseIndices": "u16 or u32",
        # columns since the one before in the lane; 0 for its first; a set begins a word
        "deltaIndices": By("deltaBits", {4: Words("u4"), 8: Words("u8"), 16: Words("u16")}),
        # G values for each column; 0 in padding
        "values": By("valueType", {"f16": "f16", "f32": "f32"}),
    },
    "twell": {
        # word 0 of a tile row: its count; then value and column of each non-zero
        "words": Fields({"value": "bf16", "column": "u16"}),
        # non-zeros of a tile row from its first slot on
        "values": "bf16",
        # column of each in the matrix
        "indices": "u32",
        # non-zeros of each tile row
        "counts": "u32",
    },
    "hybrid": {
        # non-zeros of row r from element r * slots on
        "values": "bf16",
        # column of each
        "indices": "u16",
        # non-zeros of every row, of the long ones as well
        "counts": "u32",
        # row of the tail; 0xffffffff for a row in its slots
        "tailMap": "u32",
        # the row of each tail row; 0xffffffff for a free one
        "tailRows": "u32",
        # all cells of the long rows, in the order of the rows
        "tail": "bf16",
    },
    "slidesparse": {
        # the two kept slots of each window
        "values": By("valueType", {"f16": "f16", "i8": Codes("i8", "scales", "row")}),
        # the slot of each in its window, i0 < i1
        "metadata": Words("u2"),
        # of i8 the value of one step of the row
        "scales": "f32",
    },
}

# The parameters of each format.
PARAMETERS = {
    "dense": {
        "valueType": Parameter("f16", ["f16", "f32", "i8", "i4"]),
    },
    "csr": {
        "valueType": Parameter("f16", ["f16", "f32"]),
        "indexBits": Parameter("auto", ["auto", 16, 32]),
    },
    "bsr": {
        "blockSize": Parameter(4, [2, 4, 8, 16]),
        "valueType": Parameter("f16", ["f16", "f32", "i8"]),
    },
    "ell": {
        "valueType": Parameter("f16", ["f16", "f32"]),
        "indexBits": Parameter("auto", ["auto", 16, 32]),
    },
    "bitmask": {
        "valueType": Parameter("f16", ["f16", "f32", "i8", "i4"]),
    },
    "macko": {
        "deltaBits": Parameter(4, [1, 2, 4, 8]),
        "valueType": Parameter("f16", ["f16", "f32", "i8", "i4"]),
    },
    "ec-csr": {
        "lanes": Parameter(32, [2, 4, 8, 16, 32]),
        "vectorSize": Parameter(4, [1, 2, 4]),
        "deltaBits": Parameter(8, [4, 8, 16]),
        "maxGranularity": Parameter(8, [1, 2, 4, 8]),
        "maxRounds": Parameter(0, range(0, 1001)),
        "witnesses": Parameter("two", ["two", "none"]),
        "clipColumns": Parameter(0, range(0, 1048577)),
        "remainder": Parameter("same-block", ["same-block", "short-block"]),
        "order": Parameter("longest-first", ["longest-first", "as-found"]),
        "valueType": Parameter("f16", ["f16", "f32"]),
    },
    "twell": {
        "layout": Parameter("packed", ["packed", "split"]),
        "tileWidth": Parameter(256, [8, 16, 32, 64, 128, 256]),
        "compression": Parameter(8, [2, 4, 8]),
        "valueType": Parameter("bf16", ["bf16"]),
    },
    "hybrid": {
        "rowSlots": Parameter(128, [4, 32, 128, 256, 512]),
        "tailShare": Parameter(8, [8, 2, 1]),
        "valueType": Parameter("bf16", ["bf16"]),
    },
    "slidesparse": {
        "halfGroup": Parameter(4, [2, 3, 4, 5, 6, 7, 8]),
        "valueType": Parameter("f16", ["f16", "i8"]),
    },
}
# /printed


def load(path):
    """Reads a matrix in a format from a file."""
    try:
        with open(path, "rb") as file:
            head = file.read(8)
            if head[:2] == b"PK":
                archive = np.load(path)
                facts = json.loads(archive["meta.json"])
                arrays = {name: archive[name] for name in archive.files if name != "meta.json"}
            else:
                tensors = json.loads(file.read(int.from_bytes(head, "little")))
                facts = tensors.pop("__metadata__")
                data = file.read()
                arrays = {name: _tensor(data, **tensor) for name, tensor in tensors.items()}
        numbers = {name: _number(text) for name, text in facts.items() if name not in ("format", "params")}
        e = Encoded(str(path), facts["format"], numbers, arrays)
        _ = numbers["rows"], numbers["cols"], numbers["nnz"]
    except (KeyError, TypeError, ValueError, OverflowError, MemoryError, EOFError, zipfile.BadZipFile):
        raise ValueError(f"{path}: found no arrays of a format, expected .npz or .safetensors as SparseScope saves them.") from None
    if e.format not in DECODERS:
        raise ValueError(f"{path}: found the format {e.format}, expected {', '.join(DECODERS)}.")
    return e


def save(e, path):
    """Writes a matrix in a format to a file .npz or .safetensors, which SparseScope reads: all of it, or nothing."""
    params = json.dumps({name: e.numbers[name] for name in PARAMETERS.get(e.format, {}) if name in e.numbers})
    facts = {"format": e.format, "params": params, **{name: _text(number) for name, number in e.numbers.items()}}
    part = f"{path}.{os.getpid()}.part"
    try:
        if str(path).endswith(".npz"):
            with zipfile.ZipFile(part, "w") as archive:
                archive.writestr("meta.json", json.dumps(facts))
                for name, array in e.arrays.items():
                    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                        np.lib.format.write_array(member, array, allow_pickle=False)
        elif str(path).endswith(".safetensors"):
            tensors, end = {"__metadata__": facts}, 0
            arrays = sorted(e.arrays.items(), key=lambda item: -item[1].itemsize)  # wide elements first: all are aligned
            for name, array in arrays:
                kind = _chosen(ARRAYS.get(e.format, {}).get(name), e)
                dtype = "BF16" if kind == "bf16" else _NAMES[array.dtype.str[1:]]
                tensors[name] = {"dtype": dtype, "shape": [array.size], "data_offsets": [end, end := end + array.nbytes]}
            head = json.dumps(tensors).encode()
            head += b" " * (-len(head) % 8)
            with open(part, "wb") as file:
                file.write(len(head).to_bytes(8, "little") + head)
                for _, array in arrays:
                    file.write(array.tobytes())
        else:
            raise ValueError(f"{path}: found another ending, expected .npz or .safetensors.")
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def encode(a, format, **params):
    """Stores a matrix in a format. `a` is of scipy.sparse or an array of NumPy with two dimensions; parameters that are not given have
    their defaults. Values become f32, then the format's value type; a warning counts those that f16 cannot keep.
    A ValueError names what the format, a parameter or f32 does not allow."""
    if format not in ENCODERS:
        raise ValueError(f"format: found {format!r}, expected {', '.join(ENCODERS)}.")
    m = _rows(a)
    p = _parameters(format, params, m)
    elements, more = ENCODERS[format](m, p)
    numbers = {"rows": m.rows, "cols": m.cols, "nnz": len(m.values), **p}
    e = Encoded(format, format, numbers, {})
    scales = {}
    for name, kind in ARRAYS[format].items():
        kind = _chosen(kind, e)
        given = elements.get(name)
        if isinstance(kind, Codes):
            given, scales[kind.scales] = _codes(format, m, kind, *given)
            kind = kind.type
        elif isinstance(given, tuple):
            given = given[0]
        if given is None:
            given = scales.get(name, [])
        e.arrays[name] = _packed(format, name, np.asarray(given), kind)
    for name, number in more.items():
        # A number, or the array whose elements other than 0 it counts.
        numbers[name] = number if isinstance(number, int) else int(np.count_nonzero(e.arrays[number]))
    _warn(format, m, p)
    return e


def to_scipy(e):
    """The matrix as scipy.sparse.csr_array, in f32."""
    from scipy.sparse import csr_array

    rows, columns, values = cells(e)
    return csr_array((values, (rows, columns)), shape=(e.numbers["rows"], e.numbers["cols"]))


def to_dense(e):
    """The cells of the matrix, in f32."""
    dense = np.zeros((e.numbers["rows"], e.numbers["cols"]), np.float32)
    rows, columns, values = cells(e)
    dense[rows, columns] = values
    return dense


def spmv(e, x):
    """y = A x, with sums in f64. A value of x that meets no non-zero does not count, infinities included."""
    x = np.asarray(x, np.float64)
    rows, cols = e.numbers["rows"], e.numbers["cols"]
    if x.shape != (cols,):
        raise ValueError(f"Found {cols} columns and {x.size} values of x, expected one value per column.")
    row, column, values = cells(e)
    return np.bincount(row, values * x[column], rows)


def cells(e):
    """Row, column and value of every non-zero, in the order of the format."""
    a = elements(e)
    try:
        parts = zip(DECODERS[e.format](a, e.numbers), (int, int, np.float32))
        rows, columns, values = (np.asarray(part).astype(dtype) for part, dtype in parts)
        for declared in ARRAYS.get(e.format, {}).values():
            kind = _chosen(declared, e)
            if isinstance(kind, Codes) and kind.each == "row":
                values = values * a[kind.scales][rows]
        is_entry = values != 0
        rows, columns, values = rows[is_entry], columns[is_entry], values[is_entry]
    except (IndexError, KeyError, ValueError, ZeroDivisionError):
        raise ValueError(f"{e.path}: found arrays that do not fit each other, expected those of {e.format}.") from None
    for axis, indices, size in ("row", rows, e.numbers["rows"]), ("column", columns, e.numbers["cols"]):
        if indices.size > 0 and not 0 <= indices.min() <= indices.max() < size:
            raise ValueError(f"{e.path}: found a cell in {axis} {indices.max()}, expected {axis}s below {size}.")
    return rows, columns, values


def elements(e):
    """The elements of each array as numbers, by name; of fields also by 'ARRAY.FIELD'."""
    result = {}
    for name, kind in (ARRAYS.get(e.format) or dict.fromkeys(e.arrays)).items():
        if name not in e.arrays:
            raise ValueError(f"{e.path}: found no array {name}, expected it in {e.format}.")
        stored, kind = e.arrays[name], _chosen(kind, e)
        if isinstance(kind, Fields):
            shift = 32
            for field, field_type in kind.types.items():
                shift -= _bits(field_type)
                part = stored.astype(np.uint64) >> shift & (1 << _bits(field_type)) - 1
                result[f"{name}.{field}"] = _unpacked(e, name, part.astype(f"u{max(1, _bits(field_type) // 8)}"), field_type)
            kind = "u32"
        result[name] = _unpacked(e, name, stored, kind.type if isinstance(kind, (Codes, Words)) else kind)
    for name, kind in ARRAYS.get(e.format, {}).items():
        kind = _chosen(kind, e)
        if isinstance(kind, Codes) and kind.each != "row":
            # Half of the codes are below 0: the middle one means 0.
            codes = result[name].astype(np.float32) - (1 << _bits(kind.type) - 1)
            scales = np.repeat(result[kind.scales], kind.each)
            result[name] = codes[: len(scales)] * scales[: len(codes)]
    return result


def _chosen(kind, e):
    while isinstance(kind, By):
        value = e.numbers.get(kind.parameter)
        if value not in kind.choices:
            raise ValueError(f"{e.path}: found {kind.parameter} {value}, expected {', '.join(map(str, kind.choices))}.")
        kind = kind.choices[value]
    return kind


def _bits(kind):
    return int(kind.lstrip("uibf"))


def _unpacked(e, name, stored, kind):
    """Numbers of a stored array: its elements, or bit after bit, the lowest first."""
    size, letter = 8 * stored.dtype.itemsize, stored.dtype.kind
    kinds = kind.split(" or ") if kind else [f"{letter}{size}"]
    kind = next((candidate for candidate in kinds if _bits(candidate) == size), kinds[0])
    bits = _bits(kind)
    if kind == "bf16" and size == 16:
        return (stored.astype(np.uint32) << 16).view(np.float32)
    if (kind[0] == "f") != (letter == "f") or (bits > size and bits % 8 == 0):
        raise ValueError(f"{e.path}: found {name} as {letter}{size}, expected {' or '.join(kinds)}.")
    if kind[0] == "f":
        return stored.astype(np.float32)
    if size == bits:
        return stored.view(f"{kind[0]}{bits // 8}").astype(np.int64)
    all_bits = np.unpackbits(np.ascontiguousarray(stored).view(np.uint8), bitorder="little")
    if bits == 1:
        return all_bits
    numbers = all_bits[: all_bits.size // bits * bits].reshape(-1, bits) @ (1 << np.arange(bits))
    return numbers - (numbers >> bits - 1 << bits) if kind[0] == "i" else numbers


def _rows(a):
    """The non-zeros of a matrix as Rows. A number that f32 would turn into infinity, 0 or another whole number is an error."""
    if hasattr(a, "tocsr"):
        a = a.tocsr(copy=True)
        a.sum_duplicates()
        shape, values = a.shape, np.asarray(a.data)
        positions = (rows_of(a.indptr), a.indices.astype(np.int64)) if len(shape) == 2 else ()
    else:
        a = np.asarray(a)
        shape, positions = a.shape, np.nonzero(a) if a.ndim == 2 and a.dtype.kind in "biuf" else ()
        values = a[positions] if positions else a
    if len(shape) != 2:
        raise ValueError(f"matrix: found {len(shape)} dimensions, expected 2.")
    if values.dtype.kind not in "biuf":
        raise ValueError(f"matrix: found elements of type {values.dtype}, expected real numbers.")
    is_entry = values != 0
    (rows, columns), values = (part[is_entry] for part in positions), values[is_entry]
    with np.errstate(over="ignore", under="ignore"):
        stored = values.astype(np.float32)
    # Whole numbers up to 2^24 are exact. f64 might round larger integers.
    large = np.abs(values.astype(float)) > 2**24
    changed = np.zeros(values.shape, bool)
    changed[large] = stored[large] != (values[large] if values.dtype.kind == "f" else values[large].astype(object))
    for wrong, expected in (
        (np.isfinite(values) & ~np.isfinite(stored), "at most 3.4028234663852886e38 in magnitude, the largest f32"),
        (stored == 0, "0, or at least 1.4e-45 in magnitude, the smallest f32"),
        (changed & np.isfinite(values) & (np.trunc(values) == values), "a whole number that is exact in f32, as all up to 16777216"),
    ):
        if np.any(wrong):
            i = int(np.flatnonzero(wrong)[0])
            raise ValueError(f"matrix: found {values[i]} at row {rows[i]}, column {columns[i]}, expected {expected}.")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return Rows(*shape, indptr, columns, stored)


def _parameters(format, given, m):
    declared = PARAMETERS[format]
    for name, value in list(given.items()):
        if name not in declared:
            raise ValueError(f"parameters of {format}: found {name}, expected {', '.join(declared)}.")
        given[name] = value = value.item() if isinstance(value, np.generic) else value
        choices = declared[name].choices
        # True == 1, but has another type.
        if not any(type(choice) is type(value) and choice == value for choice in choices):
            raise ValueError(f"{format}.{name}: found {value!r}, expected {', '.join(map(str, choices))}.")
    p = {name: given.get(name, default) for name, (default, _) in declared.items()}
    if p.get("indexBits") == "auto":
        p["indexBits"] = 16 if m.cols <= 2**16 else 32
    if m.cols > 2 ** p.get("indexBits", 32):
        raise ValueError(f"{format}: found {m.cols} columns, expected at most 65536 with 16 index bits.")
    return p


def _codes(format, m, kind, numbers, rows):
    """Numbers as codes with their scales: i8 with the scale of its row, or u4 with the scale of its group."""
    bits = _bits(kind.type)
    wrong = ~np.isfinite(m.values)
    if kind.each != "row":
        wrong |= np.abs(m.values) >= 8 * 65520  # its scale would be infinite in f16
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        limit = "finite values" if kind.each == "row" else "magnitudes below 524160"
        place = f"row {rows_of(m.indptr)[i]}, column {m.columns[i]}"
        raise ValueError(f"{format}: found {m.values[i]} at {place}, expected {limit} for i{bits}.")
    with np.errstate(all="ignore"):
        if kind.each == "row":
            largest = np.zeros(m.rows, np.float32)
            np.maximum.at(largest, rows_of(m.indptr), np.abs(m.values))
            # In f64, then rounded, as in the page; times 127 the largest scale is finite in f32.
            scales = np.minimum((largest.astype(float) / 127).astype(np.float32), np.float32(0x810203 * 2.0**98))
            scales[scales == 0] = 1
            return np.clip(np.rint(numbers.astype(float) / scales[rows]), -127, 127).astype(int), scales
        # As Q4_0 of ggml, in f32: -8 is the first number of the largest magnitude, code 8 means 0.
        groups = np.zeros((-(-len(numbers) // kind.each), kind.each), np.float32)
        groups.ravel()[: len(numbers)] = numbers
        first = np.argmax(np.abs(groups), axis=1)[:, None]
        scales = np.take_along_axis(groups, first, axis=1) / np.float32(-8)
        inverse = np.where(scales == 0, np.float32(0), np.float32(1) / scales)
        rounded = np.clip(np.trunc(groups * inverse + np.float32(8.5)), 0, 15)
        codes = np.where(groups == 0, 8, rounded).astype(int).ravel()
        return codes[: len(numbers) + len(numbers) % 2], scales.ravel()  # fills the last byte


def _packed(format, name, elements, kind):
    """Elements of a type as they are stored: the inverse of _unpacked."""
    in_words = isinstance(kind, Words)
    kind = kind.type if in_words else kind
    bits = _bits(kind)
    with np.errstate(over="ignore"):
        if kind[0] == "f":
            return elements.astype(f"f{bits // 8}")
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)
    if elements.size > 0 and not low <= elements.min() <= elements.max() <= high:
        raise ValueError(f"{format}: found {elements.max()} in {name}, expected {low} to {high}.")
    if not in_words and bits % 8 == 0:
        return elements.astype(f"{kind[0]}{bits // 8}")
    small = np.uint8 if bits <= 8 else np.uint32
    all_bits = elements.astype(small)[:, None] >> np.arange(bits, dtype=small) & small(1)
    packed = np.packbits(all_bits.astype(np.uint8).ravel(), bitorder="little")
    if not in_words:
        return packed
    return np.concatenate([packed, np.zeros(-len(packed) % 4, np.uint8)]).view(np.uint32)


def _warn(format, m, p):
    """Warns of values that f16 cannot keep."""
    if p.get("valueType") != "f16":
        return
    with np.errstate(all="ignore"):
        half = m.values.astype(np.float16)
    for lost, text in (
        (np.isinf(half) & np.isfinite(m.values), "too large for f16, and infinite now"),
        ((half == 0) & (m.values != 0), "too small for f16, and 0 now"),
    ):
        count = int(np.count_nonzero(lost))
        if count > 0:
            message = f"{count} of {len(m.values)} values {'is' if count == 1 else 'are'} {text}"
            warnings.warn(f"{format}: {message}; choose valueType='f32' to keep them.", stacklevel=3)


_TYPES = {"F32": "f4", "F16": "f2", "BF16": "u2", "I8": "i1", "U8": "u1", "U16": "u2", "I32": "i4", "U32": "u4"}


_NAMES = {code: name for name, code in _TYPES.items() if name != "BF16"}


def _tensor(data, dtype, shape, data_offsets):
    begin, end = data_offsets
    return np.frombuffer(data[begin:end], _TYPES[dtype]).reshape(shape)


def _number(text):
    return int(text) if text.lstrip("-").isdigit() else {"true": True, "false": False}.get(text, text)


def _text(number):
    return str(number).lower() if isinstance(number, bool) else str(number)


def main(path, x=None):
    e = load(path)
    print(*spmv(e, np.loadtxt(x, ndmin=1) if x else np.ones(e.numbers["cols"])), sep="\n")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except (ValueError, OSError) as error:
        sys.exit(str(error))
