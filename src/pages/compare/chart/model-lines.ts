import { useEffect, useMemo, useState } from 'react';
import { Pacer } from '../../../core/pace.ts';
import { modelBytes, type ModelFormat } from '../../../theory/models/model-bytes.ts';
import { probablySupports } from '../../../theory/expected-bytes.ts';
import { tokenBoundNs } from '../../../kit/report/time-bound.ts';
import { type ModelShape, shapeGroups } from '../../../theory/models/model-shape.ts';
import { turningPoint } from '../../../theory/crossings.ts';
import { GRID, type ResolvedFormat } from '../curves/size-curves.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';
import type { DenseLine, SizeLine } from '../curves/chart-lines.ts';

/** The model whose bytes and token times are drawn, and the device's read speed. */
export interface ModelQuery extends Pick<ModelFormat, 'fusion' | 'keepHead'> {
  readonly model: ModelShape;
  /** of the visible device; null if unknown */
  readonly readGBps: number | null;
}

/** The query for the model to compare, or for a layer, as a model of one layer; null if a matrix is compared. */
export function useModelQuery({
  model,
  visibleDevice,
}: Pick<ComparedFormats, 'model' | 'visibleDevice'>): ModelQuery | null {
  const [shape, fused, prunesHead] = [model?.shape ?? null, model?.fused ?? false, model?.prunesHead ?? false];
  const { readGBps = null } = visibleDevice.device.roofs ?? {};
  return useMemo(
    () =>
      shape && {
        model: shape,
        fusion: fused ? 'fused' : 'separate',
        keepHead: !prunesHead,
        readGBps,
      },
    [shape, fused, prunesHead, readGBps],
  );
}

/** Bytes and token time of a whole model in one format at one density. */
interface ModelCost {
  /** bytes of all matrices */
  readonly stored: number;
  /** lower bound on the time of a token; Infinity if the read speed of the device is unknown */
  readonly ns: number;
}

/** The cost of a model in one format at each density: a line of the chart. */
export interface ModelLine {
  readonly line: SizeLine;
  /** per density of the grid; null if the format cannot store it, or the density is too small for a model */
  readonly costs: readonly (ModelCost | null)[];
}

/** A horizontal line of the chart: the model dense, in f16 or in fewer bits. */
export interface ModelRule extends ModelCost {
  readonly id: string;
  readonly title: string;
}

/** The smallest density at which a model is drawn. */
const MIN_DENSITY = 0.01;

/** Bytes and token time of a model in a format at this density; null if the format cannot store it. */
export function modelCostAt(
  { model, fusion, keepHead, readGBps }: ModelQuery,
  { format, params }: ResolvedFormat,
  density: number,
): ModelCost | null {
  const stored = { format, params, fusion, keepHead, density };
  const isSupported = shapeGroups(model, stored).every(
    (group) => group.keptDense || probablySupports(stored, density, group, 'independent'),
  );
  const bytes = isSupported ? modelBytes(model, stored) : null;
  if (!bytes) return null;
  const ns = tokenBoundNs(bytes.readStored, readGBps === null ? null : { readGBps });
  return { stored: bytes.stored, ns: ns ?? Infinity };
}

/** The lines and rules of a model, computed in slices of 10 ms; meanwhile the previous ones. */
export function useModelLines(
  query: ModelQuery,
  lines: readonly SizeLine[],
  rules: readonly DenseLine[],
): { readonly lines: readonly ModelLine[]; readonly rules: readonly ModelRule[] } {
  const [sampled, setSampled] = useState<ReturnType<typeof useModelLines>>({ lines: [], rules: [] });
  useEffect(() => {
    let isCurrent = true;
    const sample = async (): Promise<void> => {
      const pacer = new Pacer();
      const modelLines: ModelLine[] = [];
      for (const line of lines) {
        const costs: (ModelCost | null)[] = [];
        for (const density of GRID) {
          await pacer.pauseIfDue();
          if (!isCurrent) return;
          costs.push(density >= MIN_DENSITY ? modelCostAt(query, line, density) : null);
        }
        if (costs.some((cost) => cost !== null)) modelLines.push({ line, costs });
      }
      const modelRules = rules.flatMap((rule) => {
        const cost = modelCostAt(query, rule, 1);
        return cost ? [{ id: rule.id, title: rule.title, ...cost }] : [];
      });
      if (isCurrent) setSampled({ lines: modelLines, rules: modelRules });
    };
    void sample();
    return () => {
      isCurrent = false;
    };
  }, [query, lines, rules]);
  return sampled;
}

/** The largest density at which a model is below a limit of bytes or of time; null if it always or never is. */
export function largestDensityBelow(
  query: ModelQuery,
  { line, costs }: ModelLine,
  figure: keyof ModelCost,
  limit: number,
) {
  const isBelow = (cost: ModelCost | null): boolean => cost !== null && cost[figure] < limit;
  for (let i = GRID.length - 1; i > 0; i--) {
    if (!isBelow(costs[i]) && isBelow(costs[i - 1])) {
      const isAbove = (density: number): boolean => !isBelow(modelCostAt(query, line, density));
      return turningPoint(isAbove, GRID[i - 1], GRID[i]);
    }
  }
  return null;
}
