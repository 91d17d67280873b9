import { softwareText } from '../words/ran-instead.ts';
import { type VisibleDevice, useRecordingsList } from './use-device.ts';
import { TextButton } from '../controls/Button.tsx';

/** A note that a software adapter's times are not a GPU's times, with a button for recorded times of a GPU. */
export function SoftwareNote({
  visibleDevice,
}: {
  readonly visibleDevice: Pick<VisibleDevice, 'device' | 'devices' | 'choose'>;
}) {
  const { device, devices, choose } = visibleDevice;
  useRecordingsList();
  const recording = devices.find(({ kind }) => kind === 'recorded');
  return (
    <p className="underlined text-muted">
      {softwareText(device.reports[0].environment)}{' '}
      {recording && <TextButton onClick={() => choose(recording.id)}>Show {recording.name}, recorded</TextButton>}
    </p>
  );
}
