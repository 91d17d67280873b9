import { useCallback, useMemo } from 'react';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { useTitleOf } from '../../../kit/report/report-labels.ts';
import { blockMatrices, blockMatrixShape } from '../decoders/decoder.ts';
import { blockWeights } from '../decoders/stored/recipe.ts';
import {
  type MatrixAt,
  overridesWords,
  type MatrixChoice,
  type MatrixOverrides,
  pruningDensity,
  overridesField,
  storesType,
  withOverrides,
} from '../overrides/matrix-overrides.ts';
import type { RequestedMatrix } from './service/types.ts';
import { densityOf, type LanguageSubject } from './subject.ts';

/** The matrices of a model that have a pruning, value type or format of their own. */
export interface ChosenMatrices {
  readonly choices: MatrixOverrides;
  /** the same choices for the worker; undefined: none */
  readonly matrices: readonly RequestedMatrix[] | undefined;
  /** the choices in words: null if no matrix has any, and 'mixed' unless all matrices share one */
  readonly words: string | null;
  /** share of the weights of all transformer blocks that is left */
  readonly density: number;
  /** Changes the choices for some matrices, as one entry of the browser history. */
  set(matrices: readonly MatrixAt[], change: MatrixChoice): void;
  /** Replaces all choices. */
  replace(choices: MatrixOverrides): void;
}

/** The choices for single matrices of a model, from the address. */
export function useMatrixChoices({ model, pruning }: Pick<LanguageSubject, 'model' | 'pruning'>): ChosenMatrices {
  const { formats } = useApp();
  const fields = useMemo(() => ({ own: overridesField(formats.map(({ id }) => id)) }), [formats]);
  const [{ own: chosen }, choose] = useChoices(fields);
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params);
  const { layers } = model.shape;
  const choices = useMemo(
    () => chosen.filter(({ layer, name }) => layer < layers && blockMatrices(model.shape).includes(name)),
    [chosen, layers, model],
  );
  const matrices = useMemo((): readonly RequestedMatrix[] | undefined => {
    if (choices.length === 0) return undefined;
    return choices.map(({ layer, name, pruning: chosenPruning, valueType, format: own }) => {
      const id = own ?? format;
      const chosenFormat = formats.find((known) => known.id === id);
      const isStored = valueType !== undefined && chosenFormat !== undefined && storesType(chosenFormat, valueType);
      return {
        layer,
        name,
        format: id,
        params: isStored ? { ...params[id], valueType } : (params[id] ?? {}),
        ...(chosenPruning && { pruning: chosenPruning }),
      };
    });
  }, [choices, format, params, formats]);
  const density = useMemo(() => {
    const cells = (name: MatrixAt['name']): number => blockMatrixShape(model.shape, name).reduce((a, b) => a * b);
    const modelDensity = densityOf(pruning);
    let kept = 0;
    for (const name of blockMatrices(model.shape)) kept += layers * cells(name) * modelDensity;
    for (const { name, pruning: chosenPruning } of choices)
      if (chosenPruning) kept += cells(name) * (pruningDensity(chosenPruning) - modelDensity);
    return kept / blockWeights(model.shape);
  }, [choices, model, pruning, layers]);
  const titleOf = useTitleOf();
  return {
    choices,
    matrices,
    density,
    words: overridesWords(choices, layers * blockMatrices(model.shape).length, titleOf),
    set: useCallback((at, change) => choose({ own: withOverrides(chosen, at, change) }), [chosen, choose]),
    replace: useCallback((next) => choose({ own: next }), [choose]),
  };
}
