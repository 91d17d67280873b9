import { type AnyListedFormat, defaultParams } from '../../../../core/format.ts';
import { SPMV } from '../../../../core/operations/index.ts';
import type { BenchReport } from '../../../../core/report.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { ownDensity, type OwnPruning, pruningText, storesType } from '../../../../kit/models/own-choices.ts';
import { type Look, measuredDensities, measuredShape } from '../../../../kit/report/measured-shapes.ts';
import type { StoredType } from '../../../../language/stored/recipe.ts';
import type { FormatParams } from '../../../../state/index.ts';
import { expectedBytes, isHeld } from '../../../../theory/models/model-bytes.ts';
import { computes, modelFormats } from '../../model/model-choices.ts';

/** A way to store one matrix, with what is known of it. */
export interface PlanWay {
  /** unique within its matrix: 'macko f16 wanda-0.3' */
  readonly id: string;
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
  readonly valueType: StoredType;
  readonly pruning: OwnPruning;
  /** share of the weights that is left */
  readonly density: number;
  /** by the format's closed form */
  readonly bytes: number;
  /** measured, of y = A x, cold; null where it was not */
  readonly ns: number | null;
  /** ISO 8601: the report that has the time */
  readonly measuredAt: string | null;
}

interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** Where bytes and times are looked up. */
export interface WaySources {
  readonly formats: readonly AnyListedFormat[];
  /** of the document, by format */
  readonly params: Readonly<Record<string, FormatParams>>;
  /** of one device, whose name follows; empty where its times do not count */
  readonly reports: readonly BenchReport[];
  readonly device: string;
}

const F16 = { valueType: 'f16' };

/** All ways to store a matrix of a shape that is pruned so. A matrix that keeps all of its cells is stored dense. */
export function waysAt(
  sources: WaySources,
  pruning: OwnPruning,
  valueType: StoredType,
  shape: Shape,
): readonly PlanWay[] {
  const density = ownDensity(pruning);
  return modelFormats(sources.formats).flatMap((format): PlanWay[] => {
    if (!storesType(format, valueType) || (format.group === 'classic' && valueType !== 'f16')) return [];
    const params = paramsOf(sources, format, valueType);
    if ((format.unusable?.(params) ?? null) !== null) return [];
    if (keepsAll(format, params, shape) !== (pruning.way === 'none') || !fits(format, params, pruning, shape))
      return [];
    const bytes = expectedBytes({ format, params }, density, shape);
    if (bytes === null) return [];
    const id = `${format.id} ${valueType} ${pruningText(pruning)}`;
    return [
      { id, format, params, valueType, pruning, density, bytes, ...timeOf(sources, format, params, density, shape) },
    ];
  });
}

/** Densities at which a matrix of a shape was measured in some format that leaves out zeros, ascending. */
export function timedDensities(sources: WaySources, valueType: StoredType, shape: Shape): readonly number[] {
  const found = new Set<number>();
  for (const format of modelFormats(sources.formats)) {
    if (!storesType(format, valueType)) continue;
    const params = paramsOf(sources, format, valueType);
    for (const density of measuredDensities(sources.reports, shape, lookFor(sources, format, params))) {
      const rounded = Math.round(100 * density) / 100;
      if (rounded > 0 && rounded < 1) found.add(rounded);
    }
  }
  return [...found].toSorted((a, b) => a - b);
}

/** The time of a matrix that stays dense in f16; null where it was not measured. */
export function denseTime(sources: WaySources, shape: Shape): Pick<PlanWay, 'ns' | 'measuredAt'> {
  return timeOf(sources, referenceFormat, F16, 1, shape);
}

/** Those of the document, the format's own where it has none, with values of a type. */
function paramsOf({ params }: WaySources, format: AnyListedFormat, valueType: StoredType): FormatParams {
  return { ...defaultParams<FormatParams>(format.params), ...params[format.id], valueType };
}

function fits(format: AnyListedFormat, params: FormatParams, pruning: OwnPruning, shape: Shape): boolean {
  if (pruning.way !== 'n-of-m') return isHeld({ format, params }, ownDensity(pruning), shape, 'independent');
  const pattern = format.heldOnce?.(params);
  if (pattern) return pattern.kept === pruning.kept && pattern.group === pruning.group;
  return isHeld({ format, params }, ownDensity(pruning), shape, 'even');
}

/** Whether it stores every cell, so that pruning changes nothing. */
function keepsAll(format: AnyListedFormat, params: FormatParams, shape: Shape): boolean {
  if (format.heldOnce) return false;
  const at = (density: number): number | null => expectedBytes({ format, params }, density, shape);
  return at(0.5) === at(1);
}

function timeOf(
  sources: WaySources,
  format: AnyListedFormat,
  params: FormatParams,
  density: number,
  { rows, cols }: Shape,
): Pick<PlanWay, 'ns' | 'measuredAt'> {
  const look = lookFor(sources, format, params);
  const isDense = density === 1;
  const wanted = { ...look, density, ...(isDense && { dense: look.stored }) };
  const found = measuredShape(sources.reports, { rows, cols, keptDense: isDense }, wanted);
  const ns = (isDense ? found?.dense : found?.stored)?.medianNs ?? null;
  return { ns, measuredAt: ns === null ? null : (found?.report.createdAt ?? null) };
}

function lookFor({ device }: WaySources, format: AnyListedFormat, params: FormatParams): Look {
  return {
    operation: SPMV.id,
    tokens: 1,
    stored: { format: format.id, params },
    dense: { format: referenceFormat.id, params: F16 },
    able: computes(format, SPMV.id, params, 1),
    device,
  };
}
