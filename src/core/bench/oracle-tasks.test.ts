import { describe, expect, test } from 'vitest';
import { defaultParams } from '../format.ts';
import { finish, type Job } from '../job.ts';
import { spmvWithBound, spmvWithBoundSteps, type SpmvWithBound } from '../oracle.ts';
import { toDense } from '../matrix/index.ts';
import { formatById, formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { oracleTasks, partSharing, rowsOfEncoded } from './oracle-tasks.ts';

const m = generate({ pattern: 'uniform', rows: 37, cols: 70, density: 0.4, seed: 2 });
const dense = formatById('dense');
const types = ['f16', 'bf16', 'i8', 'i4'].filter((valueType) => {
  const field = dense.params.valueType;
  return field.kind === 'choice' && field.options.some(({ value }) => value === valueType);
});
const encodedAs = (valueType: string) => dense.encode(m, { valueType });

describe('rowsOfEncoded', () => {
  test.each(types)('returns an encoding of a range of rows, dense in %s', (valueType) => {
    const encoded = encodedAs(valueType);
    const whole = toDense(dense.decode(encoded));
    const part = toDense(dense.decode(rowsOfEncoded(encoded, 11, 20)));
    expect(part).toEqual(whole.slice(11 * m.cols, 20 * m.cols));
  });

  test('partSharing is undefined for CSR, whose arrays cannot be divided by rows', () => {
    const csr = formatById('csr');
    expect(partSharing('csr', csr.encode(m, defaultParams(csr.params)))).toBeUndefined();
  });
});

describe('the expected outputs of several threads', () => {
  const xs = [1, 2, 3].map((seed) => Float32Array.from({ length: m.cols }, (_, i) => ((i * seed) % 17) / 16));
  const onOneThread = (valueType: string): readonly SpmvWithBound[] =>
    xs.map((x) => spmvWithBound(dense.decode(encodedAs(valueType)), x));

  test.each(types)('equal those of one thread, %s', (valueType) => {
    const encoded = encodedAs(valueType);
    const sharing = partSharing('dense', encoded);
    if (!sharing) throw new Error('found no sharing');
    const run = oracleTasks(formats).open(sharing.shared.copy() as { formatId: string });
    for (const { from, to } of [
      { from: 0, to: 20 },
      { from: 20, to: 37 },
    ]) {
      const { input, transfer } = sharing.send({ xs, from, to });
      const parts = run(input as Parameters<typeof run>[0]);
      expect(transfer.length).toBeGreaterThan(0);
      for (const [k, { y, magnitude, entries }] of onOneThread(valueType).entries()) {
        expect(parts[k]).toEqual({
          y: y.slice(from, to),
          magnitude: magnitude.slice(from, to),
          entries: entries.slice(from, to),
        });
      }
    }
  });

  test('the expected outputs of several threads are computed on this thread if there are no others', () => {
    const encoded = encodedAs('f16');
    const steps = spmvWithBoundSteps(dense.decode(encoded), xs, partSharing('dense', encoded));
    const job: Job = { report: () => {}, cancelled: false };
    expect(finish(steps, job)).toEqual(onOneThread('f16'));
  });

  test('oracleTasks rejects the id of an unknown format', () => {
    expect(() => oracleTasks(formats).open({ formatId: 'no such' })).toThrow(
      "reference: found 'no such', expected a format",
    );
  });
});
