import './layers.css';
import type { FoldProps } from '../fold.ts';
import { LeftOut } from './ModelFacts.tsx';

/** What is not counted of a model. */
export function LeftOutFold({ compared: { model } }: FoldProps) {
  return model && <LeftOut model={model.shape} />;
}
