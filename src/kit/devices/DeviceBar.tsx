import { type ReactNode, useEffect } from 'react';
import { percent } from '../words/quantity.ts';
import { DeviceLabel } from './DeviceLabel.tsx';
import { SoftwareNote } from './SoftwareNote.tsx';
import { pageDevice, type VisibleDevice } from './use-device.ts';
import { TextButton } from '../controls/Button.tsx';

interface DeviceBarProps {
  readonly visibleDevice: VisibleDevice;
  /** measures the missing figures on this GPU; absent if that is impossible, or while a measurement runs */
  readonly onMeasure?: (() => void) | null;
  /** a text after `note` once the device is loaded: which figures it lacks and why, or which matrix is timed */
  readonly extraNote?: ReactNode;
  /** a line about what the figures mean */
  readonly note?: ReactNode;
}

/** Above a page's figures: their device (for screen readers), a button to measure here, progress and problems. */
export function DeviceBar({ visibleDevice, onMeasure = null, extraNote = null, note = null }: DeviceBarProps) {
  const { device, loading, problem, retry, canMeasure } = visibleDevice;
  useEffect(() => {
    pageDevice.setState(device, true); // the sentence at the top of the page names this device
    return () => pageDevice.setState(null, true);
  }, [device]);
  return (
    <section className="device-bar underlined grid gap-1 text-12 mt-2 mb-4" aria-label="Device">
      <div className="unseen">
        <DeviceLabel device={device} />
        {device.changed !== undefined && device.changed.size > 0 && <NewerKernelsNote changed={[...device.changed]} />}
      </div>
      <div className="flex flex-wrap items-center gap-y-1 gap-x-2 text-muted">
        <span className="empty:hidden">
          {note}
          {extraNote !== null && !loading && problem === null && <> {extraNote}</>}
        </span>
        {canMeasure && onMeasure && <TextButton onClick={onMeasure}>Measure here</TextButton>}
      </div>
      {device.isSoftware && device.reports.length > 0 && <SoftwareNote visibleDevice={visibleDevice} />}
      {loading && (
        <p className="text-muted" role="status">
          Loading times{loading.share === null || loading.share >= 0.995 ? ' …' : `, ${percent(loading.share, 0)}`}
        </p>
      )}
      {problem !== null && (
        <p className="text-danger" role="alert">
          {problem} {retry && <TextButton onClick={retry}>try again</TextButton>}
        </p>
      )}
    </section>
  );
}

/** A note: which kernel, or how many, changed after the recording (a device's saved times) was made. */
export function NewerKernelsNote({ changed }: { readonly changed: readonly string[] }) {
  const [first] = changed;
  return (
    <p className="underlined text-muted" title={changed.join(', ')}>
      {changed.length === 1 ? `The kernel ${first}` : `${changed.length} kernels`} changed since these times were
      recorded.
    </p>
  );
}
