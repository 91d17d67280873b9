"""Reads what SparseScope saves of a matrix in a format: “Arrays as .npz” or “.safetensors” under “Export”. Needs NumPy alone.

    e = load("ARRAYS.npz")   # e.format, e.numbers (rows, cols, nnz, parameters) and e.arrays, as they are in the file
    A = to_dense(e)          # its cells, in f32
    y = spmv(e, x)           # y = A x, in f64

`python3 sparsescope.py ARRAYS.npz [X.txt]` prints y, a number on each line; without X.txt x is 1 everywhere.
Whatever is wrong with a file is a ValueError of one sentence.
"""
import json, sys, zipfile
from collections import namedtuple

import numpy as np

Encoded = namedtuple("Encoded", "path format numbers arrays")

# How the elements of an array lie in a file: a type, or one of these. A parameter decides; numbers are codes, with a scale for
# each row or for so many of them; the bits of a word are several numbers, the first in the highest.
By = namedtuple("By", "parameter choices")
Codes = namedtuple("Codes", "type scales each")
Fields = namedtuple("Fields", "types")

DECODERS = {}


def decodes(name):
    """Marks the function that finds the cells of a format: from elements by array, and numbers by name."""
    return lambda decoder: DECODERS.setdefault(name, decoder)


def rows_of(starts):
    """Of each entry its row, from the entries before each row."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


@decodes("dense")
def dense(a, n):
    data = a["data"]
    if n["valueType"] == "i4":
        # 16 bytes hold 32 columns, first those of the low halves; 8 means 0.
        halves = data.reshape(-1, 16)
        data = (np.hstack([halves & 15, halves >> 4]) - 8).astype(np.float32) * a["scales"][:, None]
    cells = data.reshape(n["rows"], n["stride"])[:, : n["cols"]]  # past the last column a row is padded
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
    # Slot s of all rows, then the next slot.
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
            each = (ptr[b + 1] - ptr[b]) // L  # columns of a lane
            i = np.arange(each)[:, None]
            # v columns of a lane lie together, then v of the next lane; those left over, one by one.
            place = ptr[b] + np.where(i < each - each % v, (i // v * L + lane) * v + i % v, i * L + lane)
            column = base[b] + np.cumsum(deltas[place], axis=0)
            cells.append([part.ravel() for part in np.broadcast_arrays(rows[b], column[:, :, None], values[place])])
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
    isLong = a["counts"] > slots
    used = np.arange(slots) < np.where(isLong, 0, a["counts"])[:, None]
    at = np.flatnonzero(used)
    # A long row has all its cells in a row of the tail.
    tail = a["tail"].reshape(n["tailCapacity"], cols)[a["tailMap"][isLong]]
    t, columns = np.nonzero(tail)
    return (
        np.concatenate([np.nonzero(used)[0], np.flatnonzero(isLong)[t]]),
        np.concatenate([a["indices"][at], columns]),
        np.concatenate([a["values"][at], tail[t, columns]]),
    )


@decodes("slidesparse")
def slidesparse(a, n):
    N, windows = n["halfGroup"], n["windowsPerRow"]
    # Two kept slots of each window. A group of 2N columns has N - 1 windows, two columns apart.
    entry = np.arange(n["rows"] * windows * 2)
    window = entry // 2 % windows if windows > 0 else entry
    starts = window // (N - 1) * 2 * N + window % (N - 1) * 2
    return entry // (2 * windows) if windows > 0 else entry, starts + a["metadata"][: len(entry)], a["values"]


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
        "mask": "u1",
        # values before row i
        "rowPtr": "u32",
        # value of one step of i8 in a row, or of i4 in 32 values
        "scales": By("valueType", {"f16": "f32", "f32": "f32", "i8": "f32", "i4": "f16"}),
    },
    "macko": {
        # non-zeros and stored zeros in row-major order; 0 in the tail; as i4, 8 means 0
        "values": By("valueType", {"f16": "f16", "f32": "f32", "i8": Codes("i8", "scales", "row"), "i4": Codes("u4", "scales", 32)}),
        # column gap - 1 of each entry; rows are not aligned
        "deltas": By("deltaBits", {1: "u1", 2: "u2", 4: "u4", 8: "u8"}),
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
        "deltaIndices": By("deltaBits", {4: "u4", 8: "u8", 16: "u16"}),
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
        "metadata": "u2",
        # of i8 the value of one step of the row
        "scales": "f32",
    },
}
# /printed


def load(path):
    """What a file holds of a matrix in a format."""
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
    """Row, column and value of every non-zero, as the format lists them."""
    a = elements(e)
    try:
        parts = zip(DECODERS[e.format](a, e.numbers), (int, int, np.float32))
        rows, columns, values = (np.asarray(part).astype(kind) for part, kind in parts)
        for kind in (_chosen(kind, e) for kind in ARRAYS.get(e.format, {}).values()):
            if isinstance(kind, Codes) and kind.each == "row":
                values = values * a[kind.scales][rows]
        kept = values != 0
        rows, columns, values = rows[kept], columns[kept], values[kept]
    except (IndexError, KeyError, ValueError, ZeroDivisionError):
        raise ValueError(f"{e.path}: found arrays that do not fit each other, expected those of {e.format}.") from None
    for what, found, size in ("row", rows, e.numbers["rows"]), ("column", columns, e.numbers["cols"]):
        if found.size > 0 and not 0 <= found.min() <= found.max() < size:
            raise ValueError(f"{e.path}: found a cell in {what} {found.max()}, expected {what}s below {size}.")
    return rows, columns, values


def elements(e):
    """The elements of each array as numbers, one each; of a word with fields also 'ARRAY.FIELD'."""
    found = {}
    for name, kind in (ARRAYS.get(e.format) or dict.fromkeys(e.arrays)).items():
        if name not in e.arrays:
            raise ValueError(f"{e.path}: found no array {name}, expected it in {e.format}.")
        stored, kind = e.arrays[name], _chosen(kind, e)
        if isinstance(kind, Fields):
            shift = 32
            for field, of_field in kind.types.items():
                shift -= _bits(of_field)
                part = stored.astype(np.uint64) >> shift & (1 << _bits(of_field)) - 1
                found[f"{name}.{field}"] = _unpacked(e, name, part.astype(f"u{max(1, _bits(of_field) // 8)}"), of_field)
            kind = "u32"
        found[name] = _unpacked(e, name, stored, kind.type if isinstance(kind, Codes) else kind)
    for name, kind in ARRAYS.get(e.format, {}).items():
        kind = _chosen(kind, e)
        if isinstance(kind, Codes) and kind.each != "row":
            # Half of the codes are below 0: the middle one means 0.
            codes = found[name].astype(np.float32) - (1 << _bits(kind.type) - 1)
            scales = np.repeat(found[kind.scales], kind.each)
            found[name] = codes[: len(scales)] * scales[: len(codes)]
    return found


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
    """Elements of a type: as they are stored, or bit after bit, the lowest first."""
    size, letter = 8 * stored.dtype.itemsize, stored.dtype.kind
    kinds = kind.split(" or ") if kind else [f"{letter}{size}"]
    kind = next((each for each in kinds if _bits(each) == size), kinds[0])
    bits = _bits(kind)
    if kind == "bf16" and size == 16:
        return (stored.astype(np.uint32) << 16).view(np.float32)
    if (kind[0] == "f") != (letter == "f") or (bits > size and bits % 8 == 0):
        raise ValueError(f"{e.path}: found {name} as {letter}{size}, expected {' or '.join(kinds)}.")
    if kind[0] == "f":
        return stored.astype(np.float32)
    if size == bits:
        return stored.view(f"{kind[0]}{bits // 8}").astype(np.int64)
    each = np.unpackbits(np.ascontiguousarray(stored).view(np.uint8), bitorder="little")
    if bits == 1:
        return each
    found = each[: each.size // bits * bits].reshape(-1, bits) @ (1 << np.arange(bits))
    return found - (found >> bits - 1 << bits) if kind[0] == "i" else found


_TYPES = {"F32": "f4", "F16": "f2", "BF16": "u2", "I8": "i1", "U8": "u1", "U16": "u2", "I32": "i4", "U32": "u4"}


def _tensor(data, dtype, shape, data_offsets):
    begin, end = data_offsets
    return np.frombuffer(data[begin:end], _TYPES[dtype]).reshape(shape)


def _number(text):
    return int(text) if text.lstrip("-").isdigit() else {"true": True, "false": False}.get(text, text)


def main(path, x=None):
    e = load(path)
    print(*spmv(e, np.loadtxt(x, ndmin=1) if x else np.ones(e.numbers["cols"])), sep="\n")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except (ValueError, OSError) as error:
        sys.exit(str(error))
