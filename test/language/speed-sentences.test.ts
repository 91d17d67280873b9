import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { formats, referenceFormat } from '../../src/formats/catalog.ts';
import { ratesWords } from '../../src/labs/language/place/speed/Rates.tsx';
import { rowWords } from '../../src/labs/language/place/speed/RealBars.tsx';
import { ShapesTable } from '../../src/labs/language/place/speed/ShapesTable.tsx';
import { realRows } from '../../src/labs/language/place/speed/SpeedTab.tsx';
import {
  pytorchWords,
  speedFacts,
  speedHeadline,
  wholeWords,
} from '../../src/labs/language/place/speed/speed-words.ts';
import { expectedBytes } from '../../src/theory/expected-bytes.ts';
import { KNOWN_MODELS } from '../../src/theory/models/model-shape.ts';
import { shownText } from '../markup.ts';
import { type Facts, ns, number, percent, plainText, Read, times } from '../sentences.ts';
import { DENSE, isOfShape, matricesOf, type Met, recorded, timeIn, tokenOf, wholeOf } from '../model-questions.ts';
import { cells, knownOf, ms, questions } from './speed-questions.ts';

/* The law for sentences, for how fast large models write: numbers are read from the recordings and from the sizes of models. */

const SMALL = [null, { bytesNs: 2200, launchNs: 90_000 }, { bytesNs: 50_000, launchNs: 90_000 }] as const;

