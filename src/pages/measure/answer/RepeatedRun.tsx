/* For a matrix that is too small to time: the same pattern, repeated to a size that is not. */

import { useMemo, useState } from 'react';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { Button } from '../../../kit/controls/Button.tsx';
import { StyledWords } from '../../../kit/primitives/Text.tsx';
import type { TimedMatrix } from '../../../kit/report/matrix-times.ts';
import { isRepeated } from '../../../kit/report/run-verdict.ts';
import { shape as shapeText } from '../../../kit/words/quantity.ts';
import { repeatedName } from '../../../core/bench/repeated-name.ts';
import { runProblem, type Device } from '../../../state/index.ts';
import { startRepeatedRun, useBenchSetup } from '../form/bench-setup.ts';
import { measuredWords } from './answer-words.ts';
import { TimeBars } from './TimeBars.tsx';
import { type MeasuredPair, measuredOf, timesWith } from './use-measured.ts';

/** Large enough to time on any device. */
const LARGE = { rows: 4096, cols: 4096 };

/** Without a bound on the time, a matrix with at most this many cells is too small to time. */
const MAX_SMALL_CELLS = 2 ** 16;

/** Whether a matrix takes less time than starting a kernel, so that its time says nothing about formats. */
export function isTooSmall({ matrix, sides, summary }: MeasuredPair): boolean {
  const { rows, cols, nnz, isBlock } = matrix;
  if (isBlock || nnz === 0 || summary.sampledRows !== undefined || rows > LARGE.rows || cols > LARGE.cols) return false;
  const bounds = sides.flatMap(({ bound }) => bound ?? []);
  return bounds.length > 0 ? bounds.every(({ by }) => by === 'dispatch') : rows * cols <= MAX_SMALL_CELLS;
}

/** The run of the repeated matrix since this matrix was opened: its id, also while it runs; null if there is none. */
function useRepeatedRun(generation: number): number | null {
  const running = useSession(({ bench }) =>
    bench.running && isRepeated(bench.running.request) ? bench.running.run : null,
  );
  const ended = useSession(({ bench: { ended: end } }) =>
    end && end.generation === generation && isRepeated(end.request) ? end.run : null,
  );
  // A later run of the matrix itself leaves the result where it is.
  const [kept, setKept] = useState<{ readonly generation: number; readonly run: number } | null>(null);
  const run = running ?? ended;
  if (run !== null && (kept?.run !== run || kept.generation !== generation)) setKept({ generation, run });
  return run ?? (kept?.generation === generation ? kept.run : null);
}

interface RepeatedRunProps {
  readonly measured: MeasuredPair;
  /** this device, if it has been found */
  readonly here: Device | undefined;
}

/** A button that times the pattern of a small matrix at 4096 × 4096, and below it what this found, named as such. */
export function RepeatedRun({ measured, here }: RepeatedRunProps) {
  const app = useApp();
  const { formats } = app;
  const { summary, matrix, queryA, queryB } = measured;
  const status = useSession((s) => s.device);
  const isAnyRunning = useSession((s) => s.bench.running !== null);
  const isRunning = useSession((s) => s.bench.running !== null && isRepeated(s.bench.running.request));
  const run = useRepeatedRun(summary.generation);
  const reports = useSession((s) => s.bench.runs.find(({ id }) => id === run)?.reports);
  const name = repeatedName(summary.name, LARGE);
  const problem = runProblem(useBenchSetup());
  const large = useMemo((): MeasuredPair | null => {
    const workload = reports?.[0]?.workload;
    if (!here || !reports || workload?.source !== name || (workload.sizes?.tokens ?? 1) !== matrix.tokens) return null;
    const { rows, cols, nnz, density } = workload;
    const timed: TimedMatrix = { ...matrix, rows, cols, nnz, density, names: [name], isEstimated: false };
    const device: Device = { ...here, reports };
    const times = timesWith(timed, queryA, queryB)(device);
    return measuredOf({ formats, summary, matrix: timed, device, times, encodingOf: () => undefined, queryA, queryB });
  }, [reports, here, name, matrix, queryA, queryB, formats, summary]);
  const size = shapeText(LARGE.rows, LARGE.cols);
  return (
    <section className="repeated-run mb-4" aria-label="The same pattern, larger">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-15">
        <Button
          disabled={problem !== null}
          aria-disabled={isAnyRunning}
          onClick={isAnyRunning ? undefined : () => startRepeatedRun(app, LARGE)}
        >
          Time the same pattern at {size}
        </Button>
        <span className="text-muted">{shapeText(matrix.rows, matrix.cols)}, repeated down and to the right</span>
      </p>
      {(large !== null || isRunning) && (
        <div className="mt-4">
          <h2>
            The same pattern at {size}, <span className="font-normal">not the matrix above</span>
          </h2>
          {large !== null && here && (
            <>
              <p className="mt-1 text-15" aria-live="polite">
                <StyledWords words={measuredWords(large, here, status, { matrixText: `this pattern at ${size}` })} />
              </p>
              <TimeBars measured={large} device={here} isRunning={isRunning} />
            </>
          )}
        </div>
      )}
    </section>
  );
}
