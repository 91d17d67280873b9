import { Suspense } from 'react';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import type { ShownDevice } from '../../../kit/devices/use-device.ts';
import type { Device } from '../../../state/devices/device.ts';
import type { DeviceTimes, Measured } from './use-measured.ts';

const SpeedChart = lazyPart(async () => (await import('./SpeedChart.tsx')).SpeedChart);
const DeviceTable = lazyPart(async () => (await import('./DeviceTable.tsx')).DeviceTable);

interface SideBySideProps {
  readonly measured: Measured;
  readonly shown: ShownDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
}

/** Below the bars: the same by how much is left, and on other devices. */
export function SideBySide({ measured, shown, timesOf }: SideBySideProps) {
  const [a, b] = measured.sides;
  return (
    <div className="measure-two">
      <Suspense fallback={<div className="measure-room" />}>
        {b && <SpeedChart measured={measured} a={a} b={b} device={shown.device} />}
        <DeviceTable measured={measured} shown={shown} timesOf={timesOf} />
      </Suspense>
    </div>
  );
}
