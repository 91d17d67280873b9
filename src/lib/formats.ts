import type { AnyFormat, EncodedMatrix } from '../core/format.ts';
import * as registry from '../formats/registry.ts';
import { checkedChoice, checkedMatrix, wrong } from './arguments.ts';
import { checked, checkedEncoded, checkedParams, encodedShape } from './codec.ts';

// The entry point 'sparsescope/formats'.

/** The format with functions that check their arguments first, since callers may use plain JavaScript. */
function withChecks(format: AnyFormat): AnyFormat {
  return checked<EncodedMatrix, object, AnyFormat>({
    ...format,
    admits(m, p) {
      const matrix = checkedMatrix(m);
      return format.admits(matrix, checkedParams(format, p, matrix));
    },
    validate: (e, level) =>
      format.validate(encodedShape(format, e, 'encoded'), checkedChoice('level', level, ['cheap', 'full'])),
    storage: (e) => format.storage(checkedEncoded(format, e, 'encoded')),
  });
}

/** Every format with its kernels. */
export const formats: readonly AnyFormat[] = registry.formats.map(withChecks);

/** The format with this id. Throws SparseScopeError with the known ids. */
export function formatById(id: string): AnyFormat {
  const format = formats.find((each) => each.id === id);
  if (format) return format;
  throw wrong('id of a format', id, `one of ${formats.map((each) => each.id).join(', ')}`);
}
