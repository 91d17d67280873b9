// The section “a token of this model”: the time of a token as arithmetic on launches and bytes, and as measured
// here.

import { useMemo, useRef } from 'react';
import { storedKey } from '../../../../src/core/format.ts';
import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { useApp, useSession } from '../../../../src/kit/app-context.ts';
import { type Job, useJob } from '../../../../src/kit/use-job.ts';
import { Swatch } from '../../../../src/kit/controls/Swatch.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { useUserRun } from '../../../../src/kit/frame/shell-context.ts';
import { time } from '../../../../src/kit/words/quantity.ts';
import { bandwidth, oneDecimal } from '../../../../src/kit/words/rates.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { asMessage } from '../../../../src/state/index.ts';
import { isImported } from '../../theory/imported.ts';
import { useImported } from '../bring/use-bringing.ts';
import { DENSE_BYTES_PER_WEIGHT } from '../../../../src/theory/models/model-bytes.ts';
import { expectedBytes } from '../../../../src/theory/expected-bytes.ts';
import { type TokenDispatch, tokenDispatches } from '../../theory/token-dispatches.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import { densityOf } from '../model-choice.ts';
import type { TabProps } from '../tab.ts';
import { tokenRate } from './shapes.ts';
import { clockText } from './speed-words.ts';
import type { LargeModelData } from './use-large-model.ts';
import { accentOf, cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { bytesText, counted } from '../../../../src/core/text/words.ts';
import type { LanguageService } from '../service/service.ts';
import type { TimesRequest, TokenTimes } from '../service/types.ts';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { Button } from '../../../../src/kit/controls/Button.tsx';

interface TokenBarProps {
  readonly title: string;
  readonly format: string;
  readonly dispatches: readonly TokenDispatch[];
  /** bytes per weight of the blocks, and of the head (lm_head) */
  readonly bytesPerCell: number;
  readonly headBytesPerCell: number;
  readonly readGBps: number;
  readonly dispatchNs: number;
  readonly layers: number;
  /** whether layers have their names above */
  readonly named: boolean;
}

const HEIGHT = 24;

/**
 * A box for each dispatch of a token: its width is the time of a launch, and the filled part the time to read its
 * weights.
 */
export function TokenBar(props: TokenBarProps) {
  const { title, format, dispatches, bytesPerCell, headBytesPerCell, readGBps, dispatchNs, layers, named } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const bytesOf = ({ cells, isHead }: TokenDispatch): number => cells * (isHead ? headBytesPerCell : bytesPerCell);
  const bytes = dispatches.reduce((sum, dispatch) => sum + bytesOf(dispatch), 0);
  const bytesNs = bytes / readGBps;
  const launchNs = dispatches.length * dispatchNs;
  const boxWidth = width / dispatches.length;
  const top = named ? 16 : 0;
  return (
    <div
      className="grid grid-cols-[7rem_minmax(0,1fr)_6rem] max-sm:grid-cols-1 items-end gap-3 max-sm:gap-1 mb-3 text-12 leading-[1.3] max-sm:[&>p]:flex max-sm:[&>p]:gap-2"
      style={accentOf(format)}
    >
      <p className="text-muted text-end grid">
        <b className="text-(--accent-text) whitespace-nowrap">{title}</b>
        <span className="number">{bytesText(bytes)}</span>
      </p>
      <div ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT + top}
            role="img"
            aria-label={`${title}: ${barText(dispatches.length, launchNs, bytesNs)}`}
          >
            {named &&
              Array.from({ length: layers }, (_, layer) => (
                <text key={layer} x={middleOf(dispatches, layer) * boxWidth} y={11} textAnchor="middle">
                  {width / layers > 56 ? `layer ${layer}` : layer}
                </text>
              ))}
            {dispatches.map((dispatch, i) => {
              const ns = bytesOf(dispatch) / readGBps;
              return (
                // oxlint-disable-next-line react/no-array-index-key -- dispatches are identified by their position alone
                <g key={i}>
                  <rect
                    className={
                      dispatch.cells > 0 ? 'fill-[color-mix(in_oklab,var(--accent)_45%,var(--ground))]' : 'fill-track'
                    }
                    x={i * boxWidth}
                    y={top}
                    width={Math.max(0.5, boxWidth - 1)}
                    height={HEIGHT}
                  />
                  {ns > 0 && (
                    <rect
                      className="fill-values"
                      x={i * boxWidth}
                      y={top}
                      width={Math.max(1, Math.min(boxWidth - 1, (ns / dispatchNs) * boxWidth))}
                      height={HEIGHT}
                    />
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <p className="number grid">
        <b>{time(Math.max(launchNs, bytesNs))}</b>
        <span className="text-muted whitespace-nowrap font-sans">{time(bytesNs)} of it bytes</span>
      </p>
    </div>
  );
}

/** Returns the middle of a layer's dispatches, counted from the first dispatch of the token. */
function middleOf(dispatches: readonly TokenDispatch[], layer: number): number {
  const first = dispatches.findIndex((dispatch) => dispatch.layer === layer);
  return first + dispatches.filter((dispatch) => dispatch.layer === layer).length / 2;
}

/** Returns the text of a token's bar for screen readers. */
export function barText(dispatches: number, launchNs: number, bytesNs: number): string {
  return `${dispatches} dispatches, ${time(launchNs)} of launches and ${time(bytesNs)} of bytes`;
}

/** The figures behind a small model's time per token. `small`: lower bounds by launches and by bytes, if dense. */
export function useSmallToken(
  { model, pruning }: TabProps['modelChoice'],
  { format, params, device, readGBps }: LargeModelData,
) {
  const dispatches = useMemo(() => tokenDispatches(model.shape), [model]);
  const density = densityOf(pruning);
  const matrixBytes = expectedBytes({ format, params }, density, {
    rows: model.shape.hidden,
    cols: model.shape.intermediate,
  });
  const cellBytes = matrixBytes === null ? null : matrixBytes / (model.shape.hidden * model.shape.intermediate);
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

type SmallToken = ReturnType<typeof useSmallToken>;

interface OneTokenProps extends Pick<TabProps, 'modelChoice'> {
  /** data of the tab's large model; used here: its format and the device, which are the same for the small model */
  readonly modelData: LargeModelData;
  readonly token: SmallToken;
}

/** The time of a token of the small model: by arithmetic, and measured on request. */
export function OneToken({
  modelChoice: { model, pruning },
  modelData: { format, params, isDense, readGBps, device },
  token,
}: OneTokenProps) {
  const { dispatches, density, cellBytes, dispatchNs } = token;
  const key = JSON.stringify([model.id, pruning, storedKey(format.id, params)]);
  const timing = useTimes(key);
  // An imported model may not run on the GPU.
  const rejection = useImported(isImported(model.id))?.find(({ id }) => id === model.id)?.notOnGpu ?? null;
  const isWithoutGpu = useSession((s) => s.device?.kind === 'unavailable');
  const { title: dense } = referenceFormat;
  const bothModels = `${dense} and ${density < 1 ? 'pruned in' : 'in'} ${format.title}`;
  const timedText = isWithoutGpu || rejection !== null ? `${dense}, on the CPU` : isDense ? dense : bothModels;
  const measureHere = (): void => {
    if (timing.job !== null) return;
    const address = modelAddress(model.id);
    timing.run([
      {
        title: referenceFormat.title,
        format: referenceFormat.id,
        request: { model: address, pruning: null, format: null, params: {} },
      },
      ...(isDense
        ? []
        : [
            {
              title: `${format.title}, ${densityText(density)} left`,
              format: format.id,
              request: { model: address, pruning, format: format.id, params },
            },
          ]),
    ]);
  };
  // The page's Run and Ctrl+Enter do this, too.
  useUserRun(measureHere);
  return (
    <>
      <p className="text-muted text-12 mb-2">
        {arithmeticText(dispatches.length, dispatchNs, readGBps, clockText(device))}
      </p>
      {dispatchNs !== null && readGBps !== null && (
        <>
          {[
            { title: referenceFormat.title, id: referenceFormat.id, bytes: DENSE_BYTES_PER_WEIGHT },
            ...(isDense || cellBytes === null
              ? []
              : [{ title: `${format.title}, ${densityText(density)} left`, id: format.id, bytes: cellBytes }]),
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
          <p className="ps-31 max-sm:ps-0 flex flex-wrap gap-y-1 gap-x-4 text-muted text-12">
            <span>
              <Swatch color="var(--values)" /> reading weights
            </span>
            <span>
              <Swatch color="color-mix(in oklab, var(--text-muted) 55%, var(--ground))" /> their launches
            </span>
            <span>
              <Swatch color="var(--track)" /> other launches
            </span>
          </p>
        </>
      )}
      {rejection !== null && <p className="text-muted">{asMessage(rejection)} The CPU is timed.</p>}
      <TimedTokens tokens={timing.data ?? NONE} />
      {(timing.error !== null || timing.isCancelled) && (
        <p className="text-danger mt-2" role="status">
          {timing.error ?? 'Timing was cancelled; what was timed stays.'}
        </p>
      )}
      <p className="speed-run flex flex-wrap items-center gap-3 text-muted text-12 mt-3">
        <Button kind="solid" aria-busy={timing.job !== null} onClick={measureHere}>
          Time a token
        </Button>
        <span>
          {model.shape.name}, {timedText}
        </span>
      </p>
      {timing.job !== null && <JobProgress job={timing.job} onCancel={timing.cancel} />}
    </>
  );
}

/** Returns the text about the numbers behind the bars; null: unknown for this device. `clock`: see `clockText`. */
export function arithmeticText(
  dispatches: number,
  dispatchNs: number | null,
  readGBps: number | null,
  clock: string,
): string {
  return dispatchNs === null || readGBps === null
    ? counted(dispatches, 'dispatch', 'dispatches')
    : `${counted(dispatches, 'dispatch', 'dispatches')} of ${time(dispatchNs)}${clock}, bytes at ${bandwidth(readGBps)}: arithmetic`;
}

/** Tokens timed on this machine. */
export function TimedTokens({ tokens }: { readonly tokens: readonly TimedToken[] }) {
  if (tokens.length === 0) return null;
  return (
    <ul className="grid gap-2 text-13 mt-3" aria-label="Timed here">
      {tokens.map(({ title, format, times: { where, writtenNs, queued } }) => (
        <li key={title}>
          {writtenNs !== null && (
            <p>
              <b style={{ color: cssTextColorOf(format) }}>{title}</b> <b className="number">{time(writtenNs)}</b> a
              token by the wall clock, {oneDecimal(tokenRate(writtenNs))} per second{' '}
              {where === 'cpu' ? 'on one thread of the CPU' : 'on this GPU'}
            </p>
          )}
          {queued !== null && (
            <p className="text-muted text-12">
              {writtenNs === null && `${title} `}
              {time(queued.tokenNs)} by the {queued.isByGpu ? 'GPU’s own' : 'wall'} clock:{' '}
              {Object.entries(queued.kinds)
                .map(
                  ([kind, { launches, ns }]) => `${kind} ${time(ns)} (${counted(launches, 'dispatch', 'dispatches')})`,
                )
                .join(', ')}
              ; each kind by itself
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

interface TimedToken {
  readonly title: string;
  readonly format: string;
  readonly times: TokenTimes;
}

const NONE: readonly TimedToken[] = [];

/** A model to time, with its title and the format's colour. */
interface TimedModel extends Pick<TimedToken, 'title' | 'format'> {
  readonly request: TimesRequest;
}

/** Times tokens on this machine, one model after the other, on request; `key` identifies the models. */
function useTimes(key: string): Job<readonly TimedToken[]> & { readonly run: (models: readonly TimedModel[]) => void } {
  const { engine } = useApp();
  const job = useJob<readonly TimedToken[]>(['Timing a token', key], null, { cancelWhenUnmounted: true });
  const run = (models: readonly TimedModel[]): void =>
    job.startWith(async (watch, { update }) => {
      let tokens: readonly TimedToken[] = [];
      update(tokens);
      for (const { title, format, request } of models) {
        const times = await engine.service<LanguageService>('language').times(watch, request);
        tokens = [...tokens, { title, format, times }];
        update(tokens);
        // Without a GPU every model is multiplied as if it were dense, so its format would have no effect.
        if (times.where === 'cpu') break;
      }
      return tokens;
    });
  return { ...job, run };
}
