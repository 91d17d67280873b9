import './compare-folds.css';
import { someOf, useChoices } from '../../../kit/browser/choices.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { type FoldEntry, Folds } from '../../../kit/frame/Folds.tsx';
import type { Compared } from '../rows/compare-row.ts';
import type { FoldProps } from './fold.ts';

const FOLD_IDS = ['layers', 'token', 'gaps', 'accuracy', 'published', 'left-out'] as const;
type FoldId = (typeof FOLD_IDS)[number];

/** Which folds are open. */
const FOLD_FIELDS = { fold: someOf(FOLD_IDS, []) };

const Layers = lazyPart(async () => (await import('./layers/LayersFold.tsx')).LayersFold);
const Token = lazyPart(async () => (await import('./layers/TokenFold.tsx')).TokenFold);
const LeftOut = lazyPart(async () => (await import('./layers/LeftOutFold.tsx')).LeftOutFold);
const Published = lazyPart(async () => (await import('./published/PublishedFold.tsx')).PublishedFold);
const Gaps = lazyPart(async () => (await import('./gaps/GapsFold.tsx')).GapsFold);
const Accuracy = lazyPart(async () => (await import('./published/AccuracyFold.tsx')).AccuracyFold);

/** What more there is to know, each loaded when it is opened: `x.fold=NAME`, several with dots between them. */
export function CompareFolds({ compared }: { readonly compared: Compared }) {
  const [{ fold: open }, choose] = useChoices(FOLD_FIELDS);
  const wide = useMedia('(width >= 64rem)');
  const props: FoldProps = { compared, wide };
  const ofModel: readonly FoldEntry<FoldId>[] = [
    { id: 'layers', title: 'layer by layer', content: <Layers {...props} /> },
    { id: 'token', title: 'per token', content: <Token {...props} /> },
  ];
  const ofMatrix: readonly FoldEntry<FoldId>[] = [
    { id: 'gaps', title: 'gaps, rows, groups', content: <Gaps {...props} /> },
  ];
  const folds: readonly FoldEntry<FoldId>[] = [
    ...(compared.level === 'model' ? ofModel : ofMatrix),
    { id: 'accuracy', title: 'what pruning costs in accuracy', content: <Accuracy /> },
    { id: 'published', title: 'published for other cards', content: <Published {...props} /> },
    ...(compared.level === 'model'
      ? [{ id: 'left-out' as const, title: 'left out', content: <LeftOut {...props} /> }]
      : []),
  ];
  return <Folds folds={folds} open={open} onOpen={(ids) => choose({ fold: ids })} />;
}
