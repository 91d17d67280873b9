import { type Device } from '../../../state/devices/device.ts';
import type { Roofs } from '../../../theory/roofline/roofs.ts';

/** The device whose roofs are drawn, and their source. */
export interface RoofDevice {
  readonly id: string;
  readonly name: string;
  readonly roofs: Roofs;
  /** where its roofs are from. Only those measured here, recorded or in a report come with times of kernels. */
  readonly by: 'measured here' | 'recorded' | 'report' | 'measured' | 'data sheet' | 'typed';
  readonly source: string;
}

/** The device with its roofs; if these are unknown, the first of the others with roofs. Throws Error if no device has any. */
export function roofDevice(device: Device, others: readonly Device[]): RoofDevice {
  for (const one of [device, ...others]) {
    const { id, name, roofs, published, label } = one;
    if (roofs) return { id, name, roofs, by: sourceOf(one), source: published?.source ?? label };
  }
  throw new Error(`roofs: found none of ${device.name} nor of ${others.length} others, expected those of one device`);
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

/** Whether kernels were timed on the shown device: under the roofs of another device every time is a prediction. */
export function isTimed({ id, by }: RoofDevice, shown: Pick<Device, 'id'>): boolean {
  return id === shown.id && (by === 'measured here' || by === 'recorded' || by === 'report');
}
