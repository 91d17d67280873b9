import { useStore } from 'zustand';
import { shapeText } from '../../core/text/words.ts';
import { type BenchSetup, REFERENCE_FORMAT, runProblem, visibleStory } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { Button } from '../controls/Button.tsx';
import { JobProgress } from '../controls/JobProgress.tsx';
import { formForPair, isTimedRepeated, startRunOf } from '../report/matrix-run.ts';
import { RunEndNote } from '../report/RunEndNote.tsx';
import { TimeLarger } from '../report/TimeLarger.tsx';
import { isTooSmall } from '../../story/frames.ts';
import { defaultsOf } from './own-times.ts';
import { useFrameContext } from './use-frame-context.ts';

/**
 * In the last frame of a story, the button that times the open matrix, or if that is too small the same pattern at a
 * larger size; nothing once it has a time. A kernel is timed only after its result was verified.
 */
export function TimeOwnMatrix() {
  const app = useApp();
  const { session, formats, benchForm } = app;
  const { ownTimes = null } = useFrameContext();
  const summary = useSession((s) => s.summary);
  const id = useSession((s) => visibleStory(s.trace)?.trace.format);
  const isStored = useSession((s) => visibleStory(s.trace)?.wholeMatrix != null);
  const allParams = useDocument((doc) => doc.params);
  const tokens = useDocument((doc) => doc.tokens);
  const running = useSession((s) => s.bench.running);
  const device = useSession((s) => s.device);
  const form = useStore(benchForm);
  const format = formats.find((one) => one.id === id);
  const dense = formats.find((one) => one.id === REFERENCE_FORMAT);
  if (!summary || !format || !dense || !isStored) return null;
  if (running) return <JobProgress job={running.job} onCancel={session.cancelBench} />;
  const isRepeated = isTimedRepeated(summary);
  if (ownTimes?.own || ownTimes?.larger || (isTooSmall(summary) && !isRepeated)) return null;
  const setup: BenchSetup = {
    form: { ...formForPair(form, { tokens, group: format.group }), where: 'gpu', variants: 'auto' },
    params: allParams,
    formats,
    device,
    openMatrix: summary,
    pair: [
      { format: format.id, params: allParams[format.id] ?? {} },
      { format: dense.id, params: defaultsOf(dense) },
    ],
  };
  const setupOf = (): BenchSetup => setup;
  const problem = device?.kind === 'unavailable' ? `${device.reason} It cannot be timed here.` : runProblem(setup);
  return (
    <div className="time-own flex flex-wrap items-baseline gap-3 flex-none pb-2">
      {isRepeated ? (
        <TimeLarger matrix={summary} setupOf={setupOf} problem={problem} />
      ) : (
        <Button disabled={problem !== null} onClick={() => startRunOf(app, setupOf)}>
          Time this matrix, {shapeText(summary.rows, summary.cols)}
        </Button>
      )}
      {problem !== null && <p className="field-hint">{problem}</p>}
      <RunEndNote />
    </div>
  );
}
