import type { Shape } from '../../core/format.ts';
import type { Region } from '../../core/matrix/index.ts';
import type { BaseSource, ModelSource } from '../../engine/matrix/source-types.ts';
import { FIRST_REGION } from '../../core/cut.ts';
import { fitWindow } from '../../state/index.ts';
import { type MatrixName, type ModelShape, weightsOf } from '../../theory/models/model-shape.ts';
import { KNOWN_MODELS, shippedId } from '../../theory/models/known-models.ts';
import {
  findPosition,
  largestMatrix,
  matricesIn,
  modelId,
  type ModelPath,
  neighbours,
  type TreeMatrix,
} from '../../theory/models/model-tree.ts';
import { type Crumbs, crumbsOfLocation } from './crumbs.ts';

/** What is chosen: a whole model, a whole layer, a matrix, or a window of it (the cells that the animation shows). */
export type Level = 'model' | 'layer' | 'matrix' | 'window';

/** All levels, from the model down. */
export const LEVELS: readonly Level[] = ['model', 'layer', 'matrix', 'window'];

/** The page's name of a level. It calls a window a region, since SlideSparse also has windows. */
export function levelName(level: Level): string {
  return level === 'window' ? 'region' : level;
}

/** A matrix of a model. */
export interface MatrixOfModel {
  readonly model: ModelShape;
  readonly matrix: TreeMatrix;
}

/** The selection of the matrix picker, also while the picker is closed. */
export interface Choice {
  /** for 'model' and 'layer', `selection` has the largest matrix of the model or layer */
  readonly level: Level;
  /** null until a model is chosen, if the open matrix belongs to no known model */
  readonly selection: MatrixOfModel | null;
  /** null: the page chooses the window */
  readonly window: Region | null;
}

/** The model with which the picker begins if none is chosen. */
const FIRST_MODEL: ModelPath = { model: 'llama-3.1-8b' };

/** The listed models and another one, by number of weights. */
export function modelsWith(other: ModelShape | null): readonly ModelShape[] {
  const models = other === null || KNOWN_MODELS.includes(other) ? KNOWN_MODELS : [...KNOWN_MODELS, other];
  return models.toSorted((a, b) => weightsOf(a) - weightsOf(b));
}

/** The choice for the source and the window of a document. */
export function choiceOf(source: BaseSource, window: Region | null): Choice {
  if (source.kind === 'model') {
    try {
      return { ...choiceAt(source), window };
    } catch {
      // A link to an unknown model can be neither opened nor chosen.
    }
  }
  return { level: 'matrix', selection: null, window };
}

/** The choice of a path in a model, without a window. Throws MatrixError if the path does not exist. */
export function choiceAt(
  path: Parameters<typeof findPosition>[0],
  models?: readonly ModelShape[],
): Choice & { readonly selection: MatrixOfModel } {
  const { model, matrix, level } = findPosition(path, models);
  return { level, selection: { model, matrix }, window: null };
}

/** The given choice, or FIRST_MODEL at its level if it has no model. */
function withSelection({ level, selection, window }: Choice): Choice & { readonly selection: MatrixOfModel } {
  if (selection) return { level, selection, window };
  const { model, matrix } = findPosition(FIRST_MODEL);
  return { level, selection: { model, matrix }, window: null };
}

/** The choice at another level: of the model or the layer as a whole, of the matrix, or of its window. */
export function withLevel(choice: Choice, level: Level): Choice {
  if (level === 'matrix' || level === 'window') return { ...choice, level };
  const { selection, window } = withSelection(choice);
  const { model } = selection;
  const matrix = largestMatrix(model, level === 'model' ? null : (selection.matrix.layer ?? 0));
  const isSame = choice.selection !== null && sameMatrix(choice.selection, { model, matrix });
  return { level, selection: { model, matrix }, window: isSame ? window : null };
}

/** The choice of another model as a whole. */
export function withModel(model: ModelShape): Choice {
  return { level: 'model', selection: { model, matrix: largestMatrix(model) }, window: null };
}

/** The choice of another layer: as a whole, or its matrix of the same name if a matrix is chosen. */
export function withLayer(choice: Choice, layer: number): Choice {
  const { selection, level } = withSelection(choice);
  const { model, matrix } = selection;
  const nextLayer = Math.min(model.layers - 1, Math.max(0, layer));
  const isMatrix = (level === 'matrix' || level === 'window') && matrix.layer !== null;
  const sameName = isMatrix ? matricesIn(model, nextLayer).find(({ name }) => name === matrix.name) : undefined;
  const nextSelection = { model, matrix: sameName ?? largestMatrix(model, nextLayer) };
  return { level: isMatrix ? 'matrix' : 'layer', selection: nextSelection, window: null };
}

