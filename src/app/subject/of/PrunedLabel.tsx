import { useStore } from 'zustand';
import { useDocument } from '../../../kit/app-context.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { writingModel } from '../../../kit/frame/writing-model.ts';
import { previewedPruning } from '../../../kit/forms/previewed-pruning.ts';

const WAYS = {
  magnitude: 'by magnitude',
  rows: 'by magnitude in every row',
  wanda: 'by Wanda',
  random: 'at random',
} as const;

/** What pruning left. */
export function PrunedLabel() {
  const own = useDocument(({ source }) => (source.kind === 'pruned' ? source.pruning : null));
  const writing = useStore(writingModel);
  const previewed = useStore(previewedPruning);
  const pruning = writing ? writing.pruning : (previewed ?? own);
  if (pruning === null) return <b>as it is</b>;
  if (pruning.way === 'n-of-m') return <b>{`${pruning.kept}:${pruning.group}`}</b>;
  return (
    <>
      <b>{leftText(pruning.density)} left</b>
      <span className="word-quiet"> {WAYS[pruning.way]}</span>
    </>
  );
}
