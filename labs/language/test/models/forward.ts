/*
 * For tests: a second forward pass, written from the definitions of the architectures (transformers' modeling_llama,
 * modeling_mistral, modeling_qwen2, modeling_opt and modeling_gpt2; SparseMLP of TwELL's published code) on the tensors
 * of their files, in f64. It shares nothing with labs/language/decoders: not its contract, its names or its way of
 * storing weights.
 */

/** A file's tensors by name. */
export type Tensors = ReadonlyMap<string, { readonly shape: readonly number[]; readonly values: Float32Array }>;
type Config = Readonly<Record<string, number | boolean | string | null>>;
type Vector = number[];

/** Logits after each of `ids`, as a model of a Hugging Face folder with this config.json computes them. */
export function hubLogits(config: Config, tensors: Tensors, ids: readonly number[]): Vector[] {
  const get = (name: string) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`found no ${name}`);
    return tensor;
  };
  const row = (name: string, r: number): Vector => {
    const { shape, values } = get(name);
    return Array.from({ length: shape[1] }, (_, c) => values[r * shape[1] + c]);
  };
  const vector = (name: string): Vector => Array.from(get(name).values);
  /** nn.Linear: weight is outputs x inputs */
  const linear = (name: string, x: Vector): Vector => {
    const { shape } = get(`${name}.weight`);
    const bias = tensors.get(`${name}.bias`)?.values;
    return Array.from({ length: shape[0] }, (_, r) => dot(row(`${name}.weight`, r), x) + (bias?.[r] ?? 0));
  };
  /** Conv1D of GPT-2: weight is inputs x outputs */
  const conv1d = (name: string, x: Vector): Vector => {
    const { shape, values } = get(`${name}.weight`);
    const bias = vector(`${name}.bias`);
    return bias.map((b, c) => x.reduce((sum, value, r) => sum + value * values[r * shape[1] + c], b));
  };
  const layerNorm = (name: string, x: Vector): Vector => {
    const eps = Number(config.layer_norm_epsilon ?? 1e-5);
    const mean = sumOf(x) / x.length;
    const variance = sumOf(x.map((v) => (v - mean) ** 2)) / x.length;
    const [weight, bias] = [vector(`${name}.weight`), vector(`${name}.bias`)];
    return x.map((v, i) => ((v - mean) / Math.sqrt(variance + eps)) * weight[i] + bias[i]);
  };
  const rmsNorm = (name: string, x: Vector): Vector => {
    const scale = 1 / Math.sqrt(sumOf(x.map((v) => v * v)) / x.length + Number(config.rms_norm_eps));
    const weight = vector(`${name}.weight`);
    return x.map((v, i) => weight[i] * (v * scale));
  };
  const type = String(config.model_type);
  // GPT-2: learned positions, layer norms, queries, keys and values in one Conv1D, a tied head.
  if (type === 'gpt2') {
    const heads = Number(config.n_head);
    const size = Number(config.n_embd);
    let xs = ids.map((id, t) => plus(row('transformer.wte.weight', id), row('transformer.wpe.weight', t)));
    for (let layer = 0; layer < Number(config.n_layer); layer++) {
      const prefix = `transformer.h.${layer}`;
      const qkv = xs.map((x) => conv1d(`${prefix}.attn.c_attn`, layerNorm(`${prefix}.ln_1`, x)));
      const [q, k, v] = [0, 1, 2].map((i) => qkv.map((y) => y.slice(i * size, (i + 1) * size)));
      const mixed = attention(q, k, v, heads, heads, null);
      xs = xs.map((x, t) => plus(x, conv1d(`${prefix}.attn.c_proj`, mixed[t])));
      xs = xs.map((x) => {
        const inner = conv1d(`${prefix}.mlp.c_fc`, layerNorm(`${prefix}.ln_2`, x)).map(geluNew);
        return plus(x, conv1d(`${prefix}.mlp.c_proj`, inner));
      });
    }
    return xs.map((x) => times('transformer.wte.weight', layerNorm('transformer.ln_f', x)));
  }
  // OPT: learned positions, which begin at row 2 of their table, layer norms, ReLU, a tied head.
  if (type === 'opt') {
    const heads = Number(config.num_attention_heads);
    const top = 'model.decoder';
    let xs = ids.map((id, t) =>
      plus(row(`${top}.embed_tokens.weight`, id), row(`${top}.embed_positions.weight`, t + 2)),
    );
    for (let layer = 0; layer < Number(config.num_hidden_layers); layer++) {
      const prefix = `${top}.layers.${layer}`;
      const normed = xs.map((x) => layerNorm(`${prefix}.self_attn_layer_norm`, x));
      const [q, k, v] = ['q', 'k', 'v'].map((m) => normed.map((x) => linear(`${prefix}.self_attn.${m}_proj`, x)));
      const mixed = attention(q, k, v, heads, heads, null);
      xs = xs.map((x, t) => plus(x, linear(`${prefix}.self_attn.out_proj`, mixed[t])));
      xs = xs.map((x) => {
        const inner = linear(`${prefix}.fc1`, layerNorm(`${prefix}.final_layer_norm`, x)).map((n) => (n > 0 ? n : 0));
        return plus(x, linear(`${prefix}.fc2`, inner));
      });
    }
    return xs.map((x) => times(`${top}.embed_tokens.weight`, layerNorm(`${top}.final_layer_norm`, x)));
  }
  // Llama, Mistral, Qwen2 and TwELL's sparse Llama: RoPE, RMS norms, grouped queries, a gate.
  const heads = Number(config.num_attention_heads);
  const kvHeads = Number(config.num_key_value_heads);
  const theta = Number(config.rope_theta);
  const window = type === 'mistral' && config.sliding_window !== null ? Number(config.sliding_window) : null;
  // nn.ReLU() in the constructor of SparseMLP; hidden_act is not read there.
  const act = (g: number): number => (type === 'llama_sparse_relu' ? (g > 0 ? g : 0) : g / (1 + Math.exp(-g)));
  let xs = ids.map((id) => row('model.embed_tokens.weight', id));
  for (let layer = 0; layer < Number(config.num_hidden_layers); layer++) {
    const prefix = `model.layers.${layer}`;
    const normed = xs.map((x) => rmsNorm(`${prefix}.input_layernorm`, x));
    const q = normed.map((x, t) => rope(linear(`${prefix}.self_attn.q_proj`, x), heads, t, theta));
    const k = normed.map((x, t) => rope(linear(`${prefix}.self_attn.k_proj`, x), kvHeads, t, theta));
    const v = normed.map((x) => linear(`${prefix}.self_attn.v_proj`, x));
    const mixed = attention(q, k, v, heads, kvHeads, window);
    xs = xs.map((x, t) => plus(x, linear(`${prefix}.self_attn.o_proj`, mixed[t])));
    xs = xs.map((x) => {
      const y = rmsNorm(`${prefix}.post_attention_layernorm`, x);
      const up = linear(`${prefix}.mlp.up_proj`, y);
      const inner = linear(`${prefix}.mlp.gate_proj`, y).map((g, i) => act(g) * up[i]);
      return plus(x, linear(`${prefix}.mlp.down_proj`, inner));
    });
  }
  const head = config.tie_word_embeddings === true ? 'model.embed_tokens.weight' : 'lm_head.weight';
  return xs.map((x) => times(head, rmsNorm('model.norm', x)));

  /** every row of a matrix times x */
  function times(name: string, x: Vector): Vector {
    return Array.from({ length: get(name).shape[0] }, (_, r) => dot(row(name, r), x));
  }
}

