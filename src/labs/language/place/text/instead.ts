import { KNOWN_MODELS } from '../../../../theory/models/model-shape.ts';
import { modelId } from '../../../../theory/models/model-tree.ts';
import { leftText } from '../../../../kit/words/shares.ts';

interface InsteadFacts {
  /** id of the model that the sentence is about; null: it is about something that does not write */
  readonly asked: string | null;
  /** name of the one that writes */
  readonly writes: string;
  /** share that the sentence leaves; null: it says nothing of pruning */
  readonly left: number | null;
}

/** Why another model writes than the sentence is about, and how it is pruned. */
export function instead({ asked, writes, left }: InsteadFacts): string {
  const known = KNOWN_MODELS.find((model) => modelId(model) === asked);
  const why = asked === null ? 'No model is chosen' : `${known?.name ?? asked} is too large here`;
  const how = left === null ? 'pruned to 60\u202f% by Wanda' : `pruned to the same ${leftText(left)}`;
  return `${why}: ${writes} writes instead, ${how}.`;
}
