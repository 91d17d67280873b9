import type { AbortsWork, AnyListedFormat } from '../../../core/format.ts';
import type { EncodeOnPage } from '../service/size-types.ts';

/** Asks the formats of the page that people wrote, for the worker. */
export function encodeOnPage(formats: readonly AnyListedFormat[], signal: AbortsWork): EncodeOnPage {
  return async (id, params, matrix) => {
    const asked = formats.find((format) => format.id === id)?.sandboxed;
    if (!asked) throw new Error(`${id}: found no such format of one’s own, expected it to be open`);
    return asked.encode(matrix, params, signal);
  };
}
