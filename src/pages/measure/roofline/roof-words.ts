/* The texts of the roofline: the headline above it, and six steps of arithmetic for one kernel. */

import { ARITHMETIC_WORDS } from '../../../core/report.ts';
import { capitalised, countText, threeDigits, type Words } from '../../../core/text/words.ts';
import { ridge, type Roofs, tokensToRidge } from '../../../theory/roofline/roofs.ts';
import { bytes, percent, time, ratio as ratioText } from '../../../kit/words/quantity.ts';
import { choiceOf, minNs, type RoofPoint, shareOfRoof, type RooflineMatrix, timeOf } from './roof-points.ts';
import type { RoofDevice } from './use-roofline.ts';
import { type Speed, speedFromTimes, speedText, speedTimes } from '../../../kit/words/speed-of.ts';
import { bandwidth, flop, intensity, perSecond, times } from '../../../kit/words/rates.ts';

/** 'one token', '16 tokens' */
export function tokensText(tokens: number): string {
  return tokens === 1 ? 'one token' : `${countText(tokens)} tokens`;
}

/** The text on how many tokens make arithmetic the limit; '' if it is now, or unknown, or the operation has no tokens. */
function ridgeText(point: RoofPoint, rooflineMatrix: RooflineMatrix, roofs: Roofs): string {
  if (point.tokens === null || point.prediction.decides === 'arithmetic') return '';
  const tokenBytes = point.vectorBytes / point.tokens;
  const ridgeTokens = tokensToRidge(roofs, point.arithmetic, {
    tokenMultiplyAdds: point.multiplyAdds / point.tokens,
    matrixBytes: point.bytes - point.vectorBytes,
    tokenBytes,
  });
  if (ridgeTokens === null) {
    return ridge(roofs, point.arithmetic) === null
      ? ''
      : ` ${countText(rooflineMatrix.rows)} rows are too few for arithmetic ever to be the limit.`;
  }
  return ` From ${countText(Math.max(ridgeTokens, point.tokens + 1))} tokens on, arithmetic is the limit.`;
}

/** A quotable text: the limit, and its consequence for the chosen format. */
export function roofText(
  point: RoofPoint | null,
  dense: RoofPoint | null,
  context: {
    readonly rooflineMatrix: RooflineMatrix | null;
    readonly device: Pick<RoofDevice, 'name' | 'roofs'>;
    /** whether kernels were timed on that device */
    readonly isMeasured: boolean;
    readonly titleOf: (format: string) => string;
  },
): readonly Words[] {
  const { rooflineMatrix, device, titleOf, isMeasured } = context;
  if (rooflineMatrix === null) return [{ text: 'No matrix is open.' }];
  if (point === null) return [{ text: 'Without non-zeros there is no useful arithmetic.' }];
  const title = pointTitle(point, titleOf);
  const decides = point.prediction.decides === 'bytes' ? 'bytes are the limit' : 'arithmetic is the limit';
  const opening: readonly Words[] = [
    { text: point.tokens === null ? '' : `With ${tokensText(point.tokens)}, ` },
    { text: point.tokens === null ? capitalised(decides) : decides, strong: true },
    { text: ': ' },
  ];
  const share = shareOfRoof(point);
  const isDense = dense === null || choiceOf(dense) === choiceOf(point);
  const work =
    point.prediction.decides === 'bytes'
      ? `${title} reads ${bytes(point.bytes)}${isDense ? '' : ` instead of ${bytes(dense.bytes)}`}`
      : `${title} does ${flop(2 * point.multiplyAdds)}`;
  if (point.measured !== null) {
    const speed = isDense ? null : speedAgainst(point, dense);
    const outcome =
      speed === null
        ? ` and reaches ${percent(share ?? 0, 0)} of the limit by ${point.prediction.decides === 'bytes' ? 'bytes' : 'arithmetic'}.`
        : ` and is ${speedTimes(speed)} as fast as dense${typeText(dense)}.`;
    return [...opening, { text: `${work}${outcome}${ridgeText(point, rooflineMatrix, device.roofs)}` }];
  }
  const predictedSpeed =
    isDense || !dense
      ? ''
      : `, by the roofs ${speedTimes(speedFromTimes(point.prediction.ns, dense.prediction.ns))} as fast as dense${typeText(dense)}`;
  const [where, status] = isMeasured ? ['', 'not yet measured'] : [` on ${device.name}`, 'a prediction'];
  const outcome = ` and would take ${time(timeOf(point))}${where}${predictedSpeed}: ${status}.`;
  return [...opening, { text: `${work}${outcome}${ridgeText(point, rooflineMatrix, device.roofs)}` }];
}

