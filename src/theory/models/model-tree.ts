import { MatrixError } from '../../core/errors.ts';
import { quotedValue } from '../../core/bounds/quote.ts';
import { MATRIX_NAMES, matricesOf, type MatrixName, type ModelShape, weightsOf } from './model-shape.ts';
import { modelOfSizes, sizesText } from './model-sizes.ts';
import { shippedId, KNOWN_MODELS } from './known-models.ts';

/* A model as a tree: model, layer, matrix. Paths in it, as addresses have them, and the search for a path by words. */

/** Bytes of a weight in f16. */
const F16_BYTES = 2;

/** Matrices that Llama's files have under 'mlp'; the others of a layer are under 'self_attn'. */
const IN_MLP: readonly MatrixName[] = ['gate', 'up', 'down'];

/** A model, one of its layers or one of its matrices, as an address names it. */
export interface ModelPath {
  /** see `modelId` */
  readonly model: string;
  /** from 0; absent for lm_head, which is in no layer */
  readonly layer?: number;
  readonly matrix?: MatrixName;
}

export type ModelLevel = 'model' | 'layer' | 'matrix';

/** One matrix of a model with its sizes. */
export interface TreeMatrix {
  readonly name: MatrixName;
  /** 'down_proj' */
  readonly title: string;
  /** null for lm_head */
  readonly layer: number | null;
  /** outputs */
  readonly rows: number;
  /** inputs */
  readonly cols: number;
  /** in f16 */
  readonly bytes: number;
  /** matrices of this name in the model */
  readonly count: number;
  /** in one layer: 1, or the number of experts */
  readonly perLayer: number;
  /** share of the model's weights that all matrices of this name have */
  readonly share: number;
  /**
   * name of its tensor in files of the Llama family; null for models without a gate, with experts or latent attention,
   * whose names differ. A family may store several matrices as one tensor (Phi-3).
   */
  readonly tensor: string | null;
}

/** The target of a path: its model, its level, and a matrix. */
export interface ModelPosition {
  readonly model: ModelShape;
  readonly level: ModelLevel;
  /** the full path of `matrix` */
  readonly path: ModelPath & { readonly matrix: MatrixName };
  /** the matrix of the path; of a layer or model, the one with the most bytes */
  readonly matrix: TreeMatrix;
}

/** A model's name in addresses: 'llama-3.1-8b', 'tales' if it comes with the page, its sizes if it is not listed. */
export function modelId(model: ModelShape): string {
  if (!KNOWN_MODELS.includes(model)) return sizesText(model);
  return shippedId(model) ?? model.name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
}

/**
 * The matrices of a layer, or of the whole model, each name once, from the first layer that has it; in the order in
 * which a token is multiplied with them.
 */
export function matricesIn(model: ModelShape, layer: number | null = null): readonly TreeMatrix[] {
  return matricesOf(model)
    .filter(({ layers }) => layer === null || (layers !== null && layer >= layers[0] && layer < layers[1]))
    .map(({ names: [name], rows, cols, count, layers }): TreeMatrix => {
      const matrixLayer = layers === null ? null : (layer ?? layers[0]);
      return {
        name,
        title: titleOf(name),
        layer: matrixLayer,
        rows,
        cols,
        bytes: rows * cols * F16_BYTES,
        count,
        perLayer: layers === null ? 1 : count / (layers[1] - layers[0]),
        share: (rows * cols * count) / weightsOf(model),
        tensor: tensorOf(model, name, matrixLayer),
      };
    });
}

/** The matrix whose name has the most bytes in a layer, or in the whole model; the last of equal ones. */
export function largestMatrix(model: ModelShape, layer: number | null = null): TreeMatrix {
  const bytesOf = ({ bytes, count, perLayer }: TreeMatrix): number => bytes * (layer === null ? count : perLayer);
  return matricesIn(model, layer).reduce((largest, matrix) => (bytesOf(matrix) >= bytesOf(largest) ? matrix : largest));
}

/** Fields of a path as written by the user, not yet checked. */
export interface WrittenPath {
  readonly model: string;
  readonly layer?: number;
  readonly matrix?: string;
}

/**
 * The part of a model that a written path names. A matrix without a layer is the matrix of the first layer. Throws
 * MatrixError for a model, layer or matrix that does not exist.
 */
export function findPosition(written: WrittenPath, models: readonly ModelShape[] = KNOWN_MODELS): ModelPosition {
  const model = models.find((known) => modelId(known) === written.model) ?? modelOfSizes(written.model);
  if (!model) {
    throw new MatrixError(
      `model: found ${quotedValue(written.model)}, expected one of ${models.map(modelId).join(', ')}`,
    );
  }
  const { layer, matrix: name } = written;
  if (layer !== undefined && !(Number.isInteger(layer) && layer >= 0 && layer < model.layers)) {
    throw new MatrixError(
      `layer of ${model.name}: found ${quotedValue(layer)}, expected a whole number from 0 to ${model.layers - 1}`,
    );
  }
  const names = matricesIn(model).map((candidate) => candidate.name);
  if (name !== undefined && !names.some((known) => known === name)) {
    throw new MatrixError(`matrix of ${model.name}: found ${quotedValue(name)}, expected one of ${names.join(', ')}`);
  }
  if (name === 'lm_head' && layer !== undefined) {
    throw new MatrixError(`matrix of ${model.name}: found lm_head in layer ${layer}, expected it without a layer`);
  }
  const matrix =
    name === undefined
      ? largestMatrix(model, layer ?? null)
      : matricesIn(model, name === 'lm_head' ? null : (layer ?? null)).find((candidate) => candidate.name === name);
  if (!matrix) {
    const namesInLayer = matricesIn(model, layer).map((candidate) => candidate.name);
    throw new MatrixError(
      `matrix of ${model.name}, layer ${layer}: found ${quotedValue(name)}, expected one of ${namesInLayer.join(', ')}`,
    );
  }
  return {
    model,
    level: name === undefined ? (layer === undefined ? 'model' : 'layer') : 'matrix',
    path: pathTo(model, matrix),
    matrix,
  };
}

