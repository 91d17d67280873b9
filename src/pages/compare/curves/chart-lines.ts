import { useEffect, useMemo, useState } from 'react';
import { type AnyListedFormat, resolvedParams, type Shape } from '../../../core/format.ts';
import { Pacer } from '../../../core/pace.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import {
  currentParams,
  type FormatParams,
  type FormatChoice,
  placementOf,
  valueTypesOf,
} from '../../../state/index.ts';
import { CHART_FIELDS, isChosen } from './curve-choices.ts';
import type { DensityChoice } from '../../../kit/forms/use-density.ts';
import { relativeSize, type ResolvedFormat, sampleCurve, type SizeCurve, type ExpectedMatrix } from './size-curves.ts';
import { bitsOf, storedTitle, type StoredVariant, storedVariantOf, variantName } from '../rows/stored-variants.ts';

/** A line of a chart of bytes by density: a format with its parameters. */
export interface ChartLine extends ResolvedFormat {
  readonly key: string;
  /** 'MACKO', 'MACKO i8' */
  readonly title: string;
  /** whether it is A or B, the two formats that the page compares; null: neither */
  readonly side: 'a' | 'b' | null;
  readonly isQuantised: boolean;
}

/** A line with its bytes at every density. */
export interface SizeLine extends ChartLine, SizeCurve {}

/** The bits of a value of most published models. */
const USUAL_BITS = 16;

/** The parameters with a value type of this many bits; null if the format has none. */
export function withBits(format: AnyListedFormat, params: FormatParams, bits: number): FormatParams | null {
  const types = valueTypesOf(format);
  // A user's format has no parameter for its value type.
  if (types.length === 0) return bits === USUAL_BITS ? params : null;
  const valueType = types.find((type) => bitsOf({ valueType: type }) === bits);
  return valueType === undefined ? null : { ...params, valueType };
}

/** The lines of a chart: A and B, every format with 16-bit values, A and B with 8 bits. Dense is in `denseLines`. */
export function chartLines(
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  sides: Readonly<Record<'a' | 'b', FormatChoice | null>>,
  shape: Shape,
): readonly ChartLine[] {
  const lines: (ChartLine & StoredVariant)[] = [];
  const add = (format: AnyListedFormat, formatParams: FormatParams | null, side: ChartLine['side']): void => {
    if (formatParams === null || format.id === referenceFormat.id || !format.expectedEffectiveDensity) return;
    const resolved = resolvedParams(format.params, formatParams, shape);
    const variant = storedVariantOf(format, resolved, shape);
    if (lines.some(({ key }) => key === variant.key) || (format.unusable?.(resolved) ?? null) !== null) return;
    const sameTitle = lines.filter(({ title }) => title === storedTitle(variant));
    const title = sameTitle.length > 0 ? variantName(variant, sameTitle) : storedTitle(variant);
    lines.push({ ...variant, params: resolved, title, side, isQuantised: bitsOf(resolved) < USUAL_BITS });
  };
  const sideFormats = (['a', 'b'] as const).map((side) => {
    const [stored, format] = [sides[side], formats.find(({ id }) => id === sides[side]?.format)];
    if (format && stored) add(format, stored.params, side);
    return format;
  });
  for (const format of formats) add(format, withBits(format, params[format.id], USUAL_BITS), null);
  for (const format of formats) {
    if (sideFormats.includes(format)) add(format, withBits(format, params[format.id], 8), null);
  }
  return lines;
}

/** Dense with one value type: a horizontal line of a chart, since dense always stores every cell. */
export interface DenseLine extends ResolvedFormat {
  /** its value type */
  readonly id: string;
  /** 'dense i4' */
  readonly title: string;
  /** bytes relative to dense f16 */
  readonly size: number;
}

