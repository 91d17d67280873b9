import { ABSENT, type KernelLoads, LaneItems, type LoadsModel, paddedBytes } from '../../core/kernel/loads.ts';
import { BLOCK as BLOCK_WINDOWS, metadataByLaneBytes } from './by-lane.ts';
import { type SlideSparseEncoded, WINDOWS_PER_WORD } from './layout.ts';
import { windowsPerGroup } from './params.ts';

/** Indices of arrays and of the sites that load from them. */
const VALUES = 0;
const METADATA = 1;
const X = 2;
const SCALES = 3;

const KERNEL_LANES = 128;
const ROWS_PER_WORKGROUP = 2;
/** Lanes that share a block, and the pairs of windows in it: each lane processes four. */
const BLOCK_LANES = 32;
const BLOCK = BLOCK_WINDOWS / 2;
const TURNS = BLOCK / BLOCK_LANES;

/** The loads of slidesparse/spmv_subgroup: two rows per workgroup, metadata in the order of lanes. */
export const byLaneLoads: LoadsModel<SlideSparseEncoded> = (e, device) => pairLoads(e, device.subgroupMaxSize, true);

/** The loads of slidesparse/spmv_natural: like `byLaneLoads`, with metadata in the order of windows. */
export const naturalLoads: LoadsModel<SlideSparseEncoded> = (e, device) => pairLoads(e, device.subgroupMaxSize, false);

/** The loads of row_pair in shaders/slidesparse/row_pair.wgsl, if no sum is infinite or NaN. */
function pairLoads(e: SlideSparseEncoded, lanes: number, byLane: boolean): KernelLoads {
  const { rows, windowsPerRow } = e;
  const at = new LaneItems(lanes);
  const { items } = at;
  const pairs = windowsPerRow / 2;
  const blocks = Math.ceil(pairs / BLOCK);
  const blocksPerStep = KERNEL_LANES / BLOCK_LANES;
  const subgroupsPerWorkgroup = KERNEL_LANES / lanes;
  const valueBytes = 4 * e.values.BYTES_PER_ELEMENT;
  /** 2:4 loads four columns at a time; overlapping windows begin at every second. */
  const inFours = e.halfGroup === 2;
  const perGroup = windowsPerGroup(e);
  /** the pair of windows of each lane; ABSENT if it has none */
  const pairOf = new Int32Array(lanes);

  const values = (row: number): void => {
    for (let lane = 0; lane < lanes; lane++) {
      items[lane] = pairOf[lane] === ABSENT ? ABSENT : row * pairs + pairOf[lane];
    }
    at.load(VALUES);
  };
  /** The four columns of one or both windows of a pair. */
  const windowX = (which: number): void => {
    for (let part = 0; part < (inFours ? 1 : 2); part++) {
      for (let lane = 0; lane < lanes; lane++) {
        const window = 2 * pairOf[lane] + which;
        if (pairOf[lane] === ABSENT) items[lane] = ABSENT;
        else items[lane] = inFours ? window : window + Math.floor(window / perGroup) + part;
      }
      at.load(X);
    }
  };
  /** The nibbles of a block for each lane: one word, or four that are eight apart. */
  const metadata = (row: number, firstLane: number, step: number): void => {
    for (let part = 0; part < (byLane ? 1 : TURNS); part++) {
      for (let lane = 0; lane < lanes; lane++) {
        const own = (firstLane + lane) % BLOCK_LANES;
        const block = Math.floor((firstLane + lane) / BLOCK_LANES) + step * blocksPerStep;
        if (block >= blocks) items[lane] = ABSENT;
        else if (byLane) items[lane] = (row * blocks + block) * BLOCK_LANES + own;
        else items[lane] = Math.floor((row * pairs + block * BLOCK + own) / (WINDOWS_PER_WORD / 2)) + 8 * part;
      }
      at.load(METADATA);
    }
  };

  return {
    arrays: [
      { name: 'values', of: 'values', space: 'storage', bytes: paddedBytes(e.values) },
      {
        name: 'metadata',
        of: 'indices',
        space: 'storage',
        bytes: byLane ? metadataByLaneBytes(e) : e.metadata.byteLength,
      },
      { name: 'x', of: 'x', space: 'storage', bytes: paddedBytes({ byteLength: 4 * e.cols }) },
      ...(e.valueType === 'i8'
        ? [{ name: 'scales', of: 'metadata', space: 'storage', bytes: e.scales.byteLength } as const]
        : []),
    ],
    sites: [
      { array: VALUES, itemBytes: valueBytes, elementBytes: valueBytes },
      { array: METADATA, itemBytes: 4, elementBytes: 4 },
      { array: X, itemBytes: inFours ? 16 : 8, elementBytes: inFours ? 16 : 8 },
      ...(e.valueType === 'i8' ? [{ array: SCALES, itemBytes: 4, elementBytes: 4 }] : []),
    ],
    lanes,
    subgroups: Math.ceil(rows / ROWS_PER_WORKGROUP) * subgroupsPerWorkgroup,
    subgroupsPerWorkgroup,
    rowsOf(subgroup) {
      const first = ROWS_PER_WORKGROUP * Math.floor(subgroup / subgroupsPerWorkgroup);
      return first + 1 < rows ? [first, first + 1] : [first];
    },
    subgroupOf: (row) => Math.floor(row / ROWS_PER_WORKGROUP) * subgroupsPerWorkgroup,
    walk(subgroup, take) {
      at.take = take;
      const first = ROWS_PER_WORKGROUP * Math.floor(subgroup / subgroupsPerWorkgroup);
      // The last row replaces one that does not exist.
      const second = Math.min(first + 1, rows - 1);
      const firstLane = (subgroup % subgroupsPerWorkgroup) * lanes;
      for (let step = 0; step * blocksPerStep + Math.floor(firstLane / BLOCK_LANES) < blocks; step++) {
        metadata(first, firstLane, step);
        metadata(second, firstLane, step);
        for (let turn = 0; turn < TURNS; turn++) {
          for (let lane = 0; lane < lanes; lane++) {
            const block = Math.floor((firstLane + lane) / BLOCK_LANES) + step * blocksPerStep;
            const pair = block * BLOCK + ((firstLane + lane) % BLOCK_LANES) + BLOCK_LANES * turn;
            pairOf[lane] = pair < pairs ? pair : ABSENT;
          }
          windowX(0);
          windowX(1);
          values(first);
          values(second);
        }
      }
      if (firstLane === 0 && e.valueType === 'i8') {
        at.first(SCALES, first);
        if (first + 1 < rows) at.first(SCALES, first + 1);
      }
    },
  };
}
