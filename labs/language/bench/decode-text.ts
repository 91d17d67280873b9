// Reports of decoding benchmarks as lines of text: feed-forward blocks, prefills, and whole tokens.

import { indexOfSmallest, median } from '../../../src/core/number/statistics.ts';
import {
  decodeBytes,
  type DecodeReport,
  type DecodeRun,
  failedStages,
  runRate,
  type StageCheck,
} from '../../../src/core/reports/decode-report.ts';
import type { PrefillReport } from './prefill.ts';
import type { FeedForwardReport } from './feed-forward.ts';

/**
 * A report of prefills with the feed-forward blocks of formats, in lines, each compared with the fastest dense block of
 * its rounds.
 */
export function feedForwardText({ model, tokens, source, active, rows, ok }: FeedForwardReport): string {
  const dense = rows.filter(({ name }) => name === 'matrices' || name.startsWith('dense/'));
  const denseTimes = dense.map(({ ns }) => (ns.length === 0 ? Number.NaN : median(ns)));
  const fastestDense = dense[Math.max(0, indexOfSmallest(denseTimes))];
  const ratio = (ns: readonly number[]): number => median(ns.map((sample, round) => fastestDense.ns[round] / sample));
  const lines = rows.map(({ name, ns, worst }) => {
    const time =
      ns.length === 0
        ? 'not timed'
        : `${(median(ns) / 1e6).toFixed(2)} ms, ${((1e9 * tokens) / median(ns)).toFixed(0)} tokens/s, ${ratio(ns).toFixed(3)} of ${fastestDense.name}`;
    return `  ${name}: ${time}${worst === undefined ? '' : `; f64: ${worst.toPrecision(2)} of the bound`}`;
  });
  return [
    `${model.name}, ${model.layers} blocks, ${tokens} tokens at once${source === null ? '' : ` by the GPU's clock (${source})`}`,
    `neurons above 0 of a token, in the first and the last block: ${active.join(' and ')} of ${model.intermediate}`,
    ...lines,
    ...(ok ? [] : ['WRONG: see the bounds above']),
  ].join('\n');
}

/**
 * A report of prefills with blocks stored in several ways, in lines, each compared with dense f16 of the same rounds.
 */
export function prefillText({ model, source, at, ok }: PrefillReport): string {
  const lines = at.flatMap(({ tokens, rows }) => [
    `${tokens} tokens at once${source === null ? '' : ` by the GPU's clock (${source})`}`,
    ...rows.flatMap(({ name, ns, productNs, bytes, kernels, worst }) => [
      ns.length === 0
        ? `  ${name}: not timed; f64: ${worst.toPrecision(2)} of the bound`
        : `  ${name}: ${(median(ns) / 1e6).toFixed(2)} ms, ${((1e9 * tokens) / median(ns)).toFixed(0)} tokens/s, ` +
          `${median(ns.map((sample, round) => rows[0].ns[round] / sample)).toFixed(3)} of ${rows[0].name}; ` +
          `products ${(median(productNs) / 1e6).toFixed(2)} ms; ${(bytes / 1e9).toFixed(2)} GB; f64: ${worst.toPrecision(2)} of the bound`,
      `    ${kernels.join('; ')}`,
    ]),
  ]);
  return [`${model.name}, ${model.layers} blocks`, ...lines, ...(ok ? [] : ['WRONG: see the bounds above'])].join('\n');
}

