import './speed.css';
import { useCallback, useMemo } from 'react';
import { defaultParams } from '../../../core/format.ts';
import { SPMV } from '../../../core/operations/index.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { DeviceLabel } from '../../../kit/devices/DeviceLabel.tsx';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { hasTimes, type Look } from '../../../kit/report/measured-shapes.ts';
import { time } from '../../../kit/words/quantity.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { gigabytes } from '../../../kit/words/weights.ts';
import { currentParams } from '../../../state/index.ts';
import type { Device } from '../../../state/devices/device.ts';
import { dayText } from '../../../state/devices/devices.ts';
import {
  DENSE_BYTES_PER_WEIGHT,
  expectedBytes,
  modelBytes,
  type ModelStored,
} from '../../../theory/models/model-bytes.ts';
import { KNOWN_MODELS, shapeGroups } from '../../../theory/models/model-shape.ts';
import { publishedRun } from '../../../theory/models/published-models.ts';
import { tokenDispatches } from '../../../theory/models/token-dispatches.ts';
import { KernelTrial } from '../kernels/KernelTrial.tsx';
import { modelUrl } from '../model-url.ts';
import { densityOf } from '../subject.ts';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { LARGE_MODELS, SPEED_FIELDS } from './fields.ts';
import { speedHeadline } from './headline.ts';
import { PYTORCH, pytorchOn } from './pytorch.ts';
import { RateChart, type RateLevel } from './RateChart.tsx';
import { RealBars, type RealRow } from './RealBars.tsx';
import { matricesAt, type MatricesAt, perSecond, wholeDensities } from './shapes.ts';
import { ShapesTable } from './ShapesTable.tsx';
import { TimedTokens } from './TimedTokens.tsx';
import { TokenBar } from './TokenBar.tsx';
import { useTimes } from './use-times.ts';

const DENSE: Readonly<Record<string, unknown>> = defaultParams(referenceFormat.params);

/** The large model, the format, and what is known of both on a device. */
function useLarge() {
  const { formats } = useApp();
  const [{ large: largeName, left }, choose] = useChoices(SPEED_FIELDS);
  const large = KNOWN_MODELS.find(({ name }) => name === largeName) ?? KNOWN_MODELS[0];
  const chosen = useDocument((doc) => doc.format);
  const chosenParams = useDocument(currentParams);
  const format = formats.find(({ id }) => id === chosen) ?? referenceFormat;
  const params = format.id === chosen ? chosenParams : DENSE;
  const stored = useMemo<ModelStored>(() => ({ format, params, fusion: 'separate', keepHead: true }), [format, params]);

  const groups = useMemo(() => shapeGroups(large, { keepHead: true }), [large]);
  const shapes = useMemo(() => groups.map(shapeKey), [groups]);
  const has = useCallback(
    (device: Device) => hasTimes(device.reports, groups, lookFor(format.id, params, device.name)),
    [groups, format, params],
  );
  const { device, loading, problem } = useDevice(has, { shapes });
  const look = useMemo(() => lookFor(format.id, params, device.name), [format, params, device]);
  // Formats of activations multiply no weights with a token.
  const isDense = format.id === referenceFormat.id || !format.kernels.some(({ operation }) => operation === SPMV.id);

  const at = useMemo(() => matricesAt(large, stored, left, device.reports, look), [large, stored, left, device, look]);
  const measured = useMemo(
    () =>
      wholeDensities(large, stored, device.reports, look).flatMap((density) => {
        const one = matricesAt(large, stored, density, device.reports, look);
        return one === null || one.storedNs === null ? [] : [one];
      }),
    [large, stored, device, look],
  );
  const readGBps = device.roofs?.readGBps ?? null;
  const pytorch = pytorchOn(device.name, large.name);
  const published = useMemo(() => publishedRun(format.source?.url, large.name), [format, large]);

  return {
    large,
    left,
    choose,
    format,
    params,
    stored,
    isDense,
    device,
    loading,
    problem,
    at,
    measured,
    readGBps,
    pytorch,
    published,
  };
}

type Large = ReturnType<typeof useLarge>;

/** A token of the small model on that device: its launches and its bytes. */
function useToken({ model, pruning }: TabProps['subject'], { format, params, device, readGBps }: Large) {
  const dispatches = useMemo(() => tokenDispatches(model.shape), [model]);
  const density = densityOf(pruning);
  const bytesPerCell = expectedBytes({ format, params }, density, {
    rows: model.shape.hidden,
    cols: model.shape.intermediate,
  });
  const cellBytes = bytesPerCell === null ? null : bytesPerCell / (model.shape.hidden * model.shape.intermediate);
  const dispatchNs = device.roofs?.dispatchNs || null;
  const small =
    readGBps === null || dispatchNs === null
      ? null
      : {
          bytesNs: dispatches.reduce((sum, { cells }) => sum + cells * DENSE_BYTES_PER_WEIGHT, 0) / readGBps,
          launchNs: dispatches.length * dispatchNs,
        };
  return { dispatches, density, cellBytes, dispatchNs, small };
}

