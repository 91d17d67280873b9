import { KernelError } from '../../core/errors.ts';
import { median, quantile } from '../../core/number/statistics.ts';
import { throwIfCancelled } from '../../core/pace.ts';
import type { GpuContext } from '../../gpu/index.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import type { MemoryKind } from '../chain/arena.ts';
import { Chain } from '../chain/chain.ts';
import { cacheBytes } from '../chain/stages.ts';
import { type ChainTimes, chainTimes } from '../chain/times.ts';
import { type Check, checkToken } from './check.ts';
import { type ShapeMade, shapesConfig, shapesModel, type ShapesOptions } from './model.ts';

/** What to measure. */
export interface DecodeOptions extends ShapesOptions {
  /** tokens before the timed ones; each is measured */
  readonly contexts: readonly number[];
  /** tokens that are written in a row */
  readonly tokens: number;
  /** times that they are, after once to warm up */
  readonly rounds: number;
  /** tokens that are fed at once, in a further measurement; 0: none */
  readonly prefill: number;
  /** what is known so far, as soon as there is more */
  readonly onReport?: (report: DecodeReport) => void;
}

/** Median, and the quantiles that a tenth lies below and above. */
interface Spread {
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
}

/** Tokens written behind as many others. */
export interface DecodeRun {
  readonly context: number;
  readonly tokens: number;
  /** mean of a token, by round, by the clock on the wall */
  readonly roundMs: readonly number[];
  readonly msPerToken: Spread;
  readonly tokensPerSecond: number;
  /** that a token has to read at least: matrices, head, norms, and the cache at the middle of the run */
  readonly bytesPerToken: number;
  readonly GBps: number;
  readonly dispatches: number;
  /** by the clock of the GPU, in the middle of the run */
  readonly times: ChainTimes;
  /** before the timed tokens at their first, and after them at the last */
  readonly checks: { readonly before: readonly Check[]; readonly after: readonly Check[] };
}

interface Prefill {
  readonly tokens: number;
  /** fed by one chain of dispatches */
  readonly together: number;
  /** by round, with the logits of all tokens read back */
  readonly roundMs: readonly number[];
  readonly tokensPerSecond: number;
}

export interface DecodeReport {
  readonly model: ModelShape;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly density: number;
  readonly matrices: readonly ShapeMade[];
  /** on the device, by what they are for */
  readonly bytes: Readonly<Record<MemoryKind, number>>;
  readonly setup: {
    /** generating, encoding, choosing kernels */
    readonly makeSeconds: number;
    /** uploading, copying, compiling */
    readonly openSeconds: number;
  };
  readonly runs: readonly DecodeRun[];
  readonly prefill: Prefill | null;
  /** whether every check of every run is */
  readonly ok: boolean;
}

/** Tokens fed at a time: their logits come back, one row for each. */
const FED_AT_A_TIME = 256;
const PREFILL_ROUNDS = 3;
const TEMPERATURE = 1;

/**
 * Decodes with generated weights of a model's sizes: one matrix of each shape is made, and copied on the device into memory
 * of every block's own. Throws SparseScopeError for a model that is no kin of Llama or does not fit, KernelError,
 * CancelledError, DeviceLostError.
 */
export async function decodeShapes(
  context: GpuContext,
  shape: ModelShape,
  options: DecodeOptions,
): Promise<DecodeReport> {
  const { contexts, tokens, rounds, prefill, stored, density, seed, job, onReport } = options;
  const longest = contexts.reduce((a, b) => Math.max(a, b), 0);
  const config = shapesConfig(shape, Math.max(longest + tokens + 1, prefill));
  const began = performance.now();
  const model = await shapesModel(context, config, options);
  const madeBy = performance.now();
  const chain = await Chain.open(context, config, model.weights, { job });
  try {
    let report: DecodeReport = {
      model: shape,
      format: stored.format.id,
      params: stored.params,
      density,
      matrices: model.made,
      bytes: chain.bytes,
      setup: { makeSeconds: (madeBy - began) / 1000, openSeconds: (performance.now() - madeBy) / 1000 },
      runs: [],
      prefill: null,
      ok: true,
    };
    onReport?.(report);
    const idAt = (i: number): number => (i * 7919 + seed) % config.vocabulary;

    for (const before of contexts) {
      chain.rewind(Math.min(before, chain.length));
      while (chain.length < before) {
        const count = Math.min(FED_AT_A_TIME, before - chain.length);
        const from = chain.length;
        await chain.feed(Array.from({ length: count }, (_, i) => idAt(from + i)));
        job.report({ what: 'tokens of context', done: chain.length, total: before });
      }
      const checksBefore = await checkToken(context, chain, model, report.runs.length === 0 ? 0 : TEMPERATURE);
      const roundMs: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        throwIfCancelled(job);
        chain.rewind(before);
        const from = performance.now();
        let written = 0;
        for await (const _ of chain.write(idAt(before), tokens, { temperature: TEMPERATURE, seed: round })) written++;
        if (written !== tokens) throw new KernelError(`decode: found ${written} tokens written, expected ${tokens}`);
        // The first one warms up.
        if (round > 0) roundMs.push((performance.now() - from) / tokens);
        job.report({ what: `rounds behind ${before} tokens`, done: round, total: rounds });
      }
      const checksAfter = await checkToken(context, chain, model, TEMPERATURE);
      chain.rewind(before + Math.floor(tokens / 2));
      const times = await chainTimes(context, chain, job);
      const ms = median(roundMs);
      const bytesPerToken = bytesOfToken(chain, before + tokens / 2);
      report = {
        ...report,
        runs: [
          ...report.runs,
          {
            context: before,
            tokens,
            roundMs,
            msPerToken: { median: ms, p10: quantile(roundMs, 0.1), p90: quantile(roundMs, 0.9) },
            tokensPerSecond: 1000 / ms,
            bytesPerToken,
            GBps: bytesPerToken / (ms * 1e6),
            dispatches: chain.launches.length,
            times,
            checks: { before: checksBefore, after: checksAfter },
          },
        ],
        ok: report.ok && [...checksBefore, ...checksAfter].every(({ ok }) => ok),
      };
      onReport?.(report);
    }
    if (prefill > 0) {
      const ids = Array.from({ length: prefill }, (_, i) => idAt(i));
      const roundMs: number[] = [];
      for (let round = 0; round <= PREFILL_ROUNDS; round++) {
        chain.rewind(0);
        const from = performance.now();
        await chain.feed(ids);
        if (round > 0) roundMs.push(performance.now() - from);
        job.report({ what: `rounds of ${prefill} tokens at once`, done: round, total: PREFILL_ROUNDS });
      }
      const tokensPerSecond = (1000 * prefill) / median(roundMs);
      report = { ...report, prefill: { tokens: prefill, together: chain.together, roundMs, tokensPerSecond } };
      onReport?.(report);
    }
    return report;
  } finally {
    chain.destroy();
  }
}

/** Bytes that a token at a position has to read. */
function bytesOfToken(chain: Chain, position: number): number {
  const { config, bytes } = chain;
  const norms = 4 * config.hidden * (2 * config.layers + 1);
  return bytes.matrices + bytes.head + norms + 2 * config.layers * cacheBytes(config, position);
}
