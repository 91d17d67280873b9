// Measures decoding on a GPU with random weights in the sizes of a model.

import { CancelledError, KernelError, SparseScopeError } from '../../../../src/core/errors.ts';
import { median, quantile } from '../../../../src/core/number/statistics.ts';
import type { Job } from '../../../../src/core/job.ts';
import { throwIfCancelled } from '../../../../src/core/pace.ts';
import type { DecodeReport, DecodeRun, StageCheck } from '../../../../src/core/reports/decode-report.ts';
import { ResourceError, DeviceLostError, type GpuContext } from '../../../../src/gpu/index.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';
import { sizesText } from '../../../../src/theory/models/model-sizes.ts';
import { Chain } from '../chain/chain.ts';
import { cacheBytes } from '../chain/attention-stages.ts';
import { chainTimes } from '../chain/chain-times.ts';
import { MANY_TOKENS } from '../chain/weights.ts';
import { checkNextToken } from './check-token.ts';
import { relativeError } from './stage-errors.ts';
import { configForShape, type GeneratedModel, generatedModel, type GeneratedModelOptions } from './generated-model.ts';

/** Settings of `decodeShapes`. */
export interface DecodeOptions extends GeneratedModelOptions {
  /** the context lengths to measure: numbers of tokens before the timed ones */
  readonly contexts: readonly number[];
  /** consecutive tokens to write */
  readonly tokens: number;
  /** repetitions, after a warm-up */
  readonly rounds: number;
  /** tokens of a prompt whose prefill is measured, too; 0: none */
  readonly prefill: number;
  /** false: a single round without times; the stages of a token (products, attention, head) are still verified */
  readonly isTimed: boolean;
  /** name and version of the application */
  readonly app: string;
  /** called with the results so far */
  readonly onReport?: (report: DecodeReport) => void;
}

const PREFILL_ROUNDS = 3;
/** Maximum `relativeError` of logits after prefill, whose sums have another order than the sums of single tokens. */
const PREFILL_BOUND = 1e-3;
const TEMPERATURE = 1;

/**
 * Verifies and times decoding on a GPU with random weights in a model's sizes: one matrix of each shape, copied for
 * every block. If it throws, `onReport` has received the results so far and the reason. Throws SparseScopeError for a
 * model that is not of the Llama family or does not fit, KernelError, CancelledError, DeviceLostError.
 */
export async function decodeShapes(
  context: GpuContext,
  shape: ModelShape,
  options: DecodeOptions,
): Promise<DecodeReport> {
  const { contexts, tokens, prefill, onReport } = options;
  const longest = contexts.reduce((a, b) => Math.max(a, b), 0);
  const config = configForShape(shape, Math.max(longest + tokens + 1, prefill));
  const began = performance.now();
  const model = await generatedModel(context, config, options);
  const makeSeconds = (performance.now() - began) / 1000;
  const chain = await openChain(context, shape, model, config, options);
  let report = reportOf(context, shape, model, chain, options);
  report = { ...report, setup: { makeSeconds, openSeconds: (performance.now() - began) / 1000 - makeSeconds } };
  const extend = (results: Partial<DecodeReport>): void => {
    report = { ...report, ...results };
    onReport?.(report);
  };
  try {
    extend({});
    for (const earlierTokens of contexts) {
      const run = await decodeRun(context, chain, model, earlierTokens, report.runs.length > 0, options);
      const checks = [...run.checks.before, ...run.checks.after];
      extend({ runs: [...report.runs, run], ok: report.ok && checks.every(({ ok }) => ok) });
    }
    if (prefill > 0) {
      const measured = await measurePrefill(chain, options);
      extend({ prefill: measured, ok: report.ok && measured.check.ok });
    }
    return report;
  } catch (error) {
    if (error instanceof SparseScopeError) extend({ unfinished: unfinishedReason(error) });
    throw error;
  } finally {
    chain.destroy();
  }
}

