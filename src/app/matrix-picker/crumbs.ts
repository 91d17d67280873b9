import { createStore } from 'zustand/vanilla';
import type { Shape } from '../../core/format.ts';
import { cellsName } from '../../core/cells/link-cells.ts';
import { shapeText } from '../../core/text/words.ts';
import type { GenerateSpec } from '../../generate/spec.ts';
import type { MatrixLocation } from '../../engine/matrix/matrix-types.ts';
import type { BaseSource, MatrixSource } from '../../engine/matrix/source-types.ts';
import { densityText } from '../../kit/words/shares.ts';
import { baseOf } from '../../state/index.ts';
import { shippedModel } from '../../theory/models/known-models.ts';

/** The breadcrumb in the selection bar: model, layer and matrix, or a single name, and a detail of the last. */
export interface Crumbs {
  readonly names: readonly string[];
  /** shape or number of matrices; null until it is known */
  readonly detail: string | null;
  /** the levels at which the breadcrumb offers other models or layers; none outside models */
  readonly levels: readonly ('model' | 'layer')[];
}

/** The breadcrumb of a choice that is not confirmed yet, shown instead of the current one; null for none. */
export const previewedCrumbs = createStore<Crumbs | null>(() => null);

/** The breadcrumb of a matrix, a layer or a model. */
export function crumbsOfLocation(
  { model, layer, matrix, matrices, inLayer, isShipped }: MatrixLocation,
  level: 'model' | 'layer' | 'matrix',
  { rows, cols }: Shape,
): Crumbs {
  const matricesText = (count: number): string => `${count} matrices`;
  // A model that comes with the page has no separate lm_head: its embedding serves as one.
  if (level === 'model' && isShipped)
    return { names: [model, `all ${matrices - 1} matrices`], detail: null, levels: ['model'] };
  if (level === 'model') return { names: [model, 'whole model'], detail: matricesText(matrices), levels: ['model'] };
  const layerName = layer === null ? [] : [`layer ${layer}`];
  const levels = layer === null ? (['model'] as const) : (['model', 'layer'] as const);
  return level === 'layer'
    ? { names: [model, ...layerName, 'whole layer'], detail: matricesText(inLayer), levels }
    : { names: [model, ...layerName, matrix], detail: shapeText(rows, cols), levels };
}

/** The level of a source; null if it belongs to no known model. */
export function levelOf(source: MatrixSource): 'model' | 'layer' | 'matrix' | null {
  const base = baseOf(source);
  if (base.kind !== 'model') return null;
  if (base.matrix !== undefined) return 'matrix';
  return base.layer === undefined ? 'model' : 'layer';
}

/** The breadcrumb of a source, with the names of its matrix (`openMatrix`) once that is open. */
export function crumbsOf(
  source: MatrixSource,
  openMatrix: (Shape & { readonly name: string; readonly location?: MatrixLocation }) | null,
  titleOf: (exampleId: string) => string | null,
): Crumbs {
  const level = levelOf(source);
  if (openMatrix?.location && level !== null) return crumbsOfLocation(openMatrix.location, level, openMatrix);
  const base = baseOf(source);
  const detail = openMatrix && shapeText(openMatrix.rows, openMatrix.cols);
  if (base.kind === 'model') {
    const { model, layer, matrix } = base;
    const names = [
      shippedModel(model)?.shape.name ?? model,
      ...(layer === undefined ? [] : [`layer ${layer}`]),
      matrix ?? (layer === undefined ? 'whole model' : 'whole layer'),
    ];
    return { names, detail, levels: layer === undefined ? ['model'] : ['model', 'layer'] };
  }
  if (base.kind === 'generated') return { names: [generatedName(base.spec)], detail, levels: [] };
  const title = base.kind === 'example' ? titleOf(base.id) : null;
  return { names: [title ?? openMatrix?.name ?? nameOf(base)], detail, levels: [] };
}

/** Names for the patterns whose ids are unclear in a text; the others are called by their ids. */
const PATTERN_NAMES: Readonly<Record<string, string>> = {
  uniform: 'random',
  magnitude: 'random by magnitude',
  'n-of-m': 'N:M',
};

/** 'random, 30 % left', 'random 6:8'; activations were never pruned: 'activations, 1 % non-zero'. */
function generatedName({ pattern, density, options }: GenerateSpec): string {
  const group = options?.m;
  if (pattern === 'n-of-m' && group !== undefined) return `random ${Math.round(density * group)}:${group}`;
  const name = PATTERN_NAMES[pattern] ?? pattern.replaceAll('-', ' ');
  return `${name}, ${densityText(density)} ${pattern === 'activations' ? 'non-zero' : 'left'}`;
}

/** The name of a source whose matrix is not open. */
function nameOf(base: Exclude<BaseSource, { readonly kind: 'generated' | 'model' }>): string {
  if (base.kind === 'example') return base.id;
  if (base.kind === 'cells') return cellsName(base);
  return base.tensor ?? (base.kind === 'file' ? base.name : base.link);
}
