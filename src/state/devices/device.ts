import type { Shape } from '../../core/format.ts';
import type { BenchReport, RecordingMark } from '../../core/report.ts';
import type { PublishedDevice } from '../../theory/roofline/devices.ts';
import type { Roofs } from '../../theory/roofline/roofs.ts';

/**
 * The origin of a device's speeds:
 * - this: the device of this browser;
 * - recorded: measured by this project, and shipped with the page;
 * - report: another device that the user measured, known from imported or stored reports;
 * - published: a device of `PUBLISHED_DEVICES`;
 * - typed: speeds that the user entered. Kernels were not timed on devices of these last two kinds: their speeds are bounds.
 */
export const DEVICE_KINDS = ['this', 'recorded', 'report', 'published', 'typed'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

/** A device whose speeds a page can show. */
export interface Device {
  /** the device's id in an address: see `device-ids.ts` */
  readonly id: string;
  readonly kind: DeviceKind;
  readonly name: string;
  /** the name in a list of devices */
  readonly label: string;
  /** newest first; empty for a recording that is not loaded */
  readonly reports: readonly BenchReport[];
  /** the limits of its speed in a roofline, measured, published or entered; null if unknown */
  readonly roofs: Roofs | null;
  /** whether it is a software adapter, whose times reveal nothing about GPUs */
  readonly isSoftware: boolean;
  /** for a recording that comes with the page */
  readonly recorded?: RecordingMark;
  /** whether its reports were imported from a file */
  readonly isImported?: true;
  /** for a recording: the shapes of its matrices, such as '4096x11008' */
  readonly shapes?: readonly string[];
  /** for a loaded recording: ids of kernels that have changed since */
  readonly changed?: ReadonlySet<string>;
  /** for a published device */
  readonly published?: PublishedDevice;
}

/** Further words by which a search finds a device: its maker, which some names omit. */
export function deviceSearchText({ label }: Pick<Device, 'label'>): string {
  const maker = /geforce/i.test(label) ? 'nvidia' : /radeon/i.test(label) ? 'amd' : '';
  return `gpu, card, device, ${maker}`;
}

/** Whether nothing was measured on a device, so that its speeds are bounds. */
export function hasOnlyBounds({ kind }: Pick<Device, 'kind'>): boolean {
  return kind === 'published' || kind === 'typed';
}

/** The shapes of the matrices that were timed on a device, each once. */
export function shapesOf({ shapes, reports }: Device): readonly Shape[] {
  const keys = shapes ?? [...new Set(reports.map(({ workload }) => `${workload.rows}x${workload.cols}`))];
  return keys.map((key) => {
    const [rows, cols] = key.split('x').map(Number);
    return { rows, cols };
  });
}
