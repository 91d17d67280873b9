/* For a matrix that is too small to time: a run on its pattern, repeated to a size that can be timed. */

import { useMemo } from 'react';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { StyledWords } from '../../../kit/primitives/Text.tsx';
import { isTimedRepeated, largerShape, repeatedMatrix, useLargerReports } from '../../../kit/report/matrix-run.ts';
import { TimeLarger } from '../../../kit/report/TimeLarger.tsx';
import { isRepeated } from '../../../kit/report/run-verdict.ts';
import { shape as shapeText } from '../../../kit/words/quantity.ts';
import { runProblem, type Device } from '../../../state/index.ts';
import { pairSetup, useBenchSetup } from '../form/bench-setup.ts';
import { measuredWords } from './answer-words.ts';
import { TimeBars } from './TimeBars.tsx';
import { type MeasuredPair, measuredOf, timesWith } from './use-measured.ts';

/** Whether the answer is about a matrix that is too small to be timed unless its pattern is repeated. */
export const isTimedOnlyRepeated = ({ matrix, summary }: MeasuredPair): boolean =>
  !matrix.isBlock && summary.sampledRows === undefined && isTimedRepeated(matrix);

interface RepeatedRunProps {
  readonly measuredPair: MeasuredPair;
  /** this device, if it has been found */
  readonly thisDevice: Device | undefined;
}

/** A button that times the pattern of a small matrix at a larger size, and below it what this found, named as such. */
export function RepeatedRun({ measuredPair, thisDevice }: RepeatedRunProps) {
  const app = useApp();
  const { formats } = app;
  const { summary, matrix, queryA, queryB } = measuredPair;
  const status = useSession((s) => s.device);
  const isRunning = useSession((s) => s.bench.running !== null && isRepeated(s.bench.running.request));
  const reports = useLargerReports(summary.generation);
  const problem = runProblem(useBenchSetup());
  const repeatedPair = useMemo((): MeasuredPair | null => {
    const timed = thisDevice ? repeatedMatrix(matrix, summary.name, reports) : null;
    if (!thisDevice || !timed) return null;
    const device: Device = { ...thisDevice, reports };
    const times = timesWith(timed, queryA, queryB)(device);
    return measuredOf({ formats, summary, matrix: timed, device, times, encodingOf: () => undefined, queryA, queryB });
  }, [reports, thisDevice, matrix, queryA, queryB, formats, summary]);
  const repeatedShape = largerShape(matrix);
  const size = shapeText(repeatedShape.rows, repeatedShape.cols);
  return (
    <section className="repeated-run mb-4" aria-label="The same pattern, larger">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-15">
        <TimeLarger matrix={matrix} setupOf={pairSetup} problem={problem} />
      </p>
      {(repeatedPair !== null || isRunning) && (
        <div className="mt-4">
          <h2>
            The same pattern at {size}, <span className="font-normal">not the matrix above</span>
          </h2>
          {repeatedPair !== null && thisDevice && (
            <>
              <p className="mt-1 text-15" aria-live="polite">
                <StyledWords
                  words={measuredWords(repeatedPair, thisDevice, status, { matrixText: `this pattern at ${size}` })}
                />
              </p>
              <TimeBars measuredPair={repeatedPair} device={thisDevice} isRunning={isRunning} />
            </>
          )}
        </div>
      )}
    </section>
  );
}
