import { type ReactNode, useState } from 'react';
import { MODEL_BOUNDS } from '../../../core/bounds/bounds.ts';
import { excess } from '../../../core/bounds/check.ts';
import { countText } from '../../../core/story/words.ts';
import { readModelConfig } from '../../../theory/models/model-config.ts';
import { KNOWN_MODELS, type ModelShape, weightsOf } from '../../../theory/models/model-shape.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { ParamForm } from '../../../kit/forms/ParamForm.tsx';
import { RemoteForm } from '../../../kit/forms/RemoteForm.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { pickFiles } from '../../../kit/browser/pick-files.ts';
import { leftOutWords, modelFormats, DENSITIES } from './model-choices.ts';
import { estimatedSeconds } from './model-request.ts';
import type { ModelPageState } from './use-model.ts';
import { density as densityText } from '../../../kit/words/quantity.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select, SelectField } from '../../../kit/controls/Select.tsx';
import { Check } from '../../../kit/controls/Check.tsx';
import { weights } from '../../../kit/words/weights.ts';
import { createReadText } from '../../../kit/browser/read-text.ts';

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
        <ConfigForm onRead={(model) => choose({ model })} />
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

/** Any other model, by its config.json: from disk, an address or the hub. */
function ConfigForm({ onRead }: { readonly onRead: (model: ModelShape) => void }) {
  const app = useApp();
  const { announce } = app;
  const [readConfig] = useState(() => createReadText(app, { main: 'config.json', mostBytes: MODEL_BOUNDS.length }));
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const accept = (text: string, name: string): void => {
    try {
      const model = readModelConfig(text, name);
      setProblem(null);
      onRead(model);
      announce(`${model.name} is shown.`);
    } catch (error) {
      setProblem(error instanceof Error ? `${error.message}.` : String(error));
    }
  };
  const open = async (file: File): Promise<void> => {
    const tooLong = excess(file.size, MODEL_BOUNDS.length, 'bytes');
    if (tooLong !== null) setProblem(`${file.name}: ${tooLong}.`);
    else accept(await file.text(), file.name);
  };
  const fetchConfig = async (reference: string, token: string | null): Promise<void> => {
    setReading(true);
    setProblem(null);
    const text = await readConfig(reference, token);
    setReading(false);
    if (text !== null) accept(text, nameOf(reference));
  };
  return (
    <details className="disclosure model-config">
      <summary>another, by its config.json</summary>
      <button
        type="button"
        className="button"
        onClick={() => pickFiles({ accept: '.json,application/json', multiple: false }, ([file]) => void open(file))}
      >
        Open a config.json
      </button>
      <RemoteForm
        action="Read from the web"
        hint="The address of a config.json, or a model on the Hugging Face hub: org/name, or its link. Only this file is downloaded, and a link to this page carries only the sizes. Llama, Mistral, Qwen 2 and 3, Gemma, Phi-3, OLMo, Granite, OPT and GPT-2 can be read; mixtures of experts cannot."
        onOpen={(reference, token) => void fetchConfig(reference, token)}
      />
      <p role="status" className={problem === null ? 'faint' : 'field-error'}>
        {reading ? 'Reading …' : problem}
      </p>
    </details>
  );
}

/** The model's name in a reference: 'org/name', or an address's last folder. */
function nameOf(reference: string): string {
  const parts = reference
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter((part) => part !== '' && !/^(?:https?:|hf:|config\.json|resolve|blob|raw|main|[0-9a-f]{40})$/i.test(part));
  return (parts.at(-1) ?? 'config.json').replace(/@.*$/s, '').slice(0, 60);
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
