"""Golden logits and token ids, made by other programs: transformers and the Rust tokenizers.

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
IDS_OF_MODEL = 48  # tokens of a text that a published model reads


def random_model(entry):
    """A model of transformers with random weights in f16, for an entry of golden-configs.json."""
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
    """The logits after each id, computed in f64 and rounded to f32."""
    with torch.no_grad():
        return model.double()(torch.tensor([ids])).logits[0].float().numpy()


def main(out, folders):
    """Writes the golden files: logits of the random models, then token ids and logits of the models in `folders`."""
    os.makedirs(out, exist_ok=True)
    about = dict(transformers=transformers.__version__, torch=torch.__version__, tokenizers=tokenizers.__version__)
    for entry in GOLDEN["configs"]:
        folder = f"{out}/{entry['name']}"
        model = random_model(entry)
        model.save_pretrained(folder)
        # Loaded again from its file, since half() also rounds the frequencies of RoPE, which a file does not contain.
        model = LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
        np.save(f"{folder}/logits.npy", logits_of(model, entry["ids"]))
    token_ids = {"tokenizers": tokenizers.__version__}
    for path in folders:
        name = Path(path).name
        tokenizer = Tokenizer.from_file(f"{path}/tokenizer.json")
        ids = [tokenizer.encode(s, add_special_tokens=False).ids for s in GOLDEN["sentences"]]
        token_ids[name] = ids
        token_ids[f"{name}/decoded"] = [tokenizer.decode(row, skip_special_tokens=False) for row in ids]
        with open(f"{path}/golden-text.txt") as f:
            text_ids = [0, *tokenizer.encode(f.read(), add_special_tokens=False).ids][:IDS_OF_MODEL]
        if any(n.endswith(".bitmask") for n in load_file(f"{path}/model.safetensors")):
            continue  # transformers needs another library to read it
        logits = logits_of(LlamaForCausalLM.from_pretrained(path, dtype=torch.float32, attn_implementation="eager"), text_ids)
        os.makedirs(f"{out}/{name}", exist_ok=True)
        np.save(f"{out}/{name}/logits.npy", logits[[0, 1, 7, 15, 31, len(text_ids) - 1]])
        with open(f"{out}/{name}/ids.json", "w") as f:
            json.dump(dict(ids=text_ids, rows=[0, 1, 7, 15, 31, len(text_ids) - 1]), f)
    for name, content in (("token-ids", token_ids), ("about", about)):
        with open(f"{out}/{name}.json", "w") as f:
            json.dump(content, f, ensure_ascii=False)
    print(about)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
