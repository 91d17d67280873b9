import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { H200_LLAMA_2_7B, modelReport } from '../../../../../test/model-reports.ts';
import { defaultParams } from '../../../../core/format.ts';
import { formats } from '../../../../formats/catalog.ts';
import { ownField, type OwnPruning } from '../../../../kit/models/own-choices.ts';
import { readRecordedQuality, type RecordedQuality } from '../../../../language/quality/recorded.ts';
import type { FormatParams } from '../../../../state/index.ts';
import { KNOWN_MODELS, type ModelShape } from '../../../../theory/models/model-shape.ts';
import { knownLosses, type KnownLosses, leastLost, mostLost } from './known-losses.ts';
import { type ModelPlan, modelPlans, type ModelPlans, type PlansAsked } from './model-plans.ts';
import { ownOfPlan, planJson } from './plan-json.ts';
import { bitsText, planName, planWords, reasonOf } from './plan-words.ts';
import { waysAt, type WaySources } from './plan-ways.ts';

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const NOTHING: WaySources = { formats, params, reports: [], device: 'NVIDIA H200' };
const H200: WaySources = { ...NOTHING, reports: H200_LLAMA_2_7B.map((args) => modelReport(...args)) };
const LLAMA = KNOWN_MODELS[0];
const SHAPE = { rows: 4096, cols: 4096 };

/** Two layers without a gate, small enough to be read. */
const TINY: ModelShape = {
  name: 'tiny',
  hidden: 64,
  intermediate: 128,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headDim: 32,
  vocabulary: 100,
  gated: false,
  positions: 0,
  tied: true,
  biases: [],
};

/** A byte a tale, so that bits a tale are bits per byte. In the order q, k, v, o, gate, up, down. */
const QUALITY: RecordedQuality = {
  schema: 1,
  model: 'tiny',
  date: '2026-11-23',
  tales: 400,
  bytes: 400,
  tokens: 100,
  floor: { exact: 0, path: 0 },
  rows: [
    { way: 'none', density: 1, valueType: 'f16', bitsPerByte: 1, se: 0 },
    { way: 'none', density: 1, valueType: 'i8', bitsPerByte: 1.5, se: 0 },
    { way: 'wanda', density: 0.3, valueType: 'f16', bitsPerByte: 101, se: 0 },
    { way: 'wanda', density: 0.5, valueType: 'f16', trained: 8, bitsPerByte: 1.1, se: 0 },
    { way: 'random', density: 0.5, valueType: 'f16', bitsPerByte: 9, se: 0 },
  ],
  sensitivity: {
    way: 'wanda',
    density: 0.3,
    byMatrix: [
      [1, 2, 3, 4, 0, 5, 6],
      [0.25, 0.5, 0.5, 0.5, 0, 0.5, 1],
    ],
    byLayer: [60, 8],
    byKind: [2, 3, 4, 6, 0, 7, 9],
  },
};

function lossesOf(quality: RecordedQuality): KnownLosses {
  const found = knownLosses(quality);
  if (!found) throw new Error('no dense row');
  return found;
}

const LOSSES = lossesOf(QUALITY);

function plansOf(changed: Partial<PlansAsked> = {}): ModelPlans {
  return modelPlans({ model: TINY, sources: NOTHING, losses: LOSSES, values: 'any', cost: 'bytes', ...changed });
}

const text = (words: readonly { readonly text: string }[]): string => words.map((w) => w.text).join('');
const prunedIn = (plan: ModelPlan): readonly string[] =>
  plan.rows.flatMap(({ way, name, layers }) => (way.pruning.way === 'none' ? [] : [`${name}${layers.join('')}`]));

describe('known losses', () => {
  it('are against the dense model; what was trained on or pruned at random is none', () => {
    expect(LOSSES.wholes.map(({ pruning, valueType, lost }) => [pruning.way, valueType, lost])).toEqual([
      ['none', 'f16', 0],
      ['none', 'i8', 0.5],
      ['wanda', 'f16', 100],
    ]);
    expect(LOSSES.parts?.whole).toBe(100);
    expect(knownLosses({ ...QUALITY, rows: QUALITY.rows.slice(1) })).toBeNull();
  });

  it('bound what several matrices lose by the measured parts around and inside of them', () => {
    const { parts } = LOSSES;
    if (!parts) throw new Error('no parts');
    const [q0, q1, k0] = [
      { layer: 0, name: 'q' },
      { layer: 1, name: 'q' },
      { layer: 0, name: 'k' },
    ] as const;
    expect([[], [q0], [q0, k0], [q0, q1], [q1, k0]].map((some) => mostLost(parts, some))).toEqual([0, 1, 60, 2, 100]);
    expect(mostLost({ ...parts, whole: null }, [q1, k0])).toBeNull();
    expect([[], [q0], [q0, q1, k0]].map((some) => leastLost(parts, some, TINY))).toEqual([0, 0, 2]);
  });
});

