import { describe, expect, it } from 'vitest';
import { formats } from '../../formats/catalog.ts';
import { generate } from '../../generate/generate.ts';
import { namedArrays } from '../../core/encoded/encoded.ts';
import { defaultParams, type EncodedMatrix } from '../../core/format.ts';
import { Random } from '../../core/number/random.ts';
import { pose } from '../../story/question.ts';
import type { Trace } from '../../story/trace.ts';
import { loadStory } from '../../story/format-story.ts';
import { narrationText } from '../../story/scene.ts';
import { pluralsAfterOne } from '../../../test/text-rules.ts';
import type { StorySource } from './demonstration.ts';
import { isDemo, demosOf } from './index.ts';

const demonstrations = demosOf(formats);
const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);

function demonstration(id: string): StorySource {
  const match = demonstrations.find((demonstration) => demonstration.id === id);
  if (!match) throw new Error(`found no demonstration '${id}'`);
  return match;
}

/** The results of a demonstration for many seeds. */
async function tracesOf(id: string): Promise<readonly Trace[]> {
  const source = demonstration(id);
  const story = await loadStory(source);
  return SEEDS.map((seed) =>
    story.trace(generate({ pattern: 'uniform', rows: 6, cols: 24, density: 0.3, seed }), defaultParams(source.params)),
  );
}

const numbersOf = <T>(trace: Trace): T => trace.encoded as T;

