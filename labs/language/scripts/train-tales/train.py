"""Trains the models of tales and measures them.

train.py JOB.json FOLDER OUT: FOLDER has the tokenizer, shards and held-out tales; models and results go to OUT.
"""

import glob
import gzip
import json
import math
import os
import sys
import time

import numpy as np
import torch

from data import BOS, CONTEXT
from measure import Bench, Rows, firing, ways
from model import DEVICE, SIZES, Trained, save, shapes
from prune import n_of_m, of_row

START = time.time()
LEARNING_RATE = 3e-3


def log(*words):
    """Prints words after the seconds since the start."""
    print(f"[{time.time() - START:6.1f}]", *words, flush=True)


class Shards:
    """The training tokens on the device, from shards that other processes are still writing. Sequences begin where tales do."""

    def __init__(self, folder, size, least):
        """Space for `size` tokens; waits until `least` tales have arrived."""
        self.folder, self.seen = folder, set()
        self.tokens = torch.zeros(size, dtype=torch.int16, device=DEVICE)
        self.starts = torch.zeros(size // 60, dtype=torch.int32, device=DEVICE)
        self.size = self.tales = 0
        while self.tales < least:
            self.poll()
            time.sleep(0.2)

    def poll(self):
        """Adds the shards that have been completed since the last call, as long as there is space."""
        for path in sorted(glob.glob(f"{self.folder}/shard-*.npy")):
            if path in self.seen or ".part." in path:
                continue
            self.seen.add(path)
            ids = torch.from_numpy(np.load(path)).to(DEVICE)
            starts = (ids == BOS).nonzero()[:, 0].int() + self.size
            if self.size + len(ids) > len(self.tokens) or self.tales + len(starts) > len(self.starts):
                continue
            self.tokens[self.size : self.size + len(ids)] = ids
            self.starts[self.tales : self.tales + len(starts)] = starts
            self.size += len(ids)
            self.tales += len(starts)

    def batch(self, count):
        """Inputs and targets (the next tokens) of `count` random sequences, each `count` x CONTEXT."""
        # Not the last 20 tales, so that CONTEXT + 1 tokens follow every start.
        starts = self.starts[torch.randint(0, self.tales - 20, (count,), device=DEVICE)].long()
        rows = self.tokens[starts[:, None] + torch.arange(CONTEXT + 1, device=DEVICE)].long()
        return rows[:, :-1], rows[:, 1:]


class Trainer:
    """Trains one compiled model, several times with other settings."""

    def __init__(self, c, shards, batch):
        self.c, self.shards, self.batch = c, shards, batch
        self.model = Trained(c, 1)
        self.run_model = torch.compile(self.model) if DEVICE == "cuda" else self.model

    def restart(self, seed):
        """Replaces the weights by random ones; the compiled model stays."""
        self.model.load(dict(zip(self.model.names, [w.detach() for w in Trained(self.c, seed).weights])))

    def step(self, optimizer, l1):
        """One step on a random batch. Returns its loss without L1, and the mean number of neurons that fire."""
        x, y = self.shards.batch(self.batch)
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            loss, size, fires = self.run_model(x, y)
        (loss + l1 * size).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss, fires

    def run(self, seconds, rate=LEARNING_RATE, l1=0.0, masks=None, warm=150):
        """Trains for `seconds`, with a learning rate that falls along a cosine of the elapsed time, after `warm` steps of
        warm-up. `masks`: 0 for weights that stay 0. Returns the settings and counts of the run."""
        matrices = [p for p in self.model.parameters() if p.dim() == 2]
        vectors = [p for p in self.model.parameters() if p.dim() == 1]
        groups = [dict(params=matrices, weight_decay=0.1), dict(params=vectors, weight_decay=0.0)]
        optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), fused=DEVICE == "cuda")
        begun, steps, losses, fires = time.time(), 0, [], torch.zeros(())
        while True:
            if steps % 10 == 0:
                if DEVICE == "cuda":
                    torch.cuda.synchronize()
                spent = (time.time() - begun) / seconds
                if spent >= 1:
                    break
                if steps % 200 == 0:
                    self.shards.poll()
                for group in optimizer.param_groups:
                    decay = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * spent))
                    group["lr"] = rate * min(1, (steps + 1) / warm) * decay
            loss, fires = self.step(optimizer, l1)
            if masks:
                with torch.no_grad():
                    for name, w in self.model.by_name().items():
                        if name in masks:
                            w.mul_(masks[name])
            steps += 1
            if steps % 200 == 0:
                losses.append(loss.detach())
        tokens = steps * self.batch * CONTEXT
        summary = dict(seconds=round(time.time() - begun, 1), steps=steps, tokens=tokens, l1=l1, firing=round(float(fires), 2))
        log(summary, "tokens/s", round(tokens / summary["seconds"]), "loss", [round(float(x), 4) for x in losses[-3:]], "tales", self.shards.tales)
        return {**summary, "rate": rate, "batch": self.batch, "context": CONTEXT}