type Token = ReturnType<typeof useToken>;

/** What a token costs: of this model, whose launches decide, and of a large one, whose bytes do. */
export function SpeedTab({ subject }: TabProps) {
  const known = useLarge();
  const token = useToken(subject, known);
  const { large, left, format, isDense, loading, problem, at, measured, readGBps, pytorch } = known;
  const { dispatches, dispatchNs, small } = token;
  const fastest = pytorch?.ways.at(-1) ?? null;
  const words = speedHeadline({
    small,
    large: {
      model: large.name,
      denseMs: inMs(at?.denseNs ?? null),
      storedMs: isDense ? null : inMs(at?.storedNs ?? null),
      format: isDense ? null : format.title,
      density: left,
      pytorch: fastest && pytorch && { ms: 1000 / fastest.tokensPerSecond, card: pytorch.card },
    },
  });
  const denseNs = at?.denseNs ?? measured[0]?.denseNs ?? null;
  const others = tokenDispatches(large).filter(({ cells }) => cells === 0).length;
  return (
    <div className="speed-tab">
      <TabAside>
        {readGBps !== null && (
          <span className="speed-aside">
            reads <b className="number">{bandwidth(readGBps)}</b>
          </span>
        )}
        {dispatchNs !== null && (
          <span className="speed-aside">
            an empty dispatch <b className="number">{time(dispatchNs)}</b>
          </span>
        )}
      </TabAside>
      <AnswerLine
        words={words}
        waiting={problem ?? (loading ? 'Loading what was measured' : 'How fast this device reads is not known yet')}
        className="answer-line speed-answer"
      />
      <div className="speed-columns">
        <div className="speed-left">
          <OneToken {...{ subject, known, token }} />
          <KernelTrial subject={subject} />
          <ShapesTable
            model={large}
            at={at}
            title={format.title}
            isDense={isDense}
            left={left}
            readGBps={readGBps}
            others={others}
          />
          <TwoWays dispatches={dispatches} at={at} />
        </div>
        <div className="speed-right">
          <RealShapes known={known} denseNs={denseNs} />
          <Rates known={known} denseNs={denseNs} />
        </div>
      </div>
    </div>
  );
}

interface OneTokenProps extends Pick<TabProps, 'subject'> {
  readonly known: Large;
  readonly token: Token;
}

/** A token of the small model, computed, and timed when asked. */
function OneToken({ subject: { model, pruning }, known: { format, params, isDense, readGBps }, token }: OneTokenProps) {
  const { dispatches, density, cellBytes, dispatchNs } = token;
  const key = JSON.stringify([model.id, pruning, format.id, params]);
  const times = useTimes(key);
  const measureHere = (): void => {
    if (times.isRunning) return;
    const address = { id: model.id, url: modelUrl(model.id) };
    void times.run([
      {
        title: referenceFormat.title,
        format: referenceFormat.id,
        request: { model: address, pruning: null, format: null, params: {} },
      },
      ...(isDense
        ? []
        : [
            {
              title: `${format.title}, ${leftText(density)}`,
              format: format.id,
              request: { model: address, pruning, format: format.id, params },
            },
          ]),
    ]);
  };
  useOwnRun(measureHere);
  return (
    <section aria-labelledby="speed-token">
      <h3 id="speed-token" className="side-head">
        This model, one token{' '}
        <span className="section-caption">
          {dispatchNs === null || readGBps === null
            ? `${dispatches.length} dispatches`
            : `${dispatches.length} dispatches of ${time(dispatchNs)}, bytes at ${bandwidth(readGBps)}: arithmetic`}
        </span>
      </h3>
      {dispatchNs !== null && readGBps !== null && (
        <>
          {[
            { title: referenceFormat.title, id: referenceFormat.id, bytes: DENSE_BYTES_PER_WEIGHT },
            ...(isDense || cellBytes === null
              ? []
              : [{ title: `${format.title} ${density.toFixed(2)}`, id: format.id, bytes: cellBytes }]),
          ].map(({ title, id, bytes }, i) => (
            <TokenBar
              key={id}
              title={title}
              format={id}
              dispatches={dispatches}
              bytesPerCell={bytes}
              headBytesPerCell={DENSE_BYTES_PER_WEIGHT}
              readGBps={readGBps}
              dispatchNs={dispatchNs}
              layers={model.shape.layers}
              named={i === 0}
            />
          ))}
          <p className="token-legend">
            <span data-part="bytes">reading weights</span>
            <span data-part="kernel">launching their kernel</span>
            <span data-part="rest">launching the rest</span>
          </p>
        </>
      )}
      <TimedTokens tokens={times.tokens} dispatches={dispatches.length} />
      {times.error !== null && (
        <p className="speed-error" role="status">
          {times.error}
        </p>
      )}
      <p className="speed-run">
        <button type="button" className="button button--solid" aria-busy={times.isRunning} onClick={measureHere}>
          Time a token here
        </button>
        <span>{times.isRunning ? 'timing …' : `${model.shape.name}, dense and as the sentence says`}</span>
      </p>
    </section>
  );
}

