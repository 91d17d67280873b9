import { type AnyListedFormat, FORMAT_GROUPS, OWN_GROUP, resolvedParams } from '../../core/format.ts';
import { expectedBytes, isHeld } from '../../theory/models/model-bytes.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import { type AppDocument, type Catalog, type SessionState, type Stored } from '../../state/index.ts';
import { type Remedy, withRemedy } from '../../state/remedy.ts';
import { encodingOf } from '../../state/session/encoding-queue.ts';

/** A format in the chooser. */
export interface FormatRow {
  readonly format: AnyListedFormat;
  /** with the parameters that choosing it brings */
  readonly stored: Stored;
  /** of the whole matrix; null while they are not known, or where there are none */
  readonly bytes: number | null;
  /** the bytes follow from a closed form, since nobody has asked for the matrix as a whole */
  readonly isExpected: boolean;
  /** the format cannot store the matrix */
  readonly isRefused: boolean;
  /** null where it can store the matrix, or nothing here can be done about it */
  readonly remedy: Remedy | null;
}

export interface FormatRowsInput {
  readonly formats: readonly AnyListedFormat[];
  readonly doc: Pick<AppDocument, 'source' | 'params' | 'against'>;
  /** the side that is being chosen */
  readonly side: 'a' | 'b';
  readonly encodings: SessionState['encodings'];
  readonly summary: MatrixSummary | null;
  readonly examples: Catalog['examples'];
}

/** Every format in the order of its group. */
export function formatRows({
  formats,
  doc,
  side,
  encodings,
  summary,
  examples,
}: FormatRowsInput): readonly FormatRow[] {
  return [...FORMAT_GROUPS, OWN_GROUP]
    .flatMap((group) => formats.filter((format) => format.group === group))
    .map((format) => {
      const { against } = doc;
      const params = (side === 'b' && against?.format === format.id ? against.params : doc.params[format.id]) ?? {};
      const stored: Stored = { format: format.id, params };
      const encoding = encodingOf(encodings, stored);
      const row = { format, stored, isExpected: false, isRefused: false, remedy: null };
      if (encoding?.kind === 'ready') {
        const { ledger, admission } = encoding.summary;
        if (admission.ok) return { ...row, bytes: ledger?.totalBytes ?? null };
        const remedy = admission.prune
          ? { kind: 'prune' as const, ...admission.prune }
          : showing(format, doc, examples);
        return { ...row, bytes: null, isRefused: true, remedy };
      }
      if (summary?.sampledRows === undefined) return { ...row, bytes: null };
      const { rows, cols, density } = summary;
      const resolved = resolvedParams(format.params, params, summary);
      const isOpen = isHeld({ format, params: resolved }, density, { rows, cols }, placementOf(doc));
      if (!isOpen) return { ...row, bytes: null, isRefused: true, remedy: showing(format, doc, examples) };
      const bytes = expectedBytes({ format, params: resolved }, density, { rows, cols });
      return { ...row, bytes: bytes === null ? null : Math.round(bytes), isExpected: true };
    });
}

function placementOf({ source }: Pick<AppDocument, 'source'>): 'independent' | 'even' {
  return source.kind === 'pruned' && source.pruning.way === 'n-of-m' ? 'even' : 'independent';
}

/** The example that shows a format best, where that is another matrix. */
function showing(
  { shownBestOn }: AnyListedFormat,
  { source }: Pick<AppDocument, 'source'>,
  examples: Catalog['examples'],
): Remedy | null {
  const { id, what } = shownBestOn;
  const isOpen = source.kind === 'example' && source.id === id;
  return isOpen || !examples.some((example) => example.id === id) ? null : { kind: 'open', id, what };
}

/** What a row says where the bar would be: 'prunes to 6:8 first'. */
export function remedyText({ remedy, isRefused }: FormatRow): string {
  if (remedy?.kind === 'prune') return `prunes to ${remedy.kept}:${remedy.group} first`;
  if (remedy?.kind === 'open') return `opens ${remedy.what}`;
  return isRefused ? 'cannot store this' : '';
}

/** The document with a row in A or B, and with what the format needs. */
export function withRow(doc: AppDocument, side: 'a' | 'b', { stored, remedy }: FormatRow): AppDocument {
  return withRemedy(doc, side, stored, remedy);
}

/** The rows whose title or group contains every word of the query; titles that begin with it come first. */
export function findRows(rows: readonly FormatRow[], query: string): readonly FormatRow[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return rows;
  const words = wanted.split(/\s+/);
  return rows
    .filter(({ format: { title, group } }) => {
      const text = `${title} ${group}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
  function begins({ format }: FormatRow): boolean {
    return format.title.toLowerCase().startsWith(wanted);
  }
}
