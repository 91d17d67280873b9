"""Measures models: bits per byte of held-out tales, the tales that a model writes, and which neurons fire."""

import json
import math

import numpy as np
import torch
import torch.nn.functional as F

from data import BOS, CONTEXT, EOS, VOCABULARY, Tokens
from model import DEVICE, block, logits_of, rotary_tables, shapes
from prune import at_random, by_magnitude, by_wanda, i4, i8, n_of_m, of_matrix, of_row, quantised

TEMPERATURE = 0.8
BATCH = 100  # tales that are read together
MAX_FIRED_IN_TILE = 31  # TwELL 8:1 stores a tile of 256 neurons in 32 words: a count, and 31 non-zeros


def read_tales(path):
    """The tales in a JSONL file, as objects."""
    with open(path) as f:
        return [json.loads(line) for line in f]


class Bench:
    """The held-out and calibration tales of a folder, on which weights of a configuration `c` are measured."""

    def __init__(self, folder, c, tales):
        self.c, self.tokens = c, Tokens(folder)
        self.tables = rotary_tables(c["head"])
        test = read_tales(f"{folder}/test.jsonl")
        ids = self.tokens.encode([tale["text"] for tale in test])
        # Longer tales do not fit into the context.
        self.kept = [i for i in range(len(test)) if len(ids[i]) <= CONTEXT - 2]
        self.ids, self.lengths = self.padded([ids[i] for i in self.kept])
        self.texts = [test[i]["text"] for i in self.kept]
        self.bytes = torch.tensor([len(text.encode()) for text in self.texts], dtype=torch.float64)
        self.path_bits = torch.tensor([test[i]["bits"] for i in self.kept], dtype=torch.float64)
        calibration = self.tokens.encode([tale["text"] for tale in read_tales(f"{folder}/calibration.jsonl")])
        self.calibration = self.padded([row[: CONTEXT - 2] for row in calibration])
        self.tales = tales
        self.state = None

    def padded(self, rows):
        """Token ids with BOS and EOS, padded to the same length, and the lengths without padding."""
        ids = torch.full((len(rows), CONTEXT + 1), EOS, dtype=torch.long)
        for r, row in enumerate(rows):
            ids[r, : len(row) + 2] = torch.tensor([BOS, *row, EOS])
        return ids.to(DEVICE), torch.tensor([len(row) + 2 for row in rows]).to(DEVICE)

    def wanda(self, weights, rule):
        """The weights pruned by Wanda with the calibration tales."""
        ids, lengths = self.calibration
        return by_wanda(weights, self.c, rule, ids[:, :-1], lengths)

    def forward(self, weights, ids, listen=None):
        """Logits after every token; `listen(layer, h)` receives the activated neurons of each block."""
        z = weights["model.embed_tokens.weight"][ids]
        for i in range(self.c["layers"]):
            z, h = block(weights, self.c, i, z, self.tables)
            if listen:
                listen(i, h)
        return logits_of(weights, z)

    @torch.no_grad()
    def bits(self, weights):
        """Bits of every test tale, including its end."""
        parts = []
        for r in range(0, len(self.ids), BATCH):
            ids = self.ids[r : r + BATCH]
            nats = F.cross_entropy(self.forward(weights, ids[:, :-1]).transpose(1, 2), ids[:, 1:], reduction="none")
            counted = torch.arange(CONTEXT, device=DEVICE)[None] < (self.lengths[r : r + BATCH] - 1)[:, None]
            parts.append((nats * counted).sum(1).double().cpu())
        return torch.cat(parts) / math.log(2)

    def score(self, weights, dense=None):
        """Bits per byte with its standard error over tales; with `dense`, the bits of every tale of another model, also the
        standard error of the difference."""
        bits = self.bits(weights)
        mean = float(bits.sum() / self.bytes.sum())
        scored = dict(bitsPerByte=mean, se=self.error(bits, mean))
        if dense is not None:
            difference = bits - dense
            scored["differenceSe"] = self.error(difference, float(difference.sum() / self.bytes.sum()))
        return scored

    def error(self, bits, mean):
        """The standard error of `mean`, the ratio of all bits to all bytes."""
        return float((bits - mean * self.bytes).std() * math.sqrt(len(bits)) / self.bytes.sum())

    @torch.no_grad()
    def write(self, weights):
        """Texts written without a prompt, with the same Gumbel noise for every model, and whether each has ended."""
        if self.state is None:
            self.prepare()
        s = self.state
        for name, w in s["weights"].items():
            w.copy_(weights[name])
        for name, start in dict(position=0, done=0, token=BOS, out=EOS, keys=0, values=0).items():
            s[name].fill_(start)
        for _ in range(CONTEXT - 1):
            s["step"]()
        out = s["out"][:, 1:CONTEXT].cpu().numpy()
        ended = (out == EOS).any(1)
        rows = [row[: int(np.argmax(row == EOS))] if end else row for row, end in zip(out, ended)]
        return [dict(text=text, ended=bool(end)) for text, end in zip(self.tokens.decode(rows), ended)]

    def prepare(self):
        """Captures the computation of one token of all texts as a CUDA graph, once."""
        c, batch = self.c, self.tales
        heads, kv_heads, head, layers = c["heads"], c["kv_heads"], c["head"], c["layers"]
        generator = torch.Generator(device=DEVICE)
        generator.manual_seed(7)
        u = torch.rand(CONTEXT, batch, VOCABULARY, generator=generator, device=DEVICE).clamp(1e-9, 1 - 1e-7)
        noise = -torch.log(-torch.log(u))
        cache = (layers, batch, kv_heads, CONTEXT, head)
        s = self.state = dict(
            weights={name: torch.zeros(shape, device=DEVICE) for name, shape in shapes(c).items()},
            position=torch.zeros(1, dtype=torch.long, device=DEVICE),
            done=torch.zeros(batch, dtype=torch.bool, device=DEVICE),
            token=torch.zeros(batch, dtype=torch.long, device=DEVICE),
            out=torch.full((batch, CONTEXT + 1), EOS, device=DEVICE),
            keys=torch.zeros(cache, device=DEVICE),
            values=torch.zeros(cache, device=DEVICE),
        )
        weights, position, all_positions = s["weights"], s["position"], torch.arange(CONTEXT, device=DEVICE)

        def step():
            """Draws the next token of every text; all state is in tensors, since a CUDA graph cannot allocate."""
            z = weights["model.embed_tokens.weight"].index_select(0, s["token"])[:, None]
            tables = [table.index_select(0, position) for table in self.tables]
            later = (all_positions > position)[None, None, None]

            def attend(i, q, k, v):
                """Attention of one token to the cache, to which its key and value are added first."""
                s["keys"][i].index_copy_(2, position, k)
                s["values"][i].index_copy_(2, position, v)
                shared = q.reshape(batch, kv_heads, heads // kv_heads, head)
                scores = torch.matmul(shared, s["keys"][i].transpose(-1, -2)) / math.sqrt(head)
                seen = torch.matmul(torch.softmax(scores.masked_fill(later, -1e9), -1), s["values"][i])
                return seen.reshape(batch, heads, 1, head)

            for i in range(layers):
                z, _ = block(weights, c, i, z, tables, attend=attend)
            z = z[:, 0]
            drawn_ids = (logits_of(weights, z) / TEMPERATURE + noise.index_select(0, position)[0]).argmax(-1)
            drawn_ids = torch.where(s["done"], torch.full_like(drawn_ids, EOS), drawn_ids)
            s["done"].logical_or_(drawn_ids == EOS)
            s["out"].index_copy_(1, position + 1, drawn_ids[:, None])
            s["token"].copy_(drawn_ids)
            position.add_(1)

        # References to tensors that the graph reads, so that they are not freed.
        s["kept"] = (step, noise, all_positions)
        s["step"] = step
        # Without a GPU `step` runs as it is; with one it is run a few times, as PyTorch requires, and then captured.
        if DEVICE != "cuda":
            return
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        s["kept"] += (graph,)
        s["step"] = graph.replay


class Rows:
    """The rows of a model's quality.json, and for each row the texts whose laws publish.ts judges."""

    def __init__(self, bench):
        self.bench, self.rows, self.texts, self.dense = bench, [], [], None

    def add(self, weights, way, density=1.0, value_type="f16", **words):
        """Measures weights and adds their row; the first row is the dense model, with which the others are compared."""
        row = dict(way=way, density=density, **words, valueType=value_type)
        row.update(self.bench.score(weights, self.dense))
        if self.dense is None:
            self.dense = self.bench.bits(weights)
        self.rows.append(row)
        self.texts.append(self.bench.write(weights))
        return row


def ways(bench, weights, rows, full):
    """Measures every way to prune and quantise; with `full`, at more densities and also pruned by rows and at random."""
    c = bench.c
    rows.add(weights, "none")
    coarse = (0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
    for density in (0.9, *coarse[:3], 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.1) if full else coarse:
        rows.add(bench.wanda(weights, of_row(density)), "wanda", density)
        rows.add(by_magnitude(weights, c, of_matrix(density)), "magnitude", density)
        if full:
            rows.add(by_magnitude(weights, c, of_row(density)), "rows", density)
            rows.add(at_random(weights, c, of_row(density)), "random", density)
    for kept, group in ((2, 4), (4, 8), (6, 8), (14, 16)):
        pattern = dict(density=kept / group, pattern=f"{kept}:{group}")
        rows.add(bench.wanda(weights, n_of_m(kept, group)), "wanda", **pattern)
        rows.add(by_magnitude(weights, c, n_of_m(kept, group)), "magnitude", **pattern)
    half = bench.wanda(weights, of_row(0.5))
    for value_type, round_to in (("i8", i8), ("i4", i4)):
        rows.add(quantised(weights, round_to), "none", value_type=value_type)
        rows.add(quantised(half, round_to), "wanda", 0.5, value_type)


@torch.no_grad()
def firing(bench, weights):
    """Statistics of the neurons that fire, over all test tales. Tiles are of 256 neurons, in memory order."""
    c = bench.c
    layers, inner = c["layers"], c["intermediate"]
    zeros = lambda *shape, dtype=torch.float64: torch.zeros(*shape, device=DEVICE, dtype=dtype)
    fired, counts = zeros(layers, inner), zeros(layers, inner + 1, dtype=torch.long)
    by_position, at_position = zeros(layers, CONTEXT), zeros(CONTEXT)
    tiles_over, most_in_tile = zeros(layers, dtype=torch.long), zeros(layers, dtype=torch.long)
    max_fired = zeros(layers, dtype=torch.long)
    # By token id: how many neurons fired at it, summed, and how often it occurs.
    fired_by_id, token_times = zeros(VOCABULARY), zeros(VOCABULARY)
    tiles = 0
    # Counts over all tokens, batch by batch; padding is not counted.
    for r in range(0, len(bench.ids), BATCH):
        ids, lengths = bench.ids[r : r + BATCH, :-1], bench.lengths[r : r + BATCH]
        counted = torch.arange(CONTEXT, device=DEVICE)[None] < (lengths - 1)[:, None]
        masks = []  # by layer: which neurons fire at each token
        bench.forward(weights, ids, lambda i, h: masks.append(h != 0))
        at_position += counted.sum(0)
        token_times.index_add_(0, ids[counted], torch.ones(int(counted.sum()), device=DEVICE, dtype=torch.float64))
        for i, h in enumerate(masks):
            h = h & counted[..., None]
            fired[i] += h.sum((0, 1))
            fired_at_token = h.sum(-1)
            counts[i] += torch.bincount(fired_at_token[counted], minlength=inner + 1)
            by_position[i] += fired_at_token.double().sum(0)
            max_fired[i] = torch.maximum(max_fired[i], fired_at_token.max())
            fired_in_tile = h.view(*h.shape[:2], inner // 256, 256).sum(-1)[counted]
            tiles_over[i] += (fired_in_tile > MAX_FIRED_IN_TILE).sum()
            most_in_tile[i] = torch.maximum(most_in_tile[i], fired_in_tile.max())
            tiles += fired_in_tile.numel() if i == 0 else 0
            fired_by_id.index_add_(0, ids[counted], fired_at_token[counted].double())
    # Tokens by the mean number of neurons that fire; only tokens that occur at least 30 times.
    tokens = float(at_position.sum())
    mean = (fired_by_id / (layers * token_times.clamp_min(1))).tolist()
    pieces, times = bench.tokens.pieces(), token_times.tolist()
    order = sorted((i for i in range(VOCABULARY) if times[i] >= 30), key=lambda i: -mean[i])
    shown = lambda ids: [dict(piece=pieces[i], id=i, mean=round(mean[i], 2), seen=int(times[i])) for i in ids]
    return dict(
        tokens=int(tokens),
        neurons=inner,
        mean=float(fired.sum() / tokens / layers),
        meanByLayer=(fired.sum(1) / tokens).tolist(),
        maxByLayer=max_fired.tolist(),
        deadByLayer=[(row == 0).nonzero()[:, 0].tolist() for row in fired],
        tiles=tiles,
        tilesOver=tiles_over.tolist(),
        maxInTile=most_in_tile.tolist(),
        counts=[[int(row[b : b + 8].sum()) for b in range(0, inner + 1, 8)] for row in counts],
        byPosition=[[round(float(a / b), 2) for a, b in zip(row, at_position) if b >= 20] for row in by_position],
        maxTokens=shown(order[:20]),
        minTokens=shown(order[::-1][:20]),
    )