/** The name of a kernel: 'MACKO', 'MACKO in i8', 'Dense in i4', or with its arithmetic unless f32: 'Dense in i8 by matrices'. */
export function pointTitle({ format, arithmetic, valueType }: RoofPoint, titleOf: (format: string) => string): string {
  const variant = arithmetic === 'f32' ? valueType : ARITHMETIC_WORDS[arithmetic];
  return variant === null ? titleOf(format) : `${titleOf(format)} in ${variant}`;
}

/** ' in i8' after 'dense' where it has other values than the usual ones. */
function typeText(dense: RoofPoint | null): string {
  return dense?.valueType == null ? '' : ` in ${dense.valueType}`;
}

/** The source of a device's figures, as text that follows them: 'at most, by its data sheet'. */
export function sourceText(origin: RoofDevice['origin']): string {
  if (origin === 'data sheet') return 'at most, by its data sheet';
  if (origin === 'typed') return 'at most, as typed';
  return origin === 'recorded' ? origin : 'measured';
}

/** The speed relative to dense: by rounds that timed both, else by the two times. Null without a comparison. */
function speedAgainst({ measured }: RoofPoint, dense: RoofPoint): Speed | null {
  if (!measured?.vsDense) return null;
  if (measured.vsDense.id === dense.id) return measured.vsDense.speed;
  return dense.measured && speedFromTimes(measured.ns, dense.measured.ns);
}

/** The bytes that a kernel reads in addition to the format's arrays are mentioned above this share of the arrays' bytes. */
const MIN_EXTRA_SHARE = 0.002;

/** A step of the arithmetic for one kernel: the quantity, its value, its inputs, and its meaning. */
export interface RoofStep {
  readonly id: 'work' | 'bytes' | 'intensity' | 'least' | 'time' | 'against';
  readonly title: string;
  readonly value: string;
  readonly formula: string;
  readonly meaning: string;
}

/**
 * Six steps from a matrix's non-zeros to a kernel's time, with this matrix's numbers. `storedBytes`: of the arrays of the
 * format, if known: a kernel may read more.
 */
