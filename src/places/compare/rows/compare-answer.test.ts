import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import type { FormatParams } from '../../../state/index.ts';
import { KNOWN_MODELS } from '../../../theory/models/model-shape.ts';
import { REPORT } from '../../../../test/reports.ts';
import { compareAnswer, extremeWords } from './compare-answer.ts';
import type { CompareRow } from './compare-row.ts';
import { wayOf } from './ways.ts';

const SHAPE = { rows: 512, cols: 512 };

function row(id: string, changed: FormatParams, more: Partial<CompareRow>): CompareRow {
  const format = formats.find((one) => one.id === id);
  if (!format) throw new Error(id);
  return {
    ...wayOf(format, { ...defaultParams<FormatParams>(format.params), ...changed }, SHAPE),
    state: 'known',
    bytes: null,
    isExpected: false,
    parts: null,
    why: null,
    needs: null,
    atMostNs: null,
    measuredNs: null,
    wholeNs: null,
    remedy: null,
    better: null,
    job: null,
    figures: null,
    ...more,
  };
}

const macko = row('macko', {}, { bytes: 199_352 });
const csr = row('csr', {}, { bytes: 316_624 });
const bitmask = row('bitmask', {}, { bytes: 192_106 });
const i4 = row('dense', { valueType: 'i4' }, { bytes: 147_456 });
const twell = row('twell', {}, { state: 'refused' });
const bsr = row('bsr', {}, { state: 'refused' });
const open = row('ec-csr', {}, { state: 'open' });

type Answered = Parameters<typeof compareAnswer>[0];

const BASE: Answered = {
  level: 'matrix',
  rows: [],
  a: null,
  b: null,
  f16Bytes: 524_288,
  tokens: 1,
  summary: SHAPE as unknown as MatrixSummary,
  model: null,
  isMeasured: true,
};

function sentence(changed: Partial<Answered>): string | null {
  const words = compareAnswer({ ...BASE, ...changed });
  return words === null
    ? null
    : words
        .map(({ text }) => text)
        .join('')
        .replaceAll('\u202f', ' ');
}

describe('the answer about a matrix', () => {
  it.each([
    [
      [macko, csr, bitmask, i4, twell],
      macko,
      csr,
      'MACKO stores this matrix in 199 352 bytes, CSR in 316 624; in 16 bits only bitmask is smaller. Dense in 4 bits, unpruned, takes 147 456.',
    ],
    [
      [macko, csr, i4],
      macko,
      null,
      'MACKO stores this matrix in 199 352 bytes; in 16 bits none is smaller. Dense in 4 bits, unpruned, takes 147 456.',
    ],
    [
      [macko, csr, bitmask, i4],
      csr,
      i4,
      'CSR stores this matrix in 316 624 bytes, dense i4 in 147 456; in 16 bits none is smaller.',
    ],
    [[macko, csr, bitmask, twell], twell, csr, 'TwELL cannot store this matrix; CSR stores it in 316 624 bytes.'],
    [
      [macko, twell],
      macko,
      twell,
      'MACKO stores this matrix in 199 352 bytes, TwELL cannot store it; in 16 bits none is smaller.',
    ],
    [
      [macko, open],
      macko,
      open,
      'MACKO stores this matrix in 199 352 bytes, EC-SpMV has to encode it first; in 16 bits none is smaller.',
    ],
    [[twell, bsr], twell, bsr, 'TwELL cannot store this matrix, and neither can BSR.'],
    [[twell, open], twell, open, 'TwELL cannot store this matrix; EC-SpMV has to encode it first.'],
    [
      [{ ...macko, bytes: 73_400_000, isExpected: true }],
      { ...macko, bytes: 73_400_000, isExpected: true },
      null,
      'MACKO stores this matrix in about 73.4 MB; in 16 bits none is smaller.',
    ],
    [
      [{ ...macko, bytes: 73_400_000 }, i4],
      { ...macko, bytes: 73_400_000 },
      null,
      'MACKO stores this matrix in 73.4 MB; in 16 bits none is smaller. Dense in 4 bits, unpruned, takes 147 456 bytes.',
    ],
  ])('names what is smaller: %#', (rows, a, b, expected) => {
    expect(sentence({ rows, a, b })).toBe(expected);
  });

  it('says that dense in 4 bits takes more where it does', () => {
    const small = { ...macko, bytes: 100_000 };
    expect(sentence({ rows: [small, i4], a: small })).toContain('. Dense in 4 bits, unpruned, takes 147 456.');
  });

  it('distinguishes two of one format, and names at most three that are smaller', () => {
    const i8 = row('macko', { valueType: 'i8' }, { bytes: 122_480 });
    expect(sentence({ rows: [macko, i8], a: macko, b: i8 })).toContain(
      'MACKO f16 stores this matrix in 199 352 bytes, MACKO i8 in 122 480',
    );
    const others = ['csr', 'ell', 'bsr', 'ec-csr', 'bitmask'].map((id, i) => row(id, {}, { bytes: 100_000 + i }));
    expect(sentence({ rows: [macko, ...others], a: macko })).toContain('CSR, ELL and BSR and 2 more are smaller');
  });

  it('waits until everything that it compares is known', () => {
    expect(sentence({ rows: [macko, { ...csr, state: 'waiting', bytes: null }], a: macko })).toBeNull();
    expect(sentence({ rows: [], a: { ...macko, state: 'waiting' } })).toBeNull();
  });
});

