import type { AbortsWork, AnyListedFormat } from '../../../core/format.ts';
import type { OwnSaid } from '../../../engine/matrix/own-formats.ts';
import type { AskElsewhere } from '../service/size-types.ts';

/** Asks the formats of the page that people wrote, for the worker. */
export function askElsewhere(formats: readonly AnyListedFormat[], signal: AbortsWork): AskElsewhere {
  return async (id, params, matrix) => {
    const asked = formats.find((format) => format.id === id)?.asked;
    if (!asked) throw new Error(`${id}: found no such format of one’s own, expected it to be open`);
    return (await asked.answer(matrix, params, signal)) as OwnSaid;
  };
}
