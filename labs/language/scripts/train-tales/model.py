"""The small Llamas that are trained on tales: shapes, weights by their Hugging Face names, and the forward pass in PyTorch."""

import json
import math
import os

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

from data import BOS, CONTEXT, EOS, VOCABULARY

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

EPS, THETA = 1e-5, 10000.0

# The matrices of a block in the order of their use, with their names in transformers.
KINDS = {
    "q": "self_attn.q_proj",
    "k": "self_attn.k_proj",
    "v": "self_attn.v_proj",
    "o": "self_attn.o_proj",
    "gate": "mlp.gate_proj",
    "up": "mlp.up_proj",
    "down": "mlp.down_proj",
}

SIZES = {
    "tales": dict(hidden=192, intermediate=768, layers=6, heads=6, kv_heads=2, head=32),
    "tales-small": dict(hidden=96, intermediate=384, layers=4, heads=3, kv_heads=1, head=32),
}


def matrix_name(layer, kind):
    """The name of a matrix in transformers."""
    return f"model.layers.{layer}.{KINDS[kind]}.weight"


def shapes(c):
    """Shapes of all weights, by name."""
    hidden, inner, q, kv = c["hidden"], c["intermediate"], c["heads"] * c["head"], c["kv_heads"] * c["head"]
    of_kind = dict(q=(q, hidden), k=(kv, hidden), v=(kv, hidden), o=(hidden, q))
    of_kind.update(gate=(inner, hidden), up=(inner, hidden), down=(hidden, inner))
    all_shapes = {"model.embed_tokens.weight": (VOCABULARY, hidden), "model.norm.weight": (hidden,)}
    for i in range(c["layers"]):
        for norm in ("input_layernorm", "post_attention_layernorm"):
            all_shapes[f"model.layers.{i}.{norm}.weight"] = (hidden,)
        for kind in KINDS:
            all_shapes[matrix_name(i, kind)] = of_kind[kind]
    return all_shapes


def initial(c, seed):
    """Random initial weights; matrices that add to the residual stream are smaller, the more layers there are."""
    torch.manual_seed(seed)
    weights = {}
    for name, shape in shapes(c).items():
        if len(shape) == 1:
            weights[name] = torch.ones(shape, device=DEVICE)
            continue
        writes = "o_proj" in name or "down_proj" in name
        deviation = 0.02 if "embed" in name else 0.02 / math.sqrt(2 * c["layers"]) if writes else 0.05
        weights[name] = torch.randn(shape, device=DEVICE) * deviation
    return weights


def rotary_tables(head):
    """The RoPE tables, cos and sin, positions x head; columns c and c + head / 2 rotate together."""
    frequency = 1.0 / THETA ** (torch.arange(0, head, 2, device=DEVICE, dtype=torch.float64) / head)
    angle = torch.arange(CONTEXT, device=DEVICE, dtype=torch.float64)[:, None] * frequency
    angle = torch.cat([angle, angle], 1)
    return angle.cos().float(), angle.sin().float()


def turned(x):
    """The halves of every head swapped, the second one negated: the factor of sin in RoPE."""
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], -1)


def norm(x, weight):
    """RMS norm."""
    y = x.float()
    return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + EPS)).to(x.dtype) * weight


def attention(i, q, k, v):
    """Causal attention of layer `i`, with grouped heads of keys and values."""
    shared = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, k.repeat_interleave(shared, 1), v.repeat_interleave(shared, 1), is_causal=True)


def block(weights, c, i, z, tables, listen=None, attend=attention):
    """One block over a batch, batch x tokens x hidden. `listen(kind, x)` receives the inputs of every matrix; `attend` replaces
    attention, for example by one that reads a cache. Returns the output and the activated neurons."""
    batch, tokens, _ = z.shape
    heads, kv_heads, head = c["heads"], c["kv_heads"], c["head"]
    cos, sin = tables[0][:tokens], tables[1][:tokens]

    def product(kind, x):
        if listen:
            listen(kind, x)
        return F.linear(x, weights[matrix_name(i, kind)])

    a = norm(z, weights[f"model.layers.{i}.input_layernorm.weight"])
    q = product("q", a).view(batch, tokens, heads, head).transpose(1, 2)
    k = product("k", a).view(batch, tokens, kv_heads, head).transpose(1, 2)
    v = product("v", a).view(batch, tokens, kv_heads, head).transpose(1, 2)
    q = (q * cos + turned(q) * sin).to(v.dtype)
    k = (k * cos + turned(k) * sin).to(v.dtype)
    z = z + product("o", attend(i, q, k, v).transpose(1, 2).reshape(batch, tokens, heads * head))
    a = norm(z, weights[f"model.layers.{i}.post_attention_layernorm.weight"])
    act = F.relu if c["act"] == "relu" else F.silu
    h = act(product("gate", a)) * product("up", a)
    return z + product("down", h), h


