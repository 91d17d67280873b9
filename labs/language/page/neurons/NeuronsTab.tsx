// The tab Neurons: the raster of firing neurons, its table, and sections with charts.

import './neurons.css';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { numberChoice, wordChoice, useChoices } from '../../../../src/kit/browser/choices.ts';
import { useMedia } from '../../../../src/kit/browser/use-media.ts';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { JobError } from '../JobError.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { AnswerLine } from '../../../../src/kit/frame/AnswerLine.tsx';
import { useUserRun } from '../../../../src/kit/frame/shell-context.ts';
import { PageLink } from '../../../../src/kit/browser/AddressLink.tsx';
import { bindShortcuts } from '../../../../src/kit/shortcuts.ts';
import { countText } from '../../../../src/core/text/words.ts';
import { isImported } from '../../theory/imported.ts';
import { modelFile, modelAddress, useModelFile } from '../../overrides/model-files.ts';
import type { DecoderConfig } from '../../decoders/decoder.ts';
import { useImported } from '../bring/use-bringing.ts';
import { builtInText } from '../bring/model-words.ts';
import type { FiringRequest } from '../service/types.ts';
import type { TabProps } from '../tab.ts';
import { TabDetails } from '../TabDetails.tsx';
import { TabAside } from '../TabAside.tsx';
import { MAX_WRITTEN, MAX_WRITTEN_BROUGHT, TEXT_FIELDS } from '../text/fields.ts';
import { RELU_MODEL } from '../model-choice.ts';
import { useChangeModel } from '../use-change-model.ts';
import { withTab } from '../address.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { Button } from '../../../../src/kit/controls/Button.tsx';
import { useQuality } from '../../overrides/use-quality.ts';
import { Stack } from '../../../../src/kit/primitives/Layout.tsx';
import { Note } from '../../../../src/kit/primitives/Text.tsx';
import { ByPosition } from './ByPosition.tsx';
import { CostOfL1 } from './CostOfL1.tsx';
import { type FiringCounts, countedWords, countFired } from './firing-counts.ts';
import { ranksByFrequency } from './firing-tokens.ts';
import { LayerTable } from './LayerTable.tsx';
import { PieceBars } from './PieceBars.tsx';
import { Raster } from './Raster.tsx';
import { rasterPlan, firstColumn } from './raster.ts';
import { LayerNames, LayerSteps, TaleNote } from './RasterParts.tsx';
import { allFireWords, type ModelCosts, type FiringRecord, firingHeadline, readFiringRecord } from './firing-record.ts';
import { SpeedByLayer } from './SpeedByLayer.tsx';
import { useFiring } from './use-firing.ts';
import { WholeTale } from './WholeTale.tsx';

/** The choices of this tab, which the address of the page stores. */
const NEURON_FIELDS = {
  layer: numberChoice(0, 255, 0, true),
  order: wordChoice(['stored', 'frequency'], 'stored'),
  /** the current token, shared with the tab Text, which counts after the prompt; -1: the token being written */
  at: numberChoice(-1, 10_000, -1, true),
};

const recordOf = modelFile('firing.json', readFiringRecord);

/** Id of the model with SwiGLU that corresponds to the model with ReLU. */
const SWIGLU = 'tales';

/** The tab Neurons: which neurons fire while a text is written, and which fired over many tales (short stories). */
export function NeuronsTab({ modelChoice }: TabProps) {
  const { model } = modelChoice;
  const record = useModelFile(recordOf, model.id);
  const changeModel = useChangeModel();
  const { document } = useApp();
  // All neurons of the model with SwiGLU fire, so there is only its text to show.
  const openSwiglu = useCallback(() => {
    changeModel(SWIGLU);
    document.setState(withTab(document.getState(), 'text'));
  }, [changeModel, document]);
  const imported = useImported(isImported(model.id))?.find(({ id }) => id === model.id) ?? null;
  const activation = imported && unsparseActivation(imported.config);
  if (activation !== null) {
    return (
      <AllFire neurons={model.shape.intermediate} activation={activation} onOpen={() => changeModel(RELU_MODEL)} />
    );
  }
  if (imported !== null) {
    const { activationName } = imported.config;
    return (
      <>
        {activationName !== undefined && <Note>{`Its neurons go through ${builtInText(activationName)}.`}</Note>}
        <UserNeurons key={model.id} modelChoice={modelChoice} />
      </>
    );
  }
  return <Neurons modelChoice={modelChoice} isImportedModel={false} record={record} onSwiglu={openSwiglu} />;
}