/** The reason why a measurement ended early, for the report. */
function unfinishedReason(error: SparseScopeError): string {
  if (error instanceof CancelledError) return 'It was cancelled.';
  const text = error.message.replace(/\.$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${error instanceof DeviceLostError ? ' in the middle' : ''}.`;
}

/** The model as a chain, a decoder on the GPU. Throws SparseScopeError if it does not fit. */
async function openChain(
  context: GpuContext,
  shape: ModelShape,
  { weights }: GeneratedModel,
  config: ReturnType<typeof configForShape>,
  { job }: DecodeOptions,
): Promise<Chain> {
  let [uploaded, total] = [0, config.layers];
  const counting = {
    get cancelled() {
      return job.cancelled;
    },
    report: (progress: Parameters<typeof job.report>[0]): void => {
      if (progress.what === BLOCKS) [uploaded, total] = [progress.done, progress.total];
      job.report(progress);
    },
  };
  try {
    return await Chain.open(context, config, weights, { job: counting });
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    throw new SparseScopeError(
      `${shape.name} does not fit on this GPU: ${error.message}, with ${uploaded} of ${total} blocks in its memory`,
    );
  }
}

/** The name of the progress that a chain reports while it uploads blocks. */
const BLOCKS = 'blocks on the GPU';

function reportOf(
  { environment }: GpuContext,
  shape: ModelShape,
  { matrices }: GeneratedModel,
  { bytes }: Chain,
  { stored, density, app }: DecodeOptions,
): DecodeReport {
  return {
    schema: 1,
    what: 'decode',
    createdAt: new Date().toISOString(),
    app,
    environment,
    model: { name: shape.name, layers: shape.layers, sizes: sizesText(shape) },
    format: stored.format.id,
    params: stored.params,
    density,
    matrices,
    bytes,
    setup: { makeSeconds: 0, openSeconds: 0 },
    runs: [],
    prefill: null,
    ok: true,
  };
}

/** A token id for position `i`, equal in every round; 7919 is a prime, so that neighbours get different ids. */
function idAt(i: number, chain: Chain, { seed }: DecodeOptions): number {
  return (i * 7919 + seed) % chain.config.vocabulary;
}

/** Feeds `earlierTokens`, then times tokens written after them. `hasWritten`: whether an earlier run wrote tokens. */
async function decodeRun(
  context: GpuContext,
  chain: Chain,
  model: GeneratedModel,
  earlierTokens: number,
  hasWritten: boolean,
  options: DecodeOptions,
): Promise<DecodeRun> {
  const { tokens, rounds, isTimed, job } = options;
  chain.rewind(Math.min(earlierTokens, chain.length));
  while (chain.length < earlierTokens) {
    const count = Math.min(MANY_TOKENS, earlierTokens - chain.length);
    const first = chain.length;
    throwIfCancelled(job);
    await chain.feed(
      Array.from({ length: count }, (_, i) => idAt(first + i, chain, options)),
      'last',
    );
    job.report({ what: 'tokens of context', done: chain.length, total: earlierTokens });
  }
  const checksBefore = await checkNextToken(context, chain, model, hasWritten ? TEMPERATURE : 0);
  const roundMs: number[] = [];
  for (let round = 0; round <= (isTimed ? rounds : 0); round++) {
    throwIfCancelled(job);
    chain.rewind(earlierTokens);
    const start = performance.now();
    let written = 0;
    for await (const _ of chain.write(idAt(earlierTokens, chain, options), tokens, {
      temperature: TEMPERATURE,
      seed: round,
    })) {
      written++;
    }
    if (written !== tokens) throw new KernelError(`decode: found ${written} tokens written, expected ${tokens}`);
    // The first round is the warm-up.
    if (round > 0) roundMs.push((performance.now() - start) / tokens);
    job.report({ what: `rounds behind ${earlierTokens} tokens`, done: round, total: rounds });
  }
  const checksAfter = await checkNextToken(context, chain, model, TEMPERATURE);
  chain.rewind(earlierTokens + Math.floor(tokens / 2));
  return {
    context: earlierTokens,
    tokens,
    roundMs,
    msPerToken: isTimed ? { median: median(roundMs), p10: quantile(roundMs, 0.1), p90: quantile(roundMs, 0.9) } : null,
    bytesPerToken: bytesOfToken(chain, earlierTokens + tokens / 2),
    dispatches: chain.launches.length,
    times: isTimed ? await chainTimes(context, chain, job) : null,
    checks: { before: checksBefore, after: checksAfter },
  };
}

/** Times prefill, which feeds many tokens at once, and checks its logits. */
async function measurePrefill(
  chain: Chain,
  options: DecodeOptions,
): Promise<NonNullable<DecodeReport['prefill']> & { readonly check: StageCheck }> {
  const { prefill, isTimed, job } = options;
  const ids = Array.from({ length: prefill }, (_, i) => idAt(i, chain, options));
  const roundMs: number[] = [];
  for (let round = 0; round <= (isTimed ? PREFILL_ROUNDS : 0); round++) {
    throwIfCancelled(job);
    chain.rewind(0);
    const start = performance.now();
    await chain.feed(ids, 'last');
    if (round > 0) roundMs.push(performance.now() - start);
    job.report({ what: `rounds of ${prefill} tokens at once`, done: round, total: PREFILL_ROUNDS });
  }
  const check = await checkPrefill(chain, ids, job);
  return { tokens: prefill, together: chain.tokensAtOnce, roundMs, logitsAfter: 'last', check };
}

/**
 * Feeds tokens at once and one by one, and compares the logits after the last, which depend on the keys and values of
 * every token in every block.
 */
async function checkPrefill(chain: Chain, ids: readonly number[], job: Job): Promise<StageCheck> {
  chain.rewind(0);
  const logitsAtOnce = await chain.feed(ids, 'last');
  chain.rewind(0);
  let expected: Float32Array = new Float32Array();
  for (const [i, id] of ids.entries()) {
    throwIfCancelled(job);
    expected = await chain.feed([id]);
    job.report({ what: 'tokens fed again, one by one', done: i + 1, total: ids.length });
  }
  const worst = relativeError(logitsAtOnce, expected) / PREFILL_BOUND;
  return { what: `${ids.length} tokens at once`, position: ids.length - 1, ok: worst <= 1, worst };
}

/** Bytes that the GPU has to read for a token at a position. */
function bytesOfToken(chain: Chain, position: number): number {
  const { config, bytes } = chain;
  const norms = 4 * config.hidden * (2 * config.layers + 1);
  return bytes.matrices + bytes.head + norms + 2 * config.layers * cacheBytes(config, position);
}
