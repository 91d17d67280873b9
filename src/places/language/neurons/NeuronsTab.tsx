import './neurons.css';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useChoices } from '../../../kit/browser/choices.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { bindShortcuts } from '../../../kit/shortcuts.ts';
import { counted, countText } from '../../../core/story/words.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { modelUrl } from '../model-url.ts';
import type { FiredToken, FiringRequest } from '../service/types.ts';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { MOST_WRITTEN, TEXT_FIELDS } from '../text/fields.ts';
import { useOpenModel } from '../use-model.ts';
import { useQuality } from '../use-quality.ts';
import { CostOfL1 } from './CostOfL1.tsx';
import { extremes, meanFired, pieceText, placesByFrequency } from './fired.ts';
import { NEURON_FIELDS } from './fields.ts';
import { LayerTable } from './LayerTable.tsx';
import { neuronCommands } from './neuron-keys.ts';
import { PieceBars } from './PieceBars.tsx';
import { Raster } from './Raster.tsx';
import { type RasterPlan, rasterPlan, shownFrom } from './raster.ts';
import { allFire, type FiringRecord, headlineOf, notDrawn } from './record.ts';
import { useFiring } from './use-firing.ts';
import { useRecord } from './use-record.ts';
import { WholeTale } from './WholeTale.tsx';

/** The shipped model whose neurons are mostly 0. */
const RELU = 'tales-relu';
/** Its twin with SwiGLU. */
const SWIGLU = 'tales';

/** Which neurons work while a text is written, and which did over many tales. */
export function NeuronsTab({ subject }: TabProps) {
  const { model } = subject;
  const record = useRecord(model.id);
  const open = useOpenModel();
  const openSwiglu = useCallback(() => open(SWIGLU), [open]);
  if (isBrought(model.id)) return <NotDrawn name={model.shape.name} onOpen={() => open(RELU)} />;
  if (model.id !== RELU) return <AllFire neurons={model.shape.intermediate} onOpen={() => open(RELU)} />;
  return <Neurons subject={subject} record={record} onSwiglu={openSwiglu} />;
}

/** A model that has no zeros to show. */
function AllFire({ neurons, onOpen }: { readonly neurons: number; readonly onOpen: () => void }) {
  return (
    <div className="neurons-tab">
      <AnswerLine words={allFire(neurons)} waiting="" />
      <p className="neurons-way">
        <button type="button" className="button button--solid" onClick={onOpen}>
          Show the model with ReLU
        </button>
        <span>the same sizes and tales, trained so that few neurons fire</span>
      </p>
    </div>
  );
}

/** A model that somebody brought, whose neurons nobody has counted. */
function NotDrawn({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }) {
  const words = useMemo(() => notDrawn(name), [name]);
  return (
    <div className="neurons-tab">
      <AnswerLine words={words} waiting="" />
      <p className="neurons-way">
        <button type="button" className="button button--solid" onClick={onOpen}>
          Show the model with ReLU
        </button>
        <span>comes with this page, trained so that few neurons fire</span>
      </p>
    </div>
  );
}

interface NeuronsProps extends Pick<TabProps, 'subject'> {
  readonly record: FiringRecord | null;
  readonly onSwiglu: () => void;
}

