import { largestNeeds, type WorkgroupNeeds } from '../../core/kernel/device-limits.ts';
import { tileChoices, tileFor, tileNeeds } from '../../core/kernel/gemm-plan.ts';
import type { DeviceFacts, KernelSpec } from '../../core/kernel/kernel.ts';
import { fourStride } from '../../core/kernel/matmul-plan.ts';
import {
  input,
  multiPassKernel,
  type MultiPassKernel,
  output,
  type Part,
  scratch,
  stored,
} from '../../core/kernel/multi-pass-plan.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import {
  COLUMNS_PER_LANE,
  convertedGateSteps,
  convertStep,
  downStep,
  gateMemory,
  gateStep,
  gateTile,
  MAX_CHUNKS,
  TOKEN_LANES,
  unpackStep,
  UP_DOWN,
  type UpDown,
  upDownStep,
} from './block-steps.ts';
import type { TwellEncoded } from './layout.ts';
import { readPacked, readTokens } from './read-packed.ts';

/**
 * The feed-forward block with h in packed TwELL, made and read inside the block. Of the encoded matrix, kernels that make
 * h take the shape, the tile and the slots. Inputs as src/core/operations/feed-forward.ts defines them.
 */

const wordBytes = ({ rows, tiles, slots }: TwellEncoded): number => 4 * rows * tiles * slots;
/** What every kernel binds of x, which has a row for each token, and of weights, which have one for each neuron. */
const ofTokens = ({ rows }: TwellEncoded, width: number): Part => input('x', rows * width);
const ofNeurons = (name: string, { cols }: TwellEncoded, width: number): Part => input(name, cols * width);
/** What leaves the block, and how many tile rows of each token had lost non-zeros. */
const tokenOutputs = ({ rows }: TwellEncoded, width: number): readonly Part[] => [
  output('y', 4 * rows * width),
  output('overflow', 4 * rows),
];

type BlockKernel = MultiPassKernel<TwellEncoded>;

const packedKernel = (kernel: Omit<BlockKernel, 'only'>): KernelSpec<TwellEncoded> =>
  multiPassKernel({ ...kernel, only: { layout: ['packed'] } });

/** Lanes keep columns of what leaves the block. */
function refusalOfWidth(_e: TwellEncoded, { width }: Sizes): string | null {
  const max = TOKEN_LANES * COLUMNS_PER_LANE * MAX_CHUNKS;
  return width > max ? `holds up to ${max} columns of y at once, found ${width}` : null;
}

const TOKEN_NEEDS: WorkgroupNeeds = { memoryBytes: 44 * TOKEN_LANES, lanes: TOKEN_LANES };
const COPY_NEEDS: WorkgroupNeeds = { memoryBytes: 0, lanes: TOKEN_LANES };
const gateNeeds = (device: DeviceFacts): WorkgroupNeeds => ({
  memoryBytes: gateMemory(device),
  lanes: gateTile(device).lanes,
});

const TOKEN_OUTPUT = { read: readTokens, refusal: refusalOfWidth } as const;
const PACKED_OUTPUT = { outputType: 'bf16', read: readPacked } as const;

/** The kernel in its two variants. */
function bothVariants(
  base: Omit<BlockKernel, 'id' | 'partsOf' | 'features'> & { readonly name: string },
  partsOf: (e: TwellEncoded, sizes: Sizes, device: DeviceFacts, kernel: UpDown) => ReturnType<BlockKernel['partsOf']>,
): readonly KernelSpec<TwellEncoded>[] {
  const { name, title, ...rest } = base;
  return [
    packedKernel({
      ...rest,
      id: `twell/${name}_subgroup`,
      title,
      features: ['subgroups'],
      partsOf: (e, sizes, device) => partsOf(e, sizes, device, UP_DOWN.subgroup),
    }),
    packedKernel({
      ...rest,
      id: `twell/${name}_workgroup`,
      title: `${title}, without subgroups`,
      partsOf: (e, sizes, device) => partsOf(e, sizes, device, UP_DOWN.workgroup),
    }),
  ];
}

