import './layers.css';
import { ModelFacts } from './ModelFacts.tsx';
import type { FoldProps } from '../fold.ts';
import { WithModel } from './WithModel.tsx';

/** The cost of a token in figures, and what limits its speed. */
export function TokenFold({ compared }: FoldProps) {
  return <WithModel compared={compared}>{(shown) => <ModelFacts {...shown} />}</WithModel>;
}
