import type { Choice, Chosen } from './choices.ts';
import type { Support } from '../encoded/admission.ts';
import { tokensPiece } from './gemm-plan.ts';
import { type DeviceFacts, splitWorkgroups, type KernelPlan, type PassPlan } from './kernel.ts';
import { input, output, type Part, partsFit, partsPlan } from './multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

/** The input 'x', activations to be quantised: `tokens` x `cols` f32 values. A row becomes `words` words of four i8. */
export interface Activations {
  readonly tokens: number;
  readonly cols: number;
  readonly words: number;
}

/*
 * Plans of kernels that quantise activations on the device: each row of f32 values (a token) becomes i8 integers, four in
 * a word, and one scale.
 */

/** Lanes that share a row on a GPU, and on a software adapter. */
const LANES = 256;
const FALLBACK_LANES = 64;
/** The words of a row in workgroup memory are a multiple of this, to limit the number of compilations. */
const WORDS_UNIT = 64;

/** Lanes that share a row. Software adapters compile large workgroups slowly, so fewer lanes share a row there. */
function lanesOn({ isFallback }: DeviceFacts): number {
  return isFallback ? FALLBACK_LANES : LANES;
}

/** Words of a row in workgroup memory, rounded up. */
function wordsInMemory(cols: number): number {
  return Math.max(1, Math.ceil(cols / 4 / WORDS_UNIT)) * WORDS_UNIT;
}

/** Bytes of the output: all words, and a scale for each token. */
export function quantisedBytes({ tokens, words }: Activations): number {
  return 4 * tokens * (words + 1);
}

/**
 * Whether a quantised row fits into the device's workgroup memory, and the device can bind the activations and the
 * words.
 */
export function quantiseFits(a: Activations, device: DeviceFacts): Support {
  const lanes = lanesOn(device);
  const memoryBytes = 4 * (wordsInMemory(a.cols) + lanes);
  return partsFit(partsOf(a), { lanes, memoryBytes, memoryFor: `${a.cols} columns` }, device);
}

function partsOf(a: Activations): readonly Part[] {
  return [input('x', a.tokens * a.cols, 'f32'), output('y', quantisedBytes(a))];
}

/** The choice of a timing trial: the lanes that share a token. */
export function quantiseChoice(device: DeviceFacts): Choice {
  const start = lanesOn(device);
  const values = [start, 128, 64].filter((lanes, i) => i === 0 || lanes < start);
  return { kind: 'one-of', name: 'lanes per token', start, values };
}

/** The members of the shader's struct Params. */
export function quantiseParams({ tokens, cols, words }: Activations): readonly number[] {
  return [tokens, cols, words];
}

/** The pass from f32 activations to words and scales. Bindings: params, activations, words. */
export function quantisePass(
  a: Activations,
  device: DeviceFacts,
  kernel: ShaderModule,
  constants: Readonly<Record<string, number>> = {},
  chosen: Chosen = {},
): Omit<PassPlan, 'bindings'> {
  return {
    files: shaderFiles(kernel, [tokensPiece(a.cols)]),
    constants: {
      WORKGROUP_SIZE: chosen['lanes per token'] ?? lanesOn(device),
      WORDS: wordsInMemory(a.cols),
      ...constants,
    },
    workgroups: splitWorkgroups(a.tokens),
  };
}

/** The plan of a kernel with one pass, the pass of `quantisePass`. */
export function quantisePlan(a: Activations, pass: Omit<PassPlan, 'bindings'>): KernelPlan {
  const params = { role: 'params', name: 'params', data: Uint32Array.from(quantiseParams(a)) } as const;
  return partsPlan([params], partsOf(a), [{ ...pass, bindings: ['params', 'x', 'y'] }]);
}

/**
 * The outputs of the operation Q(X) from a kernel's memory: the integers of every token, then the scales. `columnOf`
 * returns the column of the first byte of every word. A column whose words disagree is NaN, and so is a column that no
 * word contains.
 */
export function readQuantised(
  { tokens, cols, words }: Activations,
  written: Uint32Array<ArrayBuffer>,
  columnOf: (word: number) => number,
): Float32Array {
  const outputs = new Float32Array(tokens * (cols + 1)).fill(Number.NaN);
  const bytes = new Int8Array(written.buffer, written.byteOffset, 4 * written.length);
  const hasValue = new Uint8Array(cols);
  for (let token = 0; token < tokens; token++) {
    hasValue.fill(0);
    for (let word = 0; word < words; word++) {
      const first = columnOf(word);
      const end = Math.min(4, cols - first);
      for (let i = 0; i < end; i++) {
        const column = first + i;
        const value = bytes[4 * (token * words + word) + i];
        const index = token * cols + column;
        if (hasValue[column] === 0) outputs[index] = value;
        else if (outputs[index] !== value) outputs[index] = Number.NaN;
        hasValue[column] = 1;
      }
    }
  }
  outputs.set(new Float32Array(written.buffer, written.byteOffset + 4 * tokens * words, tokens), tokens * cols);
  return outputs;
}