/** The text that is written, the part of it that is shown, and how keys and clicks move in it. */
function useRaster(model: TabProps['subject']['model'], width: number, isNarrow: boolean) {
  const { layers, intermediate: neurons } = model.shape;
  const firing = useFiring();
  const { request: shownRequest, tokens: anyTokens, recordedOf, running, error } = useStore(firing.store);
  const [{ prompt, seed, temperature }] = useChoices(TEXT_FIELDS);
  const [{ layer: chosenLayer, order, at }, choose] = useChoices(NEURON_FIELDS);
  const layer = Math.min(chosenLayer, layers - 1);

  const request = useMemo<FiringRequest>(
    () => ({ model: { id: model.id, url: modelUrl(model.id) }, prompt, seed, temperature, count: MOST_WRITTEN }),
    [model, prompt, seed, temperature],
  );
  useEffect(() => void firing.write(request), [firing, request]);
  const write = useCallback(() => void firing.write(request, true), [firing, request]);
  useOwnRun(write);
  const tokens = shownRequest === request || sameText(shownRequest, request) ? anyTokens : NONE;

  const plan = useMemo(() => rasterPlan(width, layers, layer, isNarrow), [width, layers, layer, isNarrow]);
  const [moved, setMoved] = useState<number | null>(null);
  const last = tokens.length - 1;
  const pen = at < 0 ? Math.max(0, last) : Math.min(at, Math.max(0, last));
  const from = shownFrom(at < 0 && running !== null ? null : moved, pen, tokens.length, plan.columns);
  const counted = running === null ? tokens : Math.floor(tokens.length / COUNTED_TOGETHER);
  const places = useMemo(
    () =>
      order === 'stored' ? null : Array.from({ length: layers }, (_, one) => placesByFrequency(tokens, one, neurons)),
    // While a text grows, the order changes once in a while.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `counted` is how many of `tokens` count
    [order, counted, layers, neurons],
  );

  const setPen = (next: number): void => {
    setMoved(from);
    choose({ at: Math.min(last, Math.max(0, next)) });
  };
  const setFrom = (next: number): void => {
    setMoved(next);
    const inside = Math.min(Math.max(pen, next), next + plan.columns - 1);
    choose({ at: Math.min(last, Math.max(0, inside)) });
  };
  const doKey = useEffectEvent((name: 'stop' | 'pen' | 'layer', by = 0) => {
    if (name === 'stop') firing.stop();
    else if (name === 'pen') setPen(pen + by);
    else choose({ layer: Math.min(layers - 1, Math.max(0, layer + by)) });
  });
  useEffect(
    () =>
      bindShortcuts(
        window,
        neuronCommands({
          stop: () => doKey('stop'),
          movePen: (by) => doKey('pen', by),
          moveLayer: (by) => doKey('layer', by),
        }),
        () => true,
      ),
    [],
  );

  return {
    firing,
    write,
    recordedOf,
    running,
    error,
    seed,
    layer,
    order,
    choose,
    tokens,
    plan,
    pen,
    from,
    places,
    setPen,
    setFrom,
  };
}