function TwoWays({ dispatches, at }: Pick<Token, 'dispatches'> & Pick<Large, 'at'>) {
  return (
    <section aria-labelledby="speed-ways">
      <h3 id="speed-ways" className="side-head">
        Two ways out
      </h3>
      <div className="speed-ways">
        <p>
          <b>Launch less</b> Norms with the sums before them, rotary with the cache, and gate with up are joined
          already: {dispatches.length} dispatches, {dispatches.filter(({ cells }) => cells > 0).length} of them with
          weights.
        </p>
        <p>
          <b>Read more</b> At real shapes reading one matrix takes{' '}
          {at?.denseNs ? time(largestShape(at)) : 'far longer than launching its kernel'}, so bytes that a format saves
          are time saved.
        </p>
      </div>
    </section>
  );
}

interface LargeProps {
  readonly known: Large;
  /** a token of the dense model */
  readonly denseNs: number | null;
}

function RealShapes({ known, denseNs }: LargeProps) {
  const { large, left, choose, format, isDense, device, at, measured, readGBps, pytorch } = known;
  const rows = realRows({ pytorch, at, measured, left, isDense, format, readGBps, denseNs });
  return (
    <section aria-labelledby="speed-real">
      <div className="speed-head">
        <h3 id="speed-real" className="side-head">
          At real shapes{' '}
          <span className="section-caption">ms per token; tick: limit by bytes; dashed: not measured</span>
        </h3>
        <span className="large-models">
          {LARGE_MODELS.map((name) => (
            <button
              key={name}
              type="button"
              className="text-button"
              aria-pressed={name === large.name}
              onClick={() => choose({ large: name })}
            >
              {name}
            </button>
          ))}
        </span>
      </div>
      <RealBars rows={rows} end={endOf(rows)} />
      <p className="speed-note">
        Matrices: <DeviceLabel device={device} />, each shape alone, cold, one token, lm_head kept dense; the rest of a
        token was not measured.{' '}
        {pytorch &&
          `Whole tokens: ${PYTORCH.version}, measured on an ${pytorch.card} on ${dayText(PYTORCH.date)}, random weights in f16, 100 tokens.`}
      </p>
    </section>
  );
}

