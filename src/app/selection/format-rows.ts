import { sizeOf } from '../../core/encoded/ledger.ts';
import { type AnyListedFormat, FORMAT_GROUPS, isUserWritten } from '../../core/format.ts';
import { countText } from '../../core/text/words.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { wordSearch } from '../../kit/word-search.ts';
import { megabytes } from '../../kit/words/model-sizes.ts';
import {
  exampleInstead,
  placementOf,
  type Remedy,
  type AppDocument,
  type Catalog,
  type FormatChoice,
  type SessionState,
  encodingOf,
} from '../../state/index.ts';
import { expectedSize } from '../../theory/expected-bytes.ts';

/** A row of the list of formats: a format, and its bytes for the open matrix. */
export interface FormatRow {
  readonly format: AnyListedFormat;
  /** the format's id, and the parameters with which a click chooses the format */
  readonly choice: FormatChoice;
  /** bytes of the whole matrix; null while unknown, or if the format rejects the matrix */
  readonly bytes: number | null;
  /** `bytes` is computed from shape and density, since the matrix has not been encoded */
  readonly isExpected: boolean;
  /** the format cannot store the matrix */
  readonly isRefused: boolean;
  /** for a format that cannot store the matrix: a pruning, or an example to open instead; null if neither helps */
  readonly remedy: Remedy | null;
}

interface FormatRowsInput {
  readonly formats: readonly AnyListedFormat[];
  readonly doc: Pick<AppDocument, 'source' | 'params' | 'formatB'>;
  readonly side: 'a' | 'b';
  readonly encodings: SessionState['encodings'];
  readonly summary: MatrixSummary | null;
  readonly examples: Catalog['examples'];
}

/** The rows of the list, by group; custom formats come last. */
export function formatRows(input: FormatRowsInput): readonly FormatRow[] {
  const { formats, doc, side, encodings, summary, examples } = input;
  return FORMAT_GROUPS.flatMap((group) => formats.filter((format) => format.group === group))
    .concat(formats.filter(isUserWritten))
    .map((format) => {
      const { formatB } = doc;
      const params = (side === 'b' && formatB?.format === format.id ? formatB.params : doc.params[format.id]) ?? {};
      const choice: FormatChoice = { format: format.id, params };
      const encoding = encodingOf(encodings, choice);
      const row = { format, choice, isExpected: false, isRefused: false, remedy: null };
      if (encoding?.kind === 'ready') {
        const { ledger, support } = encoding.summary;
        if (support.ok) return { ...row, bytes: ledger && sizeOf(ledger) };
        const remedy = support.prune
          ? { kind: 'prune' as const, ...support.prune }
          : exampleInstead(format, doc.source, examples);
        return { ...row, bytes: null, isRefused: true, remedy };
      }
      if (summary?.sampledRows === undefined) return { ...row, bytes: null };
      const bytes = expectedSize(format, params, summary.density, summary, placementOf(summary.source));
      if (bytes === 'refused')
        return { ...row, bytes: null, isRefused: true, remedy: exampleInstead(format, doc.source, examples) };
      return { ...row, bytes, isExpected: true };
    });
}

/** The bytes of a row: exact, '199 352', or expected, '≈ 0.2 MB'. */
export function sizeText(bytes: number, isExpected: boolean): string {
  return isExpected ? `≈ ${megabytes(bytes)}` : countText(bytes);
}

/** The text of a row instead of its bar: 'prunes to 6:8 first'. */
export function remedyText({ remedy, isRefused }: FormatRow): string {
  if (remedy?.kind === 'prune') return `prunes to ${remedy.kept}:${remedy.group} first`;
  if (remedy?.kind === 'open') return `opens ${remedy.what}`;
  return isRefused ? 'cannot store this' : '';
}

/** The rows that match a query; all of them for an empty one. */
export function findRows(rows: readonly FormatRow[], query: string): readonly FormatRow[] {
  if (query.trim() === '') return rows;
  const find = wordSearch(rows, ({ format: { title, group, searchWords, shortSummary } }) => ({
    title,
    searchWords: `${group} ${searchWords ?? ''}`,
    description: shortSummary,
  }));
  const { named, mentioned } = find(query);
  return [...named, ...mentioned];
}
