"""Checks a model that "Save this model" wrote, in a program that shares nothing with the page.

check_saved.py SAVED.zip: reads its safetensors file by the format's description, with the standard library alone, and holds it to
its manifest: header, offsets, sizes, shapes, finite values, zeros counted for every matrix. Where Python has `safetensors`
(`pip install safetensors numpy`), that opens the same file, and its tensors have to be the same bytes.
"""

import json
import math
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

BYTES = {"F32": 4, "F16": 2, "BF16": 2}
FILES = ["config.json", "tokenizer.json", "manifest.json", "model.safetensors"]
# Names of transformers for Llama, which the manifest has, by those of other families; q, k and v of GPT-2 are one there.
OPT = {"o": "self_attn.out_proj", "up": "fc1", "down": "fc2"}
GPT2 = {"o": "attn.c_proj", "up": "mlp.c_fc", "down": "mlp.c_proj"}


def expect(condition, sentence):
    if not condition:
        sys.exit(f"wrong: {sentence}")


def values(dtype, raw):
    """Numbers of a tensor."""
    if dtype == "F32":
        return struct.unpack(f"<{len(raw) // 4}f", raw)
    if dtype == "F16":
        return struct.unpack(f"<{len(raw) // 2}e", raw)
    halves = struct.unpack(f"<{len(raw) // 2}H", raw)
    return struct.unpack(f"<{len(halves)}f", struct.pack(f"<{len(halves)}I", *(half << 16 for half in halves)))


def read(data):
    """Tensors by name: (type, shape, bytes), and the metadata."""
    (length,) = struct.unpack("<Q", data[:8])
    expect(length % 8 == 0 and 8 + length <= len(data), f"a header of {length} bytes in a file of {len(data)}")
    expect(data[8:9] == b"{", "a header that does not begin with '{'")
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__")
    expect(all(isinstance(value, str) for value in metadata.values()), "metadata that are no texts")
    tensors, end = {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"][0]):
        dtype, shape, (begin, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
        expect(begin == end, f"{name} begins at {begin}, expected {end}")
        expect(stop - begin == math.prod(shape) * BYTES[dtype], f"{name} has {stop - begin} bytes for {shape} of {dtype}")
        expect(begin % BYTES[dtype] == 0, f"{name} begins at {begin}, which is not aligned")
        tensors[name] = (dtype, shape, data[8 + length + begin : 8 + length + stop])
        end = stop
    expect(8 + length + end == len(data), f"{len(data) - 8 - length - end} bytes behind the last tensor")
    return tensors, metadata


def matrix(tensors, name, config):
    """Numbers of a matrix by its name in the manifest."""
    if name in tensors:
        return values(tensors[name][0], tensors[name][2])
    layer, kind = int(name.split(".")[2]), name.split(".")[-2].removesuffix("_proj")
    for prefix in ("model.decoder.", "decoder."):
        found = f"{prefix}layers.{layer}.{OPT.get(kind, f'self_attn.{kind}_proj')}.weight"
        if found in tensors:
            return values(tensors[found][0], tensors[found][2])
    prefix = "transformer." if "transformer.wte.weight" in tensors else ""
    if kind in GPT2:
        dtype, _, raw = tensors[f"{prefix}h.{layer}.{GPT2[kind]}.weight"]
        return values(dtype, raw)
    dtype, (_, width), raw = tensors[f"{prefix}h.{layer}.attn.c_attn.weight"]
    third, part = width // 3, "qkv".index(kind)
    return [value for i, value in enumerate(values(dtype, raw)) if i % width // third == part]


def by_library(data, tensors):
    """Whether `safetensors` reads the same; None where it is missing."""
    try:
        from safetensors import safe_open
    except ImportError:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        path.write_bytes(data)
        # NumPy has no bf16.
        kind = "pt" if any(dtype == "BF16" for dtype, _, _ in tensors.values()) else "np"
        with safe_open(path, framework=kind) as opened:
            expect(set(opened.keys()) == set(tensors), "other names by safetensors")
            for name, (dtype, shape, raw) in tensors.items():
                found = opened.get_tensor(name)
                expect(list(found.shape) == shape, f"{name} is {list(found.shape)} by safetensors")
                if kind == "pt":
                    import torch

                    found = found.contiguous().view(torch.uint8).numpy()
                expect(found.tobytes() == raw, f"{name} has other bytes by safetensors")
    return len(tensors)


def main(path):
    with zipfile.ZipFile(path) as archive:
        expect(archive.testzip() is None, "a checksum of the archive")
        expect(archive.namelist() == FILES, f"files {archive.namelist()}")
        config, tokenizer, manifest = (json.loads(archive.read(name)) for name in FILES[:3])
        data = archive.read(FILES[3])
    tensors, metadata = read(data)
    expect(json.loads(metadata["recipe"]) == manifest["recipe"], "another recipe in the metadata than in the manifest")
    for name, (dtype, _, raw) in tensors.items():
        expect(all(map(math.isfinite, values(dtype, raw))), f"{name} has a number that is not finite")
    for entry in manifest["matrices"]:
        cells = matrix(tensors, entry["name"], config)
        kept = sum(1 for value in cells if value != 0)
        expect((kept, len(cells)) == (entry["nonZeros"], entry["cells"]), f"{entry['name']}: {kept} of {len(cells)}")
    total, kept = (sum(entry[key] for entry in manifest["matrices"]) for key in ("cells", "nonZeros"))
    print(f"{Path(path).name}: {config['model_type']}, {len(tensors)} tensors, {len(data)} bytes of safetensors, as described")
    print(f"manifest: {len(manifest['matrices'])} matrices, {kept} of {total} weights left ({kept / total:.4f}), as counted")
    print(f"tokenizer: {len(tokenizer['model']['vocab'])} tokens")
    compared = by_library(data, tensors)
    print("safetensors: not installed here" if compared is None else f"safetensors: the same bytes in {compared} tensors")


if __name__ == "__main__":
    main(sys.argv[1])
