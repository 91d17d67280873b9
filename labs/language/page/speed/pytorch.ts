/** Decoding in PyTorch, measured by this project: random weights in f16, one sequence, 100 tokens. */
export interface PyTorchRun {
  /** substring of the names of devices with which the run is compared */
  readonly card: string;
  /** a model of `KNOWN_MODELS` */
  readonly model: string;
  /** tokens per second of whole tokens, for each way of decoding */
  readonly ways: readonly { readonly title: string; readonly tokensPerSecond: number }[];
  /** dates of the measurement: 2026-11-22 */
  readonly days: readonly string[];
}

/** The version that was measured. */
export const PYTORCH_VERSION = 'PyTorch 2.11';

const TITLES = ['transformers', 'PyTorch, eager', 'PyTorch, CUDA graph', 'PyTorch, compiled'] as const;
const DAYS = ['2026-11-22'] as const;

const RUNS: readonly PyTorchRun[] = [
  // Compiled with max-autotune by labs/language/bench/pytorch/decode.py, a day later.
  run('H100', 'Llama-2-7B', [30, 58, 141, 146], [...DAYS, '2026-11-23']),
  run('H100', 'Llama-3.1-8B', [33, 80, 130]),
  run('H200', 'Llama-2-7B', [41, 83, 176]),
  run('H200', 'Llama-3.1-8B', [49, 85, 168]),
];

function run(card: string, model: string, rates: readonly number[], days: readonly string[] = DAYS): PyTorchRun {
  return { card, model, ways: rates.map((tokensPerSecond, i) => ({ title: TITLES[i], tokensPerSecond })), days };
}

/** Returns PyTorch's speed with a model on this device, or on the first measured device; null for other models. */
export function pytorchOn(device: string, model: string): PyTorchRun | null {
  const runs = RUNS.filter((measured) => measured.model === model);
  return runs.find(({ card }) => device.includes(card)) ?? runs[0] ?? null;
}
