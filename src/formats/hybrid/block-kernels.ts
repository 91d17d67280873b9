import factors from '../../../shaders/hybrid/factors.wgsl';
import productsWgsl from '../../../shaders/hybrid/products.wgsl';
import tail from '../../../shaders/hybrid/tail.wgsl';
import down from '../../../shaders/hybrid/down.wgsl';
import weightGradient from '../../../shaders/hybrid/weight_gradient.wgsl';
import { largestNeeds } from '../../core/kernel/device-limits.ts';
import { gateMatmul, hiddenBytes } from '../../core/kernel/gated-block-passes.ts';
import { matmulChoices, matmulNeeds, matmulPass } from '../../core/kernel/matmul-plan.ts';
import type { Chosen } from '../../core/kernel/choices.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  splitWorkgroups,
  type KernelSpec,
  type SizedPass,
} from '../../core/kernel/kernel.ts';
import {
  input,
  multiPassKernel,
  type MultiPassKernel,
  output,
  type Part,
  scratch,
  storedArrays,
  storedParts,
} from '../../core/kernel/multi-pass-plan.ts';
import { WEIGHTS } from '../../core/operations/feed-forward.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { fromMillionths } from '../../core/operations/training.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { entryCount, type HybridEncoded } from './layout.ts';
import { outputName, convertNeeds, convertPasses, CONVERT_SLOTS, convertedParts, FULL_BF16 } from './layout-kernels.ts';
import { cellsOfPlane, readTokens } from './read-hybrid.ts';

/*
 * Kernels of the gated feed-forward block y = (h * x Wu) Wd with the activations h as a hybrid: short rows in slots,
 * long rows dense in a tail. They compute y from h, the product with Wd alone, the backward pass, or the whole block
 * with the conversion of h. Entries of a hybrid: the slots of all rows, then the cells of the tail. A plane has an f32
 * for each entry. `width`: columns of x and y. Inputs: src/core/operations/{feed-forward,training}.ts.
 */

const LANES = 128;
/** Columns that a lane computes at once. */
const COLUMNS_PER_LANE = 8;
/** Name of the buffer in which a pass leaves planes for the next one, as in shaders; hashes of kernels contain it. */
const PLANES = 'flow';

/** Arrays of a hybrid that contain the positions of its values. */
const PATTERN = ['indices', 'counts', 'tailMap', 'tail'] as const;

/** Buffers of a hybrid in the order of their bindings: values, then `PATTERN`. */
type BufferNames = readonly [values: string, ...pattern: string[]];
const ENCODED: BufferNames = ['values', ...PATTERN];
const CONVERTED: BufferNames = [outputName('values'), ...PATTERN.map(outputName)];

/** The encoded hybrid as buffers of a kernel. */
const encodedParts = (e: HybridEncoded): readonly Part[] => storedParts(storedArrays(e, ['values', ...PATTERN]));

/**
 * Sizes of a pass in addition to the sizes of the hybrid. `use` (`step` in shaders): a value of `PRODUCT_USES`; for a pass
 * that adds up rows, 1 if it adds its sums to the buffer.
 */
type PassSizes = Readonly<Record<'width' | 'use' | 'plane' | 'l1Weight', number>>;

/** The uniform of a pass (shaders/hybrid/sizes.wgsl). */
function sizesOf(e: HybridEncoded, name: string, { width, use, plane, l1Weight }: PassSizes): BufferPlan {
  const entries = entryCount(e);
  const data = Uint32Array.of(e.rows, e.cols, e.slots, width, use, plane * entries, entries, 0);
  new Float32Array(data.buffer)[7] = l1Weight;
  return { role: 'params', name, data };
}

/** A shader for passes of products: with subgroups, or without. */
interface ProductShader {
  readonly shader: ShaderModule;
  /** workgroup memory */
  readonly memoryBytes: number;
  /** maximum number of lanes per entry */
  lanes(device: DeviceFacts): number;
}

/** Lanes per entry without subgroups, as in shaders/hybrid/products.wgsl. */
const TEAM_LANES = 32;

const PRODUCT_SHADERS = {
  subgroup: {
    shader: productsWgsl.variants.subgroup,
    memoryBytes: 16 * LANES,
    lanes: ({ subgroupMaxSize }) => subgroupMaxSize,
  },
  workgroup: { shader: productsWgsl.variants.workgroup, memoryBytes: 20 * LANES + 4, lanes: () => TEAM_LANES },
} as const satisfies Readonly<Record<string, ProductShader>>;

