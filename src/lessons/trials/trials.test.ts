import { describe, expect, it } from 'vitest';
import { generate } from '../../generate/generate.ts';
import { namedArrays } from '../../core/encoded/encoded.ts';
import type { EncodedMatrix } from '../../core/format.ts';
import { Random } from '../../core/number/random.ts';
import { pose } from '../../core/story/question.ts';
import type { Trace } from '../../core/story/trace.ts';
import { isTrial, trials } from './index.ts';

const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);

/** The results of the trials for many seeds. */
async function tracesOf(id: string): Promise<readonly Trace[]> {
  const story = await trials.find((one) => one.id === id)?.story();
  if (!story) throw new Error(`found no trial '${id}'`);
  return SEEDS.map((seed) => story.trace(generate({ pattern: 'uniform', rows: 6, cols: 24, density: 0.3, seed }), {}));
}

const numbersOf = <T>(trace: Trace): T => trace.encoded as T;

describe('trials', () => {
  it.each(trials.map(({ id }) => id))(
    '%s has a picture and a sentence in every step, the same for the same matrix',
    async (id) => {
      const story = await trials.find((one) => one.id === id)?.story();
      const [trace] = await tracesOf(id);
      const [again] = await tracesOf(id);
      expect(again.encoded).toEqual(trace.encoded);
      for (let step = 0; step <= trace.steps.length; step++) {
        const scene = story?.scene(trace, step);
        expect(scene?.narration.length).toBeGreaterThan(0);
        const ids = scene?.panels.flatMap((panel) => panel.marks.map((mark) => mark.id)) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
      }
    },
  );

  it('verify: a correct kernel is never refused, a wrong one in every row with a remainder', async () => {
    for (const trace of await tracesOf('verify')) {
      const { kernels, counts } = numbersOf<{
        kernels: Record<'right' | 'wrong', { refused: number[] }>;
        counts: Uint32Array;
      }>(trace);
      expect(kernels.right.refused).toEqual([]);
      expect(kernels.wrong.refused).toEqual([...counts.keys()].filter((row) => counts[row] % 4 !== 0));
    }
    const [first] = await tracesOf('verify');
    expect(namedArrays(first.encoded as EncodedMatrix).has('counts')).toBe(true);
  });

  it('layer: its picture is the layer of the question, to scale, and every slip of a factor is explained', async () => {
    const story = await trials.find((one) => one.id === 'layer')?.story();
    const [question] = story?.questions ?? [];
    for (const trace of await tracesOf('layer')) {
      const { layerRows, layerCols, layerBytes, microseconds } = numbersOf<Record<string, number>>(trace);
      const [picture] = story?.scene(trace, 0).panels ?? [];
      expect([picture.rows * 1024, picture.columns * 1024]).toEqual([layerRows, layerCols]);
      expect(layerBytes).toBe(layerRows * layerCols * 2);
      const posed = pose(question, trace, new Random(1));
      const factors = posed?.wrong.map(({ answer }) => Number(answer) / microseconds).sort((a, b) => a - b);
      expect(factors?.map((factor) => Number(factor.toPrecision(6)))).toEqual([0.001, 0.5, 8, 500, 1000]);
    }
  });

  it('cache: copies have to be more than the cache holds, by one', async () => {
    for (const trace of await tracesOf('cache')) {
      const { room, stored, enough } = numbersOf<{ room: number; stored: number; enough: number }>(trace);
      expect(enough).toBe(Math.floor(room / stored) + 1);
    }
  });

  it('clock: its time of one product is off by less than a step for all of them together', async () => {
    for (const trace of await tracesOf('clock')) {
      const { product, quantum, batches } = numbersOf<{
        product: number;
        quantum: number;
        batches: { count: number; says: number }[];
      }>(trace);
      for (const { count, says } of batches) expect(Math.abs(says - product)).toBeLessThan(quantum / count);
      expect(Math.abs((batches.at(-1)?.says ?? 0) - product)).toBeLessThan(product / 100);
    }
  });

  it('drift: rounds are right within a few percent, and separate timings are not', async () => {
    for (const trace of await tracesOf('drift')) {
      const { ratio, said, apart } = numbersOf<{ ratio: number; said: number; apart: number }>(trace);
      expect(Math.abs(said / ratio - 1)).toBeLessThan(0.06);
      expect(Math.abs(apart / ratio - 1)).toBeGreaterThan(0.1);
    }
  });

  it('are distinguished from formats', () => {
    expect(isTrial('clock')).toBe(true);
    expect(isTrial('nothing')).toBe(false);
  });
});
