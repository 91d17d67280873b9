"""Times whole tokens in PyTorch, as fast as it can be made here, for comparison with `npm run decode`.

See docs/performance.md for the results.

python labs/language/bench/pytorch/decode.py --model llama-2-7b --json pytorch.json

Random weights in f16, distinct for every block; q, k, v as one matrix, gate and up as one; a static cache of keys and
values; one token, from its embedding to the next id, compiled with max-autotune and recorded as one CUDA graph, which
is replayed 100 times in a row. Sampling is the largest of logit and Gumbel noise, as ours is.
"""

import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F

# hidden, intermediate, layers, heads, heads of k and v, columns of a head, vocabulary
MODELS = {
    "llama-2-7b": (4096, 11008, 32, 32, 32, 128, 32000),
    "llama-3.1-8b": (4096, 14336, 32, 32, 8, 128, 128256),
}


class Int8Matrix:
    """A matrix in i8 with a scale for each row.

    It multiplies rows of activations rounded to 8 bits, with a scale for each token.
    """

    def __init__(self, weights):
        self.scales = weights.abs().amax(1).float() / 127
        self.columns = (weights.float() / self.scales[:, None]).round().to(torch.int8).t()

    def times(self, x):
        """The product of the matrix with each row of x."""
        scales = x.abs().amax(-1, keepdim=True).float().clamp_min(1e-20) / 127
        sums = torch._int_mm((x.float() / scales).round().to(torch.int8), self.columns)
        return (sums.float() * scales * self.scales).to(x.dtype)


def product(x, weights):
    """x times the transposed matrix, in f16 or in i8."""
    return weights.times(x) if isinstance(weights, Int8Matrix) else F.linear(x, weights)


class Decoder(torch.nn.Module):
    """A Llama with random weights and a static cache for `context` positions."""

    def __init__(self, sizes, context, eight_bits=False):
        super().__init__()
        hidden, inner, self.layers, self.heads, self.kv_heads, self.dim, vocabulary = sizes

        def weights(rows, cols):
            return torch.randn(rows, cols, device="cuda", dtype=torch.float16) / cols**0.5

        outputs = (self.heads + 2 * self.kv_heads) * self.dim
        self.embedding = weights(vocabulary, hidden) * hidden**0.5
        self.head = weights(vocabulary, hidden)
        self.blocks = [
            (weights(outputs, hidden), weights(hidden, self.heads * self.dim), weights(2 * inner, hidden), weights(hidden, inner))
            for _ in range(self.layers)
        ]
        if eight_bits:
            self.blocks = [tuple(Int8Matrix(matrix) for matrix in block) for block in self.blocks]
        self.norm = torch.ones(hidden, device="cuda", dtype=torch.float16)
        cache = (self.layers, 2, 1, self.kv_heads, context, self.dim)
        self.cache = torch.randn(cache, device="cuda", dtype=torch.float16)
        steps = 10000 ** (-torch.arange(0, self.dim, 2, device="cuda").float() / self.dim)
        angles = torch.outer(torch.arange(context, device="cuda").float(), steps)
        self.cos, self.sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
        self.positions = torch.arange(context, device="cuda")

    def turn(self, x, at):
        """RoPE of heads at the positions `at`."""
        left, right = x.float().chunk(2, -1)
        return (x * self.cos[at] + torch.cat((-right, left), -1) * self.sin[at]).to(x.dtype)

    def forward(self, token, at):
        """Draws the token that follows `token` at position `at`, both tensors of one number."""
        x = self.embedding[token]
        mask = (self.positions <= at)[None, None, None]
        for layer, (qkv, out, gate_up, down) in enumerate(self.blocks):
            parts = F.linear(F.rms_norm(x, self.norm.shape, self.norm, 1e-5), qkv).view(1, -1, 1, self.dim)
            q, k, v = parts.split((self.heads, self.kv_heads, self.kv_heads), 1)
            keys, values = self.cache[layer]
            keys.index_copy_(2, at, self.turn(k, at))
            values.index_copy_(2, at, v)
            grouped = self.heads != self.kv_heads
            y = F.scaled_dot_product_attention(self.turn(q, at), keys, values, mask, enable_gqa=grouped)
            x = x + F.linear(y.reshape(1, -1), out)
            gate, up = F.linear(F.rms_norm(x, self.norm.shape, self.norm, 1e-5), gate_up).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, down)
        logits = F.linear(F.rms_norm(x, self.norm.shape, self.norm, 1e-5), self.head).float()
        noise = -torch.empty_like(logits).exponential_().log()
        return (logits + noise).argmax(-1)

    def read(self, tokens):
        """Reads consecutive tokens from position 0 at once (prefill), and returns the logits after the last one."""
        at = torch.arange(len(tokens), device="cuda")
        x = self.embedding[tokens]
        for layer, (qkv, out, gate_up, down) in enumerate(self.blocks):
            parts = product(F.rms_norm(x, self.norm.shape, self.norm, 1e-5), qkv).view(1, len(tokens), -1, self.dim)
            q, k, v = parts.transpose(1, 2).split((self.heads, self.kv_heads, self.kv_heads), 1)
            keys, values = self.cache[layer]
            keys.index_copy_(2, at, self.turn(k, at))
            values.index_copy_(2, at, v)
            grouped = self.heads != self.kv_heads
            y = F.scaled_dot_product_attention(
                self.turn(q, at), keys[:, :, at], values[:, :, at], is_causal=True, enable_gqa=grouped
            )
            x = x + product(y.transpose(1, 2).reshape(len(tokens), -1), out)
            gate, up = product(F.rms_norm(x, self.norm.shape, self.norm, 1e-5), gate_up).chunk(2, -1)
            x = x + product(F.silu(gate) * up, down)
        return F.linear(F.rms_norm(x[-1], self.norm.shape, self.norm, 1e-5), self.head).float()


