import { plainWords } from '../../../core/story/scene.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { type ShownDevice, useRecordings, useRecordingsList } from '../../../kit/devices/use-device.ts';
import { substituteOf } from '../../../kit/words/substitute.ts';
import { answeringReport, measuredWords } from './AnswerHead.tsx';
import { type DeviceTimes, mayHaveTimes, type MeasuredPair, measuredOf } from './use-measured.ts';
import type { Device } from '../../../state/devices/device.ts';

interface RecordedBesideProps {
  readonly measured: MeasuredPair;
  readonly shown: ShownDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
}

/** Below times of a CPU or of a software adapter, which say nothing about cards: the recorded times of a card. */
export function RecordedBeside(props: RecordedBesideProps) {
  const report = answeringReport(props.measured);
  return report === null || substituteOf(report) === null ? null : <CardTimes {...props} />;
}

/** The answer of the first recording that has times of the same product. */
function CardTimes({ measured, shown, timesOf }: RecordedBesideProps) {
  const { formats } = useApp();
  const status = useSession((s) => s.device);
  useRecordingsList();
  const { summary, matrix, queryA, queryB } = measured;
  useRecordings(shown.devices.filter((device) => mayHaveTimes(device, matrix)).map(({ id }) => id));
  const card = shown.devices.find((device) => {
    const { a, b } = timesOf(device).pair;
    return device.kind === 'recorded' && a !== null && (b !== null || queryB === null);
  });
  if (!card) return null;
  const times = timesOf(card);
  // Closed-form sizes are enough for a bound that is not drawn.
  const recordedPair = measuredOf({
    formats,
    summary,
    matrix,
    device: card,
    times,
    encodingOf: () => undefined,
    queryA,
    queryB,
  });
  return (
    <p className="recorded-beside text-muted text-15 mb-4">
      <b className="font-medium">Recorded:</b> {plainWords(measuredWords(recordedPair, card, status))}
    </p>
  );
}