/** Dense in f16 and in fewer bits, the largest first. */
export function denseLines(denseParams: FormatParams, shape: Shape): readonly DenseLine[] {
  const format = referenceFormat;
  return valueTypesOf(format)
    .filter((valueType) => valueType === 'f16' || bitsOf({ valueType }) < USUAL_BITS)
    .map((valueType) => {
      const params = { ...denseParams, valueType };
      const size = relativeSize({ format, params }, 1, shape);
      return { id: String(valueType), title: `${format.title} ${String(valueType)}`, size, format, params };
    })
    .toSorted((a, b) => b.size - a.size);
}

/**
 * The lines of the charts; `rules`: the horizontal lines of dense; `extraItems`: items other than formats (published
 * figures, dense in fewer bits). `hasSides`: whether A and B get lines.
 */
export function useChartLines(formats: readonly AnyListedFormat[], { pruning }: DensityChoice, hasSides = true) {
  const [{ formats: chosenFormats, beside: extraItems }] = useChoices(CHART_FIELDS);
  const params = useDocument((doc) => doc.params);
  const formatA = useDocument((doc) => doc.format);
  const paramsA = useDocument(currentParams);
  const a = useMemo((): FormatChoice => ({ format: formatA, params: paramsA }), [formatA, paramsA]);
  const b = useDocument((doc) => doc.formatB);
  const summary = useSession((s) => s.summary);
  const [rows, cols] = [summary?.rows ?? 0, summary?.cols ?? 0];
  // A generated matrix can be even without any pruning.
  const isEven = pruning ? pruning.way === 'n-of-m' : summary !== null && placementOf(summary.source) === 'even';
  const matrix = useMemo(
    (): ExpectedMatrix => ({ rows, cols, placement: isEven ? 'even' : 'independent' }),
    [rows, cols, isEven],
  );
  const unsampled = useMemo(
    () => chartLines(formats, params, hasSides ? { a, b } : { a: null, b: null }, matrix),
    [formats, params, hasSides, a, b, matrix],
  );
  const sampled = useSampledLines(unsampled, matrix);
  const lines = useMemo(
    () => sampled.filter(({ format }) => isChosen(format, chosenFormats)),
    [sampled, chosenFormats],
  );
  const dense = useMemo(() => denseLines(params[referenceFormat.id], matrix), [params, matrix]);
  const rules = useMemo(() => {
    if (!chosenFormats.includes(referenceFormat.id)) return [];
    return extraItems.includes('quantised') ? dense : dense.slice(0, 1);
  }, [chosenFormats, extraItems, dense]);
  return { matrix, chosenFormats, extraItems, a, b, lines, rules, dense };
}

/** The lines with their bytes at every density of the grid; lines that are not sampled yet are missing. */
function useSampledLines(unsampled: readonly ChartLine[], matrix: ExpectedMatrix): readonly SizeLine[] {
  const [lines, setLines] = useState<readonly SizeLine[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const sample = async (): Promise<void> => {
      const pacer = new Pacer();
      const curves = new Map<string, SizeCurve>();
      const show = (): void =>
        setLines(
          unsampled.flatMap((line) => {
            const curve = curves.get(line.key);
            return curve && curve.supportedUpTo > 0 ? [{ ...line, ...curve }] : [];
          }),
        );
      const slowLines = unsampled.filter((line) => isSlow(line, matrix));
      const quickLines = unsampled.filter((line) => !slowLines.includes(line));
      for (const [i, line] of [...quickLines, ...slowLines].entries()) {
        curves.set(line.key, await sampleCurve(line, matrix, pacer));
        if (!isCurrent) return;
        if (i >= quickLines.length - 1) show();
      }
    };
    void sample();
    return () => {
      isCurrent = false;
    };
  }, [unsampled, matrix]);
  return lines;
}

/** Closed forms that need more time than this at one density are evaluated last. */
const SLOW_MS = 0.05;

/** Whether the closed form is slow, measured at one density. */
function isSlow({ format, params }: ResolvedFormat, matrix: ExpectedMatrix): boolean {
  const start = performance.now();
  format.expectedEffectiveDensity?.(0.3, params, matrix);
  format.admissionOdds?.(0.3, params, matrix, matrix.placement);
  return performance.now() - start > SLOW_MS;
}