/** rotate_half: x cos + (-second half, first half) sin, the same angles for both halves. */
function rope(x: Vector, heads: number, position: number, theta: number): Vector {
  const size = x.length / heads;
  const half = size / 2;
  return x.map((value, column) => {
    const i = column % size;
    const angle = position / theta ** ((2 * (i % half)) / size);
    const other = i < half ? -x[column + half] : x[column - half];
    return value * Math.cos(angle) + other * Math.sin(angle);
  });
}

/**
 * repeat_kv, softmax(q k / sqrt(d)) under the mask, times v. A key is seen if it is not later and within the window.
 */
function attention(
  q: Vector[],
  k: Vector[],
  v: Vector[],
  heads: number,
  kvHeads: number,
  window: number | null,
): Vector[] {
  const size = q[0].length / heads;
  return q.map((queries, t) => {
    const out: Vector = [];
    for (let head = 0; head < heads; head++) {
      const kv = Math.floor(head / (heads / kvHeads)) * size;
      const query = queries.slice(head * size, (head + 1) * size);
      const weights = k.map((key, s) =>
        s <= t && (window === null || s > t - window)
          ? Math.exp(dot(query, key.slice(kv, kv + size)) / Math.sqrt(size))
          : 0,
      );
      const total = sumOf(weights);
      for (let c = 0; c < size; c++) out.push(sumOf(weights.map((w, s) => (w / total) * v[s][kv + c])));
    }
    return out;
  });
}

/** NewGELUActivation of transformers. */
function geluNew(x: number): number {
  return 0.5 * x * (1.0 + Math.tanh(Math.sqrt(2.0 / Math.PI) * (x + 0.044715 * Math.pow(x, 3.0))));
}

function dot(a: Vector, b: Vector): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function plus(a: Vector, b: Vector): Vector {
  return a.map((value, i) => value + b[i]);
}

function sumOf(values: Vector): number {
  return values.reduce((a, b) => a + b, 0);
}
