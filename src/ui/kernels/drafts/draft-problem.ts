import { seen } from '../../../core/errors.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import { cardOf } from '../../../core/scratch/card.ts';
import type { PortableDraft } from '../../../state/draft-book/draft.ts';
import { paramAccepts, paramExpectation, paramFields } from '../../../state/index.ts';

/** Why a draft from elsewhere can be no draft here, as a sentence without its end; null where it can. */
export function draftProblem(
  { kernel, params }: Pick<PortableDraft, 'kernel' | 'params'>,
  formats: readonly AnyListedFormat[],
): string | null {
  const format = cardOf(formats, kernel)?.format;
  if (!format) return `The draft is of the kernel '${seen(kernel.slice(0, 60))}', which there is not`;
  for (const [name, field] of paramFields(format.params)) {
    const value = params[name];
    if (value !== undefined && !paramAccepts(field, value)) {
      const found = seen(JSON.stringify(value).slice(0, 60));
      return `The draft's parameter ${name}: found ${found}, expected ${paramExpectation(field)}`;
    }
  }
  return null;
}
