import { describe, expect, it } from 'vitest';
import {
  type AnyFormat,
  type AnyListedFormat,
  defaultParams,
  type EncodedMatrix,
  namedArrays,
} from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { EncodingSummary, MatrixSummary } from '../src/engine/matrix/types.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import { formats as registry } from '../src/formats/registry.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import type { TimedMatrix, FormatQuery } from '../src/kit/report/matrix-times.ts';
import { compareAnswer } from '../src/places/compare/rows/compare-answer.ts';
import { matrixRows } from '../src/places/compare/rows/matrix-rows.ts';
import { type Way, wayName, waysToStore } from '../src/places/compare/rows/ways.ts';
import { measuredWords } from '../src/places/measure/answer/AnswerHead.tsx';
import { measuredOf, timesWith } from '../src/places/measure/answer/use-measured.ts';
import { storedWords } from '../src/places/watch/answer/AnswerLine.tsx';
import type { Side } from '../src/places/watch/sides.ts';
import type { Device } from '../src/state/devices/device.ts';
import type { EncodingState, FormatParams, Stored } from '../src/state/index.ts';
import { AWKWARD_SHAPES, buildMatrix } from './arbitraries.ts';
import { recordedDevices } from './recorded-questions.ts';
import { bytes, ns, plainText, Read, times } from './sentences.ts';

const NO_TIMES: Device = { ...recordedDevices[0], kind: 'published', reports: [], id: 'published' };

/** What encoding a matrix says, with its bytes counted in the arrays themselves. */
function encoder(m: Matrix) {
  const states = new Map<string, EncodingState>();
  const counted = new Map<string, number | null>();
  const key = ({ format, params }: Stored): string => `${format} ${JSON.stringify(params)}`;
  const add = (stored: Stored): void => {
    if (states.has(key(stored))) return;
    const format = registry.find(({ id }) => id === stored.format) as unknown as AnyFormat;
    const admission = format.admits(m, stored.params);
    const encoded: EncodedMatrix | null = admission.ok ? format.encode(m, stored.params) : null;
    const arrays = encoded === null ? null : [...namedArrays(encoded).values()];
    counted.set(key(stored), arrays && arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
    const summary = {
      admission,
      ledger: encoded && format.storage(encoded),
      violations: [],
      encodeMs: 1,
      reason: null,
    } as unknown as EncodingSummary;
    states.set(key(stored), { kind: 'ready', params: stored.params, summary });
  };
  return {
    stateOf(stored: Stored): EncodingState | undefined {
      add(stored);
      return states.get(key(stored));
    },
    /** null where it is refused */
    bytesOf(stored: Stored): number | null {
      add(stored);
      return counted.get(key(stored)) ?? null;
    },
  };
}

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));

/** Matrices of all patterns and awkward shapes. */
function* matrices(): Generator<readonly [title: string, matrix: Matrix]> {
  for (const pattern of Object.keys(RECIPE_PATTERNS) as (keyof typeof RECIPE_PATTERNS)[]) {
    const recipe = { shape: [24, 72] as const, pattern, density: 0.2, values: 'small integers' as const, seed: 1 };
    yield [pattern, buildMatrix({ ...recipe, storage: 'entries' })];
  }
  for (const shape of AWKWARD_SHAPES) {
    const recipe = { shape, pattern: 'one entry' as const, density: 0, values: 'small integers' as const, seed: 1 };
    yield [shape.join(' x '), buildMatrix({ ...recipe, storage: 'entries' })];
  }
  // Above a million bytes, sizes have units.
  yield [
    'large',
    buildMatrix({
      shape: [600, 1600],
      pattern: 'uniform',
      density: 0.5,
      values: 'small integers',
      seed: 2,
      storage: 'entries',
    }),
  ];
}

function summaryOfMatrix(m: Matrix): MatrixSummary {
  const cells = m.rows * m.cols;
  const density = cells === 0 ? 0 : m.nnz / cells;
  return {
    rows: m.rows,
    cols: m.cols,
    nnz: m.nnz,
    density,
    generation: 1,
    name: 'm',
    source: { kind: 'file', name: 'm' },
  } as never;
}

const titleOf = (format: AnyListedFormat, stored: Stored): string =>
  format.id === referenceFormat.id ? `${format.title} ${String(stored.params.valueType)}` : format.title;

