import { plainWords } from '../../../core/story/scene.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { type ShownDevice, useRecordings, useRecordingsList } from '../../../kit/devices/use-device.ts';
import { substituteOf } from '../../../kit/words/substitute.ts';
import { answeringReport, measuredWords } from './AnswerHead.tsx';
import { type DeviceTimes, mayHaveTimes, type Measured, measuredOf } from './use-measured.ts';
import type { Device } from '../../../state/devices/device.ts';

interface RecordedBesideProps {
  readonly measured: Measured;
  readonly shown: ShownDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
}

/** Beside the times of a CPU or of a software adapter: the recorded time of a card for the same product. */
export function RecordedBeside(props: RecordedBesideProps) {
  const report = answeringReport(props.measured);
  return report === null || substituteOf(report) === null ? null : <OfCard {...props} />;
}

function OfCard({ measured, shown, timesOf }: RecordedBesideProps) {
  const { formats } = useApp();
  const status = useSession((s) => s.device);
  useRecordingsList();
  const { summary, asked, queryA, queryB } = measured;
  useRecordings(shown.devices.filter((device) => mayHaveTimes(device, asked)).map(({ id }) => id));
  const card = shown.devices.find((device) => {
    const { a, b } = timesOf(device).pair;
    return device.kind === 'recorded' && a !== null && (b !== null || queryB === null);
  });
  if (!card) return null;
  const times = timesOf(card);
  // Closed-form sizes are enough for a bound that is not drawn.
  const beside = measuredOf({
    formats,
    summary,
    asked,
    device: card,
    times,
    encodingOf: nothingEncoded,
    queryA,
    queryB,
  });
  return (
    <p className="recorded-beside quiet size-15 mb-4">
      <b className="weight-500">Recorded:</b> {plainWords(measuredWords(beside, card, status))}
    </p>
  );
}

function nothingEncoded(): undefined {
  return undefined;
}
