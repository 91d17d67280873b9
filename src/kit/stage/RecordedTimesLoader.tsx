import { useCallback, useEffect, useMemo } from 'react';
import type { AnyListedFormat } from '../../core/format.ts';
import type { Device } from '../../state/devices/device.ts';
import { REFERENCE_FORMAT } from '../../state/reference-format.ts';
import { useApp, oncePerPage } from '../app-context.ts';
import { useDevice } from '../devices/use-device.ts';
import { recordedMatrices } from '../report/recorded-matrices.ts';
import { createTimes } from './use-frame-context.ts';

/** Looks up the recorded times that a story's last frame shows and stores them for `useFrameContext`. Draws nothing. */
export function RecordedTimesLoader({ format: id }: { readonly format: string }) {
  const app = useApp();
  const { formats } = app;
  const format = formats.find((known) => known.id === id);
  const dense = formats.find((known) => known.id === REFERENCE_FORMAT);
  const hasTimes = useCallback(
    (device: Device): boolean =>
      format !== undefined && dense !== undefined && (recordedOf(device, format, dense, [])?.matrices.length ?? 0) > 0,
    [format, dense],
  );
  const { device } = useDevice(hasTimes);
  const recorded = useMemo(
    () => (format && dense ? recordedOf(device, format, dense, formats) : null),
    [device, format, dense, formats],
  );
  const times = oncePerPage(app, createTimes);
  useEffect(() => times.setState({ format: id, recorded }, true), [times, id, recorded]);
  return null;
}

/** The times of a device, by the matrices on which it timed the format; null if it has no recording or report. */
function recordedOf(
  { name, recorded, reports }: Device,
  format: AnyListedFormat,
  dense: AnyListedFormat,
  others: readonly AnyListedFormat[],
) {
  const matrices = recordedMatrices(reports, format, dense, others).filter((matrix) => matrix.format !== null);
  return recorded || reports.length > 0 ? { device: name, matrices } : null;
}
