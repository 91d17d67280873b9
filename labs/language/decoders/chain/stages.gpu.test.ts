// Each stage of a chain (a decoder on the GPU), compared with the same computation in f64.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { f16Bits, f16Value } from '../../../../src/core/number/index.ts';
import type { GpuContext } from '../../../../src/gpu/device.ts';
import { packHalves } from '../../../../src/gpu/packed-inputs.ts';
import { attentionOracle, cacheOf } from '../../test/attention-oracle.ts';
import { tinyConfig } from '../../test/decoders.ts';
import { expectClose, type Filled, poison, randomNumbers, runPasses } from '../../test/stage-runs.ts';
import { openTestDevice } from '../../../../test/gpu.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import type { DecoderConfig } from '../decoder.ts';
import { drawToken, noiseTable } from '../sampling.ts';
import {
  cachePass,
  attentionPass,
  type HeadShape,
  manyAttentionPass,
  mergePass,
  spanResultElements,
  spanCount,
} from './attention-stages.ts';
import { actPass } from './feed-forward-stages.ts';
import { addPass, beginPass } from './norm-stages.ts';
import { samplingPasses, samplingWorkgroups } from './sampling-stages.ts';
import type { StageDevice } from './stage-device.ts';
import { rotaryTable } from '../rotary.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

/** A change of a shader that the check of its stage has to detect; `isMade`: whether the shader contained `from`. */
let fault: { readonly from: string; readonly to: string; isMade: boolean } | null = null;

function withFault(pass: PassPlan): PassPlan {
  if (fault === null) return pass;
  const { from, to } = fault;
  fault.isMade ||= pass.files.some(({ code }) => code.includes(from));
  return { ...pass, files: pass.files.map((file) => ({ ...file, code: file.code.replace(from, to) })) };
}

/** Exchanges through workgroup memory instead of a subgroup, for a subgroup that has all lanes of a workgroup. */
const EXCHANGES = `
var<workgroup> exchanged_fours: array<vec4<f32>, WORKGROUP_SIZE>;
var<private> lane_here: u32;

fn four_of_lane(value: vec4<f32>, distance: u32) -> vec4<f32> {
  exchanged_fours[lane_here] = value;
  workgroupBarrier();
  let found = exchanged_fours[lane_here ^ distance];
  workgroupBarrier();
  return found;
}

fn number_of_lane(value: f32, distance: u32) -> f32 {
  return four_of_lane(vec4(value), distance).x;
}
`;

