import { useMemo } from 'react';
import type { Words } from '../../../core/story/scene.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { densityOf, type LanguageSubject } from '../subject.ts';
import { measuredNow, useMeasured } from '../use-measured.ts';
import type { Own } from '../use-own.ts';
import { headline } from './headline.ts';
import type { Text } from './text.ts';

/** What a text shows of how the model is pruned and stored; null until it is there. */
export function useHeadline(
  subject: LanguageSubject,
  { words: own, choices, density: ownDensity }: Own,
  calibration: string,
  text: Text,
): readonly Words[] | null {
  const { pruning, model } = subject;
  const measured = useMeasured(subject);
  const density = own === null ? densityOf(pruning) : Math.round(100 * ownDensity) / 100;
  return useMemo(
    () =>
      headline({
        density,
        own,
        text,
        areTales: !isBrought(model.id),
        pruned: measuredNow(measured, { pruning }, { words: own, choices }, calibration),
        dense: measured.at(1),
      }),
    [density, own, choices, pruning, calibration, text, measured, model],
  );
}
