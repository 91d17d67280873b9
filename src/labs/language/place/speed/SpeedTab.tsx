import './speed.css';
import { AnswerLine } from '../../../../kit/frame/AnswerLine.tsx';
import { time } from '../../../../kit/words/quantity.ts';
import { bandwidth } from '../../../../kit/words/rates.ts';
import { tokenDispatches } from '../../theory/token-dispatches.ts';
import { wholeAt, type WholeTokens } from '../../../../theory/models/whole-tokens.ts';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { DecodeHere } from './DecodeHere.tsx';
import { OneToken, TwoWays, useToken } from './OneToken.tsx';
import { Rates } from './Rates.tsx';
import { ShapesTable } from './ShapesTable.tsx';
import { type Large, useLarge } from './use-large.ts';
import { Select } from '../../../../kit/controls/Select.tsx';
import { DeviceLabel } from '../../../../kit/devices/DeviceLabel.tsx';
import { dayText } from '../../../../state/devices/devices.ts';
import { LARGE_MODELS } from './fields.ts';
import { PYTORCH_VERSION } from './pytorch.ts';
import { matricesMs, RealBars, type RealRow } from './RealBars.tsx';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { gigabytes } from '../../../../kit/words/weights.ts';
import type { MatricesAt } from './shapes.ts';
import type { Words } from '../../../../core/story/scene.ts';
import { say, strong } from '../../../../core/story/words.ts';

