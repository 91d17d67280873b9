/* The answer of Measure above its charts: a text, its citation, and a GPU's recorded times below the times of a CPU. */

import { plainWords } from '../../../core/text/words.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { deviceAfterOn } from '../../../kit/devices/DeviceLabel.tsx';
import { type VisibleDevice, useRecordings, useRecordingsList } from '../../../kit/devices/use-device.ts';
import { CopyButton } from '../../../kit/controls/CopyButton.tsx';
import { TextButton } from '../../../kit/controls/Button.tsx';
import { isAnsweredBy } from '../../../kit/report/run-verdict.ts';
import { useShowDetails } from '../use-show-details.ts';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import type { Device } from '../../../state/index.ts';
import type { DeviceTimes, MeasuredPair } from './use-measured.ts';
import { mayHaveTimes, measuredOf } from './use-measured.ts';
import type { AllTimes } from './all-times.ts';
import { answerReport, citation, measuredWords } from './answer-words.ts';

interface AnswerHeadProps {
  readonly measuredPair: MeasuredPair | null;
  readonly visibleDevice: VisibleDevice;
}

interface AllAnswerProps extends AnswerHeadProps {
  /** the times of a run of more formats than A and B */
  readonly all: AllTimes | null;
}

/** The answer of Measure in one line. The old answer is dimmed until the new answer is there. */
export function AnswerHead({ measuredPair, visibleDevice, all }: AllAnswerProps) {
  const status = useSession((s) => s.device);
  const isOpening = useSession((s) => s.opening !== null);
  const isPending = visibleDevice.loading !== null || isOpening || measuredPair === null;
  const ended = useEndedRun(measuredPair, visibleDevice);
  const showKernels = useShowDetails('kernels');
  const report = measuredPair && answerReport(measuredPair);
  const isOfGpu = report === null || substituteOf(report) === null;
  // The table lists every kernel that a run tried without success.
  const isRejected = measuredPair?.sides.some(({ runRejection }) => runRejection !== null) === true;
  return (
    <>
      <AnswerLine
        className={isOfGpu ? undefined : 'answer-line answer-line--no-gpu text-quiet'}
        words={isPending ? null : measuredWords(measuredPair, visibleDevice.device, status, { ended, all })}
        waitingText={'\u00a0'}
        // While times load, 'Neither was timed' is no answer, not even an old one.
        topic={report !== null ? 'timed' : isPending ? 'pending' : 'untimed'}
      />
      {isRejected && (
        <p className="underlined text-15 mt-1">
          <TextButton onClick={showKernels}>See all kernels tried</TextButton>
        </p>
      )}
    </>
  );
}

/** Why the newest run ended early, if it was to time A or B of this matrix on the visible device; else null. */
function useEndedRun(measuredPair: MeasuredPair | null, { device }: VisibleDevice): string | null {
  const ended = useSession((s) => s.bench.ended);
  if (measuredPair === null || device.kind !== 'this') return null;
  const formats = measuredPair.sides.map(({ stored }) => stored.format);
  return isAnsweredBy(ended, measuredPair.summary.generation, formats) ? (ended?.message ?? null) : null;
}

/** Copies the answer with its source; nothing if nothing was timed. */
export function Cite({ measuredPair, visibleDevice }: AnswerHeadProps) {
  const status = useSession((s) => s.device);
  const report = measuredPair && answerReport(measuredPair);
  if (!report) return null;
  const words = measuredWords(measuredPair, visibleDevice.device, status);
  return (
    <CopyButton
      text={() => citation(words, report, deviceAfterOn(visibleDevice.device, status), location.href)}
      what="Citation"
      otherwise="save the report, which contains the answer"
    >
      cite this number
    </CopyButton>
  );
}

interface RecordedTimesProps {
  readonly measuredPair: MeasuredPair;
  readonly visibleDevice: VisibleDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
}

/** Below times of a CPU or of a software adapter, from which no time of a GPU follows: the recorded times of a GPU. */
export function RecordedTimes(props: RecordedTimesProps) {
  const report = answerReport(props.measuredPair);
  return report === null || substituteOf(report) === null ? null : <RecordedGpuTimes {...props} />;
}

/** The answer of the first recording that has times of the same product. */
function RecordedGpuTimes({ measuredPair, visibleDevice, timesOf }: RecordedTimesProps) {
  const { formats } = useApp();
  const status = useSession((s) => s.device);
  useRecordingsList();
  const { summary, matrix, queryA, queryB } = measuredPair;
  useRecordings(visibleDevice.devices.filter((device) => mayHaveTimes(device, matrix)).map(({ id }) => id));
  const device = visibleDevice.devices.find((candidate) => {
    const { a, b } = timesOf(candidate).pair;
    return candidate.kind === 'recorded' && a !== null && (b !== null || queryB === null);
  });
  if (!device) return null;
  const encodingOf = () => undefined;
  const pair = measuredOf({ formats, summary, matrix, device, times: timesOf(device), encodingOf, queryA, queryB });
  return (
    <p className="recorded-beside text-muted text-15 mb-4">
      <b className="font-medium">Recorded:</b> {plainWords(measuredWords(pair, device, status))}
    </p>
  );
}
