import './layers.css';
import { countText, listText } from '../../../../core/text/words.ts';
import { probablySupports } from '../../../../theory/expected-bytes.ts';
import {
  biasCount,
  kvCacheBytesPerToken,
  type Experts,
  type ModelShape,
  multipliedWeights,
  weightsOf,
} from '../../../../theory/models/model-shape.ts';
import { bytes } from '../../../../kit/words/quantity.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { leftOutText } from '../../model/model-formats.ts';
import { type Fact, type ModelView, tokenFacts } from '../../model/model-view.ts';
import type { StoredModel } from './LayersDetails.tsx';
import { Section } from '../../../../kit/controls/Section.tsx';
import { modelSize, weightsText } from '../../../../kit/words/model-sizes.ts';

/** The section 'per token': bytes and time of a token, sizes of the model, and where the format allows non-zeros. */
export function ModelFacts({ view, formatTitle }: Pick<StoredModel, 'view' | 'formatTitle'>) {
  const constraint = constraintText(view, formatTitle);
  return (
    <div className="model-facts grid grid-cols-[repeat(auto-fit,minmax(min(22rem,100%),1fr))] items-start gap-y-6 gap-x-8">
      <Section title={view.tokens === 1 ? 'Per token' : `For ${view.tokens} tokens`} aside="weights alone" level={3}>
        <Facts facts={tokenFacts(view, formatTitle)} />
      </Section>
      <Section title={view.model.name} aside="sizes" level={3}>
        <ModelSizes model={view.model} />
      </Section>
      {constraint !== null && <p>{constraint}</p>}
    </div>
  );
}

function ModelSizes({ model }: { readonly model: ModelShape }) {
  const { layers, hidden, intermediate, heads, kvHeads, headDim, vocabulary, gated, positions, tied, experts } = model;
  const facts: readonly Fact[] = [
    ['layers', String(layers)],
    ['hidden, inner', `${countText(hidden)}, ${countText(intermediate)}${gated ? '' : ', no gate'}`],
    ['heads, of k and v', `${heads}, ${kvHeads}`],
    ['columns of a head', String(headDim)],
    ['vocabulary', countText(vocabulary)],
    ...(positions > 0 ? [['learned positions', countText(positions)] as const] : []),
    ...(tied ? [['lm_head', 'is the embedding'] as const] : []),
    ...(experts ? expertFacts(experts) : []),
    ['weights', weightsText(weightsOf(model))],
    ...(experts ? [['of them multiplied with a token', weightsText(multipliedWeights(model))] as const] : []),
  ];
  return <Facts facts={facts} />;
}

function expertFacts({ count, active, width, shared, dense }: Experts): readonly Fact[] {
  return [
    ['experts of a layer, for a token', `${countText(count)}, ${countText(active)}`],
    ['inner, of an expert', countText(width)],
    ...(shared > 0 ? [['inner, of those shared', countText(shared)] as const] : []),
    ...(dense > 0 ? [['first layers without experts', countText(dense)] as const] : []),
  ];
}

/** A note if the format supports this density only in N:M (evenly placed non-zeros), or not at all; else null. */
function constraintText({ lines, storage }: ModelView, formatTitle: string): string | null {
  const pruned = lines.filter(({ group }) => !group.keptDense);
  const isSupported = (placement: 'independent' | 'even'): boolean =>
    pruned.every(({ group }) => probablySupports(storage, storage.density, group, placement));
  if (isSupported('independent')) return null;
  return isSupported('even')
    ? `${formatTitle} supports this density only in N:M.`
    : `${formatTitle} does not support this density: bytes are after further pruning.`;
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts block mt-3">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-2">
          <dt>{name}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Context length at which the size of the cache is given, in tokens: the published length of most of these models. */
const CONTEXT = 4096;

/** The section 'left out': the parts that the bytes and times of a model do not include. */
export function LeftOut({ model }: Pick<ModelView, 'model'>) {
  const { formats } = useApp();
  const missing = leftOutText(formats);
  const cache = kvCacheBytesPerToken(model);
  const context = Math.min(CONTEXT, model.positions || CONTEXT);
  const biases = biasCount(model);
  return (
    <ul className="grid gap-2">
      <li>
        attention and the KV cache: {bytes(cache)} per token in f16, {modelSize(cache * context)} at{' '}
        {countText(context)}
      </li>
      <li>norms, {model.positions === 0 && 'rotary embedding, '}softmax, sampling</li>
      {biases > 0 && (
        <li>
          {countText(biases)} biases of {listText(model.biases)}
        </li>
      )}
      <li>other memory of a runtime</li>
      <li>accuracy</li>
      {missing !== null && <li>{missing}</li>}
    </ul>
  );
}