describe('the answer about a model', () => {
  const model = { shape: KNOWN_MODELS[3], isLayer: false };
  const a = { ...macko, bytes: 10.8e9, atMostNs: 1e9 / 469, measuredNs: 1e9 / 259 };
  const dense = row('dense', {}, { bytes: 16.1e9, atMostNs: 1e9 / 306, measuredNs: 1e9 / 240 });
  const four = { ...i4, bytes: 6e9, atMostNs: 1e9 / 922 };
  const of = (changed: Partial<Answered>) =>
    sentence({ level: 'model', model, f16Bytes: 16.1e9, rows: [a, dense, four], a, b: dense, ...changed });

  it('compares measured times with measured ones', () => {
    expect(of({})).toBe(
      'In MACKO Llama-3.1-8B takes 10.8 GB instead of 16.1; its matrices alone would allow 259 tokens a second instead of 240. In 4 bits, unpruned, it takes 6.0 GB; speed not measured.',
    );
    expect(of({ b: { ...dense, measuredNs: null } })).toContain(
      '; its matrices alone would allow 259 tokens a second. In',
    );
    const both = { ...four, measuredNs: 1e9 / 380 };
    expect(of({ rows: [a, dense, both] })).toContain('it takes 6.0 GB; its matrices alone would allow 380.');
  });

  it('compares whole tokens with whole ones alone', () => {
    const [wholeA, wholeDense] = [
      { ...a, wholeNs: 1e9 / 203 },
      { ...dense, wholeNs: 1e9 / 171 },
    ];
    expect(of({ rows: [wholeA, wholeDense, four], a: wholeA, b: wholeDense })).toContain(
      'and writes 203 whole tokens a second instead of 171. In 4 bits, unpruned, it takes 6.0 GB; speed not measured',
    );
    const fast = { ...four, measuredNs: 1e9 / 401 };
    expect(of({ rows: [wholeA, wholeDense, fast], a: wholeA, b: wholeDense })).toContain(
      'it takes 6.0 GB; its matrices alone would allow 401, whole tokens were not measured.',
    );
    // The matrices of one are no answer to the whole tokens of the other.
    expect(of({ a: wholeA })).toContain('; its matrices alone would allow 259 tokens a second instead of 240.');
  });

  it('compares bounds with bounds where A was not measured', () => {
    const bound = { ...a, measuredNs: null };
    expect(of({ rows: [bound, dense, four], a: bound })).toBe(
      'In MACKO Llama-3.1-8B takes 10.8 GB instead of 16.1 and writes at most 469 tokens a second instead of 306. In 4 bits, unpruned, it takes 6.0 GB and writes at most 922.',
    );
  });

  it('claims no unknown speed, and none of a prompt from bytes', () => {
    const unknown = { ...a, measuredNs: null, atMostNs: null };
    expect(of({ rows: [unknown], a: unknown, b: null })).toBe('In MACKO Llama-3.1-8B takes 10.8 GB instead of 16.1.');
    expect(of({ tokens: 8, rows: [unknown], a: unknown })).not.toContain('token');
    expect(of({ tokens: 8 })).toContain('; its matrices alone read 8 tokens in 3.86 ms instead of 4.17 ms.');
    const timed = { ...four, measuredNs: 2e6 };
    expect(of({ tokens: 8, rows: [a, dense, timed] })).toContain('6.0 GB; its matrices alone read them in 2.00 ms.');
  });

  it('says what cannot store it, or has to be encoded first', () => {
    const open = row('ec-csr', {}, { state: 'open' });
    expect(of({ a: open })).toBe('EC-SpMV has to encode Llama-3.1-8B first.');
    expect(of({ b: open })).toContain('; EC-SpMV has to be encoded first.');
    expect(of({ a: twell })).toBe('TwELL cannot store Llama-3.1-8B.');
    const gain = { measured: { gain: 1.49, model: 'TwELL 1.5B' } } as NonNullable<CompareRow['gain']>;
    expect(of({ a: { ...twell, gain } })).toBe(
      'TwELL stores the activations of Llama-3.1-8B, not its weights. Many tokens at once are 1.49 times as fast, measured at TwELL 1.5B.',
    );
    expect(of({ b: twell, isMeasured: false })).toContain(
      '; TwELL cannot store it. In 4 bits, unpruned, it takes 6.0 GB.',
    );
    expect(of({ model: { ...model, isLayer: true }, a: { ...a, measuredNs: null } })).toContain(
      'A layer of Llama-3.1-8B takes 10.8 GB instead of 16.1 and passes at most 469 tokens a second instead of 306.',
    );
  });
});

describe('which is the smallest, and which the fastest', () => {
  const timed = (one: CompareRow, measuredNs: number): CompareRow => ({
    ...one,
    measuredNs,
    figures: { encodeMs: null, verified: null, isSound: null, measured: { timed: { report: REPORT } } as never },
  });

  it('are named with values of any bits, and with those of 16', () => {
    const rows = [timed(macko, 23_900), timed(csr, 33_200), bitmask, timed(i4, 16_700), twell];
    expect(extremeWords({ level: 'matrix', rows })).toBe(
      'Smallest: dense in 4 bits; in 16 bits bitmask. Fastest: dense in 4 bits; in 16 bits MACKO.',
    );
  });

  it('are said once where the first has 16 bits, not at all of one row alone or before sizes are known', () => {
    expect(extremeWords({ level: 'matrix', rows: [timed(macko, 23_900), csr, bitmask] })).toBe('Smallest: bitmask.');
    expect(extremeWords({ level: 'matrix', rows: [macko] })).toBe('');
    expect(extremeWords({ level: 'matrix', rows: [macko, csr, { ...bitmask, state: 'waiting', bytes: null }] })).toBe(
      '',
    );
    expect(extremeWords({ level: 'model', rows: [macko, csr] })).toBe('');
  });
});