/** A report of whole tokens, in lines. */
export function decodeText(report: DecodeReport): string {
  const { model, bytes, setup, runs, prefill, environment } = report;
  const { adapter, runtime, isFallback } = environment;
  const params = Object.entries(report.params).map(([name, value]) => `${name} ${String(value)}`);
  return [
    `${model.name}, ${model.layers} blocks: ${[report.format, ...params].join(', ')}, density ${report.density}`,
    `${adapter.description === '' ? adapter.device : adapter.description} (${adapter.vendor}), ${runtime}${isFallback ? '; software: its times do not apply to GPUs' : ''}`,
    `values repeat: one matrix of each shape, copied into ${model.layers} ${model.layers === 1 ? 'place' : 'places'} on the device`,
    ...report.matrices.map(
      (matrix) =>
        `  ${matrix.names}: ${matrix.rows} × ${matrix.cols}, ${matrix.count} of them, ${(matrix.bytes / 1e6).toFixed(1)} MB, ${matrix.kernel}` +
        `${chosenText(matrix.chosen)}, ${matrix.ns === null ? 'not timed alone' : `${micros(matrix.ns)} alone`}, ` +
        `several tokens ${matrix.several ?? 'one after the other'}, ` +
        `many ${matrix.many ?? 'no more of them'}${chosenText(matrix.manyChosen ?? {})}`,
    ),
    `GB on the device: ${(decodeBytes(report) / 1e9).toFixed(3)} (${Object.entries(bytes)
      .map(([kind, kindBytes]) => `${kind} ${(kindBytes / 1e9).toFixed(3)}`)
      .join(', ')})`,
    `set-up: ${setup.makeSeconds.toFixed(1)} s of generating, encoding and trials, ${setup.openSeconds.toFixed(1)} s of uploading and copying`,
    ...runs.flatMap(runLines),
    ...(prefill === null
      ? []
      : [
          '',
          prefill.roundMs.length === 0
            ? `${prefill.tokens} tokens at once, ${prefill.together} together: not timed`
            : `${prefill.tokens} tokens at once: ${((1000 * prefill.tokens) / median(prefill.roundMs)).toFixed(1)} tokens/s (median of ${prefill.roundMs.length} rounds, ${prefill.together} together, ${prefill.logitsAfter === 'last' ? 'logits of the last' : 'all logits'} read back)`,
        ]),
    ...(report.unfinished === undefined ? [] : ['', `broke off: ${report.unfinished}`]),
    ...(report.ok ? [] : ['', 'WRONG: see the checks above']),
  ].join('\n');
}

/** The speed and the checks of one run. */
function runLines(run: DecodeRun): readonly string[] {
  const { msPerToken, bytesPerToken, times, checks } = run;
  const what = `${run.tokens} tokens after ${run.context}`;
  const token = `  ${run.dispatches} dispatches, ${(bytesPerToken / 1e9).toFixed(3)} GB a token`;
  return [
    '',
    ...(msPerToken === null
      ? [`${what}: not timed`, token]
      : [
          `${what}: ${(runRate(run) ?? 0).toFixed(1)} tokens/s, ` +
            `${msPerToken.median.toFixed(3)} ms a token (p10 ${msPerToken.p10.toFixed(3)}, p90 ${msPerToken.p90.toFixed(3)}, ${run.roundMs.length} rounds)`,
          `${token}, ${(bytesPerToken / (msPerToken.median * 1e6)).toFixed(0)} GB/s`,
        ]),
    ...(times === null
      ? []
      : [
          `  by the GPU's clock (${times.source}), after ${times.position}: ${times.tokenNs.length > 0 ? micros(median(times.tokenNs)) : 'not timed'} a token`,
          ...Object.entries(times.kinds).map(
            ([kind, { launches, ns }]) => `    ${kind}: ${micros(ns)}, ${launches} dispatches`,
          ),
        ]),
    `  checked in f64: before, ${checksText(checks.before)}; after, ${checksText(checks.after)}`,
    ...failedStages({ runs: [run], prefill: null }).map(
      ({ what: stage, position, worst }) =>
        `    WRONG: ${stage} after ${position} tokens: ${worst.toFixed(3)} of the bound`,
    ),
  ];
}

/** How many stages are right: '9 of 9 stages right (worst 0.12 of the bound)'. */
function checksText(checks: readonly StageCheck[]): string {
  const right = checks.filter(({ ok }) => ok).length;
  const worst = checks.reduce((max, check) => Math.max(max, check.worst), 0);
  return `${right} of ${checks.length} stages right (worst ${worst.toPrecision(2)} of the bound)`;
}

/** How often each variant was chosen: ' (12 wide, 2 narrow)'; empty without a choice. */
function chosenText(chosen: Readonly<Record<string, number>>): string {
  const named = Object.entries(chosen).map(([name, value]) => `${value} ${name}`);
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

function micros(ns: number): string {
  return `${(ns / 1000).toFixed(1)} µs`;
}
