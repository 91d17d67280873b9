"""Writes the files of test/corpus/torch with PyTorch, and answers.json: what PyTorch reads in them.

Usage: python3 scripts/write-torch-files.py [folder]

It needs PyTorch and NumPy, and no network. Cells are float32 in row-major order, as base64 of their little-endian
bytes. A file or tensor that no reader should open has words of the refusal instead.
"""

import base64
import json
import os
import sys
import warnings
import zipfile
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from torch import nn

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "test" / "corpus" / "torch")
cases = []

# Sparse CSR is a preview, quantised tensors are deprecated, hooks are not saved: all of it is meant.
warnings.simplefilter("ignore")
torch.manual_seed(20261130)


class Custom:
    """A class that no reader knows."""

    def __init__(self):
        self.weight = torch.ones(2, 2)


class Runs:
    """What a reader that executes pickles would run."""

    def __reduce__(self):
        return os.getcwd, ()


def float32_of(tensor):
    """What is read, in one conversion to float32, with two dimensions; -0 as 0, since neither is an entry."""
    dense = tensor.detach().to_dense() if tensor.layout != torch.strided else tensor.detach()
    if dense.dtype in (torch.bfloat16, torch.float16, torch.bool) or "float8" in str(dense.dtype):
        dense = dense.to(torch.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        cells = dense.contiguous().numpy().astype("<f4") + np.float32(0)
    return cells.reshape(1, -1) if cells.ndim == 1 else cells


def opens(file, about, tensor, name=None):
    cells = float32_of(tensor)
    chosen = {} if name is None else {"tensor": name}
    answer = {
        "rows": cells.shape[0],
        "cols": cells.shape[1],
        "cells": base64.b64encode(cells.tobytes(order="C")).decode(),
    }
    cases.append({"file": f"torch/{file}", "about": about} | chosen | answer)


def refused(file, about, words, name=None):
    chosen = {} if name is None else {"tensor": name}
    cases.append({"file": f"torch/{file}", "about": about} | chosen | {"refused": words})


def load(file):
    return torch.load(FOLDER / file, weights_only=False, map_location="cpu")


def flat(value, path=""):
    """The tensors in lists and dictionaries, by the names that the reader gives them."""
    if isinstance(value, torch.Tensor):
        yield path, value
    elif isinstance(value, (dict, list, tuple)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flat(inner, f"{path}.{key}" if path else str(key))


def save(file, value, about, refusals=None, **how):
    """Saves, loads again, and states what every tensor is, or why it is refused: 'name' -> words."""
    torch.save(value, FOLDER / file, **how)
    answers(file, about, refusals or {})


def answers(file, about, refusals):
    read = dict(flat(load(file)))
    for name, tensor in read.items():
        chosen = name or None
        if name in refusals:
            refused(file, f"{about}, {name}", refusals[name], chosen)
        else:
            opens(file, f"{about}, {name or 'alone'}", tensor, chosen)


FLOATS = [0, -0.0, 1, -1, float("inf"), float("-inf"), float("nan"), 0.1, 65504, -6e-8, 1 + 2**-24 + 2**-52, 3.5]


def of_each_type():
    tensors = OrderedDict()
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
        tensors[str(dtype)[6:]] = torch.tensor(FLOATS, dtype=torch.float64).to(dtype).reshape(3, 4)
    for dtype in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
        limits = torch.iinfo(dtype)
        numbers = [0, 1, limits.min, limits.max, limits.max - 1, 5]
        tensors[str(dtype)[6:]] = torch.tensor(numbers, dtype=dtype).reshape(2, 3)
    tensors["int64"][1, 2] = 2**60 + 2**36 + 1
    tensors["bool"] = torch.tensor([[True, False, True], [False, False, True]])
    return tensors


def views():
    base = torch.arange(1.0, 25).reshape(4, 6)
    return {
        "base": base,
        "same": base,
        "transposed": base.t(),
        "sliced": base[1:3, ::2],
        "column": base[:, 4],
        "row": base[2],
        "expanded": base[3].expand(3, 6),
        "tail": base.flatten()[20:],
        "half": base.to(torch.float16).t()[1:],
        "long": torch.arange(12).reshape(3, 4).t(),
    }


def nested():
    linear = nn.Linear(5, 3)
    state = {"step": torch.tensor(3.0), "exp_avg": torch.randn(3, 5), "exp_avg_sq": torch.rand(3, 5)}
    group = {"lr": 0.1, "betas": (0.9, 0.999), "amsgrad": False, "foreach": None, "params": [0, 1]}
    return {
        "state_dict": linear.state_dict(),
        "epoch": 3,
        "optimizer": {"state": {0: state}, "param_groups": [group]},
        "best": -1.5,
        "name": "größe" * 60,
        "many": [2**31, -(2**40), 2**100, -1, 300, 70000],
        "kinds": [torch.float16, torch.device("cpu"), torch.Size([3, 5]), {1, 2}, b"bytes", torch.strided],
        "layers": [torch.randn(2, 2), (torch.eye(3), None), []],
    }


def sparse(more=True):
    dense = torch.tensor([[0, 1.5, 0, 0], [0, 0, 0, -2], [3, 0, 0.25, 0]])
    places, values = torch.tensor([[0, 2, 0, 1, 2], [1, 0, 1, 3, 2]]), torch.tensor([1.0, 3, 0.5, -2, 0.25])
    tensors = {
        "coo": dense.to_sparse().coalesce(),
        "twice": torch.sparse_coo_tensor(places, values, (3, 4)),
        "half": dense.to(torch.float16).to_sparse(),
        "long": torch.sparse_coo_tensor(places, torch.tensor([1, 2, 3, 4, 5]), (3, 4)),
        "none": torch.sparse_coo_tensor(torch.zeros((2, 0), dtype=torch.int64), torch.zeros(0), (3, 4)),
        "vector": torch.tensor([0, 0, 2.0, 0]).to_sparse(),
        "hybrid": torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.ones(2, 4), (3, 4)),
        "csr": dense.to_sparse_csr(),
    }
    if more:
        tensors["csr32"] = torch.sparse_csr_tensor(
            torch.tensor([0, 1, 2, 4], dtype=torch.int32),
            torch.tensor([1, 3, 0, 2], dtype=torch.int32),
            torch.tensor([1.5, -2, 3, 0.25], dtype=torch.float64),
            (3, 4),
        )
        tensors["bfloat16"] = dense.to(torch.bfloat16).to_sparse_csr()
        tensors["csc"] = dense.to_sparse_csc()
        tensors["bsr"] = torch.ones(4, 6).to_sparse_bsr((2, 3))
        tensors["batch"] = torch.ones(2, 3, 4).to_sparse_csr()
    return tensors


SPARSE_REFUSALS = {"hybrid": "hybrid", "bsr": "sparse_bsr", "batch": "(2, 3, 4)"}


def rewritten(file, source, change, method=zipfile.ZIP_STORED):
    """A copy of an archive whose members `change(name, bytes)` has changed, or dropped by None."""
    with zipfile.ZipFile(FOLDER / source) as read, zipfile.ZipFile(FOLDER / file, "w", method) as out:
        for name in read.namelist():
            content = change(name, read.read(name))
            if content is not None:
                info = zipfile.ZipInfo(name)
                info.compress_type = method
                out.writestr(info, content)


def big_endian(name, content):
    if name.endswith("/byteorder"):
        return b"big"
    return np.frombuffer(content, "<f4").astype(">f4").tobytes() if "/data/" in name else content


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*"):
        old.unlink()
    legacy = {"_use_new_zipfile_serialization": False}

    save("types.pt", of_each_type(), "torch.save of an OrderedDict")
    save("types-legacy.pt", of_each_type(), "torch.save, legacy format", **legacy)
    for protocol in (3, 4, 5):
        save(f"protocol-{protocol}.pt", of_each_type(), f"torch.save, protocol {protocol}", pickle_protocol=protocol)
    narrow = {}
    for name in ("float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64"):
        if hasattr(torch, name):
            numbers = torch.tensor([[0, 1, 2.5], [3, 448, 100]])
            narrow[name] = numbers.to(torch.int64).to(getattr(torch, name)) if "u" in name else numbers.to(getattr(torch, name))
    save("narrow.pt", narrow, "torch.save of newer types")
    save("views.pt", views(), "torch.save of views of a storage")
    save("views-legacy.pt", views(), "torch.save of views, legacy format", **legacy)
    save("linear.pt", nn.Linear(5, 3).state_dict(), "torch.save of a state dict")
    save("linear-legacy.bin", nn.Linear(5, 3).state_dict(), "torch.save of a state dict, legacy format", **legacy)

    with_attribute, hooked = nn.Parameter(torch.randn(2, 3)), torch.randn(2, 3, requires_grad=True)
    with_attribute.is_model_parallel = True
    hooked.register_hook(lambda gradient: gradient)
    plain = torch.randn(2, 3)
    plain.note = "seen"
    save(
        "parameters.pt",
        {
            "parameter": nn.Parameter(torch.randn(2, 3)),
            "frozen": nn.Parameter(torch.randn(2, 3), requires_grad=False),
            "with_attribute": with_attribute,
            "hooked": hooked,
            "plain": plain,
            "negative": torch._neg_view(torch.ones(2, 2)),
        },
        "torch.save of parameters",
        {"negative": "neg"},
    )
    scalar = {"optimizer.state.0.step": "found shape ()"}
    save("nested.pt", nested(), "torch.save of a checkpoint", scalar)
    save("nested-legacy.pth", nested(), "torch.save of a checkpoint, legacy format", scalar, **legacy)
    numbers = {"weight": torch.randn(2, 3), "best": np.float64(0.5), "array": np.arange(3.0)}
    save("numpy.pt", numbers, "torch.save with numbers of NumPy")
    save("bare.pt", torch.randn(4, 3), "torch.save of one tensor")
    save("bare-legacy.pt", torch.randn(4, 3), "torch.save of one tensor, legacy format", **legacy)
    save("sparse.pt", sparse(), "torch.save of sparse tensors", SPARSE_REFUSALS)
    save("sparse-legacy.pt", sparse(False), "torch.save of sparse tensors, legacy format", SPARSE_REFUSALS, **legacy)
    shapes = {
        "scalar": torch.tensor(3.0),
        "no_rows": torch.zeros(0, 5),
        "no_columns": torch.zeros(4, 0),
        "nothing": torch.zeros(0),
        "one": torch.tensor([2.5]),
        "cube": torch.zeros(2, 3, 4),
        "complex": torch.zeros(2, 2, dtype=torch.complex64),
    }
    words = {"scalar": "found shape ()", "cube": "found shape (2, 3, 4)", "complex": "complex numbers"}
    save("shapes.pt", shapes, "torch.save of other shapes", words)
    save("shapes-legacy.pt", shapes, "torch.save of other shapes, legacy format", words, **legacy)

    big = {"first": torch.randn(3, 4), "turned": torch.randn(4, 3).t()}
    torch.save(big, FOLDER / "little.pt")
    rewritten("big.pt", "little.pt", big_endian)
    rewritten("no-byteorder.pt", "little.pt", lambda name, bytes_: None if name.endswith("/byteorder") else bytes_)
    rewritten("deflated.pt", "little.pt", lambda _, bytes_: bytes_, zipfile.ZIP_DEFLATED)
    for name, about in [
        ("little", "torch.save"),
        ("big", "torch.save, then in big-endian order"),
        ("no-byteorder", "torch.save, as by versions before 2.1"),
        ("deflated", "torch.save, then compressed"),
    ]:
        answers(f"{name}.pt", about, {})

    quantised = torch.quantize_per_tensor(torch.randn(2, 3), 0.1, 10, torch.quint8)
    per_row = torch.quantize_per_channel(torch.randn(2, 3), torch.tensor([0.1, 0.2]), torch.tensor([0, 0]), 0, torch.qint8)
    file = "quantised.pt"
    torch.save({"tensor": quantised, "rows": per_row, "weight": torch.eye(2)}, FOLDER / file)
    refused(file, "torch.save of a quantised tensor", "torch._utils._rebuild_qtensor", "tensor")
    refused(file, "torch.save of a quantised tensor, by rows", "torch._utils._rebuild_qtensor", "rows")
    opens(file, "torch.save beside a quantised tensor", torch.eye(2), "weight")

    for file, value, words in [
        ("custom.pt", {"model": Custom()}, "__main__.Custom"),
        ("module.pt", nn.Linear(2, 2), "torch.nn.modules.linear.Linear"),
        ("runs.pt", {"weight": torch.eye(2), "runs": Runs()}, "posix.getcwd"),
    ]:
        torch.save(value, FOLDER / file)
        refused(file, f"torch.save of {type(value).__name__}", words)
        old = file.replace(".", "-legacy.")
        torch.save(value, FOLDER / old, **legacy)
        refused(old, f"torch.save of {type(value).__name__}, legacy format", words)

    torch.jit.script(nn.Linear(2, 2)).save(str(FOLDER / "script.pt"))
    refused("script.pt", "torch.jit.script, saved", "TorchScript")
    torch.jit.trace(nn.Linear(2, 2), torch.ones(1, 2)).save(str(FOLDER / "trace.pt"))
    refused("trace.pt", "torch.jit.trace, saved", "TorchScript")

    written = {"torch": torch.__version__, "numpy": np.__version__, "cases": cases}
    (FOLDER / "answers.json").write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n")
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    print(f"{len(files)} files, {sum(path.stat().st_size for path in files)} bytes, {len(cases)} answers")


main()
