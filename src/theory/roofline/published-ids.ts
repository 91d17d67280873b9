/** Ids of PUBLISHED_DEVICES (devices.ts), in a separate file since addresses are parsed before the devices load. */
export const PUBLISHED_IDS = [
  'h200-measured',
  'b200',
  'h200',
  'h100',
  'h100-pcie',
  'a100',
  'l40s',
  'l4',
  'rtx-pro-6000',
  'rtx-5090',
  'rtx-5080',
  'gb10',
  'rtx-4090',
  'rtx-3090',
  'rtx-3080-ti',
  'rtx-2080-super',
  'mi300x',
  'rx-7900-xtx',
  'm1-max',
  'm1',
] as const;

export type PublishedId = (typeof PUBLISHED_IDS)[number];