export const blockKernels: readonly KernelSpec<TwellEncoded>[] = [
  packedKernel({
    id: 'twell/gate',
    operation: 'gate',
    title: 'GEMM that packs its own tiles',
    roundings: 1,
    needs: (_e, device) => gateNeeds(device),
    ...PACKED_OUTPUT,
    partsOf: (e, { width }, device) => ({
      steps: [gateStep(e, width, device)],
      buffers: [ofTokens(e, width), ofNeurons('wg', e, width), output('words', wordBytes(e))],
    }),
  }),
  packedKernel({
    id: 'twell/gate_converted',
    operation: 'gate',
    title: 'dense GEMM output, packed in a second pass',
    roundings: 1,
    needs: (e, device) => largestNeeds([tileNeeds(tileFor(e.rows, e.cols, device)), COPY_NEEDS]),
    choices: (e, device) => tileChoices([tileFor(e.rows, e.cols, device)]),
    ...PACKED_OUTPUT,
    partsOf: (e, { width }, device, chosen) => ({
      steps: convertedGateSteps(e, width, device, chosen),
      buffers: [
        ofTokens(e, width),
        ofNeurons('wg', e, width),
        scratch('hidden', 2 * e.rows * fourStride(e.cols)),
        output('words', wordBytes(e)),
      ],
    }),
  }),
  ...bothVariants(
    {
      name: 'up_down',
      operation: 'up-down',
      title: 'a workgroup per token, only neurons that fired',
      roundings: 3,
      needs: () => TOKEN_NEEDS,
      ...TOKEN_OUTPUT,
    },
    (e, { width }, device, kernel) => ({
      steps: [upDownStep(e, width, kernel, device)],
      buffers: [
        ofTokens(e, width),
        ofNeurons('wu', e, width),
        ofNeurons('wd', e, width),
        stored('words', e.words),
        ...tokenOutputs(e, width),
      ],
    }),
  ),
  packedKernel({
    id: 'twell/down',
    operation: 'down',
    title: 'a workgroup per token, only neurons that fired',
    roundings: 2,
    needs: () => TOKEN_NEEDS,
    ...TOKEN_OUTPUT,
    partsOf: (e, { width }) => ({
      steps: [downStep(e, width)],
      buffers: [ofNeurons('wd', e, width), stored('words', e.words), ...tokenOutputs(e, width)],
    }),
  }),
  ...bothVariants(
    {
      name: 'forward',
      operation: 'forward',
      title: 'gate that packs, then up and down for neurons that fired',
      roundings: 3,
      needs: (_e, device) => largestNeeds([gateNeeds(device), TOKEN_NEEDS]),
      ...TOKEN_OUTPUT,
    },
    (e, { width }, device, kernel) => ({
      steps: [gateStep(e, width, device), upDownStep(e, width, kernel, device)],
      buffers: [
        ofTokens(e, width),
        ofNeurons('wg', e, width),
        ofNeurons('wu', e, width),
        ofNeurons('wd', e, width),
        scratch('words', wordBytes(e)),
        ...tokenOutputs(e, width),
      ],
    }),
  ),
  packedKernel({
    id: 'twell/convert',
    operation: 'convert',
    title: 'a lane per tile row',
    roundings: 1,
    needs: () => COPY_NEEDS,
    read: readPacked,
    partsOf: (e) => ({
      steps: [convertStep(e, 'h', 'f32')],
      buffers: [input('h', e.rows * e.cols, 'f32'), output('words', wordBytes(e))],
    }),
  }),
  packedKernel({
    id: 'twell/unpack',
    operation: 'unpack',
    title: 'a workgroup per token',
    roundings: 1,
    needs: () => COPY_NEEDS,
    partsOf: (e) => ({ steps: [unpackStep(e)], buffers: [stored('words', e.words), output('h', 4 * e.rows * e.cols)] }),
  }),
];
