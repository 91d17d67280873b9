import { PUBLISHED_IDS } from '../../theory/roofline/published-ids.ts';

// Ids of devices: how an address names the device whose kernel times are shown.

/** The id of the device of this browser. */
export const THIS_DEVICE = 'this';

/** Longest id: a link may carry any text. */
const MAX_LENGTH = 200;

/** The id of a device with the user's runs, by its adapter's name. */
export function reportId(adapter: string): string {
  return `report:${adapter}`;
}

/** The speeds of a device that the user entered: 10^9 bytes per second, and 10^12 flop per second in f32 if known. */
export interface EnteredSpeeds {
  readonly readGBps: number;
  readonly f32Tflops: number | null;
}

/** The ranges of entered speeds. */
export const READ_SPEEDS = { min: 1, max: 100_000 } as const;
export const F32_SPEEDS = { min: 0.01, max: 10_000 } as const;

/** The speeds in the id of a device that the user entered, 'typed:900,82.6'; null for any other text. */
export function enteredSpeeds(id: string): EnteredSpeeds | null {
  const [, read, flops] = /^typed:(\d+\.?\d*)(?:,(\d+\.?\d*))?$/.exec(id) ?? [];
  if (read === undefined) return null;
  const readGBps = Number(read);
  const f32Tflops = flops === undefined ? null : Number(flops);
  return isIn(READ_SPEEDS, readGBps) && (f32Tflops === null || isIn(F32_SPEEDS, f32Tflops))
    ? { readGBps, f32Tflops }
    : null;
}

function isIn({ min, max }: { readonly min: number; readonly max: number }, value: number): boolean {
  return value >= min && value <= max;
}

/** Whether this is the id of a recording (runs shipped with the page): device and date, 'h200@2026-11-22'. */
export function isRecordedId(id: string): boolean {
  return /^[a-z0-9-]+@\d{4}-\d{2}-\d{2}$/.test(id);
}

/** For a message: the ids that a user may write into a link, in words. */
export const DEVICE_IDS = `${THIS_DEVICE}, a recording (h200@2026-11-22) or a published device (rtx-4090)`;

/** The id of a device in an address; '' leaves the choice to the page, null: invalid. */
export function readDeviceId(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const isValid =
    text === '' ||
    text === THIS_DEVICE ||
    text.startsWith('report:') ||
    isRecordedId(text) ||
    enteredSpeeds(text) !== null ||
    PUBLISHED_IDS.some((id) => id === text);
  return isValid ? text : null;
}