function Neurons({ subject: { model }, record, onSwiglu }: NeuronsProps) {
  const neurons = model.shape.intermediate;
  const isNarrow = useMedia('(width < 40rem)');
  const isBelow = useMedia('(width < 60rem)');
  const own = useQuality(model.id);
  const twin = useQuality(SWIGLU);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const raster = useRaster(model, width, isNarrow);
  const { firing, write, recordedOf, running, error, seed, layer, order, choose } = raster;
  const { tokens, plan, pen, from, places, setPen, setFrom } = raster;
  const costOf = (quality: typeof own): number | null =>
    quality?.rows.find((row) => row.way === 'none' && row.valueType === 'f16')?.bitsPerByte ?? null;
  const costs = { own: costOf(own), swiglu: costOf(twin) };
  const setLayer = (next: number): void => choose({ layer: next });
  return (
    <div className="neurons-tab">
      <TabAside>
        <span className="neurons-seed">
          seed <b className="number">{seed}</b>
        </span>
        {record && (
          <span className="neurons-counts">
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
        words={record && headlineOf(record, costs)}
        waiting={`Counting the neurons of ${model.shape.name}`}
        className="answer-line neurons-answer"
      />
      <div className="neurons-main" data-below={isBelow || undefined}>
        {!isNarrow && <LayerNames {...{ plan, layer, neurons }} hasTiles={order === 'stored'} onLayer={setLayer} />}
        <div ref={box} className="neurons-box">
          {isNarrow && <LayerSteps layer={layer} layers={model.shape.layers} onLayer={setLayer} />}
          {width > 0 && (
            <>
              <Raster
                {...{ plan, tokens, from, pen, neurons, places }}
                dead={record?.deadByLayer ?? NO_DEAD}
                open={layer}
                onPen={setPen}
              />
              <WholeTale
                width={plan.columns * plan.columnWidth}
                tokens={tokens}
                total={recordedOf ?? (running === null ? tokens.length : Math.max(tokens.length, TYPICAL))}
                {...{ from, pen }}
                columns={plan.columns}
                onFrom={setFrom}
              />
            </>
          )}
        </div>
        <div className="neurons-side">
          {record && (
            <LayerTable
              record={record}
              token={tokens[pen] ?? null}
              open={layer}
              plan={isBelow ? null : plan}
              onOpen={setLayer}
            />
          )}
        </div>
        <TaleNote tokens={tokens} recordedOf={recordedOf} onWrite={write} />
      </div>
      {running !== null && running.progress !== null && tokens.length === 0 && (
        <JobProgress job={running} onCancel={firing.stop} />
      )}
      {error !== null && (
        <p className="neurons-error" role="status">
          {error}
        </p>
      )}
      {record && (
        <div className="neurons-below">
          <CostOfL1 record={record} {...costs} onSwiglu={onSwiglu} />
          <PieceBars
            title="Tokens that fire most"
            caption="mean over layers, seen 30 times or more"
            pieces={record.mostTokens}
            most={record.mostTokens[0]?.mean ?? 1}
          />
          <PieceBars
            title="and least"
            caption="what follows by rote"
            pieces={record.leastTokens}
            most={record.mostTokens[0]?.mean ?? 1}
          />
        </div>
      )}
    </div>
  );
}

interface LayerNamesProps {
  readonly plan: RasterPlan;
  readonly layer: number;
  readonly neurons: number;
  /** whether neurons are in the order of tiles */
  readonly hasTiles: boolean;
  readonly onLayer: (layer: number) => void;
}

function LayerNames({ plan, layer, neurons, hasTiles, onLayer }: LayerNamesProps) {
  return (
    <div className="layer-names">
      {plan.layers.map(({ top, height }, one) => (
        <div key={`layer ${one + 1}`} className="layer-label" style={{ insetBlockStart: top, blockSize: height }}>
          <button type="button" className="layer-name" aria-pressed={one === layer} onClick={() => onLayer(one)}>
            layer {one}
          </button>
          {one === layer && hasTiles && (
            <span className="layer-tiles number" aria-hidden="true">
              {[0, 256, 512].map((tile) => (
                <span key={tile} style={{ insetBlockStart: Math.max(16, (tile / neurons) * height - 7) }}>
                  {tile}
                </span>
              ))}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

interface LayerStepsProps {
  readonly layer: number;
  readonly layers: number;
  readonly onLayer: (layer: number) => void;
}

/** On a phone one layer is shown. */
function LayerSteps({ layer, layers, onLayer }: LayerStepsProps) {
  return (
    <div className="layer-steps">
      <button
        type="button"
        className="button"
        aria-label="Layer before"
        disabled={layer === 0}
        onClick={() => onLayer(layer - 1)}
      >
        ‹
      </button>
      <b>layer {layer}</b>
      <button
        type="button"
        className="button"
        aria-label="Next layer"
        disabled={layer === layers - 1}
        onClick={() => onLayer(layer + 1)}
      >
        ›
      </button>
    </div>
  );
}

interface TaleNoteProps {
  readonly tokens: readonly FiredToken[];
  /** tokens of the whole text where its beginning was recorded */
  readonly recordedOf: number | null;
  readonly onWrite: () => void;
}

function TaleNote({ tokens, recordedOf, onWrite }: TaleNoteProps) {
  const ends = useMemo(() => extremes(tokens), [tokens]);
  return (
    <>
      <p className="whole-tale-name">
        <b>whole tale</b>
        <span className="number">
          {recordedOf === null ? counted(tokens.length, 'token') : `${tokens.length} of ${recordedOf}`}
        </span>
      </p>
      <p className="whole-tale-note">
        neurons per token and layer; drag the frame
        {ends && (
          <>
            <br />
            most: <b>{pieceText(tokens[ends.most].piece)}</b> {Math.round(meanFired(tokens[ends.most]))}; least:{' '}
            <b>{pieceText(tokens[ends.least].piece)}</b> {Math.round(meanFired(tokens[ends.least]))}
          </>
        )}
        {recordedOf !== null && (
          <>
            <br />
            the first {tokens.length} were recorded:{' '}
            <button type="button" className="text-button" onClick={onWrite}>
              write all of it here
            </button>
          </>
        )}
      </p>
    </>
  );
}

/** Tokens of a tale, for the width of one that is being written. */
const TYPICAL = 330;
/** Tokens after which neurons are ordered anew while a text is written. */
const COUNTED_TOGETHER = 64;
const NONE: never[] = [];
const NO_DEAD: never[] = [];

function sameText(a: FiringRequest | null, b: FiringRequest): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
