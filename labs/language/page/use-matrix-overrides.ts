import { useCallback, useMemo } from 'react';
import { useApp, useDocument } from '../../../src/kit/app-context.ts';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { useTitleOf } from '../../../src/kit/report/report-labels.ts';
import { blockMatrices, blockMatrixShape } from '../decoders/decoder.ts';
import { blockWeights } from '../decoders/stored/recipe.ts';
import {
  type MatrixAt,
  overridesWords,
  type MatrixChoice,
  type MatrixOverrides,
  pruningDensity,
  storesType,
  withOverrides,
} from '../overrides/matrix-overrides.ts';
import { overridesField } from '../overrides/overrides-field.ts';
import type { RequestedMatrix } from './service/types.ts';
import { densityOf, type LanguageModelChoice } from './model-choice.ts';

/** The matrices of a model that have a custom pruning, value type or format. */
export interface ModelOverrides {
  readonly overrides: MatrixOverrides;
  /** the same for the worker; undefined: none */
  readonly matrices: readonly RequestedMatrix[] | undefined;
  /** the overrides in words: null if there are none, and 'mixed' unless all matrices share one */
  readonly words: string | null;
  /** density of all transformer blocks together */
  readonly density: number;
  /** Changes the overrides of some matrices, as one entry of the browser history. */
  set(matrices: readonly MatrixAt[], change: MatrixChoice): void;
  /** Replaces all overrides. */
  replace(overrides: MatrixOverrides): void;
}

/** The overrides of single matrices of a model, from the field `x.own` of the address. */
export function useMatrixOverrides({ model, pruning }: Pick<LanguageModelChoice, 'model' | 'pruning'>): ModelOverrides {
  const { formats } = useApp();
  const fields = useMemo(() => ({ own: overridesField(formats.map(({ id }) => id)) }), [formats]);
  const [{ own: ofAddress }, choose] = useChoices(fields); // also for matrices that this model lacks
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params);
  const { layers } = model.shape;
  const overrides = useMemo(
    () => ofAddress.filter(({ layer, name }) => layer < layers && blockMatrices(model.shape).includes(name)),
    [ofAddress, layers, model],
  );
  const matrices = useMemo((): readonly RequestedMatrix[] | undefined => {
    if (overrides.length === 0) return undefined;
    return overrides.map(({ layer, name, pruning: matrixPruning, valueType, format: overrideFormat }) => {
      const id = overrideFormat ?? format;
      const matrixFormat = formats.find((format) => format.id === id);
      const canStoreType = valueType !== undefined && matrixFormat !== undefined && storesType(matrixFormat, valueType);
      return {
        layer,
        name,
        format: id,
        params: canStoreType ? { ...params[id], valueType } : (params[id] ?? {}),
        ...(matrixPruning && { pruning: matrixPruning }),
      };
    });
  }, [overrides, format, params, formats]);
  const density = useMemo(() => {
    const cells = (name: MatrixAt['name']): number => blockMatrixShape(model.shape, name).reduce((a, b) => a * b);
    const modelDensity = densityOf(pruning);
    let keptWeights = 0;
    for (const name of blockMatrices(model.shape)) keptWeights += layers * cells(name) * modelDensity;
    for (const { name, pruning: matrixPruning } of overrides)
      if (matrixPruning) keptWeights += cells(name) * (pruningDensity(matrixPruning) - modelDensity);
    return keptWeights / blockWeights(model.shape);
  }, [overrides, model, pruning, layers]);
  const titleOf = useTitleOf();
  return {
    overrides,
    matrices,
    density,
    words: overridesWords(overrides, layers * blockMatrices(model.shape).length, titleOf),
    set: useCallback(
      (matrices, change) => choose({ own: withOverrides(ofAddress, matrices, change) }),
      [ofAddress, choose],
    ),
    replace: useCallback((next) => choose({ own: next }), [choose]),
  };
}
