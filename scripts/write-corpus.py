"""Writes the files of test/corpus with NumPy and SciPy, and answers.json, which states what the two read in them.

Usage: python3 scripts/write-corpus.py [folder]

With the versions that answers.json names, those of Debian 12 (python3-numpy, python3-scipy), the files are the same
bytes every time. Cells are float32 in row-major order, as base64 of their little-endian bytes. A file that readers
have to reject has a part of the error message instead. Duplicate entries have values whose sums are exact.
"""

import base64
import gzip
import io
import json
import shutil
import sys
import tarfile
import warnings
import zipfile
from pathlib import Path

import numpy as np
import scipy
from numpy.lib import format as npy_format
from scipy import io as scipy_io
from scipy import sparse

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "test" / "corpus")
random = np.random.default_rng(20261120)
cases = []

# The warnings are about files that are intended: arrays of objects, and matrices with an unusual number of diagonals.
warnings.simplefilter("ignore")


def path_of(name):
    """The path of a file of the corpus, whose folder exists then."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def float32_of(array):
    """The array as float32 with two dimensions, converted at once; -0 becomes 0, since neither is an entry."""
    with np.errstate(over="ignore", invalid="ignore"):
        cells = np.asarray(array).astype("<f4") + np.float32(0)
    return cells.reshape(1, -1) if cells.ndim == 1 else cells


def expect_cells(file, about, array, tensor=None):
    """Records that a file, or a tensor in it, opens with the cells of an array."""
    cells = float32_of(array)
    tensor_key = {} if tensor is None else {"tensor": tensor}
    answer = {
        "rows": cells.shape[0],
        "cols": cells.shape[1],
        "cells": base64.b64encode(cells.tobytes(order="C")).decode(),
    }
    cases.append({"file": file, "about": about} | tensor_key | answer)


def expect_error(file, about, message, tensor=None):
    """Records that a file, or a tensor in it, is rejected with an error message that contains `message`."""
    tensor_key = {} if tensor is None else {"tensor": tensor}
    cases.append({"file": file, "about": about} | tensor_key | {"refused": message})


# ---- .npy

# Numbers for every floating-point type.
FLOATS = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 0.1, 65504, -6e-8]
# Numbers for float64, whose conversion to float32 rounds, overflows or underflows.
WIDE_FLOATS = [
    1 + 2**-24,  # a tie of float32
    1 + 2**-24 + 2**-52,
    3 * 2**-24 + 1,
    3.4028235677973366e38,  # the tie between the largest float32 and infinity
    3.4028235677973362e38,
    2**-149,
    2**-150,  # the tie between 0 and the smallest float32
    2**-150 * (1 + 2**-52),
    1.7976931348623157e308,
    5e-324,
]


def numbers(dtype, count):
    """Extremes of a type, numbers halfway between two of float32, then random numbers."""
    kind, size = dtype.kind, dtype.itemsize
    if kind == "b":
        return random.integers(0, 2, count).astype(dtype)
    if kind == "f":
        first = FLOATS + (WIDE_FLOATS if size == 8 else [])
        rest = random.standard_normal(count - len(first)) * 10.0 ** random.integers(-4, 4, count - len(first))
        return np.array(first + rest.tolist()).astype(dtype)
    limits = np.iinfo(dtype)
    first = [0, 1, limits.min, limits.max, limits.max - 1]
    if size > 2:
        first += [2**24 + 1, 2**24 + 3, 2**30 + 2**6, 2**30 + 2**6 + 1]
    if size == 8:
        # float64 has too few digits for some of these: rounding to it before float32 gives another result.
        first += [2**60 + 2**36, 2**60 + 2**36 + 1, 2**62 + 2**38 - 1, 3 * 2**60 - 2**37 - 1]
    rest = random.integers(limits.min, limits.max, count - len(first), dtype=dtype.newbyteorder("="))
    return np.concatenate([np.array(first, dtype.newbyteorder("=")), rest]).astype(dtype)


def write_npy(file, array, version=(1, 0)):
    with open(path_of(file), "wb") as out:
        npy_format.write_array(out, array, version=version)


def npy_files():
    """Files of every type, byte order, memory layout and version, of every kind of shape, and files to reject."""
    kinds = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
    for kind in kinds:
        for order in "<>" if kind[1] != "1" else "|":
            dtype = np.dtype(order + kind)
            for layout in "CF":
                for version in (1, 2, 3):
                    array = np.asarray(numbers(dtype, 5 * 7).reshape(5, 7), order=layout)
                    name = {"<": "little", ">": "big", "|": "bytes"}[order]
                    file = f"npy/{kind}-{name}-{layout.lower()}-{version}.npy"
                    write_npy(file, array, (version, 0))
                    about = f"numpy.save, {dtype.str}, {layout} order, version {version}"
                    expect_cells(file, about, np.load(path_of(file)))
    for shape in [(1, 1), (1, 40), (40, 1), (9,), (1,), (0,), (0, 5), (5, 0)]:
        array = numbers(np.dtype("<f4"), 40)[: int(np.prod(shape))].reshape(shape)
        file = f"npy/shape-{'x'.join(map(str, shape))}{'-row' if len(shape) == 1 else ''}.npy"
        write_npy(file, array)
        expect_cells(file, f"numpy.save of shape {shape}", np.load(path_of(file)))
    # Longer than the chunks that a reader reads, and in column-major order.
    file, array = "npy/long.npy", np.asfortranarray(numbers(np.dtype(">f8"), 83 * 101).reshape(83, 101))
    write_npy(file, array)
    expect_cells(file, f"numpy.save of {array.dtype.str}, {array.nbytes} bytes", np.load(path_of(file)))
    for name, array, message in [
        ("scalar", np.array(3.0), "found shape ()"),
        ("cube", np.zeros((2, 3, 4), "f4"), "found shape (2, 3, 4)"),
        ("complex64", np.zeros((2, 2), "c8"), "complex numbers"),
        ("complex128", np.zeros((2, 2), ">c16"), "complex numbers"),
        ("longdouble", np.zeros((2, 2), np.longdouble), "found elements of type '<f16'"),
        ("objects", np.array([[None, 1]], object), "Python objects"),
        ("bytes", np.array([[b"ab", b"c"]]), "found text (|S2)"),
        ("text", np.array([["ab", "c"]]), "found text (<U2)"),
        ("dates", np.array([["2026-11-20"]], "M8[D]"), "found elements of type '<M8[D]'"),
        ("times", np.array([[5]], "m8[s]"), "found elements of type '<m8[s]'"),
        ("records", np.zeros((2, 2), [("a", "f4"), ("b", "i2")]), "records"),
        ("void", np.zeros((2, 2), "V2"), "records"),
    ]:
        write_npy(f"npy/no-{name}.npy", array)
        expect_error(f"npy/no-{name}.npy", f"numpy.save of {array.dtype}, shape {array.shape}", message)


# ---- .npz of arrays


def npz_files():
    for save in (np.savez, np.savez_compressed):
        method = "deflated" if save is np.savez_compressed else "stored"
        single = f"npz/one-{method}.npz"
        save(path_of(single), numbers(np.dtype("<f8"), 30).reshape(5, 6))
        with np.load(path_of(single)) as read:
            expect_cells(single, f"numpy.{save.__name__} of one array", read["arr_0"])
        several = f"npz/several-{method}.npz"
        arrays = {
            "first": numbers(np.dtype("<f4"), 12).reshape(3, 4),
            "layers/0/weight": np.asfortranarray(numbers(np.dtype(">i2"), 20).reshape(4, 5)),
            "größe": numbers(np.dtype("u8"), 21).reshape(3, 7),
            "row": numbers(np.dtype("f2"), 11),
        }
        save(path_of(several), **arrays, label=np.array("weights"))
        with np.load(path_of(several)) as read:
            for name in arrays:
                expect_cells(several, f"numpy.{save.__name__}, array {name}", read[name], name)
        expect_error(several, f"numpy.{save.__name__}, a text", "label: found text, expected numbers", "label")
    expect_error("npz/objects.npz", "numpy.savez of Python objects", "Python objects")
    np.savez(path_of("npz/objects.npz"), np.array([[None, 1]], object))


# ---- sparse matrices


def values_for(dtype, count):
    """Numbers other than 0, whose sums are exact."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.ones(count, dtype)
    integers = random.integers(1, 60, count)
    if dtype.kind == "u":
        return integers.astype(dtype)
    signed = integers * random.choice([-1, 1], count)
    return signed.astype(dtype) if dtype.kind == "i" else (signed / 8).astype(dtype)


