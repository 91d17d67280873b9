/* The buttons in the rows of Compare's table, and what choosing a format as A or B does. */

import type { ReactNode } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';
import { bytes as bytesText, duration } from '../../../kit/words/quantity.ts';
import { type Remedy, remedyPhrase, withRemedy, type FormatChoice } from '../../../state/index.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';

/** Returns a function that chooses format A or B; `remedy` prunes or replaces a matrix that the format cannot store. */
export function useChooseSide() {
  const { document, session, announce, formats } = useApp();
  return (side: 'a' | 'b', stored: FormatChoice, remedy: Remedy | null = null): void => {
    const next = withRemedy(document.getState(), side, stored, remedy);
    if (remedy === null) {
      document.setState(next);
      return;
    }
    const title = formats.find(({ id }) => id === stored.format)?.title ?? stored.format;
    const name = session.store.getState().summary?.name ?? 'this matrix';
    void session.restore(next);
    announce(`${title} cannot store ${name}: ${remedyPhrase(remedy)}.`);
  };
}

interface RowActionProps {
  readonly row: CompareRow;
  readonly compared: ComparedFormats;
  /** the button for better parameters includes their bytes */
  readonly isLong?: boolean;
}

/** Whether `RowAction` shows a button for this row. */
export function hasRowAction({ bestParams, remedy, state }: CompareRow, { level, model }: ComparedFormats): boolean {
  if (state === 'failed') return true;
  if (state === 'open') return level === 'matrix' || Boolean(model?.encode);
  return bestParams !== null || (state === 'refused' && remedy !== null);
}

/** The button of a row: better parameters, pruning or an example if the format cannot store the matrix, or encoding. */
export function RowAction({ row, compared: { level, model }, isLong = false }: RowActionProps) {
  const { session } = useApp();
  const chooseSide = useChooseSide();
  const { bestParams, remedy, state, format, bytes } = row;
  const button = (text: string, onClick: () => void): ReactNode => <TextButton onClick={onClick}>{text}</TextButton>;
  const size = isLong && bestParams && bytes !== null && state === 'known' ? `: ${bytesText(bestParams.bytes)}` : '';
  const betterParams = bestParams && button(`${bestParams.label}${size}`, () => chooseSide('a', bestParams.stored));
  switch (state) {
    case 'failed':
      return button('try again', () => session.retryEncoding(format.id));
    case 'open': // bytes that only an encoding shows
      if (level === 'matrix') return button('compute its size', () => session.retryEncoding(format.id));
      return model?.encode ? button('compute its size for one matrix per shape', () => model.encode?.(row)) : null;
    case 'refused':
      return (
        <>
          {betterParams}
          {remedy &&
            button(remedy.kind === 'prune' ? `prune to ${remedy.kept}:${remedy.group}` : 'show an example', () =>
              chooseSide('a', row.stored, remedy),
            )}
        </>
      );
    default:
      return betterParams;
  }
}

/** A row with a slow encoding: its progress, and a button to cancel it. */
export function RowJob({ job }: { readonly job: NonNullable<CompareRow['job']> }) {
  const { session } = useApp();
  if (!job.progress || typeof job.remainingMs !== 'number') return null;
  return (
    <span className="flex gap-2 text-muted text-13">
      {job.progress.what}, about {duration(job.remainingMs)} left{' '}
      <TextButton onClick={session.cancelEncoding}>cancel</TextButton>
    </span>
  );
}
