import { describe, expect, it } from 'vitest';
import { draftHost } from '../../../../test/draft-host.ts';
import { uniformMatrix } from '../../../../test/matrices.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import { ABSENT, type KernelLoads } from '../../../core/kernel/loads.ts';
import { csrMatrix, type Matrix } from '../../../core/matrix/index.ts';
import { threadPace } from '../../../core/pace.ts';
import { formats } from '../../../formats/registry.ts';
import { traceMemory } from './drafts/memory.ts';
import type { MemoryAnswer } from './drafts/draft-types.ts';
import type { DraftHost } from './drafts/run.ts';
import { ServiceJob } from '../../../engine/bridge/job.ts';
import { kernelOf, paramsFor } from '../../../engine/bench/kernel-of.ts';

/**
 * Every sixteenth column, so that all formats admit it. Eight neighbouring rows share every other sixteen, so that
 * EC-CSR has blocks of eight rows as well as single rows.
 */
function sharingRows(rows: number, cols: number): Matrix {
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let first = 0; first + 16 <= cols; first += 16) {
      const seed = first % 32 === 0 ? row >> 3 : row + 1000;
      indices.push(first + ((Math.imul(seed * 977 + first, 0x9e3779b1) >>> 8) % 16));
    }
    indptr[row + 1] = indices.length;
  }
  const data = Float32Array.from(indices, (column) => 1 + (column % 5));
  return csrMatrix({ rows, cols, indptr, indices: Uint32Array.from(indices), data });
}

interface Opened {
  readonly matrix: Matrix;
  readonly host: DraftHost;
}

function opened(matrix: Matrix): Opened {
  return { matrix, host: draftHost(matrix) };
}

const SHARING = opened(sharingRows(70, 2080));
/** Eight neighbouring entries span 32 columns, 64, or more. */
const CLOSE = opened(uniformMatrix(70, 2080, 0.2, 3));

/** By lane of a workgroup and by buffer: the byte offsets of the elements it loads, in order. */
type Loaded = ReadonlyMap<string, readonly number[]>;

const WORKGROUP = 'workgroup memory';

function seenBy({ trace }: Pick<MemoryAnswer, 'trace'>, lane: number): Loaded {
  const found = new Map<string, number[]>();
  expect(trace.counts[lane]).toBeLessThanOrEqual(trace.most);
  // The part that reads x into workgroup memory; later reads there are sums.
  const staged = trace.sites.findIndex(
    ({ buffer, file, writes }) => buffer === null && !writes && /staged_x/.test(file),
  );
  for (let i = 0; i < trace.counts[lane]; i++) {
    const at = lane * trace.most + i;
    const site = trace.siteOf[at];
    const { buffer, elementBytes, writes } = trace.sites[site];
    if (writes || (buffer === null && site !== staged)) continue;
    const name = buffer ?? WORKGROUP;
    const own = found.get(name) ?? [];
    own.push(trace.elements[at] * (elementBytes ?? Number.NaN));
    found.set(name, own);
  }
  return found;
}

function modelled(model: KernelLoads, workgroup: number, lane: number): Loaded {
  const found = new Map<string, number[]>();
  const subgroup = workgroup * model.subgroupsPerWorkgroup + Math.floor(lane / model.lanes);
  if (subgroup >= model.subgroups) return found;
  model.walk(subgroup, (number, items) => {
    const item = items[lane % model.lanes];
    if (item === ABSENT) return;
    const { array, itemBytes, elementBytes } = model.sites[number];
    const { space, name: buffer } = model.arrays[array];
    const name = space === 'workgroup' ? WORKGROUP : buffer;
    const own = found.get(name) ?? [];
    own.push(Math.floor(((item >>> 0) * itemBytes) / elementBytes) * elementBytes);
    found.set(name, own);
  });
  return found;
}

type Case = readonly [kernel: string, params: object, workgroup: number];

