import { listText } from '../../../core/story/words.ts';
import { useApp } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { useChoose } from './choose-row.ts';
import type { Compared, CompareRow } from './compare-row.ts';
import { isInFoot } from './sorting.ts';

/** Formats that are no rows: their size is known only after encoding, or they store something else. */
export function RowsFoot({ compared }: { readonly compared: Compared }) {
  const { session } = useApp();
  const put = useChoose();
  const { rows, model, level } = compared;
  const foot = rows.filter((row) => isInFoot(row, compared));
  const open = foot.filter(({ state }) => state === 'open');
  const others = new Map<string, readonly CompareRow[]>();
  for (const row of foot) {
    if (row.state !== 'refused') continue;
    const way = remedyText(row);
    others.set(way, [...(others.get(way) ?? []), row]);
  }
  if (foot.length === 0 && !model?.encoding) return null;
  return (
    <ul className="rows-foot underlined flex wrap gap-1-6 quiet mt-2">
      {open.map((row) => (
        <li key={row.key}>
          <b className="text-ink">{row.format.title}</b>: its size depends on the matrix.{' '}
          {level === 'matrix' ? (
            <button type="button" className="text-button" onClick={() => session.retryEncoding(row.format.id)}>
              Compute it
            </button>
          ) : model?.encode ? (
            <button type="button" className="text-button" onClick={() => model.encode?.(row)}>
              Compute one per shape
            </button>
          ) : null}
        </li>
      ))}
      {model?.encoding && (
        <li>
          <JobProgress job={model.encoding} onCancel={model.cancelEncoding} />
        </li>
      )}
      {model?.problem && <li role="alert">{model.problem}</li>}
      {[...others].map(([way, refused]) => (
        <li key={way}>
          <b className="text-ink">{listText([...new Set(refused.map(({ format }) => format.title))])}</b>{' '}
          {footText(refused, level)}{' '}
          {way !== '' && (
            <button
              type="button"
              className="text-button"
              onClick={() => put('a', refused[0].stored, refused[0].remedy)}
            >
              {way}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why they cannot store it. */
function footText(refused: readonly CompareRow[], level: Compared['level']): string {
  const [{ why, remedy }] = refused;
  if (level === 'model' || remedy?.kind === 'open')
    return `${refused.length === 1 ? 'is' : 'are'} for activations, not weights.`;
  if (why === null) return 'cannot store it.';
  return `${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}

/** What there is to do about a format that cannot store it; empty where nothing is known. */
function remedyText({ remedy }: CompareRow): string {
  if (remedy === null) return '';
  return remedy.kind === 'prune' ? `prune to ${remedy.kept}:${remedy.group}` : 'Show an example';
}
