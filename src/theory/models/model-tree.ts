import { MatrixError } from '../../core/errors.ts';
import { quotedValue } from '../../core/bounds/check.ts';
import { KNOWN_MODELS, MATRIX_NAMES, matricesOf, type MatrixName, type ModelShape, weightsOf } from './model-shape.ts';
import { modelOfSizes, sizesText } from './model-sizes.ts';
import { shippedId } from './shipped-models.ts';

/** Bytes of a weight in f16. */
const F16_BYTES = 2;

/** Matrices of Llama's files between 'mlp' and '_proj'; the others of a layer are in 'self_attn'. */
const IN_MLP: readonly MatrixName[] = ['gate', 'up', 'down'];

/** A place in a model as an address has it: the deepest field that is set is its level. */
export interface ModelPath {
  /** see `modelId` */
  readonly model: string;
  /** from 0; absent for lm_head, which is in no layer */
  readonly layer?: number;
  readonly matrix?: MatrixName;
}

export type ModelLevel = 'model' | 'layer' | 'matrix';

/** One matrix of a model. */
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
  /** in a layer that has it, or in none: 1, or as many as it has experts */
  readonly each: number;
  /** of all of that name, in the weights of the model */
  readonly share: number;
  /**
   * its tensor in files of the Llama family; null for models without a gate or with experts, whose families have different
   * names. A family may store several matrices as one tensor (Phi-3).
   */
  readonly tensor: string | null;
}

/** Where a path leads. */
export interface ModelPlace {
  readonly model: ModelShape;
  readonly level: ModelLevel;
  /** the path with every field that its matrix has */
  readonly path: ModelPath & { readonly matrix: MatrixName };
  /** of a level above it: one of those with the most bytes */
  readonly matrix: TreeMatrix;
}

/** A model in addresses: 'llama-3.1-8b', 'tales' for one that comes with the page, and one that is not listed by its sizes. */
export function modelId(model: ModelShape): string {
  if (!KNOWN_MODELS.includes(model)) return sizesText(model);
  return shippedId(model) ?? model.name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
}

/**
 * The matrices of a layer, or of the whole model with those of the first layer that has them, in the order in which a token
 * meets them.
 */
export function matricesIn(model: ModelShape, layer: number | null = null): readonly TreeMatrix[] {
  return matricesOf(model)
    .filter(({ layers }) => layer === null || (layers !== null && layer >= layers[0] && layer < layers[1]))
    .map(({ names: [name], rows, cols, count, layers }): TreeMatrix => {
      const at = layers === null ? null : (layer ?? layers[0]);
      return {
        name,
        title: titleOf(name),
        layer: at,
        rows,
        cols,
        bytes: rows * cols * F16_BYTES,
        count,
        each: layers === null ? 1 : count / (layers[1] - layers[0]),
        share: (rows * cols * count) / weightsOf(model),
        tensor: tensorOf(model, name, at),
      };
    });
}

/** The last of those whose matrices in the level take the most bytes together: down_proj where the block has the most. */
export function largestMatrix(model: ModelShape, layer: number | null = null): TreeMatrix {
  const bytesOf = ({ bytes, count, each }: TreeMatrix): number => bytes * (layer === null ? count : each);
  return matricesIn(model, layer).reduce((max, one) => (bytesOf(one) >= bytesOf(max) ? one : max));
}

/** Fields of a path as they were written, not yet checked. */
export interface WrittenPath {
  readonly model: string;
  readonly layer?: number;
  readonly matrix?: string;
}

/**
 * Where a path leads. A matrix of a block without a layer is that of the first one. Throws MatrixError with one sentence
 * for a model, layer or matrix that does not exist.
 */
