import spmvColumns from '../../../shaders/dense/spmv_columns.wgsl';
import { fitsLimits, laneChoice } from '../../core/kernel/device-limits.ts';
import type { DeviceFacts, KernelSpec, PassPlan } from '../../core/kernel/kernel.ts';
import { input, output, partsPlan, scratch, storedPart, workgroupsFit } from '../../core/kernel/multi-pass-plan.ts';
import { sumPanelsPass } from '../../core/kernel/panel-shares.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { nextPowerOfTwo } from '../../core/kernel/spmv-plan.ts';
import { SPMV_ZEROS } from '../../core/operations/index.ts';
import type { DenseEncoded } from './layout.ts';

/*
 * y = A x that reads only the columns of A whose x is not 0. Its own copy of A is stored by column. 64 rows of a column
 * are 128 bytes: on an H200, 64 bytes took as long to read as 128 (docs/performance-lessons.md).
 */

/** Rows of a tile, as in shaders/dense/spmv_columns.wgsl. */
const TILE_ROWS = 64;
/** Columns of a chunk that a lane of that shader examines. */
const LANE_COLUMNS = 8;
const LANES = 256;
/** Workgroup memory per lane: eight words, and two of the scan. */
const LANE_BYTES = 40;
/** With fewer tiles than this, the columns are divided into parts: into about this many workgroups, or more. */
const ENOUGH_TILES = 160;
const WORKGROUPS = 256;
const MAX_PARTS = 8;

const tilesOf = ({ rows }: DenseEncoded): number => Math.ceil(rows / TILE_ROWS);

/** Bytes of `byColumn`. */
const columnsBytes = (e: DenseEncoded): number => 2 * tilesOf(e) * TILE_ROWS * e.cols;

const cache = new WeakMap<DenseEncoded, Uint16Array<ArrayBuffer>>();

/**
 * The f16 bits of A by column, in tiles of 64 rows: cell (64 t + i, j) is element (t * cols + j) * 64 + i, and rows past the
 * last are 0. Cached per matrix. O(rows * cols).
 */
function byColumn(e: DenseEncoded): Uint16Array<ArrayBuffer> {
  const cached = cache.get(e);
  if (cached) return cached;
  const { rows, cols, stride, data } = e;
  const columns = new Uint16Array(columnsBytes(e) / 2);
  for (let r = 0; r < rows; r++) {
    const to = Math.floor(r / TILE_ROWS) * cols * TILE_ROWS + (r % TILE_ROWS);
    for (let c = 0; c < cols; c++) columns[to + c * TILE_ROWS] = data[r * stride + c];
  }
  cache.set(e, columns);
  return columns;
}

/**
 * The number of parts unless a trial finds a better one: one if the tiles are enough workgroups for a large device, else so
 * many that there are enough, and that a part has at most as many columns as 256 lanes list at once.
 */
function usualParts(e: DenseEncoded): number {
  const tiles = Math.max(1, tilesOf(e));
  if (tiles >= ENOUGH_TILES) return 1;
  return Math.min(MAX_PARTS, nextPowerOfTwo(Math.max(WORKGROUPS / tiles, e.cols / (LANE_COLUMNS * LANES))));
}

const lanesOn = ({ limits }: DeviceFacts): number =>
  Math.max(TILE_ROWS, Math.min(LANES, limits.maxComputeInvocationsPerWorkgroup));

/** Columns of a part. */
const partColumns = ({ cols }: DenseEncoded, parts: number): number =>
  Math.max(1, Math.ceil(cols / parts / LANE_COLUMNS)) * LANE_COLUMNS;

/**
 * Skips the columns whose x is 0 or -0: they are not read, so that infinity and NaN in such a column do not reach y, where
 * other kernels multiply them by 0 and get NaN.
 */
export const columnsKernel: KernelSpec<DenseEncoded> = {
  id: 'dense/spmv_columns',
  title: 'only columns whose x is not 0',
  operation: SPMV_ZEROS.id,
  extraRoundings: 2,
  storesZeros: true,
  features: [],
  only: { valueType: ['f16'] },
  fits(e, device) {
    const lanes = lanesOn(device);
    const buffers = [
      ['columns', columnsBytes(e)],
      ['x', 4 * e.cols],
      ['parts', 4 * MAX_PARTS * e.rows],
    ] as const;
    const fit = fitsLimits(buffers, { lanes, memoryBytes: LANE_BYTES * lanes }, device);
    return fit.ok ? workgroupsFit([tilesOf(e)], device) : fit;
  },
  choices: (e, device) => [
    laneChoice(lanesOn(device), device, LANE_BYTES),
    { kind: 'one-of', name: 'parts', start: usualParts(e), values: [1, 2, 4, MAX_PARTS] },
  ],
  plan(e, device, { zeros = 0 }, { lanes = lanesOn(device), parts: maxParts = usualParts(e) } = {}) {
    const cols = partColumns(e, maxParts);
    const parts = Math.max(1, Math.ceil(e.cols / cols));
    const isDivided = parts > 1;
    const product: PassPlan = {
      files: shaderFiles(spmvColumns),
      constants: { WORKGROUP_SIZE: lanes, PART_COLS: cols, CHUNKS: Math.ceil(cols / (LANE_COLUMNS * lanes)) },
      bindings: ['params', 'columns', 'x', isDivided ? 'parts' : 'y'],
      workgroups: [Math.max(1, tilesOf(e)), parts, 1],
    };
    const params = { role: 'params', name: 'params', data: Uint32Array.of(1, e.cols, e.rows, e.stride) } as const;
    const sizes = { role: 'params', name: 'sizes', data: Uint32Array.of(e.rows, e.cols) } as const;
    return partsPlan(
      isDivided ? [params, sizes] : [params],
      [
        { ...storedPart('columns', byColumn(e)), movedBytes: Math.round((columnsBytes(e) * (100 - zeros)) / 100) },
        input('x', e.cols, 'f32'),
        ...(isDivided ? [scratch('parts', 4 * parts * e.rows)] : []),
        output('y', 4 * e.rows),
      ],
      isDivided ? [product, sumPanelsPass(e.rows, parts, ['sizes', 'parts', 'y'])] : [product],
    );
  },
};