/** What a pass does with its products, as `step` in shaders/hybrid/products.wgsl; 'up' multiplies each by its h. */
const PRODUCT_USES = { store: 0, backward: 1, up: 2, upAndStore: 3 } as const;

/** A pass of dot products: for each entry of h, the row of its token times the row of its neuron. */
interface Products {
  readonly sizesName: string; // of its uniform buffer
  readonly use: keyof typeof PRODUCT_USES;
  readonly tokenInput: string;
  readonly neuronInput: string;
  /** number of the plane that 'store' writes and 'backward' reads */
  readonly plane?: number;
  /** factor of sum |h| in the loss, for 'backward' */
  readonly l1Weight?: number;
  /** buffer of the planes; absent: `PLANES` */
  readonly to?: string;
  /** the hybrid's buffers; absent: the buffers of the encoded matrix */
  readonly hybrid?: BufferNames;
}

/** One of the two `PRODUCT_SHADERS`, with its maximum number of lanes per entry on a device. */
interface Variant {
  readonly shader: ShaderModule;
  readonly lanes: number;
}

/** The pass that computes products into planes. */
function productPass(e: HybridEncoded, width: number, { shader, lanes }: Variant, products: Products): SizedPass {
  const { sizesName, use, tokenInput, neuronInput, plane = 0, l1Weight = 0, to = PLANES, hybrid = ENCODED } = products;
  return {
    params: sizesOf(e, sizesName, { width, use: PRODUCT_USES[use], plane, l1Weight }),
    pass: {
      files: shaderFiles(shader),
      constants: { WORKGROUP_SIZE: LANES, FULL_STEPS: Math.floor(width / (lanes * COLUMNS_PER_LANE)) },
      bindings: [sizesName, ...hybrid, tokenInput, neuronInput, to],
      workgroups: splitWorkgroups(e.rows),
    },
    multiplyAdds: e.nnz * width,
  };
}

/** A pass that adds up rows, each times the factor of an entry. */
interface Sum {
  readonly sizesName: string; // of its uniform buffer
  /** buffers of the rows, and of the sums */
  readonly from: string;
  readonly to: string;
  /** number of the plane with the factors; absent: the stored values */
  readonly plane?: number;
  /** whether the sums are added to those in the buffer */
  readonly isAdded?: boolean;
  /** the hybrid's buffers; absent: the buffers of the encoded matrix */
  readonly hybrid?: BufferNames;
}

/** The pass that computes a sum for every token, or for every neuron. */
function sumPass(e: HybridEncoded, width: number, per: 'token' | 'neuron', sum: Sum): SizedPass {
  const { sizesName, from, to, plane, isAdded = false, hybrid = ENCODED } = sum;
  const [values, ...pattern] = hybrid;
  const isStored = plane === undefined;
  const sums = per === 'token' ? e.rows : e.cols;
  return {
    params: sizesOf(e, sizesName, { width, use: isAdded ? 1 : 0, plane: plane ?? 0, l1Weight: 0 }),
    pass: {
      files:
        per === 'token'
          ? shaderFiles(down, [factors.variants[isStored ? 'stored' : 'computed']])
          : shaderFiles(weightGradient),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: [sizesName, isStored ? values : PLANES, ...pattern, from, to],
      workgroups: splitWorkgroups(sums * Math.ceil(width / (COLUMNS_PER_LANE * LANES))),
    },
    multiplyAdds: e.nnz * width,
  };
}

const planesPart = (e: HybridEncoded, planes: number): Part => scratch(PLANES, 4 * planes * entryCount(e));

/** The buffer of the planes of `upDownPasses`. */
const upDownPlanes = (e: HybridEncoded, storesXWu: boolean): Part => {
  return { ...planesPart(e, storesXWu ? 2 : 1), movedBytes: storesXWu ? 4 * e.nnz : 0 };
};

