// Makes a format of the site from a user's module.

import { addChecksumSteps } from '../../../src/core/encoded/checksum.ts';
import { FormatError } from '../../../src/core/errors.ts';
import { type Support, type AnyFormat, defineFormat, type ParamSpec } from '../../../src/core/format.ts';
import type { Steps } from '../../../src/core/job.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import { countText, counted } from '../../../src/core/text/words.ts';
import { multiply, type UserEncoded, storage, storedEncoding, validate } from './user-encoding.ts';
import type { UserParams } from './module-messages.ts';
import { type UserFormatSource, userFormatId, reasonOf } from './user-format-source.ts';

/** Custom formats are black: no further hue differs enough from the others for every kind of vision. */
const INK = { light: '#16181D', dark: '#F2F2EE' };

const GIST = 'A format of one’s own.';

/** A user's module as a format that every page can use, without a kernel; `source` has what the module returned. */
export function userFormat(source: UserFormatSource): AnyFormat {
  const { name, description, resultOf } = source;
  const id = userFormatId(name);
  const admits = (m: Matrix, p: UserParams): Support => {
    const outcome = resultOf(m, p, { recorded: false });
    return outcome.kind === 'done'
      ? { ok: true, notes: [] }
      : { ok: false, reason: reasonOf(outcome), remedy: 'Choose another matrix or parameters.' };
  };
  const params: ParamSpec<Record<string, number | string>> = Object.fromEntries(
    description.params.map(({ name: field, options, meaning }) => [
      field,
      {
        label: field,
        meaning,
        default: options[0],
        kind: 'choice',
        options: options.map((value) => ({ value, label: String(value) })),
      },
    ]),
  );
  return defineFormat<UserEncoded, Record<string, number | string>>({
    id,
    title: description.title,
    summary: GIST,
    shortSummary: GIST,
    group: 'your own',
    source: null,
    colors: INK,
    params,
    effort: 3, // encoding time, CSR is 1
    bestExample: { id: 'power-law-graph', what: 'a graph' },
    story: async () => (await import('./story/index.ts')).userFormatStory(source),
    kernels: [],
    rules: {},
    admits,
    *encodeSteps(m, p): Steps<UserEncoded> {
      const outcome = resultOf(m, p, { recorded: false });
      if (outcome.kind !== 'done') throw new FormatError(reasonOf(outcome));
      return yield* addChecksumSteps(storedEncoding(outcome.result, m), m.rows);
    },
    decode: ({ own }) => own.cells,
    validate,
    storage,
    multiply,
    comparison: {
      size: () => 'open', // not known before encoding
      digest: (e) => {
        const { totalBits, totalBytes } = storage(e);
        return { bytes: totalBytes, padding: totalBits.padding / 8 };
      },
      why({ nnz }, _, { bytes, padding = 0 }) {
        if (bytes === undefined) return 'Known once the matrix is encoded.';
        if (nnz === 0) return `Without non-zeros it takes ${counted(bytes, 'byte')}.`;
        const bitsPerNonZero = `${((8 * bytes) / nnz).toFixed(1)} bits for each non-zero`;
        return padding > 0
          ? `It takes ${bitsPerNonZero}, ${countText(padding)} bytes of it padding.`
          : `It takes ${bitsPerNonZero}.`;
      },
    },
  });
}
