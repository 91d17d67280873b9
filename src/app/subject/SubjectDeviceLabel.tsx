import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../../kit/app-context.ts';
import { type Device, shapesOf } from '../../state/devices/device.ts';
import { placeDevice, shapeKey, type ShownDevice, useDevice } from '../../kit/devices/use-device.ts';

/** The current device: that of the place, else the one for a matrix of this shape. It loads only their list. */
export function useSubjectDevice(): ShownDevice {
  const rows = useSession((s) => s.summary?.rows ?? 0);
  const cols = useSession((s) => s.summary?.cols ?? 0);
  const has = useMemo(
    () => (device: Device) => shapesOf(device).some((shape) => shape.rows === rows && shape.cols === cols),
    [rows, cols],
  );
  const shapes = useMemo(() => [shapeKey({ rows, cols })], [rows, cols]);
  const shown = useDevice(has, { shapes, isLoading: false });
  const device = useStore(placeDevice) ?? shown.device;
  return { ...shown, device };
}

/** The name of the device, and the source of its times. */
export function DeviceLabel() {
  const { device } = useSubjectDevice();
  const { kind, name, isSoftware, isImported = false } = device;
  return (
    <>
      <b className="weight-500">{name}</b>
      <span className="word-quiet quiet">
        {' '}
        {isSoftware ? 'software' : isImported || name === HOW[kind] ? '' : HOW[kind]}
      </span>
    </>
  );
}

const HOW = {
  this: 'this device',
  recorded: 'recorded',
  report: 'your report',
  published: 'published',
  typed: 'typed',
} as const;
