import { clip } from '../../../../src/core/bounds/quote.ts';
import type { AnyListedFormat } from '../../../../src/core/format.ts';
import { findKernelCard } from '../../../../src/core/scratch/card.ts';
import type { PortableDraft } from '../kernel-drafts/draft.ts';
import { paramAccepts, paramExpectation } from '../../../../src/core/format.ts';
import { paramFields } from '../../../../src/state/index.ts';

/** Why a draft (changed kernel) from a link or file cannot be opened: a message without full stop; null if it can. */
export function draftProblem(
  { kernel, params }: Pick<PortableDraft, 'kernel' | 'params'>,
  formats: readonly AnyListedFormat[],
): string | null {
  const format = findKernelCard(formats, kernel)?.format;
  if (!format) return `The draft is of the kernel '${clip(kernel)}', which does not exist`;
  const fields = new Map(paramFields(format.params));
  for (const [name, value] of Object.entries(params)) {
    const field = fields.get(name);
    if (!field) {
      const expectedNames = fields.size === 0 ? 'none' : `one of ${[...fields.keys()].join(', ')}`;
      return `The draft's parameters: found '${clip(name)}', expected ${expectedNames}`;
    }
    if (!paramAccepts(field, value)) {
      return `The draft's parameter ${name}: found ${clip(JSON.stringify(value))}, expected ${paramExpectation(field)}`;
    }
  }
  return null;
}
