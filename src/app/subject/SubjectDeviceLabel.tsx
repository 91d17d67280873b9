import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../../kit/app-context.ts';
import { type Device, shapesOf } from '../../state/devices/device.ts';
import { placeDevice, shapeKey, type ShownDevice, useDevice } from '../../kit/devices/use-device.ts';

/** The device in the sentence at the top: that of the times on the page, else one with times of the matrix's shape. */
export function useSubjectDevice(): ShownDevice {
  const rows = useSession((s) => s.summary?.rows ?? 0);
  const cols = useSession((s) => s.summary?.cols ?? 0);
  const hasTimes = useMemo(
    () => (device: Device) => shapesOf(device).some((shape) => shape.rows === rows && shape.cols === cols),
    [rows, cols],
  );
  const shapes = useMemo(() => [shapeKey({ rows, cols })], [rows, cols]);
  const shown = useDevice(hasTimes, { shapes, needsTimes: false });
  const device = useStore(placeDevice) ?? shown.device;
  return { ...shown, device };
}

/** The device in the sentence: its name, and where its times are from. */
export function DeviceLabel() {
  const { device } = useSubjectDevice();
  const { kind, name, isSoftware, isImported = false } = device;
  return (
    <>
      <b className="font-medium">{name}</b>
      <span className="word-quiet text-muted">
        {' '}
        {isSoftware ? 'software' : isImported || name === SOURCES[kind] ? '' : SOURCES[kind]}
      </span>
    </>
  );
}

/** Where the times of a device are from, by its kind. */
const SOURCES = {
  this: 'this device',
  recorded: 'recorded',
  report: 'your report',
  published: 'published',
  typed: 'typed',
} as const;
