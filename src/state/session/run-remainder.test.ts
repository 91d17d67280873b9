import { expect, it } from 'vitest';
import type { BenchEntry, BenchRequest } from '../../engine/bench/bench-types.ts';
import { checkedRemainder } from './run-remainder.ts';
import type { RunRemainder } from './session-state.ts';

const ENTRY: BenchEntry = { format: 'macko', params: { deltaBits: 4 }, kernels: 'auto' };
const REQUEST: BenchRequest = {
  operation: 'spmv',
  sizes: { tokens: 8 },
  workload: { kind: 'stage' },
  entries: [ENTRY, { ...ENTRY, kernels: ['macko/spmv'] }, { ...ENTRY, kernels: 'all' }],
  memory: 'cold',
  rounds: 3,
  seed: 0,
  where: 'gpu',
};
const SPEC = { pattern: 'uniform', rows: 64, cols: 32, density: 0.5, seed: 1 };

/** Remainders of every kind of run. */
const REMAINDERS: readonly RunRemainder[] = [
  { request: REQUEST },
  { request: { ...REQUEST, workload: { kind: 'generated', spec: SPEC }, memory: 'warm', where: 'cpu' } },
  { request: REQUEST, axis: { of: 'density', values: [0.1, 0.5] } },
  {
    request: REQUEST,
    axis: { of: 'non-zeros', values: [8, 16], parts: [{ operation: 'spmm', entries: [ENTRY] }] },
  },
  { request: REQUEST, axis: { of: 'shape', values: [{ rows: 8, cols: 4, entries: [ENTRY] }] } },
  { request: REQUEST, axis: { of: 'size', name: 'tokens', values: [1, 2] } },
];

/** Values of another kind than the one stored; a list may not be empty, and a number has to be finite. */
function wrongFor(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [undefined, null, '3', Number.NaN, Infinity];
  if (typeof value === 'string') return [undefined, null, 7, {}];
  if (Array.isArray(value)) return [undefined, null, {}, 7, [], [...value, null]];
  return [undefined, null, 7, 'text', []];
}

/** Copies of a value, each with one part replaced by a wrong one (undefined: left out), with its path and the wrong part. */
function damagedCopies(value: unknown, path = ''): readonly (readonly [path: string, wrong: unknown, copy: unknown])[] {
  const replacements = wrongFor(value).map((wrong) => [path, wrong, wrong] as const);
  // Any object is accepted as the sizes of an operation and as the parameters of a format.
  if (typeof value !== 'object' || value === null || /\.(?:sizes|params)$/.test(path)) return replacements;
  const parts = Object.entries(value).flatMap(([key, part]) =>
    damagedCopies(part, `${path}.${key}`).map(([partPath, wrong, changed]) => {
      const copy: unknown = Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
      return [partPath, wrong, copy] as const;
    }),
  );
  return [...replacements, ...parts];
}

it('a remainder of a run that was stored is read back unchanged', () => {
  for (const remainder of REMAINDERS)
    expect(checkedRemainder(JSON.parse(JSON.stringify(remainder)))).toEqual(remainder);
});

it('a remainder with any part missing or of another kind is rejected', () => {
  for (const remainder of REMAINDERS) {
    for (const [path, wrong, copy] of damagedCopies(remainder)) {
      // Without an axis, it is a single run.
      if (path === '.axis' && wrong === undefined) continue;
      expect([path, wrong, checkedRemainder(copy)]).toEqual([path, wrong, undefined]);
    }
  }
});

it('a remainder with a value that no request has is rejected', () => {
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    { memory: 'hot' },
    { where: 'tpu' },
    { workload: { kind: 'other', spec: SPEC } },
    { workload: { kind: 'generated', spec: { ...SPEC, rows: 1.5 } } },
    { workload: { kind: 'generated', spec: { ...SPEC, cols: -1 } } },
    { rounds: -1 },
    { seed: 0.5 },
    { entries: [{ ...ENTRY, kernels: 'some' }] },
    { entries: [{ ...ENTRY, kernels: [7] }] },
  ];
  for (const part of wrong) {
    expect([part, checkedRemainder({ request: { ...REQUEST, ...part } })]).toEqual([part, undefined]);
  }
  // The values of an axis do not fit another one.
  const shapes = { of: 'size', name: 'tokens', values: [{ rows: 8, cols: 4, entries: [ENTRY] }] };
  for (const axis of [shapes, { ...shapes, of: 'density' }, { of: 'shape', values: [8] }, { of: 'rows', values: [8] }])
    expect([axis, checkedRemainder({ request: REQUEST, axis })]).toEqual([axis, undefined]);
});