export function findPlace(written: WrittenPath, models: readonly ModelShape[] = KNOWN_MODELS): ModelPlace {
  const model = models.find((one) => modelId(one) === written.model) ?? modelOfSizes(written.model);
  if (!model) {
    throw new MatrixError(
      `model: found ${quotedValue(written.model)}, expected one of ${models.map((one) => modelId(one)).join(', ')}`,
    );
  }
  const { layer, matrix: name } = written;
  if (layer !== undefined && !(Number.isInteger(layer) && layer >= 0 && layer < model.layers)) {
    throw new MatrixError(
      `layer of ${model.name}: found ${quotedValue(layer)}, expected a whole number from 0 to ${model.layers - 1}`,
    );
  }
  const known = matricesIn(model);
  if (name !== undefined && !known.some((one) => one.name === name)) {
    throw new MatrixError(
      `matrix of ${model.name}: found ${quotedValue(name)}, expected one of ${known.map((one) => one.name).join(', ')}`,
    );
  }
  if (name === 'lm_head' && layer !== undefined) {
    throw new MatrixError(`matrix of ${model.name}: found lm_head in layer ${layer}, expected it without a layer`);
  }
  const matrix =
    name === undefined
      ? largestMatrix(model, layer ?? null)
      : matricesIn(model, name === 'lm_head' ? null : (layer ?? null)).find((one) => one.name === name);
  if (!matrix) {
    const inIt = matricesIn(model, layer).map((one) => one.name);
    throw new MatrixError(
      `matrix of ${model.name}, layer ${layer}: found ${quotedValue(name)}, expected one of ${inIt.join(', ')}`,
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
export function placeText({ name }: Pick<ModelShape, 'name'>, { layer, title }: TreeMatrix): string {
  return [name, ...(layer === null ? [] : [`layer ${layer}`]), title].join(' › ');
}

/** How much of a model the matrices of one name are: '32 of them, 23 % of the model'. */
export function shareText({ count, share }: Pick<TreeMatrix, 'count' | 'share'>): string {
  const percent = share > 0 && share < 0.005 ? '<1' : String(Math.round(100 * share));
  return `${count === 1 ? 'one' : `${count} of them`}, ${percent}\u202f% of the model`;
}

/**
 * What a breadcrumb offers in place of one of its names, at the same place otherwise as far as it exists there: other
 * models, layers of the model, or matrices of the layer with lm_head.
 */
export function neighbours(
  place: Pick<ModelPlace, 'model' | 'matrix'>,
  level: ModelLevel,
  models: readonly ModelShape[] = KNOWN_MODELS,
): readonly ModelPath[] {
  const { model, matrix } = place;
  if (level === 'matrix') {
    const head = matricesIn(model).filter(({ layer }) => layer === null);
    return [...matricesIn(model, matrix.layer ?? 0), ...head].map((one) => pathTo(model, one));
  }
  const alike = (other: ModelShape, layer: number): TreeMatrix =>
    matricesIn(other, layer).find(({ name }) => name === matrix.name) ?? largestMatrix(other, layer);
  if (level === 'layer') {
    return Array.from({ length: model.layers }, (_, layer) => pathTo(model, alike(model, layer)));
  }
  return models.map((other) => {
    const head = matricesIn(other).find(({ name }) => name === matrix.name && name === 'lm_head');
    return pathTo(other, head ?? alike(other, Math.min(matrix.layer ?? 0, other.layers - 1)));
  });
}

/**
 * The paths that some words mean, in the order of the models: 'llama 8b down', 'qwen layer 3'. A word is a matrix, a layer,
 * or a part of a model's name; without a matrix the path is that of a model or a layer. No words mean every model.
 */
export function searchPaths(words: string, models: readonly ModelShape[] = KNOWN_MODELS): readonly ModelPath[] {
  const asked = wordsOf(words);
  return models.flatMap((model): readonly ModelPath[] => {
    if (asked.layer !== null && asked.layer >= model.layers) return [];
    const found = matricesIn(model, asked.layer).find(({ name }) => name === asked.matrix);
    if (asked.matrix !== null && !found) return [];
    const plain = plainly(model.name);
    if (!asked.names.every((name) => plain.includes(name))) return [];
    const layer = asked.layer ?? found?.layer ?? null;
    return [
      {
        model: modelId(model),
        ...(layer === null ? {} : { layer }),
        ...(asked.matrix === null ? {} : { matrix: asked.matrix }),
      },
    ];
  });
}

interface Asked {
  readonly layer: number | null;
  readonly matrix: MatrixName | null;
  /** parts of a model's name */
  readonly names: readonly string[];
}

function wordsOf(words: string): Asked {
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
    else if (plainly(word) !== '') names.push(plainly(word));
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

/** Letters and digits alone: 'llama31' is found in 'Llama-3.1-8B'. */
function plainly(text: string): string {
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