/** The name of the neurons' activation if it is hardly ever 0; null if most neurons may be 0. */
function unsparseActivation({ activation, gated }: DecoderConfig): string | null {
  if (activation === 'relu') return null;
  if (activation === 'gelu') return 'GELU';
  return gated ? 'SwiGLU' : 'SiLU';
}

interface AllFireProps {
  readonly neurons: number;
  /** whose outputs the neurons are: 'SwiGLU' */
  readonly activation: string;
  readonly onOpen: () => void;
}

/** For an imported model: states that all of its neurons fire, and offers the model with ReLU. */
function AllFire({ neurons, activation, onOpen }: AllFireProps) {
  const words = useMemo(() => allFireWords(neurons, activation), [neurons, activation]);
  return (
    <div className="grid content-start gap-4 min-w-0">
      <AnswerLine words={words} waitingText="" />
      <p>
        <Button kind="solid" onClick={onOpen}>
          Show the model with ReLU
        </Button>
      </p>
    </div>
  );
}

/** The neurons of an imported model, once the user lets it write. */
function UserNeurons({ modelChoice }: Pick<TabProps, 'modelChoice'>) {
  const { model } = modelChoice;
  const { stop, write, running: job, error, tokens } = useText(model, true);
  if (tokens.length > 0) return <Neurons modelChoice={modelChoice} isImportedModel record={null} onSwiglu={() => {}} />;
  return (
    <div className="grid content-start gap-4 min-w-0">
      <AnswerLine words={null} waitingText={`${model.shape.name}: counted while it writes`} />
      {job === null ? (
        <p className="flex flex-wrap items-center gap-3 text-muted">
          <Button kind="solid" onClick={write}>
            Write it here
          </Button>
          <span>up to {MAX_WRITTEN_BROUGHT} tokens, on the CPU</span>
        </p>
      ) : (
        <JobProgress job={job} onCancel={stop} />
      )}
      <JobError error={error} onRetry={write} />
    </div>
  );
}

interface NeuronsProps extends Pick<TabProps, 'modelChoice'> {
  /** the model is imported: its firing neurons are counted in a text that it writes on request */
  readonly isImportedModel: boolean;
  readonly record: FiringRecord | null;
  readonly onSwiglu: () => void;
}

/** The text with its firing neurons. `isImportedModel`: it writes only on request. */
function useText(model: TabProps['modelChoice']['model'], isImportedModel: boolean) {
  const [{ prompt, seed, temperature }] = useChoices(TEXT_FIELDS);
  const request = useMemo<FiringRequest>(
    () => ({
      model: modelAddress(model.id),
      prompt,
      seed,
      temperature,
      count: isImportedModel ? MAX_WRITTEN_BROUGHT : MAX_WRITTEN,
    }),
    [model, prompt, seed, temperature, isImportedModel],
  );
  const { data: writtenText, job, error, isCancelled, write, cancel } = useFiring(request, isImportedModel);
  return {
    write,
    stop: cancel,
    // Tokens of the whole text if `tokens` are its recorded beginning; null if it was written here.
    recordedOf: writtenText?.recordedOf ?? null,
    running: job,
    error: isCancelled ? 'Stopped.' : error,
    seed,
    tokens: writtenText?.tokens ?? NO_TOKENS,
  };
}