const SHARING_CASES: readonly Case[] = [
  ['csr/spmv_scalar', {}, 1],
  ['csr/spmv_subgroup', {}, 0],
  ['csr/spmv_subgroup', { valueType: 'f32', indexBits: 16 }, 0],
  ['ell/spmv_scalar', { valueType: 'f32', indexBits: 16 }, 0],
  ['bitmask/spmv_subgroup', {}, 0],
  ['bitmask/spmv_staged', { valueType: 'f32' }, 5],
  ['macko/spmv_subgroup', {}, 0],
  ['macko/spmv_subgroup', { deltaBits: 8, valueType: 'i8' }, 0],
  ['csr/spmv_staged', {}, 5],
  ['macko/spmv_staged_x16', { deltaBits: 2, valueType: 'f32' }, 20],
  ['macko/spmv_rows', {}, 0],
  ['macko/spmv_rows', { valueType: 'i8' }, 0],
  ['macko/spmv_rows_x16', { deltaBits: 8 }, 0],
  ['ec-csr/spmv_subgroup', {}, 0],
  // With two lanes per block, workgroups 0 to 2 have blocks of 8, 4, 2 rows and of one; with 4 bits it is the last.
  ['ec-csr/spmv_subgroup', { lanes: 2 }, 0],
  ['ec-csr/spmv_subgroup', { lanes: 2 }, 1],
  ['ec-csr/spmv_subgroup', { lanes: 2, valueType: 'f32' }, 2],
  ['ec-csr/spmv_subgroup', { lanes: 2, deltaBits: 4 }, 2],
  ['ec-csr/spmv_subgroup', { lanes: 4, vectorSize: 1, deltaBits: 16, valueType: 'f32' }, 0],
  ['slidesparse/spmv_subgroup', {}, 1],
  ['slidesparse/spmv_natural', { halfGroup: 2, valueType: 'i8' }, 1],
];

const CLOSE_CASES: readonly Case[] = [
  ['bitmask/spmv_subgroup', { valueType: 'f32' }, 0],
  ['bitmask/spmv_staged', {}, 2],
];

const CASES = [
  ...CLOSE_CASES.map((one) => [...one, CLOSE] as const),
  ...SHARING_CASES.map((one) => [...one, SHARING] as const),
];

/** A row to a lane and to a subgroup, x staged in workgroup memory, gaps, blocks of several rows, and windows. */
const EVERY_TIME = [
  'csr/spmv_scalar',
  'csr/spmv_subgroup',
  'bitmask/spmv_staged',
  'macko/spmv_subgroup',
  'ec-csr/spmv_subgroup',
  'slidesparse/spmv_subgroup',
];
const KEPT = EVERY_TIME.map((id) => CASES.find(([kernel]) => kernel === id)).filter((one) => one !== undefined);

describe('the model of a kernel', () => {
  it('is tried of each that is named', () => {
    expect(KEPT.map(([kernel]) => kernel)).toEqual(EVERY_TIME);
  });

  it.for(KEPT)('loads what the kernel loads: %s %j', (one) => checkLoads(one));

  for (const one of CASES.filter((other) => !KEPT.includes(other))) {
    scheduled(
      'a software GPU compiles the watched copy of each kernel for seconds',
      'the kernels here with the same ways to load, and src/places/code/service/kernel-loads.test.ts, where the model of every kernel adds up',
      `loads what the kernel loads: ${one[0]} ${JSON.stringify(one[1])}, workgroup ${one[2]}`,
      () => checkLoads(one),
    );
  }

  async function checkLoads([kernel, params, workgroup, { matrix, host }]: (typeof CASES)[number]): Promise<void> {
    const job = new ServiceJob(threadPace, () => {});
    const request = { kernel, params: { ...params }, files: {}, overrides: {}, sizes: {}, workgroup };
    const answer = await traceMemory(host, request, job);
    const { format, spec } = kernelOf(formats, kernel);
    const encoded = format.encode(matrix, paramsFor(format, spec, request.params, matrix));
    const { facts } = await host.device.open();
    const model = spec.loads?.(encoded, facts);
    if (!model) throw new Error(`${kernel} has no model`);
    let lanes = 0;
    for (let lane = 0; lane < model.subgroupsPerWorkgroup * model.lanes; lane++) {
      const seen = seenBy(answer, lane);
      expect(modelled(model, workgroup, lane), `lane ${lane}`).toEqual(seen);
      if (seen.size > 0) lanes++;
    }
    expect(lanes).toBeGreaterThan(5);
  }
});
