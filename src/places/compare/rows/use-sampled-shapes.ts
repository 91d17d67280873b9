import { useState } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { shapeKey } from '../../../kit/devices/use-device.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';
import { patternFor } from '../model/model-request.ts';
import { encodeOnPage } from '../curves/encode-on-page.ts';
import type { explore } from '../service/service.ts';
import type { ModelCompared } from './compare-row.ts';
import type { SampledBytes } from './model-rows.ts';
import type { Way } from './ways.ts';

/** Cells of a random matrix that is encoded for its size: rows beyond them are like those before. */
const SAMPLED_CELLS = 2 ** 21;

const SEED = 1;

type Encodes = Pick<ModelCompared, 'encode' | 'encoding' | 'cancelEncoding' | 'problem'>;

/** Bytes of a model in formats without a closed form, from the first rows of random matrices; forgotten with `key`. */
export function useSampledShapes(
  key: string,
  groups: readonly ShapeGroup[],
  left: number,
): Encodes & { readonly sampled: ReadonlyMap<string, SampledBytes> } {
  const { engine, formats } = useApp();
  const [sampled, setSampled] = useState<ReadonlyMap<string, SampledBytes>>(new Map());
  const [encoding, setEncoding] = useState<{ job: RunningJob; abort: AbortController } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [of, setOf] = useState(key);
  if (of !== key) {
    setOf(key);
    setSampled(new Map());
  }

  const encode = (way: Way): void => {
    const abort = new AbortController();
    const job = newJob(`Encoding as ${way.format.title}`);
    setEncoding({ job, abort });
    setProblem(null);
    const pruned = groups.filter(({ keptDense }) => !keptDense);
    const params = way.stored.params;
    const pattern = patternFor({ stored: [{ format: way.format, params }], density: left, groups });
    const matrices = pruned.map((group) => {
      const first = Math.min(group.rows, Math.max(1, Math.ceil(SAMPLED_CELLS / group.cols)));
      return { ...pattern, rows: first, cols: group.cols, density: left, seed: SEED };
    });
    const bytes = new Map<string, number>();
    const run = async (): Promise<void> => {
      try {
        await engine.service<typeof explore>('explore').sizes(
          {
            signal: abort.signal,
            onProgress: (progress) => setEncoding((now) => now && { ...now, job: { ...now.job, progress } }),
          },
          {
            matrices,
            entries: [{ format: way.format.id, params }],
          },
          (size) => {
            const group = pruned[size.matrix];
            if (size.bytes !== null) {
              bytes.set(`${group.rows}x${group.cols}`, (size.bytes * group.rows) / matrices[size.matrix].rows);
            } else setProblem(`${way.format.title}: ${size.refusal ?? 'could not be encoded'}`);
          },
          encodeOnPage(formats, abort.signal),
        );
        if (bytes.size === new Set(pruned.map(shapeKey)).size) setSampled((now) => new Map(now).set(way.key, bytes));
      } catch (error) {
        if (!abort.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      } finally {
        setEncoding(null);
      }
    };
    void run();
  };

  return {
    sampled,
    encode: encoding === null ? encode : null,
    encoding: encoding?.job ?? null,
    cancelEncoding: () => encoding?.abort.abort(),
    problem,
  };
}
