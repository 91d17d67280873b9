import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../../kit/app-context.ts';
import { type Device, shapesOf } from '../../state/index.ts';
import { pageDevice, shapeKey, type VisibleDevice, useDevice } from '../../kit/devices/use-device.ts';

/** The selection bar's device: the device of the times on the page, else one with times of the matrix's shape. */
export function useSelectedDevice(): VisibleDevice {
  const rows = useSession((s) => s.summary?.rows ?? 0);
  const cols = useSession((s) => s.summary?.cols ?? 0);
  const hasTimes = useMemo(
    () => (device: Device) => shapesOf(device).some((shape) => shape.rows === rows && shape.cols === cols),
    [rows, cols],
  );
  // For its name no recording is loaded: `hasTimes` checks loaded devices, `shapes` checks the list of recordings.
  const shapes = useMemo(() => [shapeKey({ rows, cols })], [rows, cols]);
  const shown = useDevice(hasTimes, { shapes, loadsRecordings: false });
  const device = useStore(pageDevice) ?? shown.device;
  return { ...shown, device };
}