describe('sizes', () => {
  it('Watch says the bytes of the arrays, as a share of dense, and who cannot store the matrix', () => {
    const read = new Read();
    for (const [title, m] of matrices()) {
      const summary = summaryOfMatrix(m);
      const { stateOf, bytesOf } = encoder(m);
      for (const [i, format] of formats.entries()) {
        const other = formats[(i + 1) % formats.length];
        const [a, b] = [format, other].map((one): Side => {
          const stored = { format: one.id, params: params[one.id] };
          return {
            side: 'a',
            format: one,
            stored,
            name: titleOf(one, stored),
            encoding: stateOf(stored),
            story: { kind: 'none' },
          };
        });
        const [sizeA, sizeB] = [bytesOf(a.stored), bytesOf(b.stored)];
        const cells = m.rows * m.cols;
        const alone = plainText(storedWords(summary, a, null, 'this matrix'));
        const where = `${title}, ${a.name}`;
        if (sizeA === null) read.sentence(alone, '{a} cannot store this matrix.', { a: a.name }, where);
        else if (cells > 0) {
          const share = (8 * sizeA) / (cells * (String(a.stored.params.valueType).startsWith('f32') ? 32 : 16));
          const facts = { a: a.name, size: bytes(sizeA), share: { ...times(share), digits: 1 } };
          read.sentence(alone, '{a} stores this matrix in {size}, {share} of dense.', facts, where);
        }
        const text = plainText(storedWords(summary, a, b, 'this matrix'));
        const names = { a: a.name, b: b.name };
        if (sizeA === null && sizeB === null) {
          read.sentence(text, 'Neither {a} nor {b} can store this matrix.', names, where);
        } else if (sizeA === null) {
          const facts = { ...names, bytes: bytes(sizeB ?? 0) };
          read.sentence(text, '{a} cannot store this matrix; {b} stores it in {bytes}.', facts, where);
        } else if (sizeB === null) {
          const facts = { ...names, bytes: bytes(sizeA) };
          read.sentence(text, '{a} stores this matrix in {bytes}; {b} cannot store it.', facts, where);
        } else {
          const facts = { ...names, bytesA: bytes(sizeA), bytesB: bytes(sizeB) };
          read.sentence(text, '{a} stores this matrix in {bytesA}, {b} in {bytesB}.', facts, where);
        }
        expect(text, 'a counted size is not expected').not.toMatch(/about|expected/);
      }
    }
    for (const rule of ['{a} stores this matrix in {bytesA}, {b} in {bytesB}.', '{a} cannot store this matrix.']) {
      expect(read.met(rule)).toBeGreaterThan(5);
    }
  });

  it('Compare says the bytes of the arrays, who is smaller, and what dense in 4 bits takes', () => {
    const read = new Read();
    for (const [title, m] of matrices()) {
      if (m.rows * m.cols === 0) continue;
      const summary = summaryOfMatrix(m);
      const { stateOf, bytesOf } = encoder(m);
      const ways = waysToStore(formats, params, [], m);
      const rows = matrixRows({
        ways,
        summary,
        examples: [],
        encodingOf: stateOf,
        verdictOf: () => null,
        bestOf: () => null,
        measured: new Map(),
        verified: new Map(),
        readGBps: 1000,
        dispatchNs: 1000,
        tokens: 1,
      });
      const typeOf = ({ stored }: Way): string => String(stored.params.valueType);
      const sixteen = rows.filter((row) => ['f16', 'bf16'].includes(typeOf(row)));
      const dense4 = rows.find((row) => row.format.id === 'dense' && typeOf(row) === 'i4');
      for (const [i, a] of sixteen.entries()) {
        const b = sixteen[(i + 1) % sixteen.length];
        const text = plainText(
          compareAnswer({
            level: 'matrix',
            rows,
            a,
            b,
            f16Bytes: 2 * m.rows * m.cols,
            tokens: 1,
            summary,
            model: null,
            isMeasured: true,
          }),
        );
        const [sizeA, sizeB] = [bytesOf(a.stored), bytesOf(b.stored)];
        const names = { a: wayName(a, [b]), b: wayName(b, [a]) };
        const where = `${title}, ${names.a}`;
        if (sizeA === null && sizeB === null) {
          read.sentence(text, '{a} cannot store this matrix, and neither can {b}.', names, where);
          continue;
        }
        if (sizeA === null) {
          const facts = { ...names, bytes: bytes(sizeB ?? 0) };
          read.sentence(text, '{a} cannot store this matrix; {b} stores it in {bytes}.', facts, where);
          continue;
        }
        const min = Math.min(sizeA, sizeB ?? Infinity);
        const smaller = sixteen
          .map((row) => ({ row, size: bytesOf(row.stored) ?? Infinity }))
          .filter(({ row, size }) => row !== a && row !== b && size < min)
          .toSorted((x, y) => x.size - y.size)
          .map(({ row }) => row.format.title);
        const found = [...new Set(smaller)];
        const those =
          found.length === 0
            ? 'none is smaller'
            : found.length === 1
              ? `only ${found[0]} is smaller`
              : found.length <= 3
                ? `${found.slice(0, -1).join(', ')} and ${found[found.length - 1]} are smaller`
                : `${found[0]}, ${found[1]} and ${found[2]} and {more} more are smaller`;
        const size4 = dense4 ? (bytesOf(dense4.stored) ?? 0) : 0;
        const last = 'Dense in 4-bit, unpruned, takes {four}.';
        const stores =
          sizeB === null
            ? '{a} stores this matrix in {bytesA}, {b} cannot store it'
            : '{a} stores this matrix in {bytesA}, {b} in {bytesB}';
        read.sentence(
          text.replace('in 4 bits', 'in 4-bit').replace('in 16 bits', 'in 16-bit'),
          `${stores}; in 16-bit ${those}. ${last}`,
          {
            ...names,
            bytesA: bytes(sizeA),
            bytesB: bytes(sizeB ?? 0),
            more: String(found.length - 3),
            four: bytes(size4),
          },
          where,
        );
        expect(text).not.toMatch(/about|expected/);
      }
    }
    expect(read.met('{a} cannot store this matrix; {b} stores it in {bytes}.')).toBeGreaterThan(3);
  });
});