describe('ways to store a matrix', () => {
  it('have bytes by closed forms, and a time only where it was measured', () => {
    const at = (density: number) => waysAt(H200, { way: 'magnitude', density }, 'f16', SHAPE);
    const macko = at(0.5).find(({ format }) => format.id === 'macko');
    expect(macko?.ns).toBe(10_590);
    expect(macko?.measuredAt).toBe('2026-11-20T20:13:00.000Z');
    expect((macko?.bytes ?? 0) / (2 * 4096 * 4096)).toBeCloseTo(0.625, 2);
    expect(at(0.5).find(({ format }) => format.id === 'bitmask')?.ns).toBeNull();
    expect(at(0.6).every(({ ns }) => ns === null)).toBe(true);
  });

  it('keep a matrix dense that is not pruned, and leave out formats that cannot hold it', () => {
    expect(waysAt(H200, { way: 'none' }, 'f16', SHAPE).map(({ id, ns }) => [id, ns])).toEqual([
      ['dense f16 whole', 10_920],
    ]);
    expect(waysAt(NOTHING, { way: 'none' }, 'i4', SHAPE).map(({ id }) => id)).toEqual(['dense i4 whole']);
    const slidesparse = formats.find(({ id }) => id === 'slidesparse');
    const pattern = slidesparse?.heldOnce?.(params.slidesparse) ?? { kept: 0, group: 0 };
    const ids = (pruning: OwnPruning): readonly string[] =>
      waysAt(NOTHING, pruning, 'f16', SHAPE).map(({ format }) => format.id);
    expect(ids({ way: 'n-of-m', ...pattern, by: 'wanda' })).toContain('slidesparse');
    expect(ids({ way: 'n-of-m', kept: 1, group: 64, by: 'wanda' })).not.toContain('slidesparse');
    expect(ids({ way: 'wanda', density: 0.5 })).not.toContain('slidesparse');
  });
});

describe('plans of a model', () => {
  it('go from dense to the smallest, and none beats another', () => {
    const { plans, denseBytes, isExact } = plansOf();
    expect(isExact).toBe(true);
    expect(plans.at(-1)).toMatchObject({ loss: 0, kind: 'measured', bytes: denseBytes });
    for (const [i, plan] of plans.entries()) {
      if (i === 0) continue;
      expect(plan.bytes).toBeGreaterThan(plans[i - 1].bytes);
      expect(plan.loss).toBeLessThan(plans[i - 1].loss);
    }
  });

  it('say which losses were measured, and between which measured ones those lie that were added up', () => {
    const { plans, sure } = plansOf({ values: 'f16' });
    const of = (...names: readonly string[]): ModelPlan | undefined =>
      plans.find((plan) => prunedIn(plan).join() === names.join());
    expect(of('q1')).toMatchObject({ kind: 'measured', loss: 0.25, most: 0.25 });
    expect(of('up1', 'down1')).toMatchObject({ kind: 'added', loss: 1.5, most: 8 });
    // A layer as a whole is the measured one, which is far more than its matrices lose alone.
    for (const plan of plans) {
      if (prunedIn(plan).filter((name) => name.endsWith('1')).length === 6) expect(plan.loss).toBeGreaterThanOrEqual(8);
    }
    expect(sure.plans.every(({ kind }) => kind === 'measured')).toBe(true);
  });

  it('by time leave out what has none', () => {
    expect(plansOf({ cost: 'us' }).plans).toEqual([]);
    const timed = plansOf({ model: LLAMA, losses: null, sources: H200, cost: 'us' });
    const half = timed.plans.find(({ loss }) => Math.abs(loss - 0.5) < 1e-9);
    const ns = 128 * 10_590 + 64 * 23_100 + 32 * 20_000 + 61_000;
    expect(half?.ns).toBeCloseTo(ns, 3);
    expect(half?.rows.every(({ way }) => way.format.id === 'macko')).toBe(true);
    // At 0.8 MACKO is slower than dense, so that nothing is pruned.
    expect(timed.plans.map(({ loss }) => loss)).not.toContain(expect.closeTo(0.2));
    expect(timed.plans.at(-1)?.rows.every(({ way }) => way.pruning.way === 'none')).toBe(true);
  });

  it('without losses keep a share of every matrix', () => {
    const { plans } = plansOf({ losses: null });
    const third = plans.find(({ loss }) => Math.abs(loss - 0.7) < 1e-9);
    expect(third).toMatchObject({ kind: 'left', most: null, ns: null });
    expect(third?.rows.map(({ layers, way }) => [layers.length, way.density])).toEqual(Array(6).fill([2, 0.3]));
    expect(plans.at(-1)?.loss).toBe(0);
  });

  it('of the model that comes with the page: 4 bits beat all pruning, and mixes are not taken for measured', () => {
    const file: unknown = JSON.parse(readFileSync('public/models/tales/quality.json', 'utf8'));
    const model = KNOWN_MODELS.find(({ name }) => name === 'Tales 3.4M') ?? TINY;
    const { plans } = plansOf({ model, losses: lossesOf(readRecordedQuality(file)) });
    const within = plans.find(({ loss }) => loss <= 1);
    expect(within && planName(within)).toBe('i4');
    expect(plans.filter(({ kind }) => kind === 'added')).toEqual([]);
  });
});