/** The written text, its visible part, and the keys and clicks that move in it. */
function useRaster(
  model: TabProps['modelChoice']['model'],
  width: number,
  isNarrow: boolean,
  isImportedModel: boolean,
) {
  const { layers, intermediate: neurons } = model.shape;
  const text = useText(model, isImportedModel);
  const { stop, write, running: job, tokens } = text;
  const [{ layer: chosenLayer, order, at: chosenToken }, choose] = useChoices(NEURON_FIELDS);
  const layer = Math.min(chosenLayer, layers - 1);

  useUserRun(write);

  const plan = useMemo(() => rasterPlan(width, layers, layer, isNarrow), [width, layers, layer, isNarrow]);
  const [scrolledColumn, setScrolledColumn] = useState<number | null>(null);
  const lastToken = tokens.length - 1;
  const currentToken = chosenToken < 0 ? Math.max(0, lastToken) : Math.min(chosenToken, Math.max(0, lastToken));
  const from = firstColumn(
    chosenToken < 0 && job !== null ? null : scrolledColumn,
    currentToken,
    tokens.length,
    plan.columns,
  );
  const orderedTokens = job === null ? tokens : Math.floor(tokens.length / TOKENS_PER_ORDER);
  const ranks = useMemo(
    () =>
      order === 'stored'
        ? null
        : Array.from({ length: layers }, (_, index) => ranksByFrequency(tokens, index, neurons)),
    // While a text grows, the order is updated only occasionally.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `orderedTokens` stands for `tokens`
    [order, orderedTokens, layers, neurons],
  );

  const setCurrentToken = (next: number): void => {
    setScrolledColumn(from);
    choose({ at: Math.min(lastToken, Math.max(0, next)) });
  };
  const setFrom = (next: number): void => {
    setScrolledColumn(next);
    // The current token stays among the visible ones.
    const visibleToken = Math.min(Math.max(currentToken, next), next + plan.columns - 1);
    choose({ at: Math.min(lastToken, Math.max(0, visibleToken)) });
  };
  const doKey = useEffectEvent((action: 'stop' | 'token' | 'layer', step = 0) => {
    if (action === 'stop') stop();
    else if (action === 'token') setCurrentToken(currentToken + step);
    else choose({ layer: Math.min(layers - 1, Math.max(0, layer + step)) });
  });
  useEffect(
    () =>
      bindShortcuts(
        window,
        // Their titles, for the search, are in ../palette-entries.ts.
        [
          { keys: ['Escape'], run: () => doKey('stop') },
          { keys: ['ArrowRight'], run: () => doKey('token', 1) },
          { keys: ['ArrowLeft'], run: () => doKey('token', -1) },
          { keys: ['ArrowDown'], run: () => doKey('layer', 1) },
          { keys: ['ArrowUp'], run: () => doKey('layer', -1) },
        ],
        () => true,
      ),
    [],
  );

  return { ...text, layer, order, choose, plan, currentToken, from, ranks, setCurrentToken, setFrom };
}

/** The firing neurons of a text, drawn by layer, with a table, and with sections on their counts and on speed. */
function Neurons({ modelChoice: { model }, isImportedModel, record, onSwiglu }: NeuronsProps) {
  const neurons = model.shape.intermediate;
  const isNarrow = useMedia('(width < 40rem)');
  const isTableBelow = useMedia('(width < 60rem)');
  const modelQuality = useQuality(model.id);
  const swigluQuality = useQuality(SWIGLU);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const raster = useRaster(model, width, isNarrow, isImportedModel);
  const { stop, write, recordedOf, running: job, error, seed, layer, order, choose } = raster;
  const { tokens, plan, currentToken, from, ranks, setCurrentToken, setFrom } = raster;
  // The quality of the model and of its counterpart with SwiGLU: what zeros cost.
  const bitsPerByteOf = (quality: typeof modelQuality): number | null =>
    quality?.rows.find((row) => row.way === 'none' && row.valueType === 'f16')?.bitsPerByte ?? null;
  const costs = { modelBits: bitsPerByteOf(modelQuality), swiglu: bitsPerByteOf(swigluQuality) };
  const setLayer = (next: number): void => choose({ layer: next });
  const { name } = model.shape;
  // Without a record of many tales, the neurons are counted over the tokens of the user's text.
  const counts = useMemo(
    () => (isImportedModel ? countFired(tokens, neurons) : null),
    [isImportedModel, tokens, neurons],
  );
  // What the table next to the raster counts.
  const table = record ?? counts;
  const words = useMemo(() => counts && countedWords(name, counts), [counts, name]);
  return (
    <div className="grid content-start gap-4 min-w-0">
      <TabAside>
        <span className="max-[60rem]:hidden">
          seed <b className="number">{seed}</b>
        </span>
        {record && (
          <span className="max-[60rem]:hidden">
            counts over <b className="number">{countText(record.tokens)}</b> tokens
          </span>
        )}
        <label className="neurons-order">
          order{' '}
          <select
            value={order}
            onChange={(event) => choose({ order: event.currentTarget.value === 'stored' ? 'stored' : 'frequency' })}
          >
            <option value="stored">as stored</option>
            <option value="frequency">by frequency</option>
          </select>
        </label>
      </TabAside>
      <AnswerLine
        words={isImportedModel ? words : record && firingHeadline(record, costs)}
        waitingText={`Counting the neurons of ${model.shape.name}`}
        className="answer-line min-h-[2lh] max-w-[82rem]"
      />
      <div
        className="grid grid-cols-[5.25rem_minmax(0,1fr)_18.5rem] max-[60rem]:grid-cols-[5.25rem_minmax(0,1fr)] max-sm:grid-cols-[minmax(0,1fr)] gap-x-3"
        data-below={isTableBelow || undefined}
      >
        {!isNarrow && <LayerNames {...{ plan, layer, neurons }} hasTiles={order === 'stored'} onLayer={setLayer} />}
        <div ref={box} className="row-1 max-sm:row-auto col-2 max-sm:col-1 grid gap-2 min-w-0">
          {isNarrow && <LayerSteps layer={layer} layers={model.shape.layers} onLayer={setLayer} />}
          {width > 0 && (
            <>
              <Raster
                {...{ plan, tokens, from, currentToken, neurons, ranks }}
                dead={table?.deadByLayer ?? NO_DEAD}
                open={layer}
                onCurrentToken={setCurrentToken}
              />
              <WholeTale
                width={plan.columns * plan.columnWidth}
                tokens={tokens}
                total={recordedOf ?? (job === null ? tokens.length : Math.max(tokens.length, TYPICAL_TALE_TOKENS))}
                {...{ from, currentToken }}
                columns={plan.columns}
                onFrom={setFrom}
              />
            </>
          )}
        </div>
        <div className="row-1 max-[60rem]:row-auto col-3 max-[60rem]:col-span-full max-[60rem]:mt-3">
          {table && (
            <LayerTable
              record={table}
              token={tokens[currentToken] ?? null}
              open={layer}
              plan={isTableBelow ? null : plan}
              onOpen={setLayer}
            />
          )}
        </div>
        <TaleNote tokens={tokens} what={isImportedModel ? 'text' : 'tale'} recordedOf={recordedOf} onWrite={write} />
      </div>
      {job !== null && job.progress !== null && tokens.length === 0 && <JobProgress job={job} onCancel={stop} />}
      <JobError error={error} onRetry={write} />
      {table && <NeuronDetails {...{ table, record, costs, onSwiglu }} resetKey={model.id} />}
    </div>
  );
}