/** Attention by teams in one subgroup of 32 lanes, as on GPUs: a subgroup of the test adapter has four lanes. */
function inOneSubgroup(pass: PassPlan): PassPlan {
  const changes = [
    ['  @builtin(subgroup_invocation_id) lane: u32,\n  @builtin(subgroup_size) lanes: u32,\n', ''],
    ['let head =', 'lane_here = local_index;\n  let lane = local_index;\n  let lanes = WORKGROUP_SIZE;\n  let head ='],
    ['subgroupBroadcastFirst(local_index >> bits)', '0u'],
    // With a single subgroup, every lane has the largest score already.
    ['subgroupMax(largest_of_all)', 'largest_of_all'],
    [/subgroupShuffleXor\((?=(largest_of_all|total|sum),)/g, 'number_of_lane('],
    ['subgroupShuffleXor(', 'four_of_lane('],
  ] as const;
  return {
    ...pass,
    files: pass.files.map((file) => {
      if (file.path !== 'language/attention_teams.wgsl') return file;
      const code = changes.reduce((text, [from, to]) => text.replaceAll(from, to), file.code);
      expect(code).not.toContain('subgroupShuffle');
      return { ...file, code: code + EXCHANGES };
    }),
  };
}

/** Runs passes on buffers with these contents, with `fault` in their shaders; returns the buffers afterwards, as f32. */
const run = (passes: readonly PassPlan[], filled: Filled): ReturnType<typeof runPasses> =>
  runPasses(context, passes.map(withFault), filled);

const SIZES = { hidden: 37, intermediate: 41, layers: 1, heads: 6, headDim: 10, vocabulary: 50, context: 40 };
const BASE: DecoderConfig = tinyConfig({ ...SIZES, bos: null, eos: [] });

/** The device as it is, which sums by subgroups, and without subgroups, where sums go through workgroup memory. */
const DEVICES = (): readonly StageDevice[] => [context.facts, { ...context.facts, features: new Set<string>() }];

describe('the norm stage', () => {
  const normalised = (row: readonly number[], weights: Float32Array, eps: number): number[] => {
    const mean = row.reduce((sum, v) => sum + v * v, 0) / row.length;
    return Array.from(row, (v, i) => (weights[i] * v) / Math.sqrt(mean + eps));
  };

  // 32 lanes keep 128 columns in registers.
  test('adds to streams of 300 columns and normalises them', () => checkNorm(300));

  for (const hidden of [1, 37, 128, 2052]) {
    scheduled(
      'a software GPU compiles four kernels for each width',
      'the width that is more than registers keep here, the wide stream here, and labs/language/decoders/chain/golden.gpu.test.ts for narrow ones',
      `adds to streams of ${hidden} columns and normalises them`,
      () => checkNorm(hidden),
    );
  }

  async function checkNorm(hidden: number): Promise<void> {
    const config = { ...BASE, hidden };
    const tokens = 3;
    const stream = randomNumbers(tokens * hidden, 1, 4);
    const addends = randomNumbers(tokens * hidden, 2);
    const biases = randomNumbers(hidden, 3);
    const normWeights = randomNumbers(hidden, 4);
    for (const device of DEVICES()) {
      for (const isBiased of [false, true]) {
        const sums = Array.from(stream, (v, i) => v + addends[i] + (isBiased ? biases[i % hidden] : 0));
        const expected = [0, 1, 2].flatMap((t) =>
          normalised(sums.slice(t * hidden, (t + 1) * hidden), normWeights, config.normEps),
        );
        const output = await run([addPass(config, isBiased, tokens, device)], {
          stream,
          normed: poison(tokens * hidden),
          normWeights,
          addends,
          biases,
        });
        expectClose(output.stream, sums);
        expectClose(output.normed, expected);
      }
    }
  }

  test('uses as many lanes as the device allows for a wide stream', async () => {
    const hidden = 2052;
    const card = { ...context.facts, isFallback: false };
    const pass = addPass({ ...BASE, hidden }, false, 1, card);
    expect(pass.constants['WORKGROUP_SIZE']).toBe(Math.min(1024, card.limits.maxComputeInvocationsPerWorkgroup));
    const [stream, addends, normWeights] = [1, 2, 4].map((seed) => randomNumbers(hidden, seed));
    const filled = { stream, normed: poison(hidden), normWeights, addends, biases: new Float32Array(4) };
    const output = await run([pass], filled);
    const sums = Array.from(stream, (v, i) => v + addends[i]);
    expectClose(output.normed, normalised(sums, normWeights, BASE.normEps));
  });

  test('begins with the rows of the tokens, in f32 or f16', async () => {
    const { hidden, vocabulary } = BASE;
    const table = randomNumbers(hidden * vocabulary, 5).map((v) => f16Value(f16Bits(v)));
    const ids = Uint32Array.of(9, 9, 49, 0, 7, 9);
    const normWeights = randomNumbers(hidden, 6);
    const rows = [0, 7].map((id) => [...table.subarray(id * hidden, (id + 1) * hidden)]);
    for (const type of ['f32', 'f16'] as const) {
      const output = await run(
        [beginPass(BASE, { stride: hidden, type }, { first: 0, rows: table.length / hidden }, 2, context.facts)],
        {
          stream: poison(2 * hidden),
          normed: poison(2 * hidden),
          normWeights,
          state: Uint32Array.of(3, 0, 0, 0),
          ids,
          embedding: type === 'f32' ? table : packHalves('table', table, 'f16'),
        },
      );
      expectClose(output.stream, rows.flat(), 0);
      expectClose(
        output.normed,
        rows.flatMap((row) => normalised(row, normWeights, BASE.normEps)),
      );
    }
  });
});

describe('the attention stages', () => {
  interface HeadCase {
    readonly heads: number;
    readonly kvHeads: number;
    readonly headDim: number;
    readonly position: number;
    readonly contextLength: number;
    readonly tokens: number;
    readonly isBiased: boolean;
    readonly pairing: 'neighbours' | 'halves';
  }
  const headCase = (
    [heads, kvHeads, headDim]: readonly [heads: number, kvHeads: number, headDim: number],
    position: number,
    contextLength: number,
    options: Partial<HeadCase> = {},
  ): HeadCase => ({
    heads,
    kvHeads,
    headDim,
    position,
    contextLength,
    tokens: 1,
    isBiased: false,
    pairing: 'halves',
    ...options,
  });
  const CASES = {
    'grouped, neighbours, biased': headCase([6, 2, 10], 20, 40, { isBiased: true, pairing: 'neighbours' }),
    'at the first position': headCase([3, 3, 2], 0, 8),
    'several tokens': headCase([4, 1, 6], 5, 16, { tokens: 5, isBiased: true }),
    'a full span': headCase([2, 1, 64], 64, 70),
    spans: headCase([2, 1, 20], 150, 200),
    'a long context': headCase([6, 2, 4], 3999, 4000),
    'several tokens across the end of a span': headCase([2, 2, 4], 62, 130, {
      tokens: 4,
      isBiased: true,
      pairing: 'neighbours',
    }),
    'many tokens across tiles of keys': headCase([4, 2, 10], 28, 60, { tokens: 21, isBiased: true }),
  };
  type CaseName = keyof typeof CASES;
  const CASE_NAMES = Object.keys(CASES) as CaseName[];

  /** The cases of every run: one token and many tokens, and both layouts of RoPE pairs. */
  const EVERY_TIME: readonly CaseName[] = ['grouped, neighbours, biased', 'many tokens across tiles of keys'];
  test.for(EVERY_TIME)('computes the outputs of the oracle: %s', (name) => checkAttention(CASES[name]));

  for (const name of CASE_NAMES.filter((caseName) => !EVERY_TIME.includes(caseName))) {
    scheduled(
      'a software GPU compiles attention for every shape',
      'the shapes of every time here, and labs/language/decoders/chain/chain.gpu.test.ts, where 140 tokens are fed',
      `computes the outputs of the oracle: ${name}`,
      () => checkAttention(CASES[name]),
    );
  }

  scheduled(
    'a software GPU compiles attention of many lanes for seconds',
    'the same with as many lanes as a software GPU has, and teams in subgroups of 32 lanes here',
    'computes one token with as many lanes, and as many parts of each key, as on a GPU card',
    () =>
      checkAttention({ ...CASES['a full span'], headDim: 128, position: 50, contextLength: 60 }, [
        { ...context.facts, isFallback: false },
      ]),
  );
  scheduled(
    'a software GPU compiles attention of many lanes for seconds',
    'the same with as many lanes as a software GPU has',
    'computes many tokens with as many lanes, and as many keys in a tile, as on a GPU card',
    () =>
      checkAttention(
        { ...CASES['many tokens across tiles of keys'], headDim: 128, position: 120, contextLength: 150 },
        [{ ...context.facts, isFallback: false }],
      ),
  );

  /** One token whose heads have this many columns, which a team of lanes shares. */
  const teamCase = (headDim: number): HeadCase => ({ ...CASES['a full span'], headDim, contextLength: 80 });
  /** Columns of heads for teams of 8, 8, 4, 2 and 1 lanes: a subgroup of 32 lanes has 4 to 32 teams. */
  const TEAM_COLUMNS = [128, 100, 64, 24, 4];
  const cardSubgroups = (): readonly StageDevice[] => [{ ...context.facts, subgroupMinSize: 32, subgroupMaxSize: 32 }];
  test('computes one token by teams in subgroups of 32 lanes', () =>
    checkAttention({ ...teamCase(128), position: 50 }, cardSubgroups()));
  for (const columns of TEAM_COLUMNS) {
    scheduled(
      'a software GPU compiles a kernel for each size of teams',
      'the largest teams here',
      `computes one token by teams in subgroups of 32 lanes, ${columns} columns, in one span and in several`,
      async () => {
        await checkAttention(teamCase(columns), cardSubgroups());
        await checkAttention({ ...teamCase(columns), position: 75 }, cardSubgroups());
      },
    );
  }
  // Each entry: columns of the heads, a text of the shader, and the faulty text that replaces it.
  for (const [columns, from, to] of [
    [128, 'sum += number_of_lane(sum, distance);', ''],
    [128, 'exchanged_half(a, b, high, 2u)', 'exchanged_half(a, b, !high, 2u)'],
    [128, 'first += select(0u, 1u, high)', 'first += 1u'],
    [64, 'distance = 4u; distance < teams;', 'distance = 8u; distance < teams;'],
    [24, 'team < 4u', 'team < 2u'],
  ] as const) {
    scheduled(
      'it tests the checks themselves, and compiles a kernel for each fault',
      'the fault of every time here',
      `the check of teams for ${columns} columns in subgroups of 32 lanes fails if ${from} becomes ${to}`,
      () => expectNoticed(from, to, () => checkAttention(teamCase(columns), cardSubgroups())),
    );
  }

  test('the check of grouped heads fails if heads share other keys', () =>
    expectNoticed('let kv_head = head / GROUP;', 'let kv_head = head % 2u;', () =>
      checkAttention(CASES['grouped, neighbours, biased']),
    ));

  // Each entry: the name of a case, a text of the shader, and the faulty text that replaces it.
  for (const [name, from, to] of [
    ['grouped, neighbours, biased', 'select(-across, across, is_second)', 'across'],
    ['grouped, neighbours, biased', 'scores[before] * own_value[four]', '0.0 * own_value[four]'],
    ['grouped, neighbours, biased', 'sums = own_columns(2u * FOURS, part);', 'sums = own_columns(FOURS, part);'],
    ['grouped, neighbours, biased', '      total = 1.0;', ''],
    ['grouped, neighbours, biased', 'largest_of_all = max(largest_of_all, subgroup_largest[i]);', ''],
    ['grouped, neighbours, biased', 'KEY_BIASES_AT + first', 'first'],
    ['several tokens', 'position = state[0] + token;', 'position = state[0];'],
    ['a full span', 'total = correction * total + weight;', 'total += weight;'],
    ['a full span', 'sums = correction * sums + weight', 'sums += weight'],
    ['a full span', 'key_columns(kv_head, i + stride, part)', 'key_columns(kv_head, i, part)'],
    ['a full span', 'value_columns(kv_head, i + stride, part)', 'value_columns(kv_head, i, part)'],
    ['a full span', 'part_scores[part * (SPAN + 1u) + i] = score;', 'part_scores[i] = score;'],
    ['a full span', 'score += part_scores[p * (SPAN + 1u) + i];', 'score = part_scores[p * (SPAN + 1u) + i];'],
    ['a full span', 'lane_total += weight;', 'lane_total = weight;'],
    ['spans', 'let stride = SPANS * tile;', 'let stride = tile;'],
    ['spans', 'dot(factors, totals)', 'dot(vec4(1.0), totals)'],
    ['a long context', 'position / BLOCK * KV_HEADS', 'position / BLOCK'],
    ['several tokens across the end of a span', 'min(position, first + SPAN)', 'min(position, first + SPAN - 1u)'],
    ['several tokens across the end of a span', 'factor * part_at(first', 'part_at(first'],
    ['several tokens across the end of a span', 'factors[at] * part_at', 'part_at'],
    ['many tokens across tiles of keys', 'vec4(0u, 1u, 2u, 3u) + position', 'vec4(position)'],
    ['many tokens across tiles of keys', 'factor * total', 'total'],
    ['many tokens across tiles of keys', 'sums[1] *= factors[4u * token_four + 1u];', ''],
  ] as const) {
    scheduled(
      'it tests the checks themselves, and compiles a kernel for each fault',
      'the fault of every time here',
      `the check of the case ${name} fails if ${from} becomes ${to}`,
      () => expectNoticed(from, to, () => checkAttention(CASES[name])),
    );
  }

  /** Expects that `check` fails once `to` replaces `from` in the shader. */
  async function expectNoticed(from: string, to: string, check: () => Promise<void>): Promise<void> {
    const planted = { from, to, isMade: false };
    fault = planted;
    try {
      await expect(check()).rejects.toThrow(/^number \d+: found/);
      expect(planted.isMade, from).toBe(true);
    } finally {
      fault = null;
    }
  }

  scheduled(
    'a software GPU compiles attention once more, for every device',
    'the logits of odd sizes in labs/language/decoders/chain/chain.gpu.test.ts, whose streams are not normalised',
    'scales queries, keys and values of a stream that was not normalised',
    () => checkScales(false),
  );

  scheduled(
    'a software GPU compiles attention in several spans for seconds',
    'the same in one span here, and attention in several spans here',
    'scales queries, keys and values of a stream that was not normalised, in several spans',
    () => checkScales(true),
  );

  const checkScales = (inSpans: boolean): Promise<void> => {
    const { heads, kvHeads, headDim } = BASE;
    const attentionCase = {
      heads,
      kvHeads,
      headDim,
      position: inSpans ? 70 : 3,
      contextLength: 80,
      tokens: 1,
      isBiased: true,
    };
    return checkAttention({ ...attentionCase, pairing: 'halves' }, inSpans ? DEVICES().slice(0, 1) : DEVICES(), true);
  };

  async function checkAttention(
    { heads, kvHeads, headDim, position, contextLength, tokens, isBiased, pairing }: HeadCase,
    devices = DEVICES(),
    isUnscaled = false,
  ): Promise<void> {
    const hidden = 140;
    const config: DecoderConfig = { ...BASE, hidden, heads, kvHeads, headDim, rotary: { ...BASE.rotary, pairing } };
    const width = (heads + 2 * kvHeads) * headDim;
    const q = { at: 0, stride: width };
    const k = { at: heads * headDim, stride: width };
    const v = { at: (heads + kvHeads) * headDim, stride: width };
    const shape: HeadShape = { config, pieces: { q, k, v }, context: contextLength, isBiased, tokens, isUnscaled };
    const stream = randomNumbers(hidden, 12, 5);
    const scale = 1 / Math.sqrt(stream.reduce((sum, x) => sum + x * x, 0) / hidden + config.normEps);
    const data = { projected: randomNumbers(tokens * width, 7, isUnscaled ? 9 : 2), biases: randomNumbers(width, 8) };
    const randomPast = (seed: number) =>
      Array.from({ length: kvHeads }, (_, h) =>
        Array.from({ length: position }, (__, p) => [...randomNumbers(headDim, seed + 100 * h + p, 2)]),
      );
    const past = { keys: randomPast(1000), values: randomPast(50_000) };
    const scaled = isUnscaled ? { ...data, projected: data.projected.map((x) => x * scale) } : data;
    const expected = attentionOracle(shape, position, scaled, past);
    const inSpans = position + tokens - 1 > 64;
    const check = async (device: StageDevice, attend: readonly PassPlan[]): Promise<void> => {
      const filled = {
        state: Uint32Array.of(position, 0, 0, 0),
        ...data,
        turns: Float32Array.from(rotaryTable(config, contextLength)),
        ...cacheOf(config, contextLength, past),
        parts: poison(spanResultElements(config, contextLength, tokens, device)),
        gathered: poison(tokens * heads * headDim),
        ...(isUnscaled && { stream }),
      };
      const output = await run([...(tokens === 1 ? [] : [cachePass(shape, device)]), ...attend], filled);
      expectClose(output.gathered, expected.gathered);
      const cache = cacheOf(config, contextLength, expected);
      expectClose(output.keys, cache.keys);
      expectClose(output.values, cache.values);
    };
    for (const device of inSpans && tokens > 1 ? devices.slice(0, 1) : devices) {
      const planned = attentionPass(shape, { fillsCache: tokens === 1, inSpans }, device);
      const attend = device.subgroupMinSize > context.facts.subgroupMinSize ? inOneSubgroup(planned) : planned;
      await check(
        device,
        inSpans
          ? [{ ...attend, bindings: attend.bindings.with(isUnscaled ? -2 : -1, 'parts') }, mergePass(shape, device)]
          : [attend],
      );
    }
    if (tokens > 1) {
      const many = manyAttentionPass(shape, devices[0]) ?? expect.fail('found no memory for many tokens');
      await check(devices[0], [many]);
    }
    expect(spanCount(config, contextLength, context.facts, tokens) > 1).toBe(contextLength > 64);
  }
});

describe('the activation stage (act)', () => {
  test('computes silu(gate) times up, from one or two matrices', () => checkAct('silu'));

  test('computes relu(gate) times up, from one or two matrices', () => checkAct('relu'));

  async function checkAct(activation: 'silu' | 'relu'): Promise<void> {
    const cols = 300;
    const tokens = 2;
    const config = { ...BASE, intermediate: cols, activation };
    const projected = randomNumbers(2048, 9, 6);
    // For the first values, the exponential would leave the range of f32.
    projected.set([-200, 200, -88, 0, -0], 0);
    const biases = randomNumbers(2 * cols, 10);
    for (const [gate, up] of [
      [
        { at: 0, stride: 2 * cols },
        { at: cols, stride: 2 * cols },
      ],
      [
        { at: 0, stride: cols },
        { at: 640, stride: cols },
      ],
    ]) {
      for (const isBiased of [false, true]) {
        const expected = Array.from({ length: tokens * cols }, (_, i) => {
          const [t, c] = [Math.floor(i / cols), i % cols];
          const g = projected[t * gate.stride + c] + (isBiased ? biases[c] : 0);
          const u = projected[up.at + t * up.stride + c] + (isBiased ? biases[cols + c] : 0);
          return (activation === 'relu' ? Math.max(0, g) : g / (1 + Math.exp(-g))) * u;
        });
        const shape = { config, pieces: { gate, up }, isBiased, tokens, isUnscaled: false };
        const pass = actPass(shape, context.facts);
        const output = await run([pass], { projected, biases, hidden: poison(tokens * cols) });
        expectClose(output.hidden, expected);
      }
    }
  }

  test('scales products of a stream that was not normalised', async () => {
    const cols = 130;
    const config = { ...BASE, intermediate: cols, hidden: 300 };
    const projected = randomNumbers(2 * cols, 9, 20);
    const biases = randomNumbers(2 * cols, 10);
    const stream = randomNumbers(config.hidden, 12, 5);
    const scale = 1 / Math.sqrt(stream.reduce((sum, x) => sum + x * x, 0) / config.hidden + config.normEps);
    const pieces = { gate: { at: 0, stride: 2 * cols }, up: { at: cols, stride: 2 * cols } };
    for (const device of DEVICES()) {
      for (const isBiased of [false, true]) {
        const expected = Array.from({ length: cols }, (_, c) => {
          const g = scale * projected[c] + (isBiased ? biases[c] : 0);
          return (g / (1 + Math.exp(-g))) * (scale * projected[cols + c] + (isBiased ? biases[cols + c] : 0));
        });
        const pass = actPass({ config, pieces, isBiased, tokens: 1, isUnscaled: true }, device);
        const output = await run([pass], { projected, biases, hidden: poison(cols), stream });
        expectClose(output.hidden, expected);
      }
    }
  });
});

describe('the stage that chooses a token', () => {
  const configOf = (vocabulary: number): DecoderConfig => ({ ...BASE, vocabulary });

  const state = (position: number, promptLength: number): Uint32Array => Uint32Array.of(position, promptLength, 0, 0);

  async function chosen(logits: Float32Array, count: number): Promise<{ ids: Uint32Array; state: Uint32Array }> {
    const output = await run(samplingPasses(configOf(logits.length), 8, null, context.facts), {
      state: state(4, count),
      ids: Uint32Array.of(1, 1, 1, 1, 1, 1, 1, 1),
      logits,
      noise: new Float32Array(2 ** 16),
      bests: poison(2 * samplingWorkgroups(logits.length)),
    });
    return { ids: new Uint32Array(output.ids.buffer, 0, 8), state: new Uint32Array(output.state.buffer, 0, 4) };
  }

  // 50 logits need one workgroup; 4097 is the smallest number that needs two.
  test.for([50, 4097])('chooses the largest of %i logits without noise', checkLargest);

  for (const vocabulary of [1, 4096, 30_000]) {
    scheduled(
      'a software GPU compiles two kernels for each vocabulary',
      'the vocabularies for one choosing workgroup and for two here',
      `chooses the largest of ${vocabulary} logits without noise`,
      () => checkLargest(vocabulary),
    );
  }

  async function checkLargest(vocabulary: number): Promise<void> {
    for (const position of [0, Math.floor(vocabulary / 3), vocabulary - 1]) {
      const logits = randomNumbers(vocabulary, 12);
      logits[position] = 1.5;
      const output = await chosen(logits, 0);
      expect([...output.ids]).toEqual([1, 1, 1, 1, 1, position, 1, 1]);
      expect(output.state[0]).toBe(5);
    }
  }

  test('samples the same token as the CPU from 50 logits', () => checkDraws(50));

  scheduled(
    'a software GPU compiles two kernels for each vocabulary',
    'the vocabularies for one choosing workgroup and for two here, and draws from the one here',
    'samples the same token as the CPU from 9000 logits',
    () => checkDraws(9000),
  );

  async function checkDraws(vocabulary: number): Promise<void> {
    const logits = randomNumbers(vocabulary, 14, 3);
    for (const [position, seed, temperature] of [
      [4, 0, 1],
      [0, 2 ** 32 - 1, 0.5],
      [6, 7, 2],
      [3, 7, 0],
    ]) {
      const output = await run(samplingPasses(configOf(vocabulary), 8, null, context.facts), {
        state: Uint32Array.of(position, 0, seed, 0),
        ids: new Uint32Array(8),
        logits,
        noise: noiseTable(temperature),
        bests: poison(2 * samplingWorkgroups(vocabulary)),
      });
      const ids = new Uint32Array(output.ids.buffer, 0, 8);
      expect(ids[position + 1]).toBe(drawToken(logits, position + 1, { temperature, seed }));
    }
  }

  test('chooses the lowest id of equal logits, and any id if all logits are NaN', async () => {
    const equal = new Float32Array(5000).fill(-2);
    expect((await chosen(equal, 0)).ids[5]).toBe(0);
    equal.set([-1, -3, -1], 4500);
    expect((await chosen(equal, 0)).ids[5]).toBe(4500);
    expect((await chosen(new Float32Array(70).fill(NaN), 0)).ids[5]).toBe(0);
  });

  test('keeps the ids of the prompt, and advances the position', async () => {
    const output = await chosen(randomNumbers(50, 13), 6);
    expect([...output.ids]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(output.state[0]).toBe(5);
  });

  test('scales logits in place if the head read a stream that was not normalised, and lets the next stream begin', async () => {
    const { hidden, vocabulary } = BASE;
    const table = randomNumbers(hidden * vocabulary, 5);
    const normWeights = randomNumbers(hidden, 6);
    const stream = randomNumbers(hidden, 15, 3);
    const written = randomNumbers(vocabulary, 16, 20);
    const meanOf = (row: Float32Array): number => row.reduce((sum, x) => sum + x * x, 0) / hidden + BASE.normEps;
    for (const device of DEVICES()) {
      for (const [isUnscaled, promptLength] of [
        [true, 0],
        [false, 5],
      ] as const) {
        const passes = samplingPasses(BASE, 8, { table: { stride: hidden, type: 'f32' }, isUnscaled }, device);
        const output = await run(passes, {
          state: Uint32Array.of(3, promptLength, 9, 0),
          ids: new Uint32Array(8).fill(7),
          logits: written,
          noise: noiseTable(1),
          stream,
          normed: poison(hidden),
          normWeights,
          embedding: table,
        });
        expectClose(
          output.logits,
          written.map((logit) => (isUnscaled ? logit / Math.sqrt(meanOf(stream)) : logit)),
        );
        const id = promptLength > 0 ? 7 : drawToken(output.logits, 4, { temperature: 1, seed: 9 });
        const ids = new Uint32Array(output.ids.buffer, 0, 8);
        expect([...ids]).toEqual([7, 7, 7, 7, id, 7, 7, 7]);
        const row = table.subarray(id * hidden, (id + 1) * hidden);
        expectClose(output.stream, row, 0);
        expectClose(
          output.normed,
          row.map((x, i) => (normWeights[i] * x) / Math.sqrt(meanOf(row))),
        );
      }
    }
  });
});
