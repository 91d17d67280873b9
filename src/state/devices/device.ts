import type { Shape } from '../../core/format.ts';
import type { BenchReport, RecordingMark } from '../../core/report.ts';
import type { PublishedDevice } from '../../theory/roofline/devices.ts';
import type { Roofs } from '../../theory/roofline/roofs.ts';

/**
 * this: the device of this browser, with the runs kept here. recorded: measured by this project and shipped with the page.
 * report: another device with a person's own runs, such as an imported report. published, and typed (figures that a
 * person entered): not measured, so their figures are only bounds.
 */
export const DEVICE_KINDS = ['this', 'recorded', 'report', 'published', 'typed'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

/** A device whose speeds a page can show. */
export interface Device {
  /** in the address: see `device-ids.ts` */
  readonly id: string;
  readonly kind: DeviceKind;
  readonly name: string;
  /** in a list of devices */
  readonly label: string;
  /** newest first; empty for a recording that is not loaded */
  readonly reports: readonly BenchReport[];
  /** the limits of its speed, as in a roofline: measured, published or entered; null if unknown */
  readonly roofs: Roofs | null;
  /** a software adapter: its times say nothing about cards, and it has no roofs */
  readonly isSoftware: boolean;
  /** for a recording that comes with the page */
  readonly recorded?: RecordingMark;
  /** its reports were imported, as its name says */
  readonly isImported?: true;
  /** for a recording: '4096x11008' */
  readonly shapes?: readonly string[];
  /** for a loaded recording: ids of kernels that have changed since */
  readonly changed?: ReadonlySet<string>;
  /** for a published device */
  readonly published?: PublishedDevice;
}

/** Further words by which a search finds a device: its maker, which some names omit. */
export function deviceSearchWords({ label }: Pick<Device, 'label'>): string {
  const maker = /geforce/i.test(label) ? 'nvidia' : /radeon/i.test(label) ? 'amd' : '';
  return `gpu, card, device, ${maker}`;
}

/** Whether nothing was measured on it, so that its figures are bounds. */
export function hasOnlyBounds({ kind }: Pick<Device, 'kind'>): boolean {
  return kind === 'published' || kind === 'typed';
}

/** The shapes of its timed matrices, each once. */
export function shapesOf({ shapes, reports }: Device): readonly Shape[] {
  const keys = shapes ?? [...new Set(reports.map(({ workload }) => `${workload.rows}x${workload.cols}`))];
  return keys.map((key) => {
    const [rows, cols] = key.split('x').map(Number);
    return { rows, cols };
  });
}
