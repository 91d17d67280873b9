import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type Device, chooseDevice, devicesOf, THIS_DEVICE } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { pageRecordings } from './page-recordings.ts';

/** The device whose times the current page shows; null: it shows no times. */
export const pageDevice = createStore<Device | null>(() => null);

/** The device whose speeds a page shows, and how to choose another. */
export interface VisibleDevice {
  readonly device: Device;
  readonly devices: readonly Device[];
  /** whether a user or a link chose it */
  readonly isChosen: boolean;
  readonly choose: (id: string) => void;
  /** Drops the choice of another device, before a measurement on this one. */
  readonly dropDeviceChoice: () => void;
  /** share of the recording (a device's times) that has been loaded, 0 to 1 if known; null: nothing is being loaded */
  readonly loading: { readonly share: number | null } | null;
  /** why a recording or a device is missing, as one message */
  readonly problem: string | null;
  /** loads again after a failure; null if that was not the problem */
  readonly retry: (() => void) | null;
  /** the times of another device are shown now, but this browser has a GPU, perhaps in software, and could measure */
  readonly canMeasure: boolean;
}

interface DeviceOptions {
  /** matrix shapes, as `shapeKey` writes them: a recording without any of them is loaded only if it is chosen */
  readonly shapes?: readonly string[] | null;
  /** whether a device has all times that the page shows; must be the same function until the matrices change */
  readonly hasAll?: (device: Device) => boolean;
  /** false: only the name of the device is needed */
  readonly loadsRecordings?: boolean;
}

/**
 * The device whose times a page shows. `hasTimes`: whether a device has any of these times; must be the same function
 * until the matrices change.
 */
export function useDevice(hasTimes: (device: Device) => boolean, options: DeviceOptions = {}): VisibleDevice {
  const { shapes = null, hasAll, loadsRecordings = true } = options;
  const app = useApp();
  const { document } = app;
  // The id of the chosen device; empty: none.
  const deviceChoice = useDocument((doc) => doc.deviceChoice);
  const status = useSession((s) => s.device);
  const runs = useSession((s) => s.bench.runs);
  const recordings = pageRecordings(app);
  const { entries, loaded, loading, problem } = useStore(recordings.store);
  const key = shapes?.join(' ') ?? null;
  const shapeList = useMemo(() => (key === null ? null : key.split(' ')), [key]);
  const reports = useMemo(() => runs.flatMap((run) => run.reports), [runs]);
  const devices = useMemo(
    () => devicesOf({ reports, status, recorded: entries ?? [], loaded, deviceChoice }),
    [reports, status, entries, loaded, deviceChoice],
  );
  const { device, isChosen, needs, needsIndex, missingReason } = useMemo(
    () =>
      chooseDevice({
        devices,
        deviceChoice,
        status,
        areListed: entries !== null || problem !== null,
        isSettled: (id) => loaded[id] !== undefined || problem?.id === id,
        mayHave: ({ id }) =>
          shapeList === null ||
          entries?.find((entry) => entry.id === id)?.shapes.some((shape) => shapeList.includes(shape)) === true,
        has: hasTimes,
        hasAll,
      }),
    [devices, deviceChoice, status, entries, loaded, problem, shapeList, hasTimes, hasAll],
  );
  useEffect(() => {
    if (needsIndex) void recordings.list();
  }, [recordings, needsIndex]);
  // Parts of a page may need different recordings. A part that needs none any more cancels only its own load.
  const lastNeeded = useRef<string | null>(null);
  useEffect(() => {
    const { loading: current } = recordings.store.getState();
    if (!loadsRecordings || (needs === null && current?.id !== lastNeeded.current)) return;
    lastNeeded.current = needs;
    void recordings.need(needs);
  }, [recordings, needs, loadsRecordings]);
  const choose = useCallback(
    (id: string) => document.setState({ ...document.getState(), deviceChoice: id }),
    [document],
  );
  // Without a choice, the times of this device are shown once it has some.
  const dropDeviceChoice = useCallback(() => {
    const doc = document.getState();
    if (doc.deviceChoice !== '' && doc.deviceChoice !== THIS_DEVICE) document.setState({ ...doc, deviceChoice: '' });
  }, [document]);
  // If the times of another device are shown, a missing list does not matter.
  const isOfDevice =
    problem !== null && (problem.id === null ? device.kind === 'this' && !hasTimes(device) : problem.id === device.id);
  return {
    device,
    devices,
    isChosen,
    choose,
    dropDeviceChoice,
    loading: loading && { share: loading.progress?.total ? loading.progress.done / loading.progress.total : null },
    problem: isOfDevice ? problem.message : missingReason,
    retry: isOfDevice ? () => void recordings.retry() : null,
    canMeasure: status?.kind === 'ready' && device.kind !== 'this',
  };
}

/** A shape as the index of recordings writes it: '4096x11008'. */
export function shapeKey({ rows, cols }: { readonly rows: number; readonly cols: number }): string {
  return `${rows}x${cols}`;
}

/** Loads the list of all recordings, for a choice among them. */
export function useRecordingsList(): void {
  const app = useApp();
  useEffect(() => {
    void pageRecordings(app).list();
  }, [app]);
}

/** Loads these recordings one after the other while no page waits for another one: for a comparison of devices. */
export function useRecordings(ids: readonly string[]): void {
  const { store, need } = pageRecordings(useApp());
  const next = useStore(store, ({ loaded, loading, problem }) =>
    loading || problem ? null : (ids.find((id) => loaded[id] === undefined) ?? null),
  );
  useEffect(() => {
    // A load that a page has started since this render goes first.
    if (next !== null && store.getState().loading === null) void need(next);
  }, [store, need, next]);
}
