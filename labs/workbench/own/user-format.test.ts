// Every starter (a module with a well-known format) as a format of the page: encoding, bytes, faults and story.

import { describe, expect, test } from 'vitest';
import { localSource, starterText } from '../test/own-runner.ts';
import { matrixOf } from '../../../test/matrices.ts';
import { type EncodedMatrix, type NamedArray, namedArrays } from '../../../src/core/encoded/encoded.ts';
import { FormatError } from '../../../src/core/errors.ts';
import { type AnyFormat, defaultParams } from '../../../src/core/format.ts';
import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { spmvWithBound } from '../../../src/core/oracle.ts';
import { narrationText, type Scene } from '../../../src/story/scene.ts';
import type { Effect } from '../../../src/story/trace.ts';
import { loadStory } from '../../../src/story/format-story.ts';
import { LAW_CASES, FLIP_CASES } from './law-cases.ts';
import { roundedMatrix, firstDifference } from './decoded-matrix.ts';
import type { UserEncoded } from './user-encoding.ts';
import { userFormat } from './user-format.ts';
import { STARTERS } from './starters.ts';
import { cases } from '../../../test/scheduled.ts';

type Params = Readonly<Record<string, unknown>>;

/** The windows of the stories. */
const WINDOWS = [...LAW_CASES, ...FLIP_CASES].filter(({ make }) => {
  const { rows, cols } = make();
  return rows <= 64 && cols <= 64;
});

const starter = async (id: string): Promise<AnyFormat> => userFormat(await localSource(id, starterText(id)));

