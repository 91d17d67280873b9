/* The texts above the charts of Compare, each from named facts. */

import type { Words } from '../../../core/text/words.ts';
import { capitalised, counted, listText, say, strong } from '../../../core/text/words.ts';
import { roughDensityText } from '../../../kit/words/shares.ts';
import type { LosslessBits } from '../../../theory/lossless-bits.ts';
import type { Stretch } from '../curves/fastest-along.ts';

/** Format A or B of the page in the chart of sizes. A share is a density. */
export interface SizeFacts {
  readonly title: string;
  /** the share at which the format is as large as dense f16; null if there is none */
  readonly evenAt: number | null;
  /** whether the format is smaller than dense f16 at the smallest share */
  readonly startsSmaller: boolean;
  /** the largest share that the format can store, with weights at the positions that the line assumes */
  readonly supportedUpTo: number;
  /** the line assumes random positions, at which the format stores fewer weights than in its own pattern */
  readonly isRandom: boolean;
}

/** 'MACKO is smaller than dense f16 below 76 %, CSR below 50 %.' */
export function sizeWords(sides: readonly SizeFacts[]): readonly Words[] {
  return sides.flatMap((side, i) => [
    ...say`${i === 0 ? '' : ', '}${side.title} ${i === 0 ? 'is smaller than dense f16 ' : ''}${strong(smallerWhere(side))}`,
    ...(i === sides.length - 1 ? say`.` : []),
  ]);
}

function smallerWhere({ evenAt, startsSmaller, supportedUpTo, isRandom }: SizeFacts): string {
  if (evenAt !== null) return `below ${roughDensityText(evenAt)}`;
  if (!startsSmaller) return 'at no density';
  if (supportedUpTo >= 1) return 'at every density';
  return `up to ${roughDensityText(supportedUpTo)}, its limit${isRandom ? ' at random positions' : ''}`;
}

/** The density below which a format reads fewer bytes than dense i4. */
export interface CrossingFacts {
  readonly title: string;
  /** title of the horizontal line that the format's line crosses: 'dense i4' */
  readonly rule: string;
  /** the share at which the lines cross */
  readonly share: number;
}

/** 'MACKO reads fewer bytes than dense i4 below 19 %, CSR below 12 %.' */
export function crossingWords(crossings: readonly CrossingFacts[]): readonly Words[] {
  return crossings.flatMap(({ title, rule, share }, i) => [
    ...(i === 0
      ? say`${title} reads fewer bytes than ${rule} below ${strong(roughDensityText(share))}`
      : say`, ${title} below ${strong(roughDensityText(share))}`),
    ...(i === crossings.length - 1 ? say`.` : []),
  ]);
}

/** The fastest formats by density, on one device. */
export interface SpeedFacts {
  /** the device, as it follows 'On' */
  readonly deviceName: string;
  /** number of timed formats with 16-bit values, including dense */
  readonly formats: number;
  /** the fastest of these formats in each range of shares; `reference` if none is faster */
  readonly formatStretches: readonly Stretch[];
  /** likewise, with dense in fewer bits among the formats */
  readonly stretchesWithDense: readonly Stretch[];
  /** dense in fewer bits, and whether it was timed */
  readonly quantised: readonly { readonly title: string; readonly isTimed: boolean }[];
  readonly reference: string; // title of the format that speeds are relative to
}

/** 'On NVIDIA H200, of 9 formats with 16-bit values MACKO is the fastest from 5 % to 68 %.' Empty without times. */
export function speedWords(facts: SpeedFacts): readonly Words[] {
  const { deviceName, formatStretches, formats, reference } = facts;
  if (formatStretches.length === 0) return [];
  const leading = formatStretches.filter(({ winner }) => winner !== reference);
  const opening = `On ${deviceName}, of ${counted(formats, 'format')} with 16-bit values`;
  const [{ from }] = formatStretches;
  const head =
    leading.length === 0
      ? say`${opening} ${strong(`none is faster than ${reference}`)}, from ${range(from, formatStretches[formatStretches.length - 1].to)}.`
      : [...say`${opening} `, ...leadingWords(leading), ...say`.`];
  return [...head, ...quantisedWords(facts)];
}

/** 'MACKO is the fastest from 5 % to 68 %, EC-SpMV from 68 % to 70 %' */
function leadingWords(leading: readonly Stretch[]): readonly Words[] {
  return leading.flatMap(
    ({ winner, from, to }, i) =>
      say`${i === 0 ? '' : ', '}${winner} ${i === 0 ? 'is the fastest ' : ''}${strong(`from ${range(from, to)}`)}`,
  );
}

/** The sentence about dense in fewer bits, the alternative to pruning; empty if it is not compared. */
function quantisedWords({ stretchesWithDense, quantised }: SpeedFacts): readonly Words[] {
  const titles = quantised.map(({ title }) => title);
  const timedTitles = quantised.filter(({ isTimed }) => isTimed).map(({ title }) => title);
  if (titles.length === 0) return [];
  if (timedTitles.length === 0)
    return say` ${capitalised(listText(titles))}, unpruned, ${titles.length === 1 ? 'was' : 'were'} not timed.`;
  const leading = stretchesWithDense.filter(({ winner }) => timedTitles.includes(winner));
  if (leading.length === 0) {
    return say` ${capitalised(listText(timedTitles))}, unpruned, ${timedTitles.length === 1 ? 'is' : 'are'} nowhere faster.`;
  }
  return leading.flatMap(({ winner, from, to }, i) => [
    ...(i === 0
      ? say` ${capitalised(winner)}, unpruned, is even faster ${strong(`from ${range(from, to)}`)}`
      : say`, ${winner} from ${range(from, to)}`),
    ...(i === leading.length - 1 ? say`.` : []),
  ]);
}

function range(from: number, to: number): string {
  return `${roughDensityText(from)} to ${roughDensityText(to)}`;
}

/** Bits of a weight relative to dense f16. */
export const shareOfF16 = (bits: number): number => bits / 16;

/** 'Dense, lossless: exponents of 2.57 bits (entropy) ...' */
export function losslessText({ type, exponentBits, bits, bitsAsBf16 }: LosslessBits): string {
  const asBf16 =
    type === 'bf16'
      ? ''
      : ` Rounded to bf16, as most models are: ${bitsAsBf16.toFixed(1)}, ${shareOfF16(bitsAsBf16).toFixed(2)}.`;
  return `Dense, lossless: exponents of ${exponentBits.toFixed(2)} bits (entropy), with sign and mantissa ${bits.toFixed(1)} bits a weight in ${type}, ${shareOfF16(bits).toFixed(2)} of f16.${asBf16} Decoding takes time, which is not modelled.`;
}
