import { messageOf } from '../../../../core/errors.ts';
import { useEffect, useMemo, useState } from 'react';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { modelUrl } from '../../overrides/model-url.ts';
import type { LanguageService } from '../service/service.ts';
import type { StoredRequest, StoredMatrix } from '../service/types.ts';
import type { LanguageSubject } from '../subject.ts';

/** Bytes of the matrices of a model, as far as they are counted. */
export interface StoredBytes {
  /** by layer and name: '3 up' */
  readonly byMatrix: ReadonlyMap<string, StoredMatrix>;
  /** of all matrices; null until all are counted, and where the format does not hold one of them */
  readonly total: number | null;
  /** why they are not known, as a sentence */
  readonly problem: string | null;
}

const NONE: ReadonlyMap<string, StoredMatrix> = new Map();

const NOT_COUNTED: StoredBytes = { byMatrix: NONE, total: null, problem: null };

export function keyOf({ layer, name }: Pick<StoredMatrix, 'layer' | 'name'>): string {
  return `${layer} ${name}`;
}

/** What A stores of the model's matrices, pruned as the subject is; nothing is counted before it `isWanted`. */
export function useStoredBytes(
  { model, pruning }: LanguageSubject,
  own: StoredRequest['own'],
  calibration: string,
  isWanted = true,
): StoredBytes {
  const { engine } = useApp();
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params[doc.format]);
  const request = useMemo<StoredRequest>(
    () => ({
      model: { id: model.id, url: modelUrl(model.id) },
      pruning,
      format,
      params,
      ...(own && { own }),
      ...(calibration !== '' && { calibration }),
    }),
    [model, pruning, format, params, own, calibration],
  );
  const [found, setFound] = useState({
    request,
    byMatrix: NONE,
    isAll: false,
    problem: null as string | null,
  });
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    let byMatrix = NONE;
    const show = (isAll: boolean, problem: string | null = null): void => {
      if (!abort.signal.aborted) setFound({ request, byMatrix, isAll, problem });
    };
    engine
      .service<LanguageService>('language')
      .storedBytes({ signal: abort.signal }, request, (matrices) => {
        byMatrix = new Map([...byMatrix, ...matrices.map((one) => [keyOf(one), one] as const)]);
        show(false);
      })
      .then(
        () => show(true),
        (error: unknown) => show(false, messageOf(error)),
      );
    return () => abort.abort();
  }, [engine, request, isWanted]);
  return useMemo(() => {
    const { byMatrix, isAll, problem } = found;
    // Those of before stay until there are new ones, unless they are of another model.
    const isCurrent = found.request === request;
    if (found.request.model.id !== request.model.id) return NOT_COUNTED;
    const sum = [...byMatrix.values()].reduce<number | null>(
      (total, { bytes }) => (total === null || bytes === null ? null : total + bytes),
      0,
    );
    const refused = [...byMatrix.values()].find(({ reason }) => reason !== undefined)?.reason ?? null;
    return { byMatrix, total: isAll && isCurrent ? sum : null, problem: problem ?? refused };
  }, [found, request]);
}
