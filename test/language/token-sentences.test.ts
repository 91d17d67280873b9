import { readdirSync } from 'node:fs';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import type { DecodeReport } from '../../src/core/reports/decode-report.ts';
import type { DeviceStatus } from '../../src/engine/device.ts';
import { referenceFormat } from '../../src/formats/catalog.ts';
import { DecodeResult } from '../../src/labs/language/place/speed/DecodeHere.tsx';
import { beforeDecoding, whyNot, wrongWords } from '../../src/labs/language/place/speed/decode-words.ts';
import { LARGE_MODELS } from '../../src/labs/language/place/speed/fields.ts';
import { arithmeticWords, barWords, TimedTokens, TokenBar } from '../../src/labs/language/place/speed/OneToken.tsx';
import { decodeMemory } from '../../src/labs/language/theory/decode-memory.ts';
import { tokenDispatches } from '../../src/labs/language/theory/token-dispatches.ts';
import { KNOWN_MODELS } from '../../src/theory/models/model-shape.ts';
import { shownText } from '../markup.ts';
import { bytes, type Facts, ns, number, rate, Read } from '../sentences.ts';
import { DENSE, json, matricesOf } from '../model-questions.ts';
import { cells } from './speed-questions.ts';

/* The law for sentences, for a token of a small model, and for whole tokens of a large one that were decoded. */

describe('a token of the small model', () => {
  const [tales] = KNOWN_MODELS.filter(({ name }) => name === 'Tales 3.4M');
  const dispatches = tokenDispatches(tales);

  it('has the bytes of its weights and a launch for each dispatch', () => {
    const read = new Read();
    const { blocks, head } = matricesOf(tales);
    const cellsOf = blocks.reduce((sum, [rows, cols, count]) => sum + rows * cols * count, 0);
    const size = 2 * cellsOf + 2 * head[0] * head[1];
    for (const [readGBps, dispatchNs] of [
      [4593, 1250],
      [20, 100],
    ]) {
      const props = { title: 'dense', format: 'dense', dispatches, bytesPerCell: 2, headBytesPerCell: 2 };
      const bar = createElement(TokenBar, { ...props, readGBps, dispatchNs, layers: 6, named: true });
      const launches = dispatches.length * dispatchNs;
      const facts = {
        title: 'dense',
        size: bytes(size),
        longest: ns(Math.max(launches, size / readGBps)),
        read: ns(size / readGBps),
        launches: ns(launches),
        count: number(dispatches.length),
        one: ns(dispatchNs),
        speed: rate(readGBps),
      };
      read.sentence(
        shownText(bar).replaceAll('\n', ' '),
        '{title} {size} {longest} {read} of it bytes',
        facts,
        `${readGBps}`,
      );
      const words = barWords(dispatches.length, launches, size / readGBps);
      read.sentence(words, '{count} dispatches, {launches} of launches and {read} of bytes', facts, words);
      const caption = arithmeticWords(dispatches.length, dispatchNs, readGBps, ' by the GPU’s clock');
      read.sentence(
        caption,
        '{count} dispatches of {one} by the GPU’s clock, bytes at {speed}: arithmetic',
        facts,
        caption,
      );
      expect(arithmeticWords(dispatches.length, null, readGBps, '')).toBe(`${dispatches.length} dispatches`);
    }
  });

  it('was timed where it is said to be, in tokens a second and by kind', () => {
    const read = new Read();
    const kinds = { products: { launches: 25, ns: 40_300 }, norm: { launches: 1, ns: 1510 } };
    for (const where of ['gpu', 'cpu'] as const) {
      const encoded = where === 'gpu' ? { tokenNs: 61_200, isByGpu: true, kinds } : null;
      const tokens = [{ title: 'MACKO, 50\u202f%', format: 'macko', times: { where, writtenNs: 98_700, encoded } }];
      const lines = shownText(createElement(TimedTokens, { tokens })).split('\n');
      const facts = {
        title: tokens[0].title,
        token: ns(98_700),
        onGpu: ns(61_200),
        speed: number(1e9 / 98_700),
        a: number(25),
        aNs: ns(40_300),
        b: number(1),
        bNs: ns(1510),
      };
      const at = where === 'gpu' ? 'on this GPU' : 'on one thread of the CPU';
      read.sentence(lines[0], `{title} {token} a token by the wall clock, {speed} per second ${at}`, facts, where);
      if (where === 'cpu') expect(lines).toHaveLength(1);
      else
        read.sentence(
          lines[1],
          '{onGpu} by the GPU’s own clock: products {aNs} ({a} dispatches), norm {bNs} ({b} dispatch); each kind by itself',
          facts,
          '',
        );
    }
  });
});

