"""Random tiny models of every architecture that Language opens, with logits and ids by transformers and the Rust tokenizers.

golden.py OUT: writes OUT/<name>/{config.json, tokenizer.json, model.safetensors, logits.npy, ids.json}. Needs torch,
transformers and tokenizers; nothing in the repository needs what it writes.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoConfig, AutoModelForCausalLM

SHARED = {"vocab_size": 400, "bos_token_id": 0, "eos_token_id": 1}
LLAMA = {
    **SHARED,
    "hidden_size": 24,
    "intermediate_size": 40,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5,
}
CONFIGS = {
    "llama": {**LLAMA, "tie_word_embeddings": False},
    "mistral": {**LLAMA, "sliding_window": 5, "tie_word_embeddings": False},
    "qwen2": {**LLAMA, "tie_word_embeddings": True, "use_sliding_window": False},
    "opt": {
        **SHARED,
        "hidden_size": 24,
        "ffn_dim": 40,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "word_embed_proj_dim": 24,
        "max_position_embeddings": 64,
        "pad_token_id": 1,
    },
    "gpt2": {**SHARED, "n_embd": 24, "n_layer": 2, "n_head": 4, "n_positions": 64},
}
SPLITS = {
    "llama": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "qwen2": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}
TEXTS = ["Once there was a cat. It's 12,345 years old!\n\n", "  two  spaces\tna\u00efve \u65e5\u672c \U0001f600", "I'LL go; they'll stay..."]


def tokenizer(name):
    from tokenizers import Regex

    made = Tokenizer(models.BPE())
    parts = [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=name not in SPLITS)]
    if name in SPLITS:
        parts.insert(0, pre_tokenizers.Split(Regex(SPLITS[name]), "isolated"))
    made.pre_tokenizer = pre_tokenizers.Sequence(parts)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SHARED["vocab_size"],
        special_tokens=["<bos>", "<eos>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(TEXTS * 8, trainer)
    return made


def model_of(name, seed):
    torch.manual_seed(seed)
    config = AutoConfig.for_model(name, **CONFIGS[name])
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    with torch.no_grad():
        for parameter_name, p in model.named_parameters():
            drawn = torch.randn(p.shape)
            if p.dim() == 1 and parameter_name.endswith("weight"):
                p.copy_(1 + 0.2 * drawn)
            elif p.dim() == 1:
                p.copy_(0.2 * drawn)
            else:
                p.copy_((0.5 if "emb" in parameter_name or "wte" in parameter_name else p.shape[1] ** -0.5) * drawn)
    return model


def main(out):
    for seed, name in enumerate(CONFIGS):
        folder = Path(out) / name
        folder.mkdir(parents=True, exist_ok=True)
        model, tokens = model_of(name, seed), tokenizer(name)
        model.save_pretrained(folder)
        tokens.save(str(folder / "tokenizer.json"))
        texts = {text: tokens.encode(text).ids for text in TEXTS}
        ids = [0, *texts[TEXTS[0]]][:40]
        with torch.no_grad():
            logits = model.double()(torch.tensor([ids])).logits[0]
        np.save(folder / "logits.npy", logits.numpy())
        (folder / "ids.json").write_text(json.dumps({"ids": ids, "texts": texts}))


if __name__ == "__main__":
    main(sys.argv[1])