def recorded(run):
    """Records `run` as a CUDA graph. Returns the graph and the result of `run`, whose tensors each replay overwrites."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = run()
    return graph, result


def measure_prefill(sizes, count, rounds, eight_bits):
    """Milliseconds, by round, of `count` tokens read at once as one CUDA graph.

    The logits of the last token are on the host afterwards.
    """
    model = Decoder(sizes, count, eight_bits)
    tokens = torch.arange(count, device="cuda") * 7919 % sizes[6]
    graph, logits = recorded(lambda: model.read(tokens))
    times = []
    # The first round warms up.
    for round_ in range(rounds + 1):
        torch.cuda.synchronize()
        start = time.perf_counter()
        graph.replay()
        logits.cpu()
        if round_ > 0:
            times.append(1000 * (time.perf_counter() - start))
    return times


def measure(sizes, before, tokens, rounds, compiles):
    """Milliseconds of a token after `before` others, by round."""
    model = Decoder(sizes, before + tokens)
    step = torch.compile(model, mode="max-autotune-no-cudagraphs", fullgraph=True, dynamic=False) if compiles else model
    token = torch.zeros(1, device="cuda", dtype=torch.long)
    at = torch.full((1,), before, device="cuda", dtype=torch.long)

    def write():
        token.copy_(step(token, at))
        at.add_(1)

    # Recording runs a few tokens, which begin three positions earlier, so that all of them are within the cache.
    at.fill_(max(0, before - 3))
    graph, _ = recorded(write)
    times = []
    # The first round warms up.
    for round_ in range(rounds + 1):
        at.fill_(before)
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(tokens):
            graph.replay()
        torch.cuda.synchronize()
        if round_ > 0:
            times.append(1000 * (time.perf_counter() - start) / tokens)
    return times


@torch.inference_mode()
def main():
    """Measures decoding at each context length, and prefill if requested; prints the report as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", choices=MODELS, default="llama-2-7b")
    parser.add_argument("--context", type=lambda text: [int(n) for n in text.split(",") if n], default=[0, 1000, 4000])
    parser.add_argument("--tokens", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--prefill", type=int, default=0, help="also read this many tokens at once, not compiled")
    parser.add_argument("--eight-bits", action="store_true", help="read them with weights and activations of blocks in i8")
    parser.add_argument("--no-compile", action="store_true", help="tokens in a CUDA graph of PyTorch's own kernels, which needs no minutes")
    parser.add_argument("--json", help="also written to this file")
    given = parser.parse_args()
    torch.manual_seed(1)
    runs = []
    for before in given.context:
        torch._dynamo.reset()
        ms = measure(MODELS[given.model], before, given.tokens, given.rounds, not given.no_compile)
        torch.cuda.empty_cache()
        deciles = statistics.quantiles(ms, n=10) if len(ms) > 1 else [ms[0]] * 9
        middle = statistics.median(ms)
        runs.append(
            {
                "context": before,
                "tokens": given.tokens,
                "roundMs": ms,
                "msPerToken": {"median": middle, "p10": deciles[0], "p90": deciles[-1]},
                "tokensPerSecond": 1000 / middle,
            }
        )
    prefill = measure_prefill(MODELS[given.model], given.prefill, given.rounds, given.eight_bits) if given.prefill > 0 else []
    report = {
        "what": "decode in PyTorch",
        "model": given.model,
        "device": torch.cuda.get_device_name(),
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version()},
        "how": f"f16, {'not compiled' if given.no_compile else 'torch.compile max-autotune'}, static cache, one CUDA graph a token, q·k·v and gate·up joined",
        "runs": runs,
        "prefill": {"tokens": given.prefill, "values": "i8" if given.eight_bits else "f16", "roundMs": prefill} if prefill else None,
    }
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    main()
