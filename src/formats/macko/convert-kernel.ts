import storeValues from '../../../shaders/macko/store_values.wgsl';
import cells from '../../../shaders/macko/cells.wgsl';
import convert from '../../../shaders/macko/convert.wgsl';
import { splitWorkgroups, type KernelSpec, type PassPlan, type SizedPass } from '../../core/kernel/kernel.ts';
import { input, multiPassKernel, output, type Part, scratch } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { GROUP, type MackoEncoded } from './layout.ts';
import { checkedCells } from './read-converted.ts';

/** Lanes of a workgroup in the first, third and fourth pass. */
const MASK_LANES = 128;
const ROW_LANES = 256;
const WRITE_LANES = 128;
/** Lanes of a workgroup in the second pass: a lane reads about four of the `words` of a row's mask, 32 columns each. */
const startLanes = (words: number): number => Math.min(128, Math.max(32, 2 ** Math.ceil(Math.log2(words / 4))));
/** The first pass needs the most memory: 32 bytes per lane and 128, as in the header of its shader. */
const NEEDS = { lanes: ROW_LANES, memoryBytes: 32 * MASK_LANES + 128 };

/** Words of the mask of a row. */
const wordsOf = ({ cols }: MackoEncoded): number => Math.ceil(cols / 32);

/** The passes write: masks of the non-zeros, entries before every word of a mask, row starts, and the entries. */
function passesOf(e: MackoEncoded): readonly SizedPass[] {
  const { rows, cols, deltaBits, values, deltas } = e;
  const entriesPerLane = Math.max(GROUP, 32 / deltaBits);
  const sizes = Uint32Array.of(rows, cols, wordsOf(e), values.length, deltas.length);
  const params = { role: 'params', name: 'sizes', data: sizes } as const;
  const passes: readonly PassPlan[] = [
    {
      files: shaderFiles(convert.variants.masks, [cells.variants[cols % 4 === 0 ? 'fours' : 'ones']]),
      constants: { WORKGROUP_SIZE: MASK_LANES },
      bindings: ['sizes', 'h', 'masks'],
      workgroups: splitWorkgroups(Math.ceil((rows * wordsOf(e)) / MASK_LANES)),
    },
    {
      files: shaderFiles(convert.variants.starts),
      constants: { WORKGROUP_SIZE: startLanes(wordsOf(e)), DELTA_BITS: deltaBits },
      bindings: ['sizes', 'masks', 'starts', 'counts'],
      workgroups: splitWorkgroups(rows),
    },
    {
      files: shaderFiles(convert.variants.rows),
      constants: { WORKGROUP_SIZE: ROW_LANES },
      bindings: ['sizes', 'counts', 'indptr made'],
      workgroups: [1, 1, 1],
    },
    {
      files: shaderFiles(convert.variants.entries, [storeValues.variants[e.valueType === 'f16' ? 'f16' : 'f32']]),
      constants: { WORKGROUP_SIZE: WRITE_LANES, DELTA_BITS: deltaBits, ENTRIES_PER_LANE: entriesPerLane },
      bindings: ['sizes', 'h', 'masks', 'starts', 'indptr made', 'values made', 'deltas made'],
      workgroups: splitWorkgroups(Math.ceil(values.length / entriesPerLane / WRITE_LANES)),
    },
  ];
  return passes.map((pass) => ({ params, pass }));
}

/** Buffers except sizes: `h` is the dense matrix; outputs are in the order in which `checkedCells` reads them. */
function buffersOf(e: MackoEncoded): readonly Part[] {
  const words = e.rows * wordsOf(e);
  return [
    input('h', e.rows * e.cols, 'f32'),
    scratch('masks', 4 * words),
    scratch('starts', 4 * words),
    scratch('counts', 4 * e.rows),
    output('values made', e.values.byteLength),
    output('deltas made', e.deltas.byteLength),
    output('indptr made', e.indptr.byteLength),
  ];
}

/**
 * The encoder as a kernel: writes a dense matrix into MACKO's arrays, with the same bits as encode.ts. Of the encoded
 * matrix it uses only the shape, the parameters and the lengths of the arrays.
 */
export const convertKernel: KernelSpec<MackoEncoded> = multiPassKernel({
  id: 'macko/convert',
  operation: 'convert',
  title: 'counted by rows, written by words',
  // The scale of an i8 row is a quotient, which devices round differently.
  only: { valueType: ['f16', 'f32'] },
  extraRoundings: 1,
  needs: () => NEEDS,
  read: checkedCells,
  partsOf: (e) => ({ passes: passesOf(e), buffers: buffersOf(e) }),
});
