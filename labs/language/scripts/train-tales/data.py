"""Training data: trains the tokenizer (byte-level BPE), and turns tales into shards of token ids.

data.py tokenizer FOLDER          trains the tokenizer on FOLDER/tokenizer.jsonl
data.py worker FOLDER SEED COUNT  draws tales (TALES: the command that does) and writes shards of token ids
"""

import json
import os
import subprocess
import sys

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

VOCABULARY, BOS, EOS, CONTEXT = 1024, 0, 1, 512
SHARD = 4000  # tales of a shard


class Tokens:
    """A tokenizer of the Rust library, without BOS and EOS."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")

    def encode(self, texts):
        """Token ids of each text."""
        return [e.ids for e in self.tokenizer.encode_batch(texts, add_special_tokens=False)]

    def decode(self, ids):
        """The text of each row of ids."""
        return self.tokenizer.decode_batch([[int(i) for i in row] for row in ids], skip_special_tokens=True)

    def pieces(self):
        """The text of every token."""
        return [self.tokenizer.decode([i], skip_special_tokens=False) for i in range(VOCABULARY)]


def train_tokenizer(folder):
    """Trains a byte-level BPE tokenizer on tokenizer.jsonl, and writes tokenizer.json."""
    with open(f"{folder}/tokenizer.jsonl") as f:
        texts = [json.loads(line)["text"] for line in f]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<bos>", "<eos>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<bos> $A", special_tokens=[("<bos>", BOS)])
    tokenizer.save(f"{folder}/tokenizer.part")
    os.rename(f"{folder}/tokenizer.part", f"{folder}/tokenizer.json")


def worker(folder, seed, count):
    """Draws `count` tales by the command TALES, and writes their token ids in shards that train.py reads meanwhile."""
    tokens = Tokens(folder)
    command = [*os.environ["TALES"].split(), "--count", str(count), "--seed", str(seed)]
    drawn = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    texts, shard = [], 0

    def write():
        """Writes the collected tales as a shard; renames it at the end, so that no reader sees a part of it."""
        nonlocal texts, shard
        rows = [[BOS, *ids, EOS] for ids in tokens.encode(texts) if len(ids) <= CONTEXT - 2]
        path = f"{folder}/shard-{seed}-{shard}"
        np.save(f"{path}.part.npy", np.concatenate([np.array(row, np.int16) for row in rows]))
        os.rename(f"{path}.part.npy", f"{path}.npy")
        texts, shard = [], shard + 1

    for line in drawn.stdout:
        texts.append(json.loads(line)["text"])
        if len(texts) == SHARD:
            write()
    if texts:
        write()


if __name__ == "__main__":
    if sys.argv[1] == "tokenizer":
        train_tokenizer(sys.argv[2])
    else:
        worker(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