/** A kernel with passes of products, in two variants: with subgroups and without. */
function bothVariants(
  base: Pick<MultiPassKernel<HybridEncoded>, 'operation' | 'title' | 'extraRoundings' | 'read' | 'choices'> & {
    readonly name: string;
    /** workgroup needs of the passes without products */
    readonly needs?: MultiPassKernel<HybridEncoded>['needs'];
  },
  partsOf: (
    e: HybridEncoded,
    sizes: Sizes,
    variant: Variant,
    device: DeviceFacts,
    chosen?: Chosen,
  ) => ReturnType<MultiPassKernel<HybridEncoded>['partsOf']>,
): readonly KernelSpec<HybridEncoded>[] {
  const { name, title, needs, ...kernel } = base;
  const variant = (
    kind: keyof typeof PRODUCT_SHADERS,
    titleAndFeatures: Pick<MultiPassKernel<HybridEncoded>, 'title' | 'features'>,
  ): KernelSpec<HybridEncoded> => {
    const { shader, memoryBytes, lanes }: ProductShader = PRODUCT_SHADERS[kind];
    return multiPassKernel({
      ...kernel,
      ...titleAndFeatures,
      id: `hybrid/${name}_${kind}`,
      needs: (e, device, sizes) =>
        largestNeeds([{ lanes: LANES, memoryBytes }, ...(needs ? [needs(e, device, sizes)] : [])]),
      partsOf: (e, sizes, device, chosen) => partsOf(e, sizes, { shader, lanes: lanes(device) }, device, chosen),
    });
  };
  return [
    variant('subgroup', { title, features: ['subgroups'] }),
    variant('workgroup', { title: `${title}, without subgroups` }),
  ];
}

/** The passes of y = (h * x Wu) Wd at the entries of h; with `storesXWu`, x Wu is stored in a second plane. */
function upDownPasses(e: HybridEncoded, width: number, variant: Variant, storesXWu: boolean, hybrid = ENCODED) {
  const use = storesXWu ? 'upAndStore' : 'up';
  return [
    productPass(e, width, variant, { sizesName: 'up sizes', use, tokenInput: 'x', neuronInput: 'wu', hybrid }),
    sumPass(e, width, 'token', { sizesName: 'down sizes', plane: 0, from: 'wd', to: 'y', hybrid }),
  ];
}

/** Whether x Wu is stored for the backward pass. */
interface Storing {
  readonly storesXWu: boolean;
}

/** Kernels of y = (h * x Wu) Wd from a stored h. */
function upDown(name: string, title: string, { storesXWu }: Storing): readonly KernelSpec<HybridEncoded>[] {
  return bothVariants({ name, operation: 'up-down', title, extraRoundings: 3 }, (e, { width }, variant) => ({
    passes: upDownPasses(e, width, variant, storesXWu),
    buffers: [
      input('x', e.rows * width),
      input('wu', e.cols * width),
      input('wd', e.cols * width),
      ...encodedParts(e),
      upDownPlanes(e, storesXWu),
      output('y', 4 * e.rows * width),
    ],
  }));
}

/** Output with a number per token: its non-zeros if they fit neither its slots nor the full tail, else 0. */
const OVERFLOW_BUFFER = 'overflow';

/** Kernels of the whole block: h from the gate, its conversion to a hybrid, then (h * x Wu) Wd at its entries. */
const forward = (name: string, operation: string, title: string, { storesXWu }: Storing) =>
  bothVariants(
    {
      name,
      operation,
      title,
      extraRoundings: 3,
      read: readTokens,
      needs: (e, device, { width }) => largestNeeds([matmulNeeds([gateMatmul(e, width)], device), convertNeeds(e)]),
      choices: (e, device, { width }) => matmulChoices([gateMatmul(e, width)], device),
    },
    (e, { width }, variant, device, chosen) => ({
      passes: [
        matmulPass('gate sizes', gateMatmul(e, width), device, chosen),
        ...convertPasses(e, e, FULL_BF16, CONVERT_SLOTS, tail.variants.convert, OVERFLOW_BUFFER), // to the same shape
        ...upDownPasses(e, width, variant, storesXWu, CONVERTED),
      ],
      buffers: [
        input('x', e.rows * width),
        ...WEIGHTS.map((weight) => input(weight, e.cols * width)),
        scratch('hidden', hiddenBytes(e)),
        ...convertedParts(e, true, scratch),
        upDownPlanes(e, storesXWu),
        output('y', 4 * e.rows * width),
        output(OVERFLOW_BUFFER, 4 * e.rows),
      ],
    }),
  );

