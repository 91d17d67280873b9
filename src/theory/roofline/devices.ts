import type { PublishedId } from './published-ids.ts';
import type { Roofs } from './roofs.ts';

/** A GPU with its read speed and peak arithmetic, measured by this project or from a data sheet. */
export interface PublishedDevice {
  readonly id: PublishedId;
  readonly name: string;
  /** 10^9 bytes per second */
  readonly readGBps: number;
  /** 10^12 flop per second in f32, two for each multiply-add, without tensor cores */
  readonly f32Tflops: number;
  /** 10^9 multiply-adds in i8 per second; vendors publish none without tensor cores */
  readonly i8GMAps?: number;
  readonly dispatchNs?: number;
  /** measured by this project, or from a data sheet, whose speeds no kernel reaches */
  readonly by: 'measured' | 'data sheet';
  /** null: the vendor's data sheet of this card */
  readonly source: string | null;
}

const RTX_BLACKWELL = 'NVIDIA RTX Blackwell architecture paper';

/** The measured device, then data sheets by vendor, newest first. */
export const PUBLISHED_DEVICES: readonly PublishedDevice[] = [
  {
    id: 'h200-measured',
    name: 'NVIDIA H200, measured',
    readGBps: 4590,
    f32Tflops: 62.8,
    i8GMAps: 58_350,
    dispatchNs: 1250,
    by: 'measured',
    source: 'docs/performance.md, November 2026',
  },
  sheet('b200', 'NVIDIA B200 SXM', 8000, 80, 'NVIDIA Blackwell architecture brief'),
  sheet('h200', 'NVIDIA H200 SXM', 4800, 67, null),
  sheet('h100', 'NVIDIA H100 SXM', 3350, 67, null),
  sheet('h100-pcie', 'NVIDIA H100 PCIe', 2000, 51, null),
  sheet('a100', 'NVIDIA A100 80 GB SXM', 2039, 19.5, null),
  sheet('l40s', 'NVIDIA L40S', 864, 91.6, null),
  sheet('l4', 'NVIDIA L4', 300, 30.3, null),
  sheet('rtx-pro-6000', 'RTX PRO 6000 Blackwell Workstation', 1792, 125, null),
  sheet('rtx-5090', 'GeForce RTX 5090', 1792, 104.8, RTX_BLACKWELL),
  sheet('rtx-5080', 'GeForce RTX 5080', 960, 56.3, RTX_BLACKWELL),
  sheet('gb10', 'NVIDIA DGX Spark GB10', 273, 31, 'NVIDIA DGX Spark hardware guide, and Hot Chips 2025'),
  sheet('rtx-4090', 'GeForce RTX 4090', 1008, 82.6, 'NVIDIA Ada architecture paper'),
  sheet('rtx-3090', 'GeForce RTX 3090', 936, 35.6, 'NVIDIA Ampere GA102 architecture paper'),
  sheet('rtx-3080-ti', 'GeForce RTX 3080 Ti', 912, 34.1, 'NVIDIA product page: 10,240 cores at 1.67 GHz'),
  sheet('rtx-2080-super', 'GeForce RTX 2080 SUPER', 496, 11.2, 'NVIDIA product page'),
  sheet('mi300x', 'AMD Instinct MI300X', 5300, 163.4, null),
  sheet('rx-7900-xtx', 'Radeon RX 7900 XTX', 960, 61.4, 'AMD product page'),
  sheet('m1-max', 'Apple M1 Max, 32 cores', 400, 10.4, 'Apple, October 2021'),
  sheet('m1', 'Apple M1, 8 cores', 68, 2.6, 'Apple, November 2020'),
];

function sheet(
  id: PublishedId,
  name: string,
  readGBps: number,
  f32Tflops: number,
  source: string | null,
): PublishedDevice {
  return { id, name, readGBps, f32Tflops, by: 'data sheet', source };
}

/** The peaks of a published device, in the units of a report. */
export function roofsOf({ readGBps, f32Tflops, i8GMAps, dispatchNs = 0 }: PublishedDevice): Roofs {
  return {
    readGBps,
    peakGMAps: { f32: (f32Tflops * 1000) / 2, ...(i8GMAps === undefined ? {} : { i8: i8GMAps }) },
    dispatchNs,
  };
}

/** The id of a published device by the name that papers print, such as 'RTX 4090'; null if there is none. */
export function publishedId(name: string): string | null {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  return PUBLISHED_DEVICES.some(({ id }) => id === slug) ? slug : null;
}
