import './layers.css';
import { ModelFacts } from './ModelFacts.tsx';
import type { FoldProps } from '../fold.ts';
import { WithModel } from './WithModel.tsx';

/** What a token costs in figures, and why it is no faster. */
export function TokenFold({ compared }: FoldProps) {
  return <WithModel compared={compared}>{(shown) => <ModelFacts {...shown} />}</WithModel>;
}
