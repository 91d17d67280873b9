// Sentences of the tab Speed about recorded times.

import type { Words } from '../../../../src/core/text/words.ts';
import { say, strong } from '../../../../src/core/text/words.ts';
import { secondTime, time } from '../../../../src/kit/words/quantity.ts';
import { type Device, dayText } from '../../../../src/state/index.ts';
import { tokenSpeedAt, type TokenSpeed } from '../../../../src/theory/models/token-speeds.ts';
import { PYTORCH_VERSION, type PyTorchRun } from './pytorch.ts';
import type { LargeModelData } from './use-large-model.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';

/** The clock of a device's newest reports; empty if nothing was measured on it. */
export function clockText({ reports }: Pick<Device, 'reports'>): string {
  const [newest] = reports;
  return newest === undefined ? '' : ` by the ${newest.clock.source === 'timestamp-query' ? 'GPU’s' : 'wall'} clock`;
}

type HeadlineData = Pick<
  LargeModelData,
  'modelShape' | 'density' | 'format' | 'isDense' | 'timesAtDensity' | 'readGBps' | 'pytorch' | 'wholeTokens' | 'device'
>;

interface SpeedFacts {
  /** nanoseconds of a small model's token: reading its weights, and launching its kernels; null: unknown device */
  readonly small: { readonly name: string; readonly bytesNs: number; readonly launchNs: number } | null;
  readonly model: LargeFacts;
}

interface LargeFacts {
  readonly model: string;
  readonly device: string;
  /** null: only dense */
  readonly format: string | null;
  readonly density: number;
  /** the model's matrices, measured alone, in milliseconds; null: not measured */
  readonly denseMs: number | null;
  readonly storedMs: number | null;
  /** whole tokens, in milliseconds; null: not measured */
  readonly wholeDenseMs: number | null;
  readonly wholeStoredMs: number | null;
  /** lower bound from the bytes of the model's matrices, in milliseconds; null: the device's read speed is unknown */
  readonly minDenseMs: number | null;
  readonly minStoredMs: number | null;
  /** the fastest whole token of PyTorch, and its card */
  readonly pytorch: { readonly ms: number; readonly card: string } | null;
}

/** The figures for `speedHeadline`. */
export function speedFacts(largeModel: HeadlineData, small: SpeedFacts['small']): SpeedFacts {
  const { modelShape, density, format, isDense, timesAtDensity, readGBps, pytorch, wholeTokens, device } = largeModel;
  const fastest = pytorch?.ways.at(-1) ?? null;
  return {
    small,
    model: {
      model: modelShape.name,
      device: device.name,
      denseMs: inMs(timesAtDensity?.denseNs ?? null),
      storedMs: isDense ? null : inMs(timesAtDensity?.storedNs ?? null),
      format: isDense ? null : format.title,
      density,
      wholeDenseMs: wholeMs(wholeTokens.dense, 1),
      wholeStoredMs: wholeMs(wholeTokens.stored, density),
      minDenseMs: minMs(timesAtDensity?.denseBytes, readGBps),
      minStoredMs: isDense ? null : minMs(timesAtDensity?.storedBytes, readGBps),
      pytorch: fastest && pytorch && { ms: 1000 / fastest.tokensPerSecond, card: pytorch.card },
    },
  };
}

/** The headline: whether a format can make this small model faster, and its effect on a large one. */
export function speedHeadline({ small, model }: SpeedFacts): readonly Words[] | null {
  const isMostlyLaunches = small !== null && small.bytesNs < 0.1 * small.launchNs;
  const smallModelText = small === null ? [] : smallModelWords(small, isMostlyLaunches);
  const largeModelText = largeModelWords(model);
  return smallModelText.length + largeModelText.length === 0 ? null : [...smallModelText, ...largeModelText];
}

function smallModelWords(
  { name, bytesNs, launchNs }: NonNullable<SpeedFacts['small']>,
  isMostlyLaunches: boolean,
): readonly Words[] {
  const figures = strong(`${time(bytesNs)}, starting its kernels ${secondTime(launchNs, bytesNs)}`);
  // The saving of any format is less than a tenth of a token.
  return isMostlyLaunches
    ? say`${name} is too small to get faster: reading its weights takes ${figures} (computed). `
    : say`A token of ${name}: reading its weights takes ${figures} (computed). `;
}