def chosen_l1(dots, wanted):
    """The L1 coefficient for `wanted` firing neurons, interpolated log-linearly between the two nearest runs in `dots`."""
    tried = sorted((d["l1"], d["firing"]) for d in dots if d["l1"] > 0)
    for (low, low_firing), (high, high_firing) in zip(tried, tried[1:]):
        # A larger coefficient makes fewer neurons fire.
        if low_firing >= wanted >= high_firing:
            t = math.log(low_firing / wanted) / max(1e-9, math.log(low_firing / high_firing))
            return math.exp(math.log(low) + t * (math.log(high) - math.log(low)))
    return min(tried, key=lambda pair: abs(math.log(max(pair[1], 0.1) / wanted)))[0]


def main(job, folder, out):
    """Trains and measures the model of a job: short runs with several L1 coefficients, then the model itself, then its
    prunings, and further training of pruned models."""
    os.makedirs(out, exist_ok=True)
    name = job["name"]
    c = {**SIZES[job["size"]], "act": job["act"], **job.get("config", {})}
    results = dict(model=name, config=c, torch=torch.__version__, device=torch.cuda.get_device_name() if DEVICE == "cuda" else "cpu")
    shards = Shards(folder, job.get("memory", 700_000_000), job.get("least", 20_000))
    bench = Bench(folder, c, job.get("tales", 400))
    trainer = Trainer(c, shards, job.get("batch", 256))
    results["parameters"] = sum(math.prod(shape) for shape in shapes(c).values())
    results["test"] = dict(
        kept=bench.kept,
        tales=len(bench.texts),
        bytes=int(bench.bytes.sum()),
        tokens=int((bench.lengths - 1).sum()),
        pathBits=float(bench.path_bits.sum()),
    )
    log(name, results["parameters"], results["test"]["tales"], "bytes a token", results["test"]["bytes"] / results["test"]["tokens"])
    log("ready", trainer.run(0.01)["steps"])
    rows = Rows(bench)

    # Short runs with each coefficient of L1: how many neurons fire, and how well the model predicts.
    dots = []
    for l1 in job.get("l1", ()):
        trainer.restart(1)
        train = trainer.run(job["l1Seconds"], l1=l1)
        weights = trainer.model.stored()
        dot = dict(l1=l1, **{k: train[k] for k in ("tokens", "seconds")}, firing=firing(bench, weights)["mean"])
        dots.append({**dot, **bench.score(weights)})
        log(dots[-1])
    results["l1"] = dots

    # The model itself.
    trainer.restart(job.get("seed", 1))
    results["train"] = trainer.run(job["seconds"], l1=chosen_l1(dots, job["firing"]) if dots else 0.0)
    weights = trainer.model.stored()
    save(weights, c, f"{out}/{name}", f"{folder}/tokenizer.json")
    dense = bench.score(weights)
    log("dense", dense, "path floor", results["test"]["pathBits"] / results["test"]["bytes"])
    if c["act"] == "relu":
        results["firing"] = firing(bench, weights)
        log("firing", results["firing"]["mean"], results["firing"]["meanByLayer"])

    def write():
        """Writes all results so far."""
        results["rows"] = rows.rows
        with open(f"{out}/results-{name}.json", "w") as f:
            json.dump(results, f)
        with gzip.open(f"{out}/texts-{name}.json.gz", "wt") as f:
            json.dump(rows.texts, f)

    ways(bench, weights, rows, job.get("full", False))
    write()
    log("ways", [(r["way"], r.get("pattern", r["density"]), r["valueType"], round(r["bitsPerByte"], 4)) for r in rows.rows])

    # Prunes by Wanda, and trains the remaining weights further.
    for retraining in job.get("trainedOn", ()):
        # An N:M pattern (kept of group), or else a density.
        kept, group = retraining.get("pattern", (0, 0))
        rule = n_of_m(kept, group) if group else of_row(retraining["density"])
        pruned = bench.wanda(weights, rule)
        setting = dict(density=kept / group, pattern=f"{kept}:{group}") if group else dict(density=retraining["density"])
        trainer.model.load(pruned)
        masks = {n: (w != 0).float() for n, w in pruned.items() if "_proj" in n}
        train = trainer.run(retraining["seconds"], rate=1e-3, masks=masks, warm=20)
        trained = trainer.model.stored()
        log(rows.add(trained, "wanda", **setting, trained=train["seconds"]))
        results.setdefault("trainedOn", []).append({**setting, **train})
        if "save" in retraining:
            save(trained, c, f"{out}/{retraining['save']}", f"{folder}/tokenizer.json", sparse=True)
        write()


if __name__ == "__main__":
    with open(sys.argv[1]) as job_file:
        main(json.load(job_file), sys.argv[2], sys.argv[3])