/** What is wrong with a scene; empty if nothing is. */
function problems(scene: Scene): readonly string[] {
  const ids = scene.panels.flatMap(({ marks }) => marks.map(({ id }) => id));
  const distinctIds = new Set(ids);
  const texts = scene.panels.flatMap(({ marks }) => marks.map(({ text, label }) => `${text ?? ''} ${label ?? ''}`));
  return [
    ...(distinctIds.size === ids.length ? [] : ['marks that share an id']),
    ...scene.links.flatMap(({ from, to }) =>
      [from, to].filter((end) => !distinctIds.has(end)).map((end) => `no mark ${end}`),
    ),
    ...texts.filter((text) => /undefined|\[object/.test(text)),
    ...(ids.length < 3000 ? [] : [`${ids.length} marks`]),
    ...(narrationText(scene).length > 0 ? [] : ['no words']),
  ];
}

/** The results of all effects of a trace: the stored arrays, the visited cells, and the sums y. */
function resultsOfEffects(
  encoded: EncodedMatrix,
  steps: readonly { readonly effects: readonly Effect[] }[],
  rows: number,
) {
  const arrays = new Map<string, NamedArray>();
  for (const [name, array] of namedArrays(encoded)) arrays.set(name, array.slice().fill(0));
  const visits: string[] = [];
  const y = new Float64Array(rows);
  for (const effect of steps.flatMap(({ effects }) => effects)) {
    if (effect.kind === 'visit') visits.push(`${effect.row},${effect.col}`);
    else if (effect.kind === 'accumulate') y[effect.row] += effect.value;
    else {
      const array = arrays.get(effect.array);
      if (array) array[effect.index] = effect.value;
    }
  }
  return { arrays, visits, y };
}

describe('every starter as a format of the page', () => {
  for (const { id } of STARTERS) {
    test(`${id} decodes to the same matrices, counts its bytes and finds a changed element`, async () => {
      const format = await starter(id);
      const params: Params = defaultParams(format.params);
      expect([format.id, format.kernels]).toEqual([`mine:${id}`, []]);
      let supported = 0;
      for (const { make } of WINDOWS) {
        const m = make();
        if (!format.admits(m, params).ok) continue;
        supported++;
        const e = format.encode(m, params) as UserEncoded;
        expect(firstDifference(roundedMatrix(m, 'f16'), format.decode(e) as CsrMatrix)).toBe(null);
        expect(format.validate(e, 'full')).toEqual([]);
        const ledger = format.storage(e);
        const arrays = [...namedArrays(e)];
        expect(ledger.entries.map(({ array, bytes }) => [array, bytes])).toEqual(
          arrays.map(([name, { byteLength }]) => [name, byteLength]),
        );
        for (const { bits, bytes } of ledger.entries) {
          expect(Object.values(bits).reduce((a, b) => a + b)).toBe(8 * bytes);
        }
        // A changed element, and a missing one, are reported.
        const [name, array] = arrays[0];
        if (array.length > 0) {
          const changed = array.slice();
          changed[0] = changed[0] === 1 ? 2 : 1;
          expect(format.validate({ ...e, [name]: changed }, 'full')).toHaveLength(1);
          expect(format.validate({ ...e, [name]: array.slice(1) }, 'cheap')).toHaveLength(1);
        }
        const x = Float32Array.from({ length: m.cols }, (_, c) => c + 1);
        const y = new Float32Array(m.rows);
        format.multiply(e, x, y);
        expect(y).toEqual(Float32Array.from(spmvWithBound(format.decode(e), x).y));
      }
      expect(supported).toBeGreaterThan(25);
    });

    test(`${id} has a story whose stores are its arrays`, async () => {
      const format = await starter(id);
      const params: Params = defaultParams(format.params);
      const story = await loadStory(format);
      let scenes = 0;
      for (const [i, { make }] of WINDOWS.entries()) {
        if (i % cases(2, 1) > 0) continue;
        const m = make();
        if (!story.admits(m, params).ok) continue;
        const t = story.trace(m, params);
        const e = format.encode(m, params) as UserEncoded;
        const { arrays, visits, y } = resultsOfEffects(e, t.steps, m.rows);
        expect([arrays, namedArrays(t.encoded as EncodedMatrix)]).toEqual([namedArrays(e), namedArrays(e)]);
        expect(new Set(visits).size).toBe(m.nnz);
        expect(visits).toHaveLength(m.nnz);
        const oracle = spmvWithBound(format.decode(e), t.x);
        y.forEach((sum, r) => {
          const isNear = Math.abs(sum - oracle.y[r]) <= 1e-12 * oracle.magnitude[r];
          expect(Object.is(sum, oracle.y[r]) || isNear).toBe(true);
        });
        // The chapters cover all steps without gaps.
        expect(
          t.chapters.reduce((next, { firstStep, stepCount }) => (firstStep === next ? next + stepCount : -1), 0),
        ).toBe(t.steps.length);
        // All steps of some windows, and both ends of the others.
        const last = t.steps.length;
        for (let step = 0; step <= last; step += i % cases(72, 18) === 0 || step === 0 ? 1 : last) {
          expect([step, ...problems(story.scene(t, step))]).toEqual([step]);
          expect(story.kindOf?.(t, t.steps[Math.max(0, step - 1)].detail).name).toMatch(/\w/);
          scenes++;
        }
      }
      expect(scenes).toBeGreaterThan(60);
    });
  }
});

describe('the story', () => {
  const A = matrixOf([0, 0.5, 0, 2], [0, 0, 0, 0], [1, 0, 0, 0]);

  const narrationOf = async (id: string): Promise<readonly string[]> => {
    const story = await loadStory(await starter(id));
    const t = story.trace(A, {});
    return Array.from({ length: t.steps.length }, (_, step) => narrationText(story.scene(t, step + 1)));
  };

  test('has the author’s texts, and what was stored', async () => {
    expect(await narrationOf('csr')).toEqual([
      'Row 0 starts at entry 0. starts[0] = 0.',
      'Entry 0 is in column 1. values[0] = 0.50 and columns[0] = 1.',
      'Entry 1 is in column 3. values[1] = 2 and columns[1] = 3.',
      'Row 1 starts at entry 2. starts[1] = 2.',
      'Row 2 starts at entry 2. starts[2] = 2.',
      'Entry 2 is in column 0. values[2] = 1 and columns[2] = 0.',
      'starts[3] = 3.',
      'All is stored: 28 bytes, 74.7 bits for each non-zero.',
      'columns[0] says column 1: 0.50 × x[1] = 0.75; y[0] is 0.75.',
      'columns[1] says column 3: 2 × x[3] = −3; y[0] is −2.25.',
      'Row 0 is done: y[0] = −2.25.',
      'columns[2] says column 0: 1 × x[0] = −2; y[2] is −2.',
      'Row 2 is done: y[2] = −2.',
      'y is complete after 3 multiplications. All cells would take 12.',
    ]);
  });

  test('has a step for each cell that decode reads if encode does not call tell', async () => {
    expect((await narrationOf('coo')).slice(0, 4)).toEqual([
      'Row 0, column 1 holds 0.50: values[0] = 0.50, rows[0] = 0, its column 1 in columns[0].',
      'Row 0, column 3 holds 2: values[1] = 2, rows[1] = 0, its column 3 in columns[1].',
      'Row 2, column 0 holds 1: values[2] = 1, rows[2] = 2, its column 0 in columns[2].',
      'All is stored: 18 bytes, 48.0 bits for each non-zero.',
    ]);
  });

  test('shows the line of the module that stores an element', async () => {
    const story = await loadStory(await starter('csr'));
    const { code } = story.scene(story.trace(A, {}), 2);
    expect(code).toEqual({
      file: 'mine:csr',
      firstLine: 13,
      lines: [
        'values.push(row.values[i]);',
        'columns.push(row.columns[i]);',
        'tell?.(`Entry ${values.length - 1} is in column ${row.columns[i]}.`, row, row.columns[i]);',
      ],
      current: 1,
      currentLine: 14,
    });
  });

  test('of an unsupported matrix is rejected with the author’s message', async () => {
    const format = await starter('dictionary');
    const many = matrixOf(Array.from({ length: 17 }, (_, i) => i + 1));
    const reason = '17 different values, a code of 4 bits has 16';
    expect(format.admits(many, {})).toMatchObject({ ok: false, reason });
    expect(() => format.encode(many, {})).toThrow(new FormatError(reason));
    const story = await loadStory(format);
    expect(story.admits(many, {})).toMatchObject({ ok: false, reason });
    expect(() => story.trace(many, {})).toThrow(reason);
  });
});