describe('bounds', () => {
  it('are called at least, where nothing was timed, and are the longer of bytes and an empty dispatch', () => {
    const read = new Read();
    const { readGBps = 0, dispatchNs = 0 } = NO_TIMES.roofs ?? {};
    for (const [title, m] of matrices()) {
      const summary = summaryOfMatrix(m);
      const { stateOf, bytesOf } = encoder(m);
      const asked: TimedMatrix = { ...summary, tokens: 1, names: [], isEstimated: false, isEven: false };
      for (const scale of [1, 1e-4]) {
        const device: Device = { ...NO_TIMES, roofs: { readGBps: readGBps * scale, dispatchNs, peakGMAps: {} } };
        for (const [i, format] of formats.entries()) {
          const other = formats[(i + 1) % formats.length];
          const [queryA, queryB] = [format, other].map((one): FormatQuery => ({
            format: one.id,
            params: params[one.id],
            spec: one.params,
          }));
          const measured = measuredOf({
            formats,
            summary,
            asked,
            device,
            times: timesWith(asked, queryA, queryB)(device),
            encodingOf: stateOf,
            queryA,
            queryB,
          });
          const text = plainText(measuredWords(measured, device, null));
          const [sizeA, sizeB] = [bytesOf(queryA), bytesOf(queryB)];
          const [nameA, nameB] = measured.sides.map(({ name }) => name);
          const where = `${title}, ${nameA}`;
          if (sizeA === null || sizeB === null) {
            expect(text, where).toMatch(
              new RegExp(`^${sizeA === null ? nameA : nameB} cannot store this matrix: .*[^.]\\.$`),
            );
            continue;
          }
          const besides = 4 * m.rows + 2 * Math.min(m.cols, Math.ceil(m.nnz / Math.max(1, m.rows)));
          const [nsA, nsB] = [sizeA, sizeB].map((size) => (size + besides) / (readGBps * scale));
          const facts = {
            a: nameA,
            b: nameB,
            device: device.name,
            aNs: ns(nsA),
            bNs: ns(nsB),
            dispatch: ns(dispatchNs),
            ratio: times((sizeB + besides) / (sizeA + besides)),
          };
          const rule =
            nsA < dispatchNs && nsB < dispatchNs
              ? 'Neither was timed on {device}, too small to time: starting any kernel takes {dispatch}.'
              : nsA < dispatchNs
                ? 'Neither was timed on {device}, {a} as too small to time: starting any kernel takes {dispatch}.'
                : nsB < dispatchNs
                  ? 'Neither was timed on {device}: {a}’s bytes take at least {aNs}.'
                  : 'Neither was timed on {device}: {a}’s bytes take at least {aNs}, those of {b} {bNs}. If only bytes counted: {ratio} times.';
          read.sentence(text, rule, facts, where);
          expect(text).not.toMatch(/at most|allow|software|recorded/);
        }
      }
    }
    expect(
      read.met('Neither was timed on {device}, too small to time: starting any kernel takes {dispatch}.'),
    ).toBeGreaterThan(20);
    expect(
      read.met(
        'Neither was timed on {device}: {a}’s bytes take at least {aNs}, those of {b} {bNs}. If only bytes counted: {ratio} times.',
      ),
    ).toBeGreaterThan(20);
  });
});
