import { median } from '../src/core/number/statistics.ts';
import type { Environment } from '../src/core/report.ts';
import type { Check } from '../src/language/shapes/check.ts';
import type { DecodeReport, DecodeRun } from '../src/language/shapes/decode.ts';

/** A report in lines. */
export function decodeText(report: DecodeReport, { adapter, runtime, isFallback }: Environment): string {
  const { model, bytes, setup, runs, prefill } = report;
  const params = Object.entries(report.params).map(([name, value]) => `${name} ${String(value)}`);
  const all = Object.values(bytes).reduce((a, b) => a + b, 0);
  return [
    `${model.name}, ${model.layers} blocks: ${[report.format, ...params].join(', ')}, density ${report.density}`,
    `${adapter.description === '' ? adapter.device : adapter.description} (${adapter.vendor}), ${runtime}${isFallback ? '; software: its times say nothing about cards' : ''}`,
    `values repeat: one matrix of each shape, copied into ${model.layers} ${model.layers === 1 ? 'place' : 'places'} on the device`,
    ...report.matrices.map(
      (one) =>
        `  ${one.names}: ${one.rows} × ${one.cols}, ${one.count} of them, ${(one.bytes / 1e6).toFixed(1)} MB, ${one.kernel}` +
        `${chosenText(one.chosen)}, ${one.ns === null ? 'not timed alone' : `${micros(one.ns)} alone`}, ` +
        `several tokens ${one.several ?? 'one after the other'}`,
    ),
    `GB on the device: ${(all / 1e9).toFixed(3)} (${Object.entries(bytes)
      .map(([kind, of]) => `${kind} ${(of / 1e9).toFixed(3)}`)
      .join(', ')})`,
    `set-up: ${setup.makeSeconds.toFixed(1)} s of generating, encoding and trials, ${setup.openSeconds.toFixed(1)} s of uploading and copying`,
    ...runs.flatMap(runLines),
    ...(prefill === null
      ? []
      : [
          '',
          `${prefill.tokens} tokens at once: ${prefill.tokensPerSecond.toFixed(1)} tokens/s (median of ${prefill.roundMs.length} rounds, ${prefill.together} together, all logits read back)`,
        ]),
    ...(report.ok ? [] : ['', 'WRONG: see the checks above']),
  ].join('\n');
}

function runLines(run: DecodeRun): readonly string[] {
  const { msPerToken, times, checks } = run;
  const tokenNs = times.tokenNs.length > 0 ? micros(median(times.tokenNs)) : 'not timed';
  return [
    '',
    `${run.tokens} tokens after ${run.context}: ${run.tokensPerSecond.toFixed(1)} tokens/s, ` +
      `${msPerToken.median.toFixed(3)} ms a token (p10 ${msPerToken.p10.toFixed(3)}, p90 ${msPerToken.p90.toFixed(3)}, ${run.roundMs.length} rounds)`,
    `  ${run.dispatches} dispatches, ${(run.bytesPerToken / 1e9).toFixed(3)} GB a token, ${run.GBps.toFixed(0)} GB/s`,
    `  by the GPU's clock (${times.source}), after ${times.position}: ${tokenNs} a token`,
    ...Object.entries(times.kinds).map(
      ([kind, { launches, ns }]) => `    ${kind}: ${micros(ns)}, ${launches} dispatches`,
    ),
    `  checked in f64: before, ${checksText(checks.before)}; after, ${checksText(checks.after)}`,
    ...[...checks.before, ...checks.after]
      .filter(({ ok }) => !ok)
      .map(
        ({ what, position, worst }) => `    WRONG: ${what} after ${position} tokens: ${worst.toFixed(3)} of the bound`,
      ),
  ];
}

function checksText(checks: readonly Check[]): string {
  const right = checks.filter(({ ok }) => ok).length;
  const worst = checks.reduce((most, check) => Math.max(most, check.worst), 0);
  return `${right} of ${checks.length} stages right (worst ${worst.toPrecision(2)} of the bound)`;
}

function chosenText(chosen: Readonly<Record<string, number>>): string {
  const named = Object.entries(chosen).map(([name, value]) => `${value} ${name}`);
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

function micros(ns: number): string {
  return `${(ns / 1000).toFixed(1)} µs`;
}
