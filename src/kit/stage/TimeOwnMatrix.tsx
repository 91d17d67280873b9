import { isTooSmall } from '../../story/frames.ts';
import { densityText } from '../../core/text/rounded.ts';
import { shapeText } from '../../core/text/words.ts';
import { REFERENCE_FORMAT, runProblem, toRequest, visibleStory } from '../../state/index.ts';
import { useStore } from 'zustand';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { Button } from '../controls/Button.tsx';
import { JobProgress } from '../controls/JobProgress.tsx';
import { fastKernelsLoaded, withFastKernels } from '../devices/page-recordings.ts';
import { RunEndNote } from '../report/RunEndNote.tsx';
import { defaultsOf, largerSpec, ownForm } from './own-times.ts';
import { useFrameContext } from './use-frame-context.ts';

/**
 * In the last frame of a story, the button that times the open matrix, or one with the same pattern and density that is
 * large enough to be timed; nothing once it has a time. A kernel is timed only after its result was verified.
 */
export function TimeOwnMatrix() {
  const app = useApp();
  const { session, formats, benchForm } = app;
  const { ownTimes = null } = useFrameContext();
  const summary = useSession((s) => s.summary);
  const id = useSession((s) => visibleStory(s.trace)?.trace.format);
  const isStored = useSession((s) => visibleStory(s.trace)?.whole != null);
  const allParams = useDocument((doc) => doc.params);
  const tokens = useDocument((doc) => doc.tokens);
  const running = useSession((s) => s.bench.running);
  const device = useSession((s) => s.device);
  const form = useStore(benchForm);
  const format = formats.find((one) => one.id === id);
  const dense = formats.find((one) => one.id === REFERENCE_FORMAT);
  if (!summary || !format || !dense || !isStored || ownTimes?.own || ownTimes?.larger) return null;
  if (running) return <JobProgress job={running.job} onCancel={session.cancelBench} />;
  const params = allParams[format.id] ?? {};
  const setup = {
    form: ownForm(form, { summary, tokens, format, params }),
    params: allParams,
    formats,
    device,
    openMatrix: summary,
    pair: [
      { format: format.id, params },
      { format: dense.id, params: defaultsOf(dense) },
    ],
  };
  const problem = device?.kind === 'unavailable' ? `${device.reason} It cannot be timed here.` : runProblem(setup);
  const { rows, cols, density } = isTooSmall(summary) ? largerSpec(summary, format, params) : summary;
  const which = isTooSmall(summary)
    ? `Time one of ${shapeText(rows, cols)}, ${densityText(density)} left`
    : `Time this matrix, ${shapeText(rows, cols)}`;
  const run = (): void => void session.runBench(() => withFastKernels(app, toRequest(setup)), fastKernelsLoaded(app));
  return (
    <div className="time-own flex flex-wrap items-baseline gap-3 flex-none pb-2">
      <Button disabled={problem !== null} onClick={run}>
        {which}
      </Button>
      {problem !== null && <p className="field-hint">{problem}</p>}
      <RunEndNote />
    </div>
  );
}
