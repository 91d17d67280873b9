import { useMemo } from 'react';
import { useDocument } from '../../../../kit/app-context.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { isBrought } from '../../theory/brought.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { WriteRequest } from '../service/types.ts';
import type { LanguageSubject } from '../subject.ts';
import type { ChosenMatrices } from '../use-matrix-choices.ts';
import { MAX_WRITTEN, MAX_WRITTEN_BROUGHT, TEXT_FIELDS } from './fields.ts';

/** The request for the two texts of the address: model, pruning, format and prompt. */
export function useWriteRequest(
  { model, pruning }: LanguageSubject,
  { matrices }: ChosenMatrices,
  calibration: string,
): WriteRequest {
  const [{ prompt, seed, temperature }] = useChoices(TEXT_FIELDS);
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params[doc.format]);
  return useMemo(
    () => ({
      model: modelAddress(model.id),
      pruning,
      format,
      params,
      ...(matrices && { own: matrices }),
      ...(calibration !== '' && { calibration }),
      prompt,
      seed,
      temperature,
      count: isBrought(model.id) ? MAX_WRITTEN_BROUGHT : MAX_WRITTEN,
    }),
    [model, pruning, format, params, matrices, calibration, prompt, seed, temperature],
  );
}
