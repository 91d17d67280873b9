import { matricesIn } from '../../theory/models/model-tree.ts';
import { shippedId } from '../../theory/models/known-models.ts';
import { type Crumbs, crumbsOfPlace } from './crumbs.ts';
import type { Choice } from './choice.ts';

/** A choice as the breadcrumb shows it; null where it belongs to no known model. */
export function crumbsOfChoice({ level, selection: at }: Choice): Crumbs | null {
  if (at === null) return null;
  const { model, matrix } = at;
  const all = matricesIn(model);
  const place = {
    model: model.name,
    layer: matrix.layer,
    matrix: matrix.title,
    matrices: all.reduce((sum, { count }) => sum + count, 0),
    inLayer: matricesIn(model, matrix.layer ?? 0).reduce((sum, { each }) => sum + each, 0),
    ...(shippedId(model) !== null && ({ isShipped: true } as const)),
  };
  // The largest matrix of a model may be outside all layers (lm_head); the layer is then shown as layer 0.
  if (level === 'layer') return crumbsOfPlace({ ...place, layer: matrix.layer ?? 0 }, level, matrix);
  return crumbsOfPlace(place, level === 'window' ? 'matrix' : level, matrix);
}