describe('whole tokens that were decoded', () => {
  const folder = 'docs/whole-tokens/';
  const reports = readdirSync(folder).flatMap((file) => json(folder + file) as readonly DecodeReport[]);
  const middle = (all: readonly number[]): number => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (sorted.length - 1) / 2;
    return (sorted[Math.floor(at)] + sorted[Math.ceil(at)]) / 2;
  };

  it('have the rates, bytes and checks of their report, and no time where a stage was wrong', () => {
    const read = new Read();
    const gb = (value: number): ReturnType<typeof bytes> => ({ ...bytes(value), digits: 1 });
    for (const report of reports) {
      const { runs, prefill } = report;
      const lines = shownText(createElement(DecodeResult, { report, isGrowing: true })).split('\n');
      const where = `${report.model.name}, ${report.format}, ${report.density}`;
      const lineOf = (title: string): readonly string[] =>
        cells(lines.find((line) => line.startsWith(`${title} | `)) ?? '').slice(1);
      const all = Object.entries(report.bytes);
      const facts: Record<string, Facts[string]> = {
        sum: bytes(all.reduce((sum, [, of]) => sum + of, 0)),
        count: number(prefill?.tokens ?? 0),
        prefill: number((1000 * (prefill?.tokens ?? 0)) / middle(prefill?.roundMs ?? [1])),
      };
      for (const [i, [, of]] of all.entries()) facts[`kind${i}`] = bytes(of);
      const kinds = all.map(([kind], i) => `${kind} {kind${i}}`).join(', ');
      const rule = `{sum} on the GPU: ${kinds}.`;
      const hasRead = prefill !== null && prefill.roundMs.length > 0;
      const note = lines.find((line) => line.includes('on the GPU: ')) ?? '';
      read.sentence(
        note.trim(),
        hasRead ? `Reads {count} tokens at once at {prefill} a second. ${rule}` : rule,
        facts,
        where,
      );
      for (const [i, run] of runs.entries()) {
        const { msPerToken, bytesPerToken, checks } = run;
        if (msPerToken === null) continue;
        const own: Facts = {
          median: number(1000 / msPerToken.median),
          slow: number(1000 / msPerToken.p90),
          fast: number(1000 / msPerToken.p10),
          size: gb(bytesPerToken),
          speed: rate(bytesPerToken / (1e6 * msPerToken.median)),
          before: number(checks.before.length),
          after: number(checks.after.length),
        };
        read.sentence(lineOf('tokens per second')[i], '{median}', own, where);
        read.sentence(lineOf('p10 to p90')[i], '{slow} to {fast}', own, where);
        read.sentence(lineOf('bytes a token')[i], '{size}', own, where);
        read.sentence(lineOf('bytes per second')[i], '{speed}', own, where);
        read.sentence(lineOf('stages right')[i], '{before}/{before}, {after}/{after}', own, where);
        for (const [kind, { ns: of }] of Object.entries(run.times?.kinds ?? {})) {
          read.sentence(lineOf(kind)[i], '{time}', { time: ns(of) }, `${where}, ${kind}`);
        }
      }
    }
    expect(read.met('{slow} to {fast}')).toBeGreaterThan(5);

    const [whole] = reports;
    const [check] = whole.runs[0].checks.before;
    const [run, ...others] = whole.runs;
    const failed = { ...run, checks: { ...run.checks, before: [{ ...check, ok: false, position: 1 }] } };
    const wrong = shownText(
      createElement(DecodeResult, { report: { ...whole, runs: [failed, ...others] }, isGrowing: true }),
    );
    expect(wrong).toContain(`Wrong, not timed: ${check.what} after 1 token.`);
    expect(wrong).not.toContain('tokens per second');
    const both = wrongWords([check, { ...check, position: 12 }].map((one) => ({ ...one, ok: false })));
    expect(both).toContain('after 12 tokens');
    const software = { ...whole, environment: { ...whole.environment, isFallback: true } };
    const tiny = shownText(createElement(DecodeResult, { report: software, isGrowing: true }));
    expect(tiny).toMatch(/software, not timed/);
    expect(tiny).not.toContain('on the GPU: ');
  });

  it('need memory for weights, head, embedding and cache, and a buffer that the device binds', () => {
    const read = new Read();
    const status = (isFallback: boolean, limits: object): DeviceStatus =>
      ({ kind: 'ready', environment: { isFallback, limits, adapter: { description: 'A card', vendor: '' } } }) as never;
    for (const large of KNOWN_MODELS.filter(({ name }) => LARGE_MODELS.includes(name))) {
      const { blocks, head } = matricesOf(large);
      const weights = blocks.reduce((sum, [rows, cols, count]) => sum + rows * cols * count, 0);
      const positions = 4101;
      const keys = 4 * large.kvHeads * large.headDim * positions;
      const size = 2 * weights + 2 * 2 * head[0] * head[1] + 2 * large.layers * keys;
      const memory = decodeMemory(large, { format: referenceFormat, params: DENSE }, 1, positions);
      const facts = { model: large.name, size: { ...bytes(size), digits: 2 }, keys: bytes(keys) };
      const sentence = beforeDecoding(status(false, {}), large.name, 'dense', memory);
      read.sentence(sentence, '{model} in dense takes {size} of GPU memory', facts, large.name);
      expect(beforeDecoding(status(true, {}), large.name, 'dense', memory)).toMatch(/is software: .* not timed$/);
      for (const [name, limits] of [
        ['maxStorageBufferBindingSize', { maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 2 ** 20 }],
        ['maxBufferSize', { maxBufferSize: 2 ** 20, maxStorageBufferBindingSize: 2 ** 31 }],
      ] as const) {
        expect(whyNot(status(false, limits), large.name, 2 ** 20)).toBeNull();
        const why = whyNot(status(false, limits), large.name, memory?.longest ?? 0) ?? '';
        const rule =
          '{model} needs a buffer of {keys} for the keys of a block, and this GPU binds at most {max} ({name}).';
        read.sentence(why, rule, { ...facts, name, max: bytes(2 ** 20) }, large.name);
      }
    }
  });
});
