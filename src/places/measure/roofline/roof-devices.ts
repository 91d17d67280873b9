import { type Device } from '../../../state/devices/device.ts';
import type { Roofs } from '../../../theory/roofline/roofs.ts';

/** The device whose roofs are drawn, and their source. */
export interface RoofDevice {
  readonly id: string;
  readonly name: string;
  readonly roofs: Roofs;
  /** measured here, recorded or in a report: with times of its kernels; otherwise every time is a prediction */
  readonly by: 'measured here' | 'recorded' | 'report' | 'measured' | 'data sheet' | 'typed';
  readonly source: string;
}

/** The device with its roofs; if these are unknown, the first of the others with roofs. */
export function roofDevice(device: Device, others: readonly Device[]): RoofDevice {
  const found = [device, ...others].find(({ roofs }) => roofs !== null) ?? device;
  const { id, name, roofs, published } = found;
  return {
    id,
    name,
    roofs: roofs ?? { readGBps: 1, peakGMAps: {}, dispatchNs: 0 },
    by: sourceOf(found),
    source: published?.source ?? found.label,
  };
}

function sourceOf({ kind, published }: Device): RoofDevice['by'] {
  switch (kind) {
    case 'this':
      return 'measured here';
    case 'published':
      return published?.by ?? 'data sheet';
    default:
      return kind;
  }
}

/** Whether kernels were timed on the device that answers: under the roofs of another device every time is a prediction. */
export function isTimed({ id, by }: RoofDevice, answers: Pick<Device, 'id'>): boolean {
  return id === answers.id && (by === 'measured here' || by === 'recorded' || by === 'report');
}