/** The large model: whole tokens, as for PyTorch, or else its matrices, or the bound by bytes. */
function largeModelWords(facts: LargeFacts): readonly Words[] {
  const { device, format, density, pytorch, minDenseMs, minStoredMs } = facts;
  // Non-breaking hyphens, so that no line ends within the name.
  const model = facts.model.replaceAll('-', '\u2011');
  const densityWords = `${densityText(density)} left`;
  const denseText = (denseMs: number): Words => strong(`${denseMs.toFixed(1)}\u202fms dense`);
  const bothText = (denseMs: number, storedMs: number): Words =>
    strong(`${denseMs.toFixed(1)}\u202fms dense and ${storedMs.toFixed(1)} in ${format}`);
  const isWhole =
    facts.wholeDenseMs !== null && (format === null || facts.wholeStoredMs !== null || facts.storedMs === null);
  const [denseTime, storedTime] = isWhole ? [facts.wholeDenseMs, facts.wholeStoredMs] : [facts.denseMs, facts.storedMs];
  if (denseTime !== null) {
    const subject = isWhole ? `A token of ${model} takes` : `${model}’s matrices alone take`;
    const pytorchText =
      isWhole && pytorch ? `; PyTorch on an ${pytorch.card} takes ${pytorch.ms.toFixed(1)}\u202fms` : '';
    if (format === null) return say`${subject} ${denseText(denseTime)}${pytorchText}.`;
    return storedTime === null
      ? say`${subject} ${denseText(denseTime)}${pytorchText}. ${format} with ${densityWords} was not measured.`
      : say`${subject} ${bothText(denseTime, storedTime)} with ${densityWords}${pytorchText}.`;
  }
  if (minDenseMs === null) return [];
  const unmeasured = `${model} was not measured on ${device}; reading its bytes takes at least`;
  return format === null || minStoredMs === null
    ? say`${unmeasured} ${denseText(minDenseMs)}.`
    : say`${unmeasured} ${bothText(minDenseMs, minStoredMs)} with ${densityWords}.`;
}

function inMs(ns: number | null): number | null {
  return ns === null ? null : ns / 1e6;
}

/** Lower bound in milliseconds for reading these bytes; null if the device's read speed is unknown. */
function minMs(bytes: number | undefined, readGBps: number | null): number | null {
  return bytes === undefined || readGBps === null ? null : bytes / readGBps / 1e6;
}

/** Milliseconds of a whole token at a density; null if unmeasured. */
export function wholeMs(tokenSpeeds: readonly TokenSpeed[], density: number): number | null {
  const speed = tokenSpeedAt(tokenSpeeds, density);
  return speed && 1000 / speed.tokensPerSecond;
}

/** Nanoseconds of a whole token besides its matrices; null if the two were not measured together. */
export function restNs(tokenSpeeds: readonly TokenSpeed[], density: number): number | null {
  const speed = tokenSpeedAt(tokenSpeeds, density);
  const remainderNs = speed?.matricesNs === undefined ? 0 : 1e9 / speed.tokensPerSecond - speed.matricesNs;
  return remainderNs > 0 ? remainderNs : null;
}

/** Where and when whole tokens were measured. */
export function wholeText(tokenSpeeds: readonly TokenSpeed[]): string {
  const [newest] = tokenSpeeds.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  if (newest === undefined) return 'Whole tokens: not measured.';
  const { isRecorded, device, date } = newest;
  return `Whole tokens: ${isRecorded ? 'recorded' : 'measured'} on ${device}, ${dayText(date)}, 100 from an empty prompt, wall clock.`;
}

/** The machine, dates and conditions of PyTorch's measurements. */
export function pytorchText({ card, days }: PyTorchRun): string {
  return `PyTorch: whole tokens, ${PYTORCH_VERSION}, measured on an ${card} on ${days.map(dayText).join(' and ')}, random f16 weights, 100 tokens, wall clock.`;
}