describe('the headline of speed', () => {
  it('has the times of the recording, and says what was not measured, what is a bound, and where launches decide', () => {
    const read = new Read();
    for (const known of questions()) {
      const { large, device, format, params, left, isDense } = known;
      const token = tokenOf(device.reports, large, format.id, params, left);
      const wholeDense = wholeOf(device.name, large.name, 'dense', DENSE, 1);
      const whole = isDense ? null : wholeOf(device.name, large.name, format.id, params, left);
      const { blocks, head } = matricesOf(large);
      const bytesOf = (of: (met: Met) => number): number =>
        2 * head[0] * head[1] + blocks.reduce((sum, met) => sum + met[2] * of(met), 0);
      const { readGBps = 0 } = device.roofs ?? {};
      const bound = (of: (met: Met) => number): number => bytesOf(of) / readGBps / 1e6;
      const pytorch = known.pytorch?.ways.at(-1);
      for (const small of SMALL) {
        const text = plainText(speedHeadline(speedFacts(known, small)));
        const isLaunches = small !== null && 10 * small.bytesNs < small.launchNs;
        const first =
          small === null
            ? ''
            : isLaunches
              ? 'This model is too small to gain: reading it takes {small}, starting its kernels {launches} (computed). '
              : 'A token of this model: reading it takes {small}, starting its kernels {launches} (computed). ';
        const inBoth = '{dense} dense and {stored} in {format} with {left} left';
        const theirs = pytorch ? '; PyTorch’s on an {card} takes {pytorch}' : '';
        const isWhole = wholeDense !== null && (isDense || whole !== null || token.stored === null);
        const [dense, stored] = isWhole ? [wholeDense, whole] : [token.dense, token.stored];
        let second = '';
        if (dense !== null) {
          second = isWhole ? 'A token of {model} takes ' : '{model}’s matrices alone take ';
          second += isDense || stored === null ? '{dense} dense' : inBoth;
          second += isWhole ? `${theirs}.` : '.';
          // Nothing is made up for a density that was not measured.
          if (!isDense && stored === null) second += ' {format} with {left} left was not measured.';
        } else if (readGBps > 0) {
          second = `{model} is unmeasured on {device}; its bytes take at least ${isDense ? '{minDense} dense' : '{minDense} dense and {minStored} in {format} with {left} left'}.`;
        }
        if (first + second === '') {
          expect(text).toBe('');
          continue;
        }
        const facts: Facts = {
          small: ns(small?.bytesNs ?? 0),
          launches: ns(small?.launchNs ?? 0),
          model: large.name,
          device: device.name,
          format: format.title,
          left: percent(left),
          dense: ms(dense ?? 0),
          stored: ms(stored ?? 0),
          card: known.pytorch?.card ?? '',
          pytorch: ms(1000 / (pytorch?.tokensPerSecond ?? 1)),
          minDense: ms(bound(([rows, cols]) => 2 * rows * cols)),
          minStored: ms(bound(([rows, cols]) => expectedBytes({ format, params }, left, { rows, cols }) ?? 0)),
        };
        read.sentence(
          text.trim(),
          (first + second).trim(),
          facts,
          `${large.name}, ${device.name}, ${format.id}, ${left}`,
        );
        expect(text.includes('at least')).toBe(token.dense === null && wholeDense === null && readGBps > 0);
      }
    }
    for (const rule of [
      'A token of {model} takes {dense} dense and {stored} in {format} with {left} left; PyTorch’s on an {card} takes {pytorch}.',
      '{model}’s matrices alone take {dense} dense and {stored} in {format} with {left} left.',
      '{model} is unmeasured on {device}; its bytes take at least {minDense} dense and {minStored} in {format} with {left} left.',
    ]) {
      expect(read.met(rule), rule).toBeGreaterThan(1);
    }
  });

  it('says when whole tokens and PyTorch’s were measured, and whether by others', () => {
    const read = new Read();
    for (const known of questions()) {
      const all = [...known.whole.dense, ...known.whole.stored];
      const last = all
        .map(({ date }) => date)
        .toSorted()
        .at(-1);
      const day = (date: string): string => `${Number(date.slice(8))} November 2026`;
      if (last === undefined) expect(wholeWords(all)).toBe('Whole tokens: not measured.');
      else {
        const rule = 'Whole tokens: recorded on {device}, {day}, {count} from an empty prompt, wall clock.';
        read.sentence(wholeWords(all), rule, { device: known.device.name, day: day(last), count: number(100) }, last);
        const own = wholeWords(all.map((one) => ({ ...one, isRecorded: false })));
        expect(own).toMatch(/measured/);
        expect(own).not.toMatch(/recorded/);
      }
      if (!known.pytorch) continue;
      const { card, days } = known.pytorch;
      const rule =
        'PyTorch: whole tokens, PyTorch {version}, measured on an {card} on {days}, random {type} weights, {count} tokens, wall clock.';
      const facts = { version: '2.11', card, days: days.map(day).join(' and '), type: 'f16', count: number(100) };
      read.sentence(pytorchWords(known.pytorch), rule, facts, card);
    }
  });
});

