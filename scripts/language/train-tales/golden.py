"""Golden logits and token ids, made by other programs: transformers, the Rust tokenizers, and a forward in NumPy.

golden.py OUT [MODEL FOLDER]...: the random models of golden-configs.json and the models of the folders.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np
import tokenizers
import torch
import transformers
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from transformers import LlamaConfig, LlamaForCausalLM

GOLDEN = json.loads((Path(__file__).parent / "golden-configs.json").read_text())
IDS_OF_MODEL = 48


def random_model(entry):
    torch.manual_seed(entry["seed"])
    model = LlamaForCausalLM(LlamaConfig(**{**GOLDEN["common"], **entry["config"]}, attn_implementation="eager"))
    with torch.no_grad():
        for name, p in model.named_parameters():
            drawn = torch.randn(p.shape)
            if "norm" in name:
                p.copy_(1 + 0.2 * drawn)
            elif name.endswith("bias"):
                p.copy_(0.2 * drawn)
            elif "embed" in name or "lm_head" in name:
                p.copy_(0.5 * drawn)
            else:
                p.copy_(drawn / p.shape[1] ** 0.5)
    return model.half()


def logits_of(model, ids):
    with torch.no_grad():
        return model.double()(torch.tensor([ids])).logits[0].float().numpy()


def numpy_logits(config, tensors, ids):
    """A second forward, in f64, that shares nothing with the first."""
    w = {name: t.astype(np.float64) for name, t in tensors.items()}
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    head = config.get("head_dim") or config["hidden_size"] // heads
    rope = config.get("rope_parameters") or {}
    theta = config.get("rope_theta") or rope.get("rope_theta", 10000.0)
    scaling = config.get("rope_scaling") or rope
    frequency = theta ** -(np.arange(0, head, 2) / head)
    if (scaling or {}).get("rope_type") == "llama3":
        length = 2 * np.pi / frequency
        low = scaling["original_max_position_embeddings"] / scaling["low_freq_factor"]
        high = scaling["original_max_position_embeddings"] / scaling["high_freq_factor"]
        share = (scaling["original_max_position_embeddings"] / length - scaling["low_freq_factor"]) / (
            scaling["high_freq_factor"] - scaling["low_freq_factor"]
        )
        slow = frequency / scaling["factor"]
        between = (1 - share) * slow + share * frequency
        frequency = np.where(length > low, slow, np.where(length < high, frequency, between))
    angle = np.arange(len(ids))[:, None] * frequency
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]

    def norm(x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + config["rms_norm_eps"]) * w[name]

    def turn(x):
        a, b = x[..., : head // 2], x[..., head // 2 :]
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    z = w["model.embed_tokens.weight"][ids]
    later = np.triu(np.ones((len(ids), len(ids)), bool), 1)
    for i in range(config["num_hidden_layers"]):
        p = f"model.layers.{i}."

        def product(x, name):
            return x @ w[f"{p}{name}.weight"].T + w.get(f"{p}{name}.bias", 0.0)

        a = norm(z, p + "input_layernorm.weight")
        q = turn(product(a, "self_attn.q_proj").reshape(len(ids), heads, head))
        k = turn(product(a, "self_attn.k_proj").reshape(len(ids), kv_heads, head))
        v = product(a, "self_attn.v_proj").reshape(len(ids), kv_heads, head)
        seen = np.zeros_like(q)
        for h in range(heads):
            g = h // (heads // kv_heads)
            scores = np.where(later, -np.inf, q[:, h] @ k[:, g].T / np.sqrt(head))
            e = np.exp(scores - scores.max(-1, keepdims=True))
            seen[:, h] = (e / e.sum(-1, keepdims=True)) @ v[:, g]
        z = z + product(seen.reshape(len(ids), -1), "self_attn.o_proj")
        a = norm(z, p + "post_attention_layernorm.weight")
        gate = product(a, "mlp.gate_proj")
        act = np.maximum(gate, 0) if config["hidden_act"] == "relu" else gate / (1 + np.exp(-gate))
        z = z + product(act * product(a, "mlp.up_proj"), "mlp.down_proj")
    return norm(z, "model.norm.weight") @ w.get("lm_head.weight", w["model.embed_tokens.weight"]).T


def distance(a, b):
    return float(np.linalg.norm(a - b) / np.linalg.norm(b))


def main(out, folders):
    os.makedirs(out, exist_ok=True)
    about = dict(transformers=transformers.__version__, torch=torch.__version__, tokenizers=tokenizers.__version__, numpy=np.__version__, distances={})
    for entry in GOLDEN["configs"]:
        folder = f"{out}/{entry['name']}"
        model = random_model(entry)
        model.save_pretrained(folder)
        # Read back: half() has rounded the frequencies of positions as well, which are no weights.
        model = LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
        logits = logits_of(model, entry["ids"])
        np.save(f"{folder}/logits.npy", logits)
        with open(f"{folder}/config.json") as f:
            config = json.load(f)
        second = numpy_logits(config, load_file(f"{folder}/model.safetensors"), entry["ids"])
        about["distances"][entry["name"]] = distance(second, logits)
    token_ids = {"tokenizers": tokenizers.__version__}
    for path in folders:
        name = Path(path).name
        tokenizer = Tokenizer.from_file(f"{path}/tokenizer.json")
        ids = [tokenizer.encode(s, add_special_tokens=False).ids for s in GOLDEN["sentences"]]
        token_ids[name] = ids
        token_ids[f"{name}/decoded"] = [tokenizer.decode(row, skip_special_tokens=False) for row in ids]
        with open(f"{path}/golden-text.txt") as f:
            text_ids = [0, *tokenizer.encode(f.read(), add_special_tokens=False).ids][:IDS_OF_MODEL]
        tensors = load_file(f"{path}/model.safetensors")
        with open(f"{path}/config.json") as f:
            config = json.load(f)
        if any(n.endswith(".bitmask") for n in tensors):
            continue  # transformers needs another library to read it
        logits = logits_of(LlamaForCausalLM.from_pretrained(path, dtype=torch.float32, attn_implementation="eager"), text_ids)
        os.makedirs(f"{out}/{name}", exist_ok=True)
        np.save(f"{out}/{name}/logits.npy", logits[[0, 1, 7, 15, 31, len(text_ids) - 1]])
        with open(f"{out}/{name}/ids.json", "w") as f:
            json.dump(dict(ids=text_ids, rows=[0, 1, 7, 15, 31, len(text_ids) - 1]), f)
        about["distances"][name] = distance(numpy_logits(config, tensors, text_ids), logits)
    for name, content in (("token-ids", token_ids), ("about", about)):
        with open(f"{out}/{name}.json", "w") as f:
            json.dump(content, f, ensure_ascii=False)
    print(about)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
