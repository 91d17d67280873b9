import { useCallback } from 'react';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { useApp } from '../../../kit/app-context.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { SHIPPED_MODELS, type ShippedModel, shippedModel } from '../../../theory/models/shipped-models.ts';
import { withChosen, withTab } from '../address.ts';
import {
  allMatrices,
  type OwnChoice,
  ownField,
  type OwnPruning,
  withOwn,
} from '../../../kit/models/matrix-overrides.ts';
import { type LanguageSubject, sourceOf } from '../subject.ts';
import { usePrune } from '../use-pruning.ts';
import type { QualityPoint } from './points.ts';

/** Where a point leads: a pruning of the sentence, choices of all matrices in Text, or another model. */
export type Lead =
  | { readonly to: 'sentence'; readonly pruning: Pruning | null }
  | { readonly to: 'own'; readonly choice: OwnChoice }
  | { readonly to: 'model'; readonly model: ShippedModel };

/** The model that was trained on after pruning, and what it was made from. */
const TRAINED = { id: 'tales-pruned', of: SHIPPED_MODELS[0].id, density: 0.25 };

/** What can be shown as a text of a point of a model; null where nothing on this page writes like it. */
export function leadOf(point: QualityPoint, { id }: Pick<ShippedModel, 'id'>): Lead | null {
  const { way, density, pattern, valueType, trained } = point;
  if (trained > 0) {
    const isIts = id === TRAINED.of && pattern === null && Math.abs(density - TRAINED.density) < 1e-9;
    const model = isIts && valueType === 'f16' ? shippedModel(TRAINED.id) : null;
    return model && { to: 'model', model };
  }
  if (valueType === 'f16' && (point.pruning !== null || way === 'none'))
    return { to: 'sentence', pruning: point.pruning };
  const pruning = ownPruning(point);
  if (pruning === null) return null;
  // Every value type can be stored in the format that all others are compared with.
  return { to: 'own', choice: valueType === 'f16' ? { pruning } : { pruning, valueType, format: REFERENCE_FORMAT } };
}

function ownPruning({ way, density, pattern }: QualityPoint): OwnPruning | null {
  if (way === 'none') return { way };
  if (pattern !== null) {
    const [kept, group] = pattern.split(':').map(Number);
    return { way: 'n-of-m', kept, group, by: way === 'wanda' ? 'wanda' : 'magnitude' };
  }
  return way === 'random' || Number.isNaN(density) ? null : { way, density };
}

/** Follows a point: the sentence says its pruning where it can, else Text shows what it writes. */
export function useFollow(subject: LanguageSubject): (point: QualityPoint) => void {
  const { model } = subject;
  const { session, document, formats, announce } = useApp();
  const prune = usePrune(subject);
  return useCallback(
    (point) => {
      const lead = leadOf(point, model);
      if (lead === null) return;
      const doc = document.getState();
      if (lead.to === 'sentence') {
        document.setState(withChosen(doc, { own: '' }));
        prune(lead.pruning);
        announce(`${lead.pruning === null ? 'Nothing is pruned' : 'Pruned'}: Text shows what it writes`);
      } else if (lead.to === 'model') {
        const shown = withTab(withChosen(doc, { own: '' }), 'text');
        void session.restore({ ...shown, source: sourceOf(lead.model, null), window: null, step: 0 });
      } else {
        const own = withOwn([], allMatrices(model.shape), lead.choice);
        const text = ownField(formats.map(({ id }) => id)).write(own);
        document.setState(withTab(withChosen(doc, { own: text }), 'text'));
      }
    },
    [model, session, document, formats, announce, prune],
  );
}
