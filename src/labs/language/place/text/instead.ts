import { KNOWN_MODELS } from '../../../../theory/models/known-models.ts';
import { modelId } from '../../../../theory/models/model-tree.ts';
import { leftText } from '../../../../kit/words/shares.ts';

interface InsteadFacts {
  /** id of the sentence's model; null: the sentence is about something that does not write */
  readonly asked: string | null;
  /** name of the model that writes */
  readonly writes: string;
  /** share left in the sentence; null: it names no pruning */
  readonly left: number | null;
}

/** Why another model than the sentence's writes, and its pruning. */
export function instead({ asked, writes, left }: InsteadFacts): string {
  const known = KNOWN_MODELS.find((model) => modelId(model) === asked);
  const why = asked === null ? 'No model is chosen' : `${known?.name ?? asked} is too large here`;
  const how = left === null ? 'pruned to 60\u202f% by Wanda' : `pruned to the same ${leftText(left)}`;
  return `${why}: ${writes} writes instead, ${how}.`;
}
