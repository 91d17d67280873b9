import { useMemo } from 'react';
import { useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { useJob } from '../../../../src/kit/use-job.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { LanguageService } from '../service/service.ts';
import type { StoredRequest, StoredMatrix } from '../service/types.ts';
import type { LanguageModelChoice } from '../model-choice.ts';

/** Bytes of the matrices of a model, counted so far. */
export interface StoredBytes {
  /** by layer and name: '3 up' */
  readonly byMatrix: ReadonlyMap<string, StoredMatrix>;
  /** of all matrices; null until all are counted, and if the format does not support one of them */
  readonly total: number | null;
  /** why they are unknown */
  readonly problem: string | null;
}

interface CountedBytes {
  /** id of the model */
  readonly model: string;
  readonly byMatrix: StoredBytes['byMatrix'];
  readonly isAll: boolean;
}

const NONE: ReadonlyMap<string, StoredMatrix> = new Map();

const NOT_COUNTED: StoredBytes = { byMatrix: NONE, total: null, problem: null };

/** The key of a matrix in `byMatrix`. */
export function matrixKey({ layer, name }: Pick<StoredMatrix, 'layer' | 'name'>): string {
  return `${layer} ${name}`;
}

/**
 * Bytes of the pruned model's matrices in the page's format; counted if `isWanted`. `own`: matrices with another
 * pruning or format; `calibration`: the text for Wanda, '' for this project's tales.
 */
export function useStoredBytes(
  { model, pruning }: LanguageModelChoice,
  overrides: StoredRequest['overrides'],
  calibration: string,
  isWanted = true,
): StoredBytes {
  const { engine } = useApp();
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params[doc.format]);
  const request = useMemo<StoredRequest>(
    () => ({
      model: modelAddress(model.id),
      pruning,
      format,
      params,
      ...(overrides && { overrides }),
      ...(calibration !== '' && { calibration }),
    }),
    [model, pruning, format, params, overrides, calibration],
  );
  const counting = useJob<CountedBytes>(
    isWanted ? ['Counting stored bytes', request] : null,
    async (watch, { update }) => {
      let counted: CountedBytes = { model: request.model.id, byMatrix: NONE, isAll: false };
      await engine.service<LanguageService>('language').storedBytes(watch, request, (matrices) => {
        const byMatrix = new Map([
          ...counted.byMatrix,
          ...matrices.map((matrix) => [matrixKey(matrix), matrix] as const),
        ]);
        update((counted = { ...counted, byMatrix }));
      });
      return { ...counted, isAll: true };
    },
    { cancelWhenUnmounted: true },
  );
  const { data: answer, latest, error } = counting;
  return useMemo(() => {
    // The previous bytes stay until there are new ones, unless they are of another model.
    if (latest?.model !== request.model.id) return { ...NOT_COUNTED, problem: error };
    const { byMatrix } = latest;
    const sum = [...byMatrix.values()].reduce<number | null>(
      (total, { bytes }) => (total === null || bytes === null ? null : total + bytes),
      0,
    );
    const rejection = [...byMatrix.values()].find(({ reason }) => reason !== undefined)?.reason ?? null;
    return { byMatrix, total: answer?.isAll ? sum : null, problem: error ?? rejection };
  }, [answer, latest, error, request]);
}