export function roofSteps(
  point: RoofPoint,
  dense: RoofPoint | null,
  rooflineMatrix: RooflineMatrix,
  roofs: Roofs,
  storedBytes: number | null = null,
): readonly RoofStep[] {
  const { prediction, measured } = point;
  const tokens = point.tokens ?? 1;
  const ridgeIntensity = ridge(roofs, point.arithmetic);
  const leastNs = minNs(prediction);
  const peak = roofs.peakGMAps[point.arithmetic];
  const isDense = dense === null || choiceOf(dense) === choiceOf(point);
  const matrixBytes = point.bytes - point.vectorBytes;
  const multiplyAddsPerNonZero = point.multiplyAdds / (point.flop / 2);
  return [
    {
      id: 'work',
      title: 'Work',
      value: flop(point.flop),
      formula:
        point.tokens === null
          ? `2 × ${countText(point.flop / 2)}`
          : `2 × ${countText(rooflineMatrix.nnz)}${tokens === 1 ? '' : ` × ${countText(tokens)} tokens`}`,
      meaning: `One multiply-add per non-zero.${multiplyAddsPerNonZero > 1.01 ? ` This kernel does ${times(multiplyAddsPerNonZero)} as many.` : ''}`,
    },
    {
      id: 'bytes',
      title: 'Bytes',
      value: bytes(point.bytes),
      formula:
        point.tokens === null
          ? 'all arrays, once'
          : `${matrixText(matrixBytes, storedBytes)} + ${bytes(point.vectorBytes)} ${tokens === 1 ? 'x and y' : 'X and Y'}`,
      meaning: `Read once from memory${isDense ? '' : `; dense reads ${bytes(dense.bytes)}`}.`,
    },
    {
      id: 'intensity',
      title: 'Intensity',
      value: intensity(point.flopPerByte),
      formula: `${flop(point.flop)} / ${bytes(point.bytes)}`,
      meaning: intensityMeaning(point, ridgeIntensity),
    },
    {
      id: 'least',
      title: 'At least',
      value: time(leastNs),
      formula:
        prediction.decides === 'bytes'
          ? `${bytes(point.bytes)} / ${bandwidth(roofs.readGBps)}`
          : `${flop(2 * point.multiplyAdds)} / ${perSecond(2 * (peak ?? 0), 'flop')}`,
      meaning:
        prediction.decides === 'bytes'
          ? ''
          : `Reading takes ${time(prediction.bytesNs)}: arithmetic in ${ARITHMETIC_WORDS[point.arithmetic]} is the limit.`,
    },
    measured === null
      ? {
          id: 'time',
          title: 'Predicted',
          value: time(prediction.ns),
          formula:
            prediction.dispatchNs > 0
              ? `${time(leastNs)} + ${time(prediction.dispatchNs)} empty dispatch`
              : time(leastNs),
          meaning: 'A real kernel takes longer.',
        }
      : {
          id: 'time',
          title: 'Measured',
          value: time(measured.ns),
          formula: `${time(leastNs)} / ${time(measured.ns)} = ${percent(leastNs / measured.ns, 0)} reached`,
          meaning: `Predicted: ${time(prediction.ns)}, with an empty dispatch.`,
        },
    denseStep(point, dense),
  ];
}

/** '21.0 MB matrix', or '21.0 MB matrix + 98.3 kB more that this kernel reads'. */
function matrixText(readBytes: number, storedBytes: number | null): string {
  if (storedBytes === null) return `${bytes(readBytes)} matrix`;
  const extra = readBytes - storedBytes;
  return `${bytes(storedBytes)} matrix${extra > MIN_EXTRA_SHARE * storedBytes ? ` + ${bytes(extra)} more that this kernel reads` : ''}`;
}

/** Whether a kernel's intensity is below or above the ridge, and its meaning. */
function intensityMeaning(point: RoofPoint, ridgeIntensity: number | null): string {
  if (ridgeIntensity === null) return `No roof for ${ARITHMETIC_WORDS[point.arithmetic]} was measured.`;
  const factor = ridgeIntensity / point.flopPerByte;
  const verdict =
    factor > 1 ? `, ${threeDigits(factor)} times further: arithmetic is free` : ': arithmetic is the limit';
  return `The ridge is at ${threeDigits(ridgeIntensity)}${verdict}.`;
}

/** The last step: how many times as fast as dense, measured or predicted, and by the roofs alone. */
function denseStep(point: RoofPoint, dense: RoofPoint | null): RoofStep {
  const title = 'Against dense';
  if (dense === null) return { id: 'against', title, value: '–', formula: 'dense is missing', meaning: '' };
  if (choiceOf(dense) === choiceOf(point)) {
    return { id: 'against', title, value: '1×', formula: 'this is dense', meaning: '' };
  }
  const bothMeasured = point.measured !== null && dense.measured !== null;
  const speed = speedAgainst(point, dense) ?? speedFromTimes(point.prediction.ns, dense.prediction.ns);
  const byRoofs = minNs(dense.prediction) / minNs(point.prediction);
  const [share, denseShare] = [shareOfRoof(point), shareOfRoof(dense)];
  return {
    id: 'against',
    title,
    value: speedText(speed),
    formula: bothMeasured
      ? `${time(timeOf(dense))} / ${time(timeOf(point))}`
      : `${time(dense.prediction.ns)} / ${time(point.prediction.ns)}, predicted`,
    meaning: `By the roofs, ${ratioText(byRoofs)}${bothMeasured && share !== null && denseShare !== null ? `; dense reaches ${percent(denseShare, 0)} of its roof` : ''}.`,
  };
}
