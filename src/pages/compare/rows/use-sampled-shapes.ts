import { SparseScopeError } from '../../../core/errors.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { AbortsWork } from '../../../core/sandboxed-format.ts';
import { useApp } from '../../../kit/app-context.ts';
import { shapeKey } from '../../../kit/devices/use-device.ts';
import { useJob } from '../../../kit/use-job.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';
import { patternFor } from '../model/model-request.ts';
import type { SampledBytes } from './model-rows.ts';
import type { StoredVariant } from './stored-variants.ts';
import type { compareFormats, EncodeOnPage } from '../service/service.ts';

/**
 * Returns the function with which the worker encodes a matrix in a user-written format: the code of that format runs in
 * a sandbox of the page.
 */
function encodeOnPage(formats: readonly AnyListedFormat[], signal: AbortsWork): EncodeOnPage {
  return async (id, params, matrix) => {
    const format = formats.find((listed) => listed.id === id)?.sandboxed;
    if (!format) throw new SparseScopeError(`${id}: this user-written format is not open`);
    return format.encode(matrix, params, signal);
  };
}

/** Maximum number of cells of a random matrix that is encoded to estimate the bytes of a larger one. */
const MAX_SAMPLED_CELLS = 2 ** 21;

const SAMPLE_SEED = 1;

/** Estimated bytes by the key of a row of the table. */
type BytesByRow = ReadonlyMap<string, SampledBytes>;

const NO_SAMPLES: BytesByRow = new Map();

/**
 * Estimates the bytes of a model in formats without a closed form: `encode` encodes the first rows of a random matrix of
 * every shape, and scales their bytes to all rows. A new `key` discards the estimates.
 */
export function useSampledShapes(key: string, groups: readonly ShapeGroup[], density: number) {
  const { engine, formats } = useApp();
  const { data, job, error, startWith, cancel } = useJob<BytesByRow>(['Encoding for a model', key], null, {
    cancelWhenUnmounted: true,
  });
  const encode = (variant: StoredVariant): void => {
    const pruned = groups.filter(({ keptDense }) => !keptDense);
    const params = variant.stored.params;
    const pattern = patternFor({ stored: [{ format: variant.format, params }], density, groups });
    const matrices = pruned.map(({ rows, cols }) => {
      const sampledRows = Math.min(rows, Math.max(1, Math.ceil(MAX_SAMPLED_CELLS / cols)));
      return { ...pattern, rows: sampledRows, cols, density, seed: SAMPLE_SEED };
    });
    startWith(async (watch, { lastOfSameKey }) => {
      watch.show({ title: `Encoding as ${variant.format.title}` });
      const bytes = new Map<string, number>();
      let problem: string | null = null;
      await engine.service<typeof compareFormats>('compare').sizes(
        watch,
        { matrices, format: variant.format.id, params },
        (size) => {
          const group = pruned[size.matrix];
          if (size.bytes === null) problem = `${variant.format.title}: ${size.rejection ?? 'could not be encoded'}`;
          else bytes.set(shapeKey(group), (size.bytes * group.rows) / matrices[size.matrix].rows);
        },
        encodeOnPage(formats, watch.signal),
      );
      if (problem !== null) throw new SparseScopeError(problem);
      return new Map(lastOfSameKey).set(variant.key, bytes);
    });
  };
  const sampled = data ?? NO_SAMPLES;
  return { sampled, encode: job === null ? encode : null, encoding: job, cancelEncoding: cancel, problem: error };
}
