import { useMemo } from 'react';
import { useStore } from 'zustand';
import { answeringDevice } from '../../kit/devices/answering-device.ts';
import { useSession } from '../../kit/app-context.ts';
import { type Device, shapesOf } from '../../state/devices/device.ts';
import { shapeKey, type ShownDevice, useDevice } from '../../kit/devices/use-device.ts';

/**
 * The device that answers: that of the shown place where it has one, else that for a matrix of this shape. Nothing is
 * loaded for it but the list.
 */
export function useSubjectDevice(): ShownDevice {
  const rows = useSession((s) => s.summary?.rows ?? 0);
  const cols = useSession((s) => s.summary?.cols ?? 0);
  const has = useMemo(
    () => (device: Device) => shapesOf(device).some((shape) => shape.rows === rows && shape.cols === cols),
    [rows, cols],
  );
  const shapes = useMemo(() => [shapeKey({ rows, cols })], [rows, cols]);
  const shown = useDevice(has, { shapes, isLoading: false });
  const device = useStore(answeringDevice) ?? shown.device;
  return { ...shown, device };
}

/** The device by its name, and how its times are known. */
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
