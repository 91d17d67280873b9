"""Ways to prune and quantise the matrices of the blocks. A rule makes a mask of scores, rows x cols."""

import torch

from model import DEVICE, KINDS, block, matrix_name, rotary_tables


def of_row(density):
    """the largest of every row"""

    def rule(scores):
        kept = max(1, round(density * scores.shape[1]))
        return torch.zeros_like(scores).scatter_(1, scores.topk(kept, 1).indices, 1.0)

    return rule


def of_matrix(density):
    """the largest of the matrix"""

    def rule(scores):
        mask = torch.zeros(scores.numel(), device=scores.device)
        mask[scores.flatten().topk(max(1, round(density * scores.numel()))).indices] = 1.0
        return mask.view_as(scores)

    return rule


def n_of_m(kept, group):
    """the `kept` largest of every `group` neighbours of a row"""

    def rule(scores):
        groups = scores.view(scores.shape[0], -1, group)
        return torch.zeros_like(groups).scatter_(2, groups.topk(kept, 2).indices, 1.0).view_as(scores)

    return rule


@torch.no_grad()
def by_score(weights, c, rule, score):
    names = [matrix_name(i, kind) for i in range(c["layers"]) for kind in KINDS]
    return {**weights, **{name: weights[name] * rule(score(weights[name])) for name in names}}


def by_magnitude(weights, c, rule):
    return by_score(weights, c, rule, torch.abs)


def at_random(weights, c, rule, seed=11):
    generator = torch.Generator(device=DEVICE)
    generator.manual_seed(seed)
    return by_score(weights, c, rule, lambda w: torch.rand(w.shape, generator=generator, device=DEVICE))


@torch.no_grad()
def by_wanda(weights, c, rule, ids, lengths):
    """|w| times the norm of its column's inputs (Sun et al. 2024), block by block, inputs behind the blocks already pruned."""
    pruned = dict(weights)
    tables = rotary_tables(c["head"])
    counted = (torch.arange(ids.shape[1], device=DEVICE)[None] < lengths[:, None]).float()[..., None]
    z = weights["model.embed_tokens.weight"][ids]
    for i in range(c["layers"]):
        norms = {}

        def listen(kind, x):
            norms[kind] = (x.pow(2) * counted).sum((0, 1)).sqrt()

        block(pruned, c, i, z, tables, listen)
        for kind in KINDS:
            name = matrix_name(i, kind)
            pruned[name] = pruned[name] * rule(pruned[name].abs() * norms[kind])
        z, _ = block(pruned, c, i, z, tables)
    return pruned


def i8(w):
    """i8 with a scale in f32 for every row"""
    scale = w.abs().amax(1, keepdim=True) / 127
    return (w / scale.clamp_min(1e-12)).round().clamp(-127, 127) * scale


def i4(w):
    """Q4_0 of ggml: groups of 32 with a scale in f16"""
    groups = w.view(w.shape[0], -1, 32)
    largest = groups.gather(2, groups.abs().argmax(2, keepdim=True))
    scale = (largest / -8).float()
    inverse = torch.where(scale != 0, 1 / scale, torch.zeros_like(scale))
    return ((torch.floor(groups * inverse + 8.5).clamp(0, 15) - 8) * scale.half().float()).view_as(w)


def quantised(weights, how):
    return {name: how(w) if "_proj" in name else w for name, w in weights.items()}

