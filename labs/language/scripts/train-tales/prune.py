"""Ways to prune and quantise the matrices of the blocks. A rule is a function from scores (rows x cols) to a mask of 0 and 1."""

import torch

from model import DEVICE, KINDS, block, matrix_name, rotary_tables


def of_row(density):
    """A rule that keeps the largest scores of every row."""

    def rule(scores):
        kept = max(1, round(density * scores.shape[1]))
        return torch.zeros_like(scores).scatter_(1, scores.topk(kept, 1).indices, 1.0)

    return rule


def of_matrix(density):
    """A rule that keeps the largest scores of the matrix."""

    def rule(scores):
        mask = torch.zeros(scores.numel(), device=scores.device)
        mask[scores.flatten().topk(max(1, round(density * scores.numel()))).indices] = 1.0
        return mask.view_as(scores)

    return rule


def n_of_m(kept, group):
    """A rule that keeps the `kept` largest scores of every `group` neighbours in a row (N:M)."""

    def rule(scores):
        groups = scores.view(scores.shape[0], -1, group)
        return torch.zeros_like(groups).scatter_(2, groups.topk(kept, 2).indices, 1.0).view_as(scores)

    return rule


@torch.no_grad()
def by_score(weights, c, rule, score):
    """The weights with all matrices of the blocks pruned by a rule; `score`: the scores of a matrix."""
    names = [matrix_name(i, kind) for i in range(c["layers"]) for kind in KINDS]
    return {**weights, **{name: weights[name] * rule(score(weights[name])) for name in names}}


def by_magnitude(weights, c, rule):
    """The weights pruned by magnitude."""
    return by_score(weights, c, rule, torch.abs)


def at_random(weights, c, rule, seed=11):
    """The weights pruned by random scores."""
    generator = torch.Generator(device=DEVICE)
    generator.manual_seed(seed)
    return by_score(weights, c, rule, lambda w: torch.rand(w.shape, generator=generator, device=DEVICE))


@torch.no_grad()
def by_wanda(weights, c, rule, ids, lengths):
    """The weights pruned by Wanda (Sun et al. 2024): by |w| times the norm of its column's inputs, block by block; the inputs
    of a block come from the pruned blocks before it. `ids`: calibration texts, padded beyond `lengths`."""
    pruned = dict(weights)
    tables = rotary_tables(c["head"])
    counted = (torch.arange(ids.shape[1], device=DEVICE)[None] < lengths[:, None]).float()[..., None]
    z = weights["model.embed_tokens.weight"][ids]
    for i in range(c["layers"]):
        norms = {}

        def listen(kind, x):
            """Stores the norm of each input of a matrix, over all tokens that are not padding."""
            norms[kind] = (x.pow(2) * counted).sum((0, 1)).sqrt()

        block(pruned, c, i, z, tables, listen)
        for kind in KINDS:
            name = matrix_name(i, kind)
            pruned[name] = pruned[name] * rule(pruned[name].abs() * norms[kind])
        z, _ = block(pruned, c, i, z, tables)
    return pruned


def i8(w):
    """The matrix rounded to i8, with an f32 scale for every row."""
    scale = w.abs().amax(1, keepdim=True) / 127
    return (w / scale.clamp_min(1e-12)).round().clamp(-127, 127) * scale


def i4(w):
    """The matrix rounded to 4 bits as in ggml's Q4_0, with an f16 scale for every group of 32 columns."""
    groups = w.view(w.shape[0], -1, 32)
    largest = groups.gather(2, groups.abs().argmax(2, keepdim=True))
    scale = (largest / -8).float()
    inverse = torch.where(scale != 0, 1 / scale, torch.zeros_like(scale))
    return ((torch.floor(groups * inverse + 8.5).clamp(0, 15) - 8) * scale.half().float()).view_as(w)


def quantised(weights, how):
    """The weights with all matrices of the blocks rounded by `how`, `i8` or `i4`."""
    return {name: how(w) if "_proj" in name else w for name, w in weights.items()}