it('the table of shapes has the times of the recording, their ratio, and their shares of the read speed', () => {
  const read = new Read();
  const { readGBps = 1 } = recorded.roofs ?? {};
  const [large] = KNOWN_MODELS;
  const format = formats.find(({ id }) => id === 'macko') ?? referenceFormat;
  const params = { deltaBits: 4, valueType: 'f16' };
  for (const left of [0.5, 0.3, 0.77]) {
    const { at, isDense } = knownOf(large, recorded, format, params, left);
    const table = shownText(
      createElement(ShapesTable, {
        model: large,
        at,
        title: format.title,
        isDense,
        left,
        readGBps,
        others: 195,
        denseRestNs: 1_234_000,
        storedRestNs: null,
        drafts: [],
      }),
    );
    const [head, ...lines] = table.split('\n').filter((line) => line !== '');
    expect(cells(head)).toEqual([
      large.name,
      'times',
      'dense',
      `${format.title}, ${100 * left}\u202f% left`,
      'gain',
      'of read speed',
    ]);
    const rest = lines.pop() ?? '';
    expect(cells(rest).slice(1, 4)).toEqual(['195', '1.23\u202fms', 'not measured']);
    for (const [i, line] of lines.entries()) {
      const [name, count, dense, stored, gain, share] = cells(line);
      const [, rows = '', cols = ''] = /([\d\u202f]+) × ([\d\u202f]+)$/.exec(name) ?? [];
      const met: Met = [Number(rows.replaceAll('\u202f', '')), Number(cols.replaceAll('\u202f', '')), Number(count)];
      const its = recorded.reports.filter(isOfShape(met));
      const timed = its.find(
        ({ workload, ...report }) =>
          Math.abs(workload.density - left) < 0.004 * left && timeIn({ workload, ...report }, 'macko', params) !== null,
      );
      const isHead = i === lines.length - 1;
      const denseNs = [isHead ? undefined : timed, ...its].flatMap(
        (one) => (one && timeIn(one, 'dense', DENSE)) ?? [],
      )[0];
      const storedNs = timed && !isHead ? timeIn(timed, 'macko', params) : null;
      const size = 2 * met[0] * met[1];
      const inFormat = expectedBytes({ format, params }, left, { rows: met[0], cols: met[1] }) ?? 0;
      read.sentence(dense, '{dense}', { dense: ns(denseNs) }, line);
      if (isHead) expect([stored, gain]).toEqual(['dense', '–']);
      else if (storedNs === null) expect([stored, gain]).toEqual(['not measured', '–']);
      else {
        read.sentence(stored, '{stored}', { stored: ns(storedNs) }, line);
        read.sentence(gain, '{gain}×', { gain: times(denseNs / storedNs) }, line);
      }
      const rule = isHead ? '{dense}' : storedNs === null ? '{dense} → –' : '{dense} → {stored}';
      const facts = {
        dense: percent(size / readGBps / denseNs),
        stored: percent(inFormat / readGBps / (storedNs ?? 1)),
      };
      read.sentence(share, rule, facts, line);
    }
  }
  expect(read.met('{gain}×')).toBeGreaterThan(4);
});

it('bars and rates in words are those that are drawn', () => {
  const read = new Read();
  for (const known of questions()) {
    const { large, device, format, params, left, isDense } = known;
    const token = tokenOf(device.reports, large, format.id, params, left);
    const rows = realRows({ ...known, denseNs: known.at?.denseNs ?? null });
    const theirs = known.pytorch?.ways ?? [];
    for (const [i, { title, tokensPerSecond }] of theirs.entries()) {
      read.sentence(rowWords(rows[i]), '{title}: {ms} whole', { title, ms: number(1000 / tokensPerSecond) }, title);
    }
    const [dense, stored] = rows.slice(theirs.length);
    const wholeDense = wholeOf(device.name, large.name, 'dense', DENSE, 1);
    const facts = { ms: number(token.dense ?? 0), whole: number(wholeDense ?? 0), stored: number(token.stored ?? 0) };
    const parts = [
      ...(token.dense === null ? [] : ['{ms} for the matrices']),
      ...(wholeDense === null ? [] : ['{whole} whole']),
    ];
    const rule = parts.length === 0 ? '{title}: not measured' : `{title}: ${parts.join(', ')}`;
    read.sentence(rowWords(dense), rule, { title: 'dense', ...facts }, `${large.name}, ${device.name}`);
    if (isDense || token.stored === null) continue;
    const title = `${format.title}, ${100 * left}\u202f% left: `;
    expect(rowWords(stored).startsWith(title), rowWords(stored)).toBe(true);
    const own = rowWords(stored).slice(title.length).split(',')[0];
    read.sentence(own, '{stored} for the matrices', facts, large.name);
    expect(stored.note, 'the bytes of a token').not.toBe('');
  }
  const points = [1, 0.5].map((density) => ({ density, tokensPerSecond: 123.4 / density }));
  const text = ratesWords('MACKO', points, []);
  const rule = 'Tokens per second by what is left, {t}: {a} left: {b}, {c} left: {d}; whole tokens: not measured';
  const facts = { t: 'MACKO', a: percent(1), b: number(123.4), c: percent(0.5), d: number(246.8) };
  read.sentence(text, rule, facts, text);
});