describe('what is said of plans', () => {
  const { plans, sure, denseBytes } = plansOf({ values: 'f16' });
  const mixed = plans.find((plan) => prunedIn(plan).join() === 'up1,down1');
  const say = (plan: ModelPlan): string =>
    text(planWords(plan, { model: 'tiny', denseBytes, device: null, sure: sure.plans.at(-1) ?? null }));

  it('is one sentence of size, one of loss', () => {
    expect(mixed && say(mixed)).toMatch(
      /^tiny takes [\d\s]+B instead of [\d\s]+B\. It loses at least 1\.5 bits a tale, what its 2 pruned matrices lose alone, and at most 8\.0\. The best plan that was measured as a whole takes [\d\s]+B and loses 0\.$/,
    );
    const [smallest] = sure.plans;
    expect(say(smallest)).toMatch(
      /^In bitmask throughout, 30\s% by Wanda, tiny takes .* It loses 100 bits a tale, as measured\.$/,
    );
    expect(say(plansOf({ losses: null }).plans[0])).toMatch(
      /keeps at least 10\s% of its weights; what that loses has not/,
    );
  });

  it('is a reason for each matrix', () => {
    const reasons = mixed?.rows.map((row) => reasonOf(row, mixed.kind, 'bytes')) ?? [];
    expect(reasons[0]).toMatch(/^Stays dense: pruned alone it would lose 1\.0 bits to save [\d\s]+B\.$/);
    expect(reasons.at(-1)).toMatch(
      /^Saves [\d\s]+B for 1\.0 bits, pruned alone; bitmask takes the fewest bytes, \S+ \d+\sB more\.$/,
    );
    const byTime = plansOf({ model: LLAMA, losses: null, sources: H200, cost: 'us' });
    const dense = byTime.plans.at(-1)?.rows[0];
    expect(dense && reasonOf(dense, 'left', 'us')).toMatch(
      /^Stays dense: with this much left no other way was measured/,
    );
  });

  it.each([
    [0.001, '0'],
    [0.018, '0.02'],
    [7.33, '7.3'],
    [2382.8, '2\u202f383'],
    [-0.2, '−0.20'],
  ])('%f bits are %s', (bits, said) => expect(bitsText(bits)).toBe(said));
});

describe('a saved plan', () => {
  const plans = plansOf({ values: 'f16' });
  const plan = plans.plans.find((one) => prunedIn(one).join() === 'up1,down1') ?? plans.plans[0];
  const own = ownOfPlan(
    plan,
    TINY,
    formats.map(({ id }) => id),
  );

  it('has every choice of its matrices for the place that writes', () => {
    expect(own).toBe('q0-1.k0-1.v0-1.o0-1.up0.down0~whole~f16~dense_up1.down1~wanda-0.3~f16~bitmask');
    expect(ownField(formats.map(({ id }) => id)).read(own)).toHaveLength(12);
  });

  it('says where each figure is from', async () => {
    const device = { name: 'NVIDIA H200', kind: 'this' } as const;
    const budget = { of: 'loss', bitsATale: 2 } as const;
    const saved = planJson(
      plan,
      { model: TINY, plans, losses: LOSSES, budget, device, own },
      '2026-11-23T00:00:00.000Z',
    );
    await expect(`${JSON.stringify(saved, null, 2)}\n`).toMatchFileSnapshot('../../../../../test/golden/plan.json');
  });
});