interface NeuronDetailsProps extends Pick<NeuronsProps, 'record' | 'onSwiglu'> {
  readonly table: FiringCounts;
  readonly costs: ModelCosts;
  readonly resetKey: string;
}

/** The folding sections; without a record only the one on speed. */
function NeuronDetails({ table, record, costs, onSwiglu, resetKey }: NeuronDetailsProps) {
  const layers = { id: 'layers', title: 'speed by layer', content: <SpeedByLayer counted={table} /> } as const;
  if (record === null) return <TabDetails sections={[layers]} resetKey={resetKey} />;
  return (
    <TabDetails
      sections={[
        {
          id: 'cost',
          title: 'what few neurons cost',
          content: (
            <>
              <CostOfL1 record={record} {...costs} onSwiglu={onSwiglu} />
              <PageLink className="text-button" link="originOfZeros" target={[]}>
                A network that learns to fire few
              </PageLink>
            </>
          ),
        },
        layers,
        {
          id: 'tokens',
          title: 'most and least',
          content: (
            <Stack gap={6}>
              <Pieces record={record} />
              <ByPosition record={record} />
            </Stack>
          ),
        },
      ]}
      resetKey={resetKey}
    />
  );
}

/** The tokens that fire the most neurons, and the fewest. */
function Pieces({ record: { maxTokens, minTokens } }: { readonly record: FiringRecord }) {
  const max = maxTokens[0]?.mean ?? 1;
  return (
    <div className="grid max-sm:grid-cols-[minmax(0,1fr)] gap-y-6 gap-x-8 grid-cols-2">
      <PieceBars title="Most" caption="mean over layers, seen 30 times" pieces={maxTokens} max={max} />
      <PieceBars title="Least" caption="what follows by rote" pieces={minTokens} max={max} />
    </div>
  );
}

/** Tokens of a typical tale, which set the width for one that is being written. */
const TYPICAL_TALE_TOKENS = 330;
/** Tokens after which neurons are ordered again while a text is written. */
const TOKENS_PER_ORDER = 64;
// Constants, so that a component receives the same list each time.
const NO_TOKENS: never[] = [];
const NO_DEAD: never[] = [];
