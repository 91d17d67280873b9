import {
  ABSENT,
  type KernelLoads,
  LaneItems,
  type LoadedArray,
  type LoadSite,
  type LoadsModel,
  paddedBytes,
} from '../../core/kernel/loads.ts';
import { BlockLoads, SITES } from './block-loads.ts';
import { type EcCsrEncoded, type SetInfo, setInfos } from './layout.ts';
import { partialSums } from './partial-sums.ts';

const KERNEL_LANES = 128;

function arraysOf(e: EcCsrEncoded): readonly LoadedArray[] {
  const array = (name: string, of: LoadedArray['of'], bytes: number): LoadedArray => ({
    name,
    of,
    space: 'storage',
    bytes,
  });
  return [
    array('values', 'values', paddedBytes(e.values)),
    array('deltaIndices', 'indices', e.deltaIndices.byteLength),
    array('baseIndices', 'indices', 4 * Math.ceil(e.baseIndices.byteLength / 4)),
    array('blockPtr', 'metadata', e.blockPtr.byteLength),
    array('places', 'metadata', partialSums(e).places.byteLength),
    array('x', 'x', 4 * e.cols),
  ];
}

function sitesOf({ valueType }: EcCsrEncoded): readonly LoadSite[] {
  const wordOf = valueType === 'f16' ? 8 : 16;
  return [
    { array: 0, itemBytes: 16, elementBytes: 16 },
    { array: 0, itemBytes: 8, elementBytes: 8 },
    { array: 0, itemBytes: 4, elementBytes: wordOf },
    ...[1, 2, 3, 4, 5].map((array) => ({ array, itemBytes: 4, elementBytes: 4 })),
  ];
}

/**
 * The loads of the blocks in ec-csr/spmv_subgroup: the lanes of a subgroup share a block, or several if it is wider.
 * The pass that adds up sums by row, which is short, is left out.
 */
export const blockLoads: LoadsModel<EcCsrEncoded> = (e, { subgroupMaxSize: width }): KernelLoads => {
  const { rowIndices } = e;
  const at = new LaneItems(width);
  const { items } = at;
  const infos = setInfos(e);
  const lanesPerBlock = Math.min(e.lanes, width);
  const blocksPerWorkgroup = KERNEL_LANES / lanesPerBlock;
  const blocksPerSubgroup = width / lanesPerBlock;
  const subgroupsPerWorkgroup = KERNEL_LANES / width;
  const workgroupsOf = (set: SetInfo): number => Math.ceil(set.blocks / blocksPerWorkgroup);
  const workgroups = infos.reduce((sum, set) => sum + workgroupsOf(set), 0);
  const loads = new BlockLoads(e, at, infos, lanesPerBlock);

  /** The set of a subgroup, and its first block there, which may be past the end. */
  const shareOf = (subgroup: number): { readonly set: SetInfo; readonly first: number } => {
    let left = Math.floor(subgroup / subgroupsPerWorkgroup);
    const within = (subgroup % subgroupsPerWorkgroup) * blocksPerSubgroup;
    let s = 0;
    while (s < infos.length - 1 && left >= workgroupsOf(infos[s])) left -= workgroupsOf(infos[s++]);
    return { set: infos[s], first: left * blocksPerWorkgroup + within };
  };

  /** The destinations of the lanes' sums; if a block has fewer lanes than rows, its first lane loads all of them. */
  const places = ({ granularity, rowIndicesAt }: SetInfo): void => {
    for (let lane = 0; lane < width; lane++) {
      items[lane] = rowIndicesAt + granularity * loads.blockOf[lane] + ((lane % lanesPerBlock) & (granularity - 1));
    }
    at.take(SITES.places, items);
  };
  const placesOfFirst = ({ granularity, rowIndicesAt, blocks }: SetInfo): void => {
    for (let row = 0; row < granularity; row++) {
      for (let lane = 0; lane < width; lane++) {
        const block = loads.blockOf[lane];
        const asks = lane % lanesPerBlock === 0 && block < blocks;
        items[lane] = asks ? rowIndicesAt + granularity * block + row : ABSENT;
      }
      at.load(SITES.places);
    }
  };

  return {
    arrays: arraysOf(e),
    sites: sitesOf(e),
    lanes: width,
    subgroups: workgroups * subgroupsPerWorkgroup,
    subgroupsPerWorkgroup,
    rowsOf(subgroup) {
      const { set, first } = shareOf(subgroup);
      const end = Math.min(set.blocks, first + blocksPerSubgroup);
      const from = set.rowIndicesAt + set.granularity * first;
      return rowIndices.subarray(from, Math.max(from, set.rowIndicesAt + set.granularity * end));
    },
    subgroupOf(row) {
      let before = 0;
      for (const set of infos) {
        const from = set.rowIndicesAt;
        const found = rowIndices.subarray(from, from + set.granularity * set.blocks).indexOf(row);
        if (found >= 0) {
          const block = Math.floor(found / set.granularity);
          return before * subgroupsPerWorkgroup + Math.floor(block / blocksPerSubgroup);
        }
        before += workgroupsOf(set);
      }
      return 0;
    },
    walk(subgroup, take) {
      at.take = take;
      const { set, first } = shareOf(subgroup);
      for (let lane = 0; lane < width; lane++) loads.blockOf[lane] = first + Math.floor(lane / lanesPerBlock);
      places(set);
      loads.walk(set);
      if (set.granularity > lanesPerBlock) placesOfFirst(set);
    },
  };
};