/** A matrix in words: 'Llama-3.1-8B › layer 12 › down_proj'. */
export function positionText({ name }: Pick<ModelShape, 'name'>, { layer, title }: TreeMatrix): string {
  return [name, ...(layer === null ? [] : [`layer ${layer}`]), title].join(' › ');
}

/** Number and share of the matrices of one name: '32 of them, 23 % of the model'. */
export function shareText({ count, share }: Pick<TreeMatrix, 'count' | 'share'>): string {
  const percent = share > 0 && share < 0.005 ? '<1' : String(Math.round(100 * share));
  return `${count === 1 ? 'one' : `${count} of them`}, ${percent}\u202f% of the model`;
}

/**
 * The alternatives of one level of a path: other models, other layers of the model, or other matrices of the layer and
 * lm_head. Their other levels stay the same as far as they exist there.
 */
export function neighbours(
  location: Pick<ModelPosition, 'model' | 'matrix'>,
  level: ModelLevel,
  models: readonly ModelShape[] = KNOWN_MODELS,
): readonly ModelPath[] {
  const { model, matrix } = location;
  if (level === 'matrix') {
    const head = matricesIn(model).filter(({ layer }) => layer === null);
    return [...matricesIn(model, matrix.layer ?? 0), ...head].map((neighbour) => pathTo(model, neighbour));
  }
  /** the matrix of the same name in a layer; if it has none, its largest matrix */
  const sameOrLargest = (other: ModelShape, layer: number): TreeMatrix =>
    matricesIn(other, layer).find(({ name }) => name === matrix.name) ?? largestMatrix(other, layer);
  if (level === 'layer')
    return Array.from({ length: model.layers }, (_, layer) => pathTo(model, sameOrLargest(model, layer)));
  return models.map((other) => {
    const head = matricesIn(other).find(({ name }) => name === matrix.name && name === 'lm_head');
    return pathTo(other, head ?? sameOrLargest(other, Math.min(matrix.layer ?? 0, other.layers - 1)));
  });
}

/**
 * The paths that match some words, in the order of the models: 'llama 8b down', 'qwen layer 3'. A word is a matrix, a
 * layer, or a part of a model's name; without a matrix the path leads to a model or a layer. No words mean every
 * model.
 */
export function searchPaths(words: string, models: readonly ModelShape[] = KNOWN_MODELS): readonly ModelPath[] {
  const terms = searchTerms(words);
  return models.flatMap((model): readonly ModelPath[] => {
    if (terms.layer !== null && terms.layer >= model.layers) return [];
    const found = matricesIn(model, terms.layer).find(({ name }) => name === terms.matrix);
    if (terms.matrix !== null && !found) return [];
    const modelName = lettersAndDigits(model.name);
    if (!terms.names.every((name) => modelName.includes(name))) return [];
    const layer = terms.layer ?? found?.layer ?? null;
    return [
      {
        model: modelId(model),
        ...(layer === null ? {} : { layer }),
        ...(terms.matrix === null ? {} : { matrix: terms.matrix }),
      },
    ];
  });
}

interface SearchTerms {
  readonly layer: number | null;
  readonly matrix: MatrixName | null;
  /** parts of a model's name */
  readonly names: readonly string[];
}

function searchTerms(words: string): SearchTerms {
  let layer: number | null = null;
  let matrix: MatrixName | null = null;
  const names: string[] = [];
  for (const word of words
    .toLowerCase()
    .replaceAll(/\blayer\s+(?=\d)/g, 'layer')
    .split(/[\s›/,]+/)) {
    const number = /^(?:layer|l)(\d{1,8})$/.exec(word)?.[1];
    const name = MATRIX_WORDS.get(word);
    if (number !== undefined) layer = Number(number);
    else if (name !== undefined) matrix = name;
    else if (lettersAndDigits(word) !== '') names.push(lettersAndDigits(word));
  }
  return { layer, matrix, names };
}

const MATRIX_WORDS: ReadonlyMap<string, MatrixName> = new Map([
  ...MATRIX_NAMES.flatMap((name): [string, MatrixName][] => [
    [name, name],
    [`${name}_proj`, name],
  ]),
  ['head', 'lm_head'],
]);

/** The letters and digits of a text, in lower case, so that 'llama31' is found in 'Llama-3.1-8B'. */
function lettersAndDigits(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function pathTo(model: ModelShape, { name, layer }: Pick<TreeMatrix, 'name' | 'layer'>) {
  return { model: modelId(model), ...(layer === null ? {} : { layer }), matrix: name };
}

function titleOf(name: MatrixName): string {
  if (name === 'lm_head' || name === 'router') return name;
  return `${name.replace(/^(expert|shared)_/, '$1 ')}_proj`;
}

function tensorOf(model: ModelShape, name: MatrixName, layer: number | null): string | null {
  const { gated, tied, experts, latent } = model;
  if (!gated || experts || latent) return null;
  if (name === 'lm_head') return tied ? 'model.embed_tokens.weight' : 'lm_head.weight';
  return `model.layers.${layer ?? 0}.${IN_MLP.includes(name) ? 'mlp' : 'self_attn'}.${titleOf(name)}.weight`;
}