def logits_of(weights, z):
    """Logits of the outputs of the last block, by the tied embedding."""
    return F.linear(norm(z, weights["model.norm.weight"]), weights["model.embed_tokens.weight"])


class Trained(nn.Module):
    """The model during training; `forward` returns the loss, the mean of |h|, and the mean number of neurons that fire."""

    def __init__(self, c, seed):
        super().__init__()
        self.c = c
        self.names = list(shapes(c))
        start = initial(c, seed)
        self.weights = nn.ParameterList([nn.Parameter(start[name]) for name in self.names])
        cos, sin = rotary_tables(c["head"])
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)

    def by_name(self):
        """The parameters by their names in transformers."""
        return dict(zip(self.names, self.weights))

    def forward(self, x, y):
        weights = self.by_name()
        z = F.embedding(x, weights["model.embed_tokens.weight"])
        size, firing = z.new_zeros((), dtype=torch.float32), z.new_zeros((), dtype=torch.float32)
        for i in range(self.c["layers"]):
            z, h = block(weights, self.c, i, z, (self.cos, self.sin))
            if self.c["act"] == "relu":
                size = size + h.float().abs().mean() / self.c["layers"]
                firing = firing + (h != 0).float().mean() * self.c["intermediate"] / self.c["layers"]
        loss = F.cross_entropy(logits_of(weights, z).float().view(-1, VOCABULARY), y.reshape(-1))
        return loss, size, firing

    def stored(self):
        """The weights as they are stored: rounded to f16, and f32 again."""
        return {name: w.detach().half().float() for name, w in self.by_name().items()}

    def load(self, weights):
        """Replaces the values of all parameters."""
        with torch.no_grad():
            for name, w in self.by_name().items():
                w.copy_(weights[name])


def config_json(c):
    """The config.json of a model of this size, for transformers."""
    return dict(
        architectures=["LlamaForCausalLM"],
        model_type="llama",
        hidden_size=c["hidden"],
        intermediate_size=c["intermediate"],
        num_hidden_layers=c["layers"],
        num_attention_heads=c["heads"],
        num_key_value_heads=c["kv_heads"],
        head_dim=c["head"],
        hidden_act=c["act"],
        rms_norm_eps=EPS,
        rope_theta=THETA,
        max_position_embeddings=CONTEXT,
        vocab_size=VOCABULARY,
        tie_word_embeddings=True,
        attention_bias=False,
        mlp_bias=False,
        bos_token_id=BOS,
        eos_token_id=EOS,
        torch_dtype="float16",
    )


def packed(name, w):
    """A matrix as compressed-tensors stores it: values and a mask, a bit for each cell, lowest first, with offsets of rows."""
    keep = w != 0
    rows, cols = w.shape
    bits = torch.zeros(rows, (cols + 7) // 8 * 8, dtype=torch.uint8)
    bits[:, :cols] = keep.to(torch.uint8)
    mask = (bits.view(rows, -1, 8) << torch.arange(8, dtype=torch.uint8)).sum(-1).to(torch.uint8)
    counts = keep.sum(1)
    return {
        f"{name}.compressed": w[keep].half().contiguous(),
        f"{name}.bitmask": mask.contiguous(),
        f"{name}.shape": torch.tensor([rows, cols], dtype=torch.int64),
        f"{name}.row_offsets": (torch.cumsum(counts, 0) - counts).to(torch.int64),
    }


def save(weights, c, folder, tokenizer, sparse=False):
    """A Hugging Face folder with weights in f16; with `sparse` the matrices of the blocks as masks and values."""
    os.makedirs(folder, exist_ok=True)
    tensors = {}
    for name, w in weights.items():
        w = w.detach().cpu().float()
        if sparse and "_proj" in name:
            tensors.update(packed(name, w))
        else:
            tensors[name] = w.half().contiguous()
    save_file(tensors, f"{folder}/model.safetensors", metadata={"format": "pt"})
    config = config_json(c)
    if sparse:
        config["compression_config"] = {"sparsity_config": {"format": "sparse-bitmask", "targets": ["Linear"]}}
    with open(f"{folder}/config.json", "w") as f:
        json.dump(config, f, indent=1)
    if os.path.exists(tokenizer):
        with open(tokenizer) as a, open(f"{folder}/tokenizer.json", "w") as b:
            json.dump(json.load(a), b, ensure_ascii=False, separators=(",", ":"))