def entries(rows, cols, density, dtype="f8"):
    """A COO matrix without duplicates, whose entries are in random order."""
    count = round(rows * cols * density)
    positions = random.permutation(rows * cols)[:count]
    return sparse.coo_matrix((values_for(dtype, count), (positions // cols, positions % cols)), shape=(rows, cols))


def with_duplicates(matrix):
    """The matrix with half of its entries a second time."""
    half = matrix.nnz // 2
    return sparse.coo_matrix(
        (
            np.concatenate([matrix.data, matrix.data[:half]]),
            (np.concatenate([matrix.row, matrix.row[:half]]), np.concatenate([matrix.col, matrix.col[:half]])),
        ),
        shape=matrix.shape,
    )


def shuffled_csr(matrix):
    """A CSR matrix whose rows have their columns in random order, with stored zeros and int64 indices."""
    csr = matrix.tocsr()
    for row in range(csr.shape[0]):
        span = slice(csr.indptr[row], csr.indptr[row + 1])
        order = random.permutation(span.stop - span.start)
        csr.indices[span] = csr.indices[span][order]
        csr.data[span] = csr.data[span][order]
    csr.data[::5] = 0
    csr.indices = csr.indices.astype(np.int64)
    csr.indptr = csr.indptr.astype(np.int64)
    csr.has_sorted_indices = False
    return csr


def with_special_values(matrix):
    """The matrix with values that are not finite, or at the limits of float32, at the same positions."""
    specials = np.array([np.inf, -np.inf, np.nan, 2**-149, 2**-150 * (1 + 2**-52), 3.4028235677973362e38, 1 + 2**-24])
    matrix.data[:] = np.resize(specials, matrix.nnz)
    return matrix


def sparse_files():
    matrices = {}
    for kind in ("csr", "csc", "coo", "dia"):
        for dtype in ("f4", "f8", ">f8", "i4", "i8", "u1", "?"):
            name = np.dtype(dtype).name + ("-big" if dtype[0] == ">" else "")
            matrices[f"{kind}-{name}"] = entries(11, 8, 0.3, dtype).asformat(kind)
    for block in ((2, 2), (3, 4), (1, 8), (12, 1)):
        matrices[f"bsr-{block[0]}x{block[1]}"] = entries(12, 8, 0.2, "f4").tobsr(block)
    matrices["bsr-int16"] = entries(12, 8, 0.2, "i2").tobsr((4, 2))
    for kind in ("csr", "csc", "coo", "bsr", "dia"):
        matrices[f"{kind}-array"] = getattr(sparse, f"{kind}_array")(entries(6, 10, 0.3).asformat(kind))
        matrices[f"{kind}-empty"] = sparse.coo_matrix((4, 6)).asformat(kind)
        matrices[f"{kind}-special"] = with_special_values(entries(6, 4, 0.5).asformat("coo")).asformat(kind)
    # With as many rows as columns, only the name of the class in the file tells CSR from CSC.
    for kind in ("csr", "csc"):
        matrices[f"{kind}-square"] = entries(9, 9, 0.3, "f4").asformat(kind)
    matrices["coo-twice"] = with_duplicates(entries(9, 7, 0.4))
    matrices["csr-shuffled"] = shuffled_csr(entries(10, 9, 0.5))
    matrices["csc-shuffled"] = shuffled_csr(entries(10, 9, 0.5)).transpose()
    matrices["csr-row"] = entries(1, 50, 0.3).tocsr()
    matrices["csr-column"] = entries(50, 1, 0.3).tocsr()
    matrices["csr-one"] = sparse.csr_matrix(np.array([[2.5]]))
    matrices["dia-wide"] = sparse.dia_matrix((values_for("f8", 36).reshape(4, 9), [-3, 0, 2, 6]), shape=(5, 7))
    matrices["dia-narrow"] = sparse.dia_matrix((values_for("f8", 12).reshape(3, 4), [1, -1, 0]), shape=(6, 8))
    cells = np.arange(1.0, 37)
    matrices["dia-fortran"] = sparse.dia_matrix((cells.reshape(4, 9, order="F"), [-3, 0, 2, 6]), shape=(5, 7))
    matrices["bsr-fortran"] = sparse.bsr_matrix((cells.reshape(6, 2, 3, order="F"), [0, 2, 1, 0, 1, 2], [0, 2, 3, 6]))
    for name, matrix in matrices.items():
        for compressed in (True, False):
            file = f"sparse/{name}-{'deflated' if compressed else 'stored'}.npz"
            sparse.save_npz(path_of(file), matrix, compressed)
            expect_cells(file, f"scipy.sparse.save_npz, {name}", sparse.load_npz(path_of(file)).toarray())
    for kind in ("csr", "coo", "dia"):
        file = f"sparse/no-complex-{kind}.npz"
        sparse.save_npz(path_of(file), entries(3, 4, 0.5, "f8").astype("c8").asformat(kind))
        expect_error(file, f"scipy.sparse.save_npz, {kind} of complex64", "complex numbers")


# ---- Matrix Market


def mtx_files():
    def write(name, matrix, **options):
        file = f"mtx/{name}.mtx"
        path_of(file)  # creates the folder
        scipy_io.mmwrite(str(FOLDER / file), matrix, **options)
        banner = path_of(file).read_text().partition("\n")[0]
        read = scipy_io.mmread(str(FOLDER / file))
        expect_cells(file, f"scipy.io.mmwrite, {banner[2:]}", read.toarray() if sparse.issparse(read) else read)

    square = entries(7, 7, 0.3)
    symmetric = square + square.T
    skew = square - square.T
    write("real", entries(8, 5, 0.4))
    write("real-special", with_special_values(entries(6, 6, 0.5)))
    write("real-rounded", entries(8, 5, 0.4), precision=3, comment="Three digits\nand a second line\n")
    write("float32", (entries(8, 5, 0.4, "f4") * np.float32(1 / 3)))
    write("integer", entries(8, 5, 0.4, "i4"))
    write("integer-wide", sparse.coo_matrix(np.array([[2**53, 0], [-(2**53), 2**24 + 1]])))
    write("unsigned", entries(8, 5, 0.4, "u4"))
    write("pattern", entries(8, 5, 0.4), field="pattern")
    write("empty", sparse.coo_matrix((4, 6)))
    write("twice", with_duplicates(entries(9, 7, 0.4)))
    write("symmetric", symmetric)
    write("symmetric-integer", (symmetric * 8).astype("i4"))
    write("symmetric-pattern", symmetric, field="pattern", symmetry="symmetric")
    write("skew", skew)
    write("general-of-symmetric", symmetric, symmetry="general")
    write("hermitian-real", symmetric, symmetry="hermitian")
    write("array", numbers(np.dtype("f8"), 40)[7:28].reshape(3, 7))
    write("array-integer", numbers(np.dtype("i4"), 20)[:9].reshape(3, 3))
    write("array-symmetric", symmetric.toarray())
    write("array-skew", skew.toarray())
    write("array-row", values_for("f8", 30).reshape(1, 30))
    write("array-precision", (values_for("f8", 30) / 7).reshape(5, 6), precision=4)

    text = path_of("mtx/real.mtx").read_text()
    for name, changed_text in [
        ("line-ends", text.replace("\n", "\r\n")),
        ("upper-case", text.replace("coordinate real general", "COORDINATE Real GENERAL")),
        ("no-last-line-end", text.rstrip("\n")),
        ("comments", text.replace("\n%\n", "\n% first\n%second\n%\n\n", 1)),
    ]:
        file = f"mtx/{name}.mtx"
        path_of(file).write_bytes(changed_text.encode())
        expect_cells(file, f"scipy.io.mmwrite, then {name}", scipy_io.mmread(str(FOLDER / file)).toarray())

    for name, matrix in [
        ("complex", entries(3, 4, 0.5).astype("c16")),
        ("hermitian", sparse.coo_matrix(np.array([[1, 2j], [-2j, 3]]))),
        ("complex-array", np.array([[1 + 1j, 2]])),
    ]:
        file = f"mtx/no-{name}.mtx"
        scipy_io.mmwrite(str(FOLDER / file), matrix)
        expect_error(file, f"scipy.io.mmwrite, {name}", "complex values")


# ---- tables, and files inside others


def csv_files():
    table = numbers(np.dtype("f8"), 40)[:28].reshape(7, 4)
    for name, ending, write_options, read_options in [
        ("comma", "csv", {"delimiter": ","}, {"delimiter": ","}),
        ("tab", "tsv", {"delimiter": "\t"}, {"delimiter": "\t"}),
        ("semicolon", "csv", {"delimiter": ";", "fmt": "%.17g"}, {"delimiter": ";"}),
        ("spaced", "csv", {"delimiter": " , ", "fmt": "%.9g"}, {"delimiter": ","}),
        (
            "header",
            "csv",
            {"delimiter": ",", "header": "a,b,c,d", "comments": ""},
            {"delimiter": ",", "skiprows": 1},
        ),
        ("spaces", "txt", {}, {}),
        ("spaces", "csv", {"fmt": "%12.5g"}, {}),
        ("comments", "txt", {"header": "a b c d\nmade for a test, 1, 2"}, {}),
        ("comments", "csv", {"delimiter": ",", "header": "a,b,c,d", "comments": "% "}, {"delimiter": ",", "comments": "%"}),
        ("line-ends", "csv", {"delimiter": ",", "newline": "\r\n", "fmt": "%.5f"}, {"delimiter": ","}),
    ]:
        file = f"csv/{name}.{ending}"
        np.savetxt(path_of(file), table, **write_options)
        expect_cells(file, f"numpy.savetxt, {name}", np.loadtxt(path_of(file), ndmin=2, **read_options))
    text = path_of("csv/semicolon.csv").read_text()
    read = np.loadtxt(path_of("csv/semicolon.csv"), delimiter=";")
    for name, changed_bytes in [
        ("decimal-commas.csv", text.replace(".", ",").encode()),
        ("little-utf-16.txt", b"\xff\xfe" + text.encode("utf-16-le")),
        ("big-utf-16.csv", b"\xfe\xff" + text.encode("utf-16-be")),
    ]:
        path_of(f"csv/{name}").write_bytes(changed_bytes)
        expect_cells(f"csv/{name}", f"numpy.savetxt, then {name}", read)
    matrix = entries(6, 9, 0.3)
    file = "csv/entries.csv"
    lines = np.stack([matrix.row, matrix.col, matrix.data], axis=1)
    np.savetxt(path_of(file), lines, delimiter=",", header="row,col,value", comments="", fmt=["%d", "%d", "%.17g"])
    read = np.loadtxt(path_of(file), delimiter=",", skiprows=1)
    row, col = read[:, 0].astype(int), read[:, 1].astype(int)
    expect_cells(file, "numpy.savetxt of entries", sparse.coo_matrix((read[:, 2], (row, col))).toarray())


def packed_files():
    def expect_same(file, inner, tensor=None):
        """Records that a packed file opens with the cells of the file inside it."""
        inner_case = next(case for case in cases if case["file"] == inner)
        answer = {key: inner_case[key] for key in ("rows", "cols", "cells")}
        tensor_key = {} if tensor is None else {"tensor": tensor}
        cases.append({"file": file, "about": f"{inner}, packed"} | tensor_key | answer)

    for inner in (
        "npy/f4-little-f-1.npy",
        "mtx/real.mtx",
        "mtx/array.mtx",
        "csv/comma.csv",
        "npz/one-stored.npz",
        "sparse/csr-square-deflated.npz",
    ):
        file = f"packed/{Path(inner).name}.gz"
        path_of(file).write_bytes(gzip.compress(path_of(inner).read_bytes(), mtime=0))
        expect_same(file, inner)

    inner = "mtx/symmetric.mtx"
    content = path_of(inner).read_bytes()
    long_name = f"{'deep/' * 30}matrix.mtx"
    for name, layout, member in [
        ("ustar", tarfile.USTAR_FORMAT, "matrix/matrix.mtx"),
        ("gnu", tarfile.GNU_FORMAT, long_name),
        ("pax", tarfile.PAX_FORMAT, long_name),
    ]:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=layout) as archive:
            for member_name, data in [("README.txt", b"Two files.\n"), (member, content)]:
                info = tarfile.TarInfo(member_name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        path_of(f"packed/{name}.tar").write_bytes(packed.getvalue())
        expect_same(f"packed/{name}.tar", inner)
        path_of(f"packed/{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
        expect_same(f"packed/{name}.tar.gz", inner)

    for method_name, method in [("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)]:
        file = f"packed/{method_name}.zip"
        with zipfile.ZipFile(path_of(file), "w", method) as archive:
            for member in ("mtx/symmetric.mtx", "npy/i2-big-c-2.npy"):
                info = zipfile.ZipInfo(member)
                info.compress_type = method
                archive.writestr(info, path_of(member).read_bytes())
        expect_same(file, "mtx/symmetric.mtx", "mtx/symmetric.mtx")
        expect_same(file, "npy/i2-big-c-2.npy", "npy/i2-big-c-2.npy")


def main():
    # Only the folders written here are deleted: the corpus has files of PyTorch as well.
    for folder in ("npy", "npz", "sparse", "mtx", "csv", "packed"):
        shutil.rmtree(FOLDER / folder, ignore_errors=True)
    for write_files in (npy_files, npz_files, sparse_files, mtx_files, csv_files, packed_files):
        write_files()
    answers = {"numpy": np.__version__, "scipy": scipy.__version__, "cases": cases}
    path_of("answers.json").write_text(json.dumps(answers, indent=2, ensure_ascii=False) + "\n")
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    print(f"{len(files)} files, {sum(path.stat().st_size for path in files)} bytes, {len(cases)} answers")


main()