/** The choice of another matrix of the layer, or of lm_head. */
export function withMatrix(choice: Choice, name: MatrixName): Choice {
  const { model, matrix } = withSelection(choice).selection;
  const layer = name === 'lm_head' ? null : (matrix.layer ?? 0);
  const next = matricesIn(model, layer).find((listed) => listed.name === name) ?? matrix;
  return { level: 'matrix', selection: { model, matrix: next }, window: null };
}

/**
 * The choice after `by` steps at its level (models, layers, matrices, or windows one below the other), up to the first or
 * last. `open`: the shape of the open matrix.
 */
export function movedChoice(choice: Choice, by: number, models: readonly ModelShape[], open: Shape | null): Choice {
  if (choice.level === 'window') {
    const shape = choice.selection?.matrix ?? open;
    if (!shape) return choice;
    const { window } = choice;
    const nextWindow = window ? { ...window, row: window.row + by * window.rows } : { row: 0, col: 0, ...FIRST_REGION };
    return { ...choice, window: fitWindow(nextWindow, shape) };
  }
  if (choice.selection === null) return withLevel(withSelection(choice), choice.level);
  const { model, matrix } = choice.selection;
  if (choice.level === 'model') {
    const index = models.findIndex((listed) => modelId(listed) === modelId(model));
    return withModel(models[movedIndex(index, by, models.length)] ?? model);
  }
  if (choice.level === 'layer') return withLayer(choice, (matrix.layer ?? 0) + by);
  const names = neighbours(choice.selection, 'matrix').map((path) => path.matrix ?? matrix.name);
  return withMatrix(choice, names[movedIndex(names.indexOf(matrix.name), by, names.length)] ?? matrix.name);
}

/** An index among `count`, moved by `by` up to the first or last. */
function movedIndex(index: number, by: number, count: number): number {
  return Math.min(count - 1, Math.max(0, index + by));
}

/** The choice after a key is pressed; null if the picker does not use that key. */
export function choiceAfterKey(
  choice: Choice,
  key: string,
  models: readonly ModelShape[],
  open: Shape | null,
): Choice | null {
  if (key === 'ArrowUp' || key === 'ArrowDown') return movedChoice(choice, key === 'ArrowUp' ? -1 : 1, models, open);
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const nextLevel = LEVELS[movedIndex(LEVELS.indexOf(choice.level), key === 'ArrowLeft' ? -1 : 1, LEVELS.length)];
  return nextLevel === choice.level ? choice : withLevel(choice, nextLevel);
}

/** The source that a choice opens; null if it belongs to no model. */
export function sourceOf({ level, selection }: Choice): ModelSource | null {
  if (selection === null) return null;
  const { model, matrix } = selection;
  const layer = matrix.layer === null ? {} : { layer: matrix.layer };
  const wholeModel = { kind: 'model', model: modelId(model) } as const;
  if (level === 'model') return wholeModel;
  return level === 'layer'
    ? { ...wholeModel, layer: matrix.layer ?? 0 }
    : { ...wholeModel, ...layer, matrix: matrix.name };
}

/** Whether both are the same matrix of the same model, or null. */
export function sameMatrix(a: MatrixOfModel | null, b: MatrixOfModel | null): boolean {
  if (a === null || b === null) return a === b;
  return modelId(a.model) === modelId(b.model) && a.matrix.name === b.matrix.name && a.matrix.layer === b.matrix.layer;
}

/** A text on whether a matrix has the model's weights or random ones. */
export function weightsText({ model }: Pick<MatrixOfModel, 'model'>): string {
  return shippedId(model) === null ? 'Random weights of this shape.' : 'The weights of the model.';
}

/** The breadcrumb of a choice (model › layer › matrix); null if it belongs to no known model. */
export function crumbsOfChoice({ level, selection }: Choice): Crumbs | null {
  if (selection === null) return null;
  const { model, matrix } = selection;
  const all = matricesIn(model);
  const position = {
    model: model.name,
    layer: matrix.layer,
    matrix: matrix.title,
    matrices: all.reduce((sum, { count }) => sum + count, 0),
    inLayer: matricesIn(model, matrix.layer ?? 0).reduce((sum, { perLayer }) => sum + perLayer, 0),
    ...(shippedId(model) !== null && ({ isShipped: true } as const)),
  };
  // The largest matrix of a model may be outside all layers (lm_head); the breadcrumb then names layer 0.
  if (level === 'layer') return crumbsOfLocation({ ...position, layer: matrix.layer ?? 0 }, level, matrix);
  return crumbsOfLocation(position, level === 'window' ? 'matrix' : level, matrix);
}
