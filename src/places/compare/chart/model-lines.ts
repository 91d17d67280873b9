import { useEffect, useState } from 'react';
import { Pacer } from '../../../core/pace.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { modelBytes, type ModelStored } from '../../../theory/models/model-bytes.ts';
import { isHeld } from '../../../theory/expected-bytes.ts';
import { type Bounding, tokenBoundNs } from '../../../kit/report/time-bound.ts';
import { type ModelShape, shapeGroups } from '../../../theory/models/model-shape.ts';
import { turningPoint } from '../../../theory/crossings.ts';
import { GRID } from '../curves/size-curves.ts';
import type { Variant } from '../curves/variants.ts';
import type { DenseRule, SizeLine } from './lines.ts';

/** A model, with the matrices that stay dense or are merged. */
export interface ModelQuery extends Pick<ModelStored, 'fusion' | 'keepHead'> {
  readonly model: ModelShape;
  /** of the device that answers */
  readonly bounding: Bounding | null;
}

/** Bytes of a whole model stored in one way. */
interface ModelSize {
  readonly stored: number;
  /** lower bound on the time of a token; Infinity if the read speed of the device is unknown */
  readonly ns: number;
}

/** A line of a model by weights left. */
export interface ModelLine {
  readonly line: SizeLine;
  /** per share of the grid; null if the format cannot hold it, or the share is too small for a model */
  readonly sizes: readonly (ModelSize | null)[];
}

/** A rule of a model: every cell of it in fewer bits. */
export interface ModelRule extends ModelSize {
  readonly id: string;
  readonly title: string;
}

/** The smallest share at which a model is drawn. */
const MIN = 0.01;

/** The bytes of a model stored as a variant with this share left; null if the variant cannot hold it. */
export function modelSizeAt(
  { model, fusion, keepHead, bounding }: ModelQuery,
  { format, params }: Variant,
  density: number,
): ModelSize | null {
  const stored = { format, params, fusion, keepHead, density };
  const holds = shapeGroups(model, stored).every(
    (group) => group.keptDense || isHeld(stored, density, group, 'independent'),
  );
  const bytes = holds ? modelBytes(model, stored) : null;
  if (!bytes) return null;
  const matrices = bytes.groups.map(({ stored: each, group: { active } }) => ({ bytes: each, count: active }));
  return { stored: bytes.stored, ns: bounding ? tokenBoundNs(matrices, bounding) : Infinity };
}

/** The lines and rules of a model, computed in slices of 10 ms; the previous ones stay until then. */
export function useModelLines(
  asked: ModelQuery | null,
  lines: readonly SizeLine[],
  rules: readonly DenseRule[],
): { readonly lines: readonly ModelLine[]; readonly rules: readonly ModelRule[] } {
  const [found, setFound] = useState<ReturnType<typeof useModelLines>>({ lines: [], rules: [] });
  useEffect(() => {
    if (asked === null) return;
    let wanted = true;
    const sample = async (): Promise<void> => {
      const pacer = new Pacer();
      const sized: ModelLine[] = [];
      for (const line of lines) {
        const sizes: (ModelSize | null)[] = [];
        for (const share of GRID) {
          await pacer.breathe();
          if (!wanted) return;
          const isAsked = share >= MIN && isModelFormat(line);
          sizes.push(isAsked ? modelSizeAt(asked, line.curve.variant, share) : null);
        }
        if (sizes.some((size) => size !== null)) sized.push({ line, sizes });
      }
      const flat = rules.flatMap(({ id, title, curve }) => {
        const size = modelSizeAt(asked, curve.variant, 1);
        return size ? [{ id, title, ...size }] : [];
      });
      if (wanted) setFound({ lines: sized, rules: flat });
    };
    void sample();
    return () => {
      wanted = false;
    };
  }, [asked, lines, rules]);
  return found;
}

/** Formats of activations store no weights. */
function isModelFormat({ curve: { variant } }: SizeLine): boolean {
  const { valueType } = variant.params;
  return valueType !== 'bf16' && typeof valueType === 'string' && valueType in VALUE_BITS;
}

/** The largest share at which a line is below a limit of bytes or of time; null if it always or never is. */
export function passesBelow(asked: ModelQuery, { line, sizes }: ModelLine, of: keyof ModelSize, limit: number) {
  const isBelow = (size: ModelSize | null): boolean => size !== null && size[of] < limit;
  for (let i = GRID.length - 1; i > 0; i--) {
    if (!isBelow(sizes[i]) && isBelow(sizes[i - 1])) {
      const isAbove = (share: number): boolean => !isBelow(modelSizeAt(asked, line.curve.variant, share));
      return turningPoint(isAbove, GRID[i - 1], GRID[i]);
    }
  }
  return null;
}
