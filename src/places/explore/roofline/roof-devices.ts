import type { BenchReport } from '../../../core/report.ts';
import { PUBLISHED_DEVICES, roofsOf } from '../../../theory/roofline/devices.ts';
import type { Roofs } from '../../../theory/roofline/roofs.ts';
import { adapterName } from '../../../kit/report/adapter-name.ts';
import { measuredRoofs, timedReports } from './roof-points.ts';

/** The device whose roofs are shown, and their source. */
export interface RoofDevice {
  /** in the address: 'gpu:NAME', an id of the published list, or 'typed' */
  readonly id: string;
  readonly name: string;
  readonly roofs: Roofs;
  /** measured here, in kept runs; otherwise every time is a prediction */
  readonly by: 'measured here' | 'measured' | 'data sheet' | 'typed';
  readonly source: string;
  /** the GPU whose runs are shown; null if there are none */
  readonly adapter: string | null;
}

export interface TypedRoofs {
  /** GB/s */
  readonly read: number;
  /** Tflop/s */
  readonly flops: number;
}

const GPU = 'gpu:';

/** GPUs with kept runs, newest first, then the published list, then the typed device. */
export function devicesOf(reports: readonly BenchReport[], typed: TypedRoofs): readonly RoofDevice[] {
  const adapters = [...new Set(timedReports(reports).map(({ environment }) => adapterName(environment)))];
  const measured = adapters.flatMap((adapter): readonly RoofDevice[] => {
    const roofs = measuredRoofs(reports, adapter);
    return roofs === null
      ? []
      : [{ id: GPU + adapter, name: adapter, roofs, by: 'measured here', source: 'runs that are kept here', adapter }];
  });
  const published = PUBLISHED_DEVICES.map((device): RoofDevice => ({
    ...device,
    roofs: roofsOf(device),
    adapter: null,
  }));
  const own: RoofDevice = {
    id: 'typed',
    name: 'another device',
    roofs: { readGBps: typed.read, peakGMAps: { f32: (typed.flops * 1000) / 2 }, dispatchNs: 0 },
    by: 'typed',
    source: 'typed here',
    adapter: null,
  };
  return [...measured, ...published, own];
}

/** The chosen device; the first without a choice, or if it no longer exists. */
export function chosenDevice(devices: readonly RoofDevice[], id: string): RoofDevice {
  return devices.find((device) => device.id === id) ?? devices[0];
}
