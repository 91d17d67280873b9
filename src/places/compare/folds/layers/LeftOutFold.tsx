import './layers.css';
import type { FoldProps } from '../fold.ts';
import { LeftOut } from './ModelFacts.tsx';

/** The parts of a model that are not counted. */
export function LeftOutFold({ compared: { model } }: FoldProps) {
  return model && <LeftOut model={model.shape} />;
}