function Rates({ known, denseNs }: LargeProps) {
  const { large, left, choose, format, stored, isDense, measured, readGBps, pytorch, published } = known;
  const limit = useMemo(
    () =>
      readGBps === null || isDense
        ? []
        : Array.from({ length: 96 }, (_, i) => 1 - i / 100).flatMap((density) => {
            const bytes = modelBytes(large, { ...stored, density });
            return bytes ? [{ density, tokensPerSecond: (readGBps * 1e9) / bytes.readStored }] : [];
          }),
    [readGBps, isDense, large, stored],
  );
  const levels: readonly RateLevel[] = [
    ...(denseNs === null ? [] : [{ title: 'dense, matrices', tokensPerSecond: perSecond(denseNs), dotted: false }]),
    ...(pytorch?.ways ?? []).map(({ title, tokensPerSecond }) => ({ title, tokensPerSecond, dotted: false })),
    ...(published
      ? [
          {
            title: `dense, ${published.device}`,
            tokensPerSecond: published.points[0].denseTokensPerSecond,
            dotted: true,
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="speed-rates">
      <h3 id="speed-rates" className="side-head">
        Tokens per second against density{' '}
        <span className="section-caption">{large.name}; ours: its matrices alone</span>
      </h3>
      <RateChart
        format={format.id}
        title={format.title}
        points={
          isDense
            ? []
            : measured.flatMap((one) =>
                one.storedNs === null ? [] : [{ density: one.density, tokensPerSecond: perSecond(one.storedNs) }],
              )
        }
        limit={limit}
        levels={levels}
        published={
          published && {
            title: `${format.title}, ${published.place.toLowerCase()}, ${published.device}`,
            points: published.points,
          }
        }
        density={left}
        onChange={(next) => choose({ left: next })}
      />
      {published && (
        <p className="speed-note">
          <Swatch format={format.id} /> Squares: whole tokens as{' '}
          <a href={published.paper} target="_blank" rel="noreferrer" style={{ color: cssTextColorOf(format.id) }}>
            published
          </a>
          , {published.place}.
        </p>
      )}
    </section>
  );
}

function lookFor(format: string, params: Readonly<Record<string, unknown>>, device: string): Look {
  return {
    operation: SPMV.id,
    tokens: 1,
    stored: { format, params },
    dense: { format: referenceFormat.id, params: DENSE },
    able: true,
    device,
  };
}

function inMs(ns: number | null): number | null {
  return ns === null ? null : ns / 1e6;
}

/** The longest of the measured shapes, in nanoseconds. */
function largestShape({ shapes }: MatricesAt): number {
  return shapes.reduce((most, { denseNs, group }) => (group.keptDense ? most : Math.max(most, denseNs ?? 0)), 0);
}

/** Rows beyond this are cut. */
function endOf(rows: readonly RealRow[]): number {
  const sums = rows.flatMap(({ parts, format }) => {
    const sum = parts.reduce((all, { ms }) => all + ms, 0);
    return sum === 0 ? [] : [{ sum, isOurs: format !== null }];
  });
  const ours = sums.filter(({ isOurs }) => isOurs).reduce((most, { sum }) => Math.max(most, sum), 0);
  const theirs = sums
    .filter(({ isOurs }) => !isOurs)
    .reduce((least, { sum }) => Math.min(least, sum), Number.POSITIVE_INFINITY);
  return 1.05 * Math.max(ours, Number.isFinite(theirs) ? theirs : 0, 1);
}

/** The parts of a token's matrices, by what they are. */
function partsOf(at: MatricesAt, nsOf: 'denseNs' | 'storedNs'): RealRow['parts'] {
  return at.shapes.flatMap(({ group, ...shape }) => {
    const ns = shape[nsOf];
    return ns === null
      ? []
      : [{ name: group.parts.map(({ names }) => names.join(' ')).join(' '), ms: (ns * group.count) / 1e6 }];
  });
}

interface RowFacts {
  readonly pytorch: ReturnType<typeof pytorchOn>;
  readonly at: MatricesAt | null;
  readonly measured: readonly MatricesAt[];
  readonly left: number;
  readonly isDense: boolean;
  readonly format: { readonly id: string; readonly title: string };
  readonly readGBps: number | null;
  readonly denseNs: number | null;
}

function realRows({ pytorch, at, measured, left, isDense, format, readGBps, denseNs }: RowFacts): readonly RealRow[] {
  const limitOf = (bytes: number): number | null => (readGBps === null ? null : bytes / readGBps / 1e6);
  const whole = (pytorch?.ways ?? []).map(({ title, tokensPerSecond }): RealRow => ({
    title,
    note: '',
    format: null,
    parts: [{ name: title, ms: 1000 / tokensPerSecond }],
    limitMs: null,
  }));
  const denseFrom = at?.denseNs === null || at === null ? (measured[0] ?? at) : at;
  const dense: readonly RealRow[] =
    denseFrom === null
      ? []
      : [
          {
            title: referenceFormat.title,
            note: gigabytes(denseFrom.denseBytes),
            format: referenceFormat.id,
            parts: denseNs === null ? [] : partsOf(denseFrom, 'denseNs'),
            limitMs: limitOf(denseFrom.denseBytes),
          },
        ];
  if (isDense) return [...whole, ...dense];
  const isListed = measured.some((one) => Math.abs(one.density - left) < 0.004);
  const ways = [
    ...measured.filter(
      (one) => SHOWN.some((d) => Math.abs(d - one.density) < 0.004) || Math.abs(one.density - left) < 0.004,
    ),
    ...(isListed || at === null ? [] : [at]),
  ];
  return [
    ...whole,
    ...dense,
    ...ways
      .toSorted((a, b) => b.density - a.density)
      .map((one): RealRow => ({
        title: `${format.title} ${one.density}`,
        note: gigabytes(one.storedBytes),
        format: format.id,
        parts: one.storedNs === null ? [] : partsOf(one, 'storedNs'),
        limitMs: limitOf(one.storedBytes),
      })),
  ];
}

/** Densities that always have a row. */
const SHOWN = [0.5, 0.3, 0.1];