describe('demonstrations', () => {
  it.each(demonstrations.map(({ id }) => id))(
    '%s has a picture and a text in every step, the same for the same matrix',
    async (id) => {
      const story = await loadStory(demonstration(id));
      const [trace] = await tracesOf(id);
      const [traceAgain] = await tracesOf(id);
      expect(traceAgain.encoded).toEqual(trace.encoded);
      for (let step = 0; step <= trace.steps.length; step++) {
        const scene = story.scene(trace, step);
        expect(scene?.narration.length).toBeGreaterThan(0);
        const ids = scene?.panels.flatMap((panel) => panel.marks.map((mark) => mark.id)) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
      }
    },
  );

  it.each(demonstrations.map(({ id }) => id))(
    '%s counts one thing as one, in every text of every picture',
    async (id) => {
      const story = await loadStory(demonstration(id));
      for (const trace of await tracesOf(id)) {
        for (let step = 0; step <= trace.steps.length; step++) {
          const scene = story.scene(trace, step);
          const labels = scene.panels.flatMap(({ marks }) => marks.flatMap(({ label }) => label ?? []));
          expect(pluralsAfterOne([narrationText(scene), ...labels].join('\n'))).toEqual([]);
        }
      }
    },
  );

  it('verify: a correct kernel is never rejected, a wrong one is rejected in every row with a remainder', async () => {
    for (const trace of await tracesOf('verify')) {
      const { kernels, counts } = numbersOf<{
        kernels: Record<'right' | 'wrong', { refused: number[] }>;
        counts: Uint32Array;
      }>(trace);
      expect(kernels.right.refused).toEqual([]);
      expect(kernels.wrong.refused).toEqual([...counts.keys()].filter((row) => counts[row] % 4 !== 0));
    }
    const [firstTrace] = await tracesOf('verify');
    expect(namedArrays(firstTrace.encoded as EncodedMatrix).has('counts')).toBe(true);
  });

  it('layer: its picture is the layer of the question, to scale, and every mistake of a factor is explained', async () => {
    const story = await loadStory(demonstration('layer'));
    const [question] = story.questions ?? [];
    for (const trace of await tracesOf('layer')) {
      const { layerRows, layerCols, layerBytes, microseconds } = numbersOf<Record<string, number>>(trace);
      const [picture] = story.scene(trace, 0).panels ?? [];
      expect([picture.rows * 1024, picture.columns * 1024]).toEqual([layerRows, layerCols]);
      expect(layerBytes).toBe(layerRows * layerCols * 2);
      const posed = pose(question, trace, new Random(1));
      const factors = posed?.wrongAnswers.map(({ answer }) => Number(answer) / microseconds).sort((a, b) => a - b);
      expect(factors?.map((factor) => Number(factor.toPrecision(6)))).toEqual([0.001, 0.5, 8, 500, 1000]);
    }
  });

  it('layer: from the even tokens on, computing is slower than reading, and there is a question about it', async () => {
    const story = await loadStory(demonstration('layer'));
    const window = generate({ pattern: 'uniform', rows: 6, cols: 24, density: 0.3, seed: 1 });
    for (const tokens of [1, 13, 15, 96, 1024]) {
      const trace = story.trace(window, { tokens });
      if (!story.questions || !trace) throw new Error('found no layer');
      const numbers = numbersOf<Record<string, number>>(trace);
      // 62.8 × 10¹² operations and 4590 × 10⁹ bytes in a second; a weight is two of each.
      expect(numbers.computing / numbers.microseconds).toBeCloseTo((tokens * 4590) / 62_800, 9);
      expect(numbers.evenTokens).toBe(14);
      expect(numbers.computing > numbers.microseconds).toBe(tokens >= numbers.evenTokens);
      const posed = pose(story.questions[1], trace, new Random(1));
      expect(posed?.answer).toBe(Math.max(numbers.microseconds, numbers.computing));
      // A mistake that leads to the right answer is left out.
      const isReadingAlone = posed?.wrongAnswers.some(({ id }) => id === 'reading-alone');
      expect([isReadingAlone, posed?.hasEqualAnswers]).toEqual(
        tokens < numbers.evenTokens ? [false, true] : [true, undefined],
      );
    }
  });

  /** Bytes of a value. In i4 it takes half a byte, and 32 values share a scale of two bytes. */
  const valueBytes = (type: number | string): number => ({ i8: 1, i4: 1 / 2 + 2 / 32 })[String(type)] ?? 2;

  /** Expected bytes of a row in a format at a density from 0 to 1: an independent second version of each formula. */
  const BYTES: Readonly<Record<string, (n: number, density: number, p: Record<string, number | string>) => number>> = {
    dense: (n, _density, { valueType }) =>
      ({ f16: 2 * n, i8: n + 4, i4: n / 2 + (2 * n) / 32 })[String(valueType)] ?? Number.NaN,
    csr: (n, density, { indexBits }) => n * density * (2 + Number(indexBits) / 8) + 4,
    bitmask: (n, density, { valueType }) =>
      valueBytes(valueType) * n * density + n / 8 + 4 + (valueType === 'i8' ? 4 : 0),
    bsr: (n, density, { blockSize, valueType }) => {
      const [side, value] = [Number(blockSize), valueType === 'i8' ? 1 : 2];
      const copyMiB = 1 - (1 - density) ** (side * side);
      // A block has one column number, and a row of blocks one start, for as many rows as a block is high.
      return copyMiB * n * (value + 4 / (side * side)) + 4 / side + (valueType === 'i8' ? 4 : 0);
    },
    macko: (n, density, { deltaBits, valueType }) => {
      const value = valueBytes(valueType);
      const reach = 2 ** Number(deltaBits);
      // Summed over the columns, the zeros stored before a weight there: at least k if k reaches before it are empty.
      let zeros = 0;
      for (let k = 1; k * reach < n; k++) zeros += (1 - density) ** (k * reach) * (n - k * reach);
      return density * (n + zeros) * (value + Number(deltaBits) / 8) + 4 + (valueType === 'i8' ? 4 : 0);
    },
  };

  it('formulas: both answers match a second implementation of the formula, solved by bisection', async () => {
    const story = await loadStory(demonstration('formulas'));
    const testedFormats = new Set<string>();
    for (const firstFormat of ['any', 'macko', 'csr']) {
      for (const seed of SEEDS) {
        const window = generate({ pattern: 'uniform', rows: 4, cols: 8, density: 0.5, seed });
        const percent = 5 + (seed % 60);
        const trace = story.trace(window, { first: firstFormat, second: 'any', left: percent });
        if (!story.questions || !trace) throw new Error('found no formulas');
        const {
          variants,
          columns,
          even: evenPercent,
        } = numbersOf<{
          variants: { format: { id: string }; params: Record<string, number | string> }[];
          columns: number;
          even: number;
        }>(trace);
        const [a, b] = variants.map(
          ({ format, params }) =>
            (share: number) =>
              BYTES[format.id](columns, share, params),
        );
        // The density at which both formats take the same bytes, by bisection.
        let [low, high] = [0.02, 0.98];
        const isLess = a(low) < b(low);
        for (let i = 0; i < 40; i++) {
          const middle = (low + high) / 2;
          if (a(middle) < b(middle) === isLess) low = middle;
          else high = middle;
        }
        expect(Math.abs(evenPercent / (100 * low) - 1), JSON.stringify(variants)).toBeLessThan(0.005);
        const [share, bytes] = story.questions.map((question) => pose(question, trace, new Random(seed)));
        if (share) expect(share.answer).toBe(evenPercent);
        if (bytes) expect(Math.abs(Number(bytes.answer) / a(percent / 100) - 1)).toBeLessThan(0.005);
        for (const { format } of variants) testedFormats.add(format.id);
      }
    }
    expect([...testedFormats].toSorted()).toEqual(Object.keys(BYTES).toSorted());
  });

  it('formulas: two formats that never cross are rejected with a message', async () => {
    const story = await loadStory(demonstration('formulas'));
    const window = generate({ pattern: 'uniform', rows: 4, cols: 8, density: 0.5, seed: 1 });
    expect(() => story.trace(window, { first: 'bitmask', second: 'bitmask', left: 30 })).toThrow(
      'formulas: found no share at which these two are even, expected two formats that cross',
    );
  });

  it('cache: one copy more is needed than fits into the cache', async () => {
    for (const trace of await tracesOf('cache')) {
      const {
        cacheMiB,
        stored: copyMiB,
        enough: enoughCopies,
      } = numbersOf<{ cacheMiB: number; stored: number; enough: number }>(trace);
      expect(enoughCopies).toBe(Math.floor(cacheMiB / copyMiB) + 1);
    }
  });

  it('clock: the time of one product is off by less than a step of the clock divided by the products timed together', async () => {
    for (const trace of await tracesOf('clock')) {
      const { product, quantum, batches } = numbersOf<{
        product: number;
        quantum: number;
        batches: { count: number; measured: number }[];
      }>(trace);
      for (const { count, measured } of batches) expect(Math.abs(measured - product)).toBeLessThan(quantum / count);
      expect(Math.abs((batches.at(-1)?.measured ?? 0) - product)).toBeLessThan(product / 100);
    }
  });

  it('drift: the ratio by rounds is right within 6 %, and the ratio by separate timings is wrong by more than 10 %', async () => {
    for (const trace of await tracesOf('drift')) {
      const {
        ratio,
        medianRatio,
        apart: separateRatio,
      } = numbersOf<{ ratio: number; medianRatio: number; apart: number }>(trace);
      expect(Math.abs(medianRatio / ratio - 1)).toBeLessThan(0.06);
      expect(Math.abs(separateRatio / ratio - 1)).toBeGreaterThan(0.1);
    }
  });

  it('demonstrations are distinguished from formats', () => {
    expect(isDemo('clock')).toBe(true);
    expect(isDemo('nothing')).toBe(false);
  });
});