/** Rows beyond this are cut: no way but the fastest of others has to fit. */
function endOf(rows: readonly RealRow[]): number {
  const [ours, theirs] = [rows.filter(({ format }) => format !== null), rows.filter(({ format }) => format === null)];
  const max = ours.reduce((all, row) => Math.max(all, matricesMs(row), row.wholeMs ?? 0), 0);
  const min = theirs.reduce((all, { wholeMs: ms }) => Math.min(all, ms ?? all), Number.POSITIVE_INFINITY);
  return 1.05 * Math.max(max, Number.isFinite(min) ? min : 0, 1);
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

interface RowFacts extends Pick<
  Large,
  'pytorch' | 'at' | 'measured' | 'left' | 'isDense' | 'format' | 'readGBps' | 'whole'
> {
  /** of all matrices, dense */
  readonly denseNs: number | null;
}

/** PyTorch's ways, then dense, then the format by falling density: those that were measured, and the one asked for. */
function realRows(facts: RowFacts): readonly RealRow[] {
  const { pytorch, at, measured, left, isDense, format, readGBps, denseNs, whole } = facts;
  const limitOf = (bytes: number): number | null => (readGBps === null ? null : bytes / readGBps / 1e6);
  const theirs = (pytorch?.ways ?? []).map(({ title, tokensPerSecond }): RealRow => ({
    title,
    note: '',
    format: null,
    parts: [],
    wholeMs: 1000 / tokensPerSecond,
    limitMs: null,
  }));
  const denseFrom = at === null || at.denseNs === null ? (measured[0] ?? at) : at;
  const dense: readonly RealRow[] =
    denseFrom === null
      ? []
      : [
          {
            title: referenceFormat.title,
            note: gigabytes(denseFrom.denseBytes),
            format: referenceFormat.id,
            parts: denseNs === null ? [] : partsOf(denseFrom, 'denseNs'),
            wholeMs: wholeMs(whole.dense, 1),
            limitMs: limitOf(denseFrom.denseBytes),
          },
        ];
  if (isDense) return [...theirs, ...dense];
  const isListed = measured.some((one) => isNear(one.density, left));
  const ways = [
    ...measured.filter((one) => SHOWN.some((density) => isNear(density, one.density)) || isNear(one.density, left)),
    ...(isListed || at === null ? [] : [at]),
  ];
  return [
    ...theirs,
    ...dense,
    ...ways
      .toSorted((a, b) => b.density - a.density)
      .map((one): RealRow => ({
        title: `${format.title} ${one.density}`,
        note: gigabytes(one.storedBytes),
        format: format.id,
        parts: one.storedNs === null ? [] : partsOf(one, 'storedNs'),
        wholeMs: wholeMs(whole.stored, one.density),
        limitMs: limitOf(one.storedBytes),
      })),
  ];
}

/** Milliseconds of a whole token; null where none was measured. */
function wholeMs(all: readonly WholeTokens[], density: number): number | null {
  const found = wholeAt(all, density);
  return found && 1000 / found.tokensPerSecond;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.004;
}

/** Densities that always have a row. */
const SHOWN = [0.5, 0.3, 0.1];

/** What a token costs: of this model, whose launches decide, and of a large one, whose bytes do. */
export function SpeedTab({ subject }: TabProps) {
  const known = useLarge();
  const token = useToken(subject, known);
  const { large, left, format, isDense, loading, problem, at, measured, readGBps, pytorch, whole, device } = known;
  const { dispatches, dispatchNs, small } = token;
  const fastest = pytorch?.ways.at(-1) ?? null;
  const words = speedHeadline({
    small,
    large: {
      model: large.name,
      device: device.name,
      denseMs: inMs(at?.denseNs ?? null),
      storedMs: isDense ? null : inMs(at?.storedNs ?? null),
      format: isDense ? null : format.title,
      density: left,
      wholeDenseMs: inMs(wholeNs(whole.dense, 1)),
      wholeStoredMs: inMs(wholeNs(whole.stored, left)),
      minDenseMs: minMs(at?.denseBytes, readGBps),
      minStoredMs: isDense ? null : minMs(at?.storedBytes, readGBps),
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
          <ShapesTable
            model={large}
            at={at}
            title={format.title}
            isDense={isDense}
            left={left}
            readGBps={readGBps}
            others={others}
            denseRestNs={restNs(wholeNs(whole.dense, 1), denseNs)}
            storedRestNs={restNs(wholeNs(whole.stored, left), at?.storedNs ?? null)}
            drafts={known.drafts}
          />
          <TwoWays dispatches={dispatches} at={at} />
          <DecodeHere known={known} />
        </div>
        <div className="speed-right">
          <RealShapes known={known} denseNs={denseNs} />
          <Rates known={known} denseNs={denseNs} />
        </div>
      </div>
    </div>
  );
}

function inMs(ns: number | null): number | null {
  return ns === null ? null : ns / 1e6;
}

/** Milliseconds that reading so many bytes takes at least; null where the device reads at an unknown speed. */
function minMs(bytes: number | undefined, readGBps: number | null): number | null {
  return bytes === undefined || readGBps === null ? null : bytes / readGBps / 1e6;
}

/** Nanoseconds of a whole token at a density; null where none was measured. */
function wholeNs(all: readonly WholeTokens[], density: number): number | null {
  const found = wholeAt(all, density);
  return found && 1e9 / found.tokensPerSecond;
}

/** What a whole token takes besides its matrices alone. */
function restNs(whole: number | null, matrices: number | null): number | null {
  return whole === null || matrices === null ? null : whole - matrices;
}

interface LargeProps {
  readonly known: Large;
  /** a token of the dense model */
  readonly denseNs: number | null;
}

/** Tokens of a large model: its matrices as they were measured alone, and whole ones. */
function RealShapes({ known, denseNs }: LargeProps) {
  const { large, choose, device, pytorch, whole } = known;
  const rows = realRows({ ...known, denseNs });
  return (
    <section aria-labelledby="speed-real">
      <div className="speed-head">
        <h3 id="speed-real" className="side-head">
          At real shapes <span className="section-caption">ms per token; pale: not matrices; tick: limit by bytes</span>
        </h3>
        <Select
          aria-label="Large model"
          value={large.name}
          options={LARGE_MODELS.map((name) => ({ value: name, label: name }))}
          onChange={(name) => choose({ large: name })}
        />
      </div>
      <RealBars rows={rows} end={endOf(rows)} />
      <p className="speed-note">
        Matrices: <DeviceLabel device={device} />, each shape alone, cold, one token, lm_head kept dense.{' '}
        {wholeWords([...whole.dense, ...whole.stored])}{' '}
        {pytorch &&
          `PyTorch: whole tokens, ${PYTORCH_VERSION}, measured on an ${pytorch.card} on ${pytorch.days.map(dayText).join(' and ')}, random weights in f16, 100 tokens.`}
      </p>
    </section>
  );
}

/** Where and when whole tokens were measured. */
function wholeWords(all: readonly WholeTokens[]): string {
  const [newest] = all.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  if (newest === undefined) return 'Whole tokens were not measured on it.';
  const { isRecorded, device, date } = newest;
  return `Whole tokens: ${isRecorded ? 'recorded' : 'measured'} on ${device}, ${dayText(date)}, 100 of them from an empty prompt; the rest is what they take besides.`;
}

interface SpeedFacts {
  /** of this model's token, in nanoseconds: reading its weights, and launching its kernels; null: unknown device */
  readonly small: { readonly bytesNs: number; readonly launchNs: number } | null;
  readonly large: LargeFacts;
}

/** What is known of a large model on a device. */
interface LargeFacts {
  readonly model: string;
  readonly device: string;
  /** null: dense alone */
  readonly format: string | null;
  readonly density: number;
  /** its matrices, each alone, in milliseconds; null: not measured */
  readonly denseMs: number | null;
  readonly storedMs: number | null;
  /** whole tokens, in milliseconds; null: not measured */
  readonly wholeDenseMs: number | null;
  readonly wholeStoredMs: number | null;
  /** what reading the bytes of its matrices takes at least, in milliseconds; null: the device reads at an unknown speed */
  readonly minDenseMs: number | null;
  readonly minStoredMs: number | null;
  /** the fastest whole token of PyTorch, and the card where it ran */
  readonly pytorch: { readonly ms: number; readonly card: string } | null;
}

/** Why no format makes this model faster, and what one does where bytes decide. */
export function speedHeadline({ small, large }: SpeedFacts): readonly Words[] | null {
  const isLaunches = small !== null && small.bytesNs < 0.1 * small.launchNs;
  const first = small === null ? [] : ofSmall(small.bytesNs, small.launchNs, isLaunches);
  const second = ofLarge(large, isLaunches);
  return first.length + second.length === 0 ? null : [...first, ...second];
}

function ofSmall(bytesNs: number, launchNs: number, isLaunches: boolean): readonly Words[] {
  const figures = strong(`${time(bytesNs)} of bytes and ${time(launchNs)} of launches`);
  // Whatever a format saves is less than a tenth of a token.
  return isLaunches
    ? say`A token of this model is ${figures}: no format can make it faster. `
    : say`A token of this model is ${figures}. `;
}

/** As much as is known: matrices, whole tokens, or what bytes allow. */
function ofLarge(facts: LargeFacts, isReverse: boolean): readonly Words[] {
  const { model, device, format, density, denseMs, storedMs, wholeDenseMs, wholeStoredMs, pytorch } = facts;
  const inBoth = (dense: number, stored: number): Words =>
    strong(`${dense.toFixed(1)}\u202fms dense and ${stored.toFixed(1)} in ${format}`);
  const theirs = pytorch && `PyTorch’s on an ${pytorch.card} takes ${pytorch.ms.toFixed(1)}`;
  if (denseMs !== null) {
    const turn = isReverse ? `At ${model}’s shapes it is the reverse: the matrices` : `${model}’s matrices`;
    const alone = strong(`${denseMs.toFixed(1)}\u202fms dense`);
    const stored =
      format === null
        ? say`${turn} take ${alone}`
        : storedMs === null
          ? say`${turn} take ${alone}; ${format} at ${density} was not measured`
          : say`${turn} take ${inBoth(denseMs, storedMs)} at ${density}`;
    if (wholeDenseMs === null) {
      const token = pytorch && `; PyTorch’s token on an ${pytorch.card}, all in all, takes ${pytorch.ms.toFixed(1)}`;
      return [...stored, ...say`${token ?? ''}.`];
    }
    const whole =
      format === null || storedMs === null || wholeStoredMs === null
        ? `, a whole token ${wholeDenseMs.toFixed(1)}${format === null ? '' : ' dense'}`
        : `, a whole token ${wholeDenseMs.toFixed(1)} and ${wholeStoredMs.toFixed(1)}`;
    return [...stored, ...say`${whole}${theirs === null ? '' : `; ${theirs}`}.`];
  }
  if (wholeDenseMs !== null) {
    const end = theirs === null ? '.' : `; ${theirs}.`;
    return format === null || wholeStoredMs === null
      ? say`A whole token of ${model} takes ${strong(`${wholeDenseMs.toFixed(1)}\u202fms dense`)}${end}`
      : say`A whole token of ${model} takes ${inBoth(wholeDenseMs, wholeStoredMs)} at ${density}${end}`;
  }
  const { minDenseMs, minStoredMs } = facts;
  if (minDenseMs === null) return [];
  return format === null || minStoredMs === null
    ? say`${model} was not measured on ${device}: its bytes take at least ${strong(`${minDenseMs.toFixed(1)}\u202fms dense`)}.`
    : say`${model} was not measured on ${device}: its bytes take at least ${inBoth(minDenseMs, minStoredMs)} at ${density}.`;
}