/** Kernels of the backward pass. x Wu is computed again, or given in plane 3, which a pass that is not timed fills. */
function backward(name: string, title: string, xWu: 'computed' | 'given'): readonly KernelSpec<HybridEncoded>[] {
  const isPrecomputed = xWu === 'given';
  // After the second pass, planes 0 to 2 are h and the gradients dhu and dhg; dhg replaces a computed x Wu.
  const plane = isPrecomputed ? 3 : 2;
  const operation = isPrecomputed ? 'backward-stored' : 'backward';
  return bothVariants({ name, operation, title, extraRoundings: 4 }, (e, { width, l1 }, variant) => {
    const upProducts = { sizesName: 'up sizes', use: 'store', plane, tokenInput: 'x', neuronInput: 'wu' } as const;
    const up = productPass(e, width, variant, upProducts);
    return {
      passes: [
        isPrecomputed ? { ...up, pass: { ...up.pass, isPrecomputed }, multiplyAdds: 0 } : up,
        productPass(e, width, variant, {
          sizesName: 'backward sizes',
          use: 'backward',
          plane,
          l1Weight: fromMillionths(l1),
          tokenInput: 'dy',
          neuronInput: 'wd',
        }),
        sumPass(e, width, 'token', { sizesName: 'dx sizes', plane: 1, from: 'wu', to: 'dx' }),
        sumPass(e, width, 'token', { sizesName: 'dx added sizes', plane: 2, from: 'wg', to: 'dx', isAdded: true }),
        sumPass(e, width, 'neuron', { sizesName: 'dwg sizes', plane: 2, from: 'x', to: 'dwg' }),
        sumPass(e, width, 'neuron', { sizesName: 'dwu sizes', plane: 1, from: 'x', to: 'dwu' }),
        sumPass(e, width, 'neuron', { sizesName: 'dwd sizes', plane: 0, from: 'dy', to: 'dwd' }),
      ],
      buffers: [
        input('x', e.rows * width),
        input('dy', e.rows * width),
        ...WEIGHTS.map((weight) => input(weight, e.cols * width)),
        ...encodedParts(e),
        { ...planesPart(e, plane + 1), movedBytes: isPrecomputed ? 4 * e.nnz : 0 },
        output('dx', 4 * e.rows * width),
        ...WEIGHTS.map((weight) => output(`d${weight}`, 4 * e.cols * width)),
      ],
    };
  });
}

/** The products that 'hybrid/sampled_product' computes: dy Wdᵀ. */
const SAMPLED = { sizesName: 'sizes', use: 'store', tokenInput: 'dy', neuronInput: 'wd' } as const;

/** The WebGPU kernels of the feed-forward block with h in the hybrid. */
export const blockKernels: readonly KernelSpec<HybridEncoded>[] = [
  ...upDown('up_down', 'a workgroup per token, only neurons that fired', { storesXWu: false }),
  ...upDown('up_down_storing', 'x Wu is stored as well, for the backward pass', { storesXWu: true }),
  multiPassKernel({
    id: 'hybrid/down',
    operation: 'down',
    title: 'a workgroup per token, only neurons that fired',
    extraRoundings: 2,
    needs: () => ({ lanes: LANES, memoryBytes: 16 * LANES }),
    partsOf: (e, { width }) => ({
      passes: [sumPass(e, width, 'token', { sizesName: 'down sizes', from: 'wd', to: 'y' })],
      buffers: [input('wd', e.cols * width), ...encodedParts(e), output('y', 4 * e.rows * width)],
    }),
  }),
  ...forward('forward', 'forward', 'gate in full, made a hybrid, then up and down for neurons that fired', {
    storesXWu: false,
  }),
  ...forward('forward_storing', 'forward-storing', 'the whole block, x Wu is stored as well', { storesXWu: true }),
  ...backward('backward', 'a workgroup per token, then one per neuron, only non-zeros', 'computed'),
  ...backward('backward_stored', 'x Wu is there from the forward pass', 'given'),
  ...bothVariants(
    {
      name: 'sampled_product',
      operation: 'sampled-product',
      title: 'a workgroup per token, only non-zeros',
      extraRoundings: 1,
      read: (e, words) => cellsOfPlane(e, new Float32Array(words.buffer, words.byteOffset, entryCount(e))),
    },
    (e, { width }, variant) => ({
      passes: [productPass(e, width, variant, { ...SAMPLED, to: 'products' })],
      buffers: [
        input('dy', e.rows * width),
        input('wd', e.cols * width),
        ...encodedParts(e),
        // Only the numbers of non-zeros are written.
        { ...output('products', 4 * entryCount(e)), movedBytes: 4 * e.nnz },
      ],
    }),
  ),
];
