import { useCallback } from 'react';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { useApp } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { asSentence } from '../../../state/index.ts';
import { PLACE_FIELDS } from '../fields.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import { asOwn, isSame, type MatrixAt, type OwnPruning } from '../../../kit/models/matrix-overrides.ts';
import type { language } from '../service/service.ts';
import type { LanguageSubject } from '../subject.ts';
import type { Own } from '../use-own.ts';

/** A pruning that needs nothing but the matrix; null where the inputs of the model chose what stays. */
export function ofMatrixAlone(pruning: OwnPruning): Pruning | 'none' | null {
  if (pruning.way === 'none') return 'none';
  if (pruning.way === 'wanda') return null;
  if (pruning.way !== 'n-of-m') return pruning;
  return pruning.by === 'wanda' ? null : { way: pruning.way, kept: pruning.kept, group: pruning.group };
}

/**
 * Opens a matrix of a model that somebody brought in Watch, as a file of this visit: with its weights as they came, and pruned
 * by the sentence as in the text; by Wanda, which a matrix alone does not know, already pruned.
 */
export function useOpenBrought({ model, pruning }: LanguageSubject, own: Own): (at: MatrixAt) => void {
  const { session, engine, announce } = useApp();
  const [{ by: calibration }] = useChoices(PLACE_FIELDS);
  return useCallback(
    (at) => {
      const its = own.choices.find((one) => isSame(one, at))?.pruning ?? asOwn(pruning);
      const alone = ofMatrixAlone(its);
      const pruned = {
        pruning,
        ...(own.matrices && { own: own.matrices }),
        ...(calibration !== '' && { calibration }),
      };
      const open = async (): Promise<void> => {
        const service = engine.service<typeof language>('language');
        const request = {
          model: { id: model.id, url: modelUrl(model.id) },
          at,
          pruned: alone === null ? pruned : null,
        };
        const { name, blob } = await service.matrix({}, request);
        session.follow('stage');
        await session.openFile(new File([blob], name));
        if (alone !== null && alone !== 'none') await session.prune(alone);
      };
      open().catch((error: unknown) => announce(asSentence(error instanceof Error ? error.message : String(error))));
    },
    [session, engine, announce, model, pruning, own.choices, own.matrices, calibration],
  );
}
