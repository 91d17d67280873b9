import type { ReactNode } from 'react';
import { countText } from '../../../core/story/words.ts';
import { KNOWN_MODELS, type ModelShape, weightsOf } from '../../../theory/models/model-shape.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { ParamForm } from '../../../kit/forms/ParamForm.tsx';
import { ConfigForm } from '../../../kit/forms/ConfigForm.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { leftOutWords, modelFormats, DENSITIES } from './model-choices.ts';
import { estimatedSeconds } from './model-request.ts';
import type { ModelPageState } from './use-model.ts';
import { density as densityText } from '../../../kit/words/quantity.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select, SelectField } from '../../../kit/controls/Select.tsx';
import { Check } from '../../../kit/controls/Check.tsx';
import { weights } from '../../../kit/words/weights.ts';

/** A person's choices: the model, how much of it is kept, its storage, and what to measure. */
export function ModelForm({ state }: { readonly state: ModelPageState }) {
  const { session, formats } = useApp();
  const { choices, choose, format, params } = state;
  const leftOut = leftOutWords(formats);
  return (
    <>
      <Section title="Model">
        <ModelSelect model={choices.model} onChoose={(model) => choose({ model })} />
        <ModelSizes model={choices.model} />
        <details className="disclosure model-config">
          <summary>another, by its config.json</summary>
          <ConfigForm onRead={(model) => choose({ model })} />
        </details>
      </Section>
      <Section label="Density">
        <LiveSlider
          label="Density"
          value={choices.density}
          {...DENSITIES}
          format={(at) => densityText(at, 2)}
          describe={(at) => `density ${densityText(at, 2)}`}
          onMove={(density) => choose({ density })}
          onChange={(density) => choose({ density })}
        />
      </Section>
      <Section className="model-stored" title="Stored as" level={3}>
        <SelectField
          label="format"
          hint={leftOut}
          value={format.id}
          options={modelFormats(formats).map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(id) => choose({ format: id })}
        />
        <ParamForm
          format={format}
          params={Object.fromEntries(Object.entries(params)) as Parameters<typeof ParamForm>[0]['params']}
          onChange={(name, value) => session.setParam(format.id, name, value)}
        />
        <Check checked={choices.head} onChange={(head) => choose({ head })}>
          <span>{choices.model.tied ? 'prune lm_head, which is the embedding' : 'prune lm_head too'}</span>
        </Check>
        <Check checked={choices.fused} onChange={(fused) => choose({ fused })}>
          <span>{`q, k, v as one matrix${choices.model.gated ? ', gate and up as one' : ''}`}</span>
        </Check>
      </Section>
      <Measure state={state} />
    </>
  );
}

function ModelSelect({
  model,
  onChoose,
}: {
  readonly model: ModelShape;
  readonly onChoose: (model: ModelShape) => void;
}) {
  return (
    <Select
      aria-label="Model"
      value={model}
      options={(KNOWN_MODELS.includes(model) ? KNOWN_MODELS : [model, ...KNOWN_MODELS]).map((one) => ({
        value: one,
        key: String(KNOWN_MODELS.indexOf(one)),
        label: one.name,
      }))}
      onChange={onChoose}
    />
  );
}

function ModelSizes({ model }: { readonly model: ModelShape }) {
  const { layers, hidden, intermediate, heads, kvHeads, headDim, vocabulary, gated, positions, tied } = model;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['layers', layers],
    ['hidden, inner', `${countText(hidden)}, ${countText(intermediate)}${gated ? '' : ', no gate'}`],
    ['heads, of k and v', `${heads}, ${kvHeads}`],
    ['columns of a head', headDim],
    ['vocabulary', countText(vocabulary)],
    ...(positions > 0 ? [['learned positions', countText(positions)] as const] : []),
    ...(tied ? [['lm_head', 'is the embedding'] as const] : []),
    ['weights', weights(weightsOf(model))],
  ];
  return (
    <dl className="facts model-sizes">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Measure({ state }: { readonly state: ModelPageState }) {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running);
  const { choices, choose, view, measuredHere, missing, unavailable, title, measure } = state;
  const shapes = `${missing.length} ${missing.length === 1 ? 'shape' : 'shapes'}`;
  const seconds = Math.ceil(estimatedSeconds(missing.map(({ group }) => group)) / 5) * 5;
  return (
    <Section
      title="Measure"
      aside={
        <>
          {measuredHere} of {view.lines.length} shapes
        </>
      }
      level={3}
    >
      <NumberInput
        label="tokens at once"
        hint="1 while a model writes; while it reads, the length of the prompt"
        whole
        min={1}
        max={4096}
        value={choices.tokens}
        onChange={(tokens) => choose({ tokens })}
      />
      {running ? (
        <JobProgress job={running.job} onCancel={() => session.cancelBench()} />
      ) : (
        <button
          type="button"
          className="button button--solid model-run"
          disabled={unavailable !== null}
          onClick={measure}
        >
          {measuredHere === view.lines.length ? 'Measure again' : 'Measure this density'}
        </button>
      )}
      <p className="faint model-hint">
        {unavailable !== null
          ? `${unavailable} Nothing can be measured here.`
          : `${shapes}, dense and ${title}: about ${seconds} s.`}
      </p>
    </Section>
  );
}
