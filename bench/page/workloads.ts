// The workloads that `npm run bench:page` measures both on the page and on the command line.

import { referenceFormat } from '../../src/formats/registry.ts';
import workloads from './workloads.json' with { type: 'json' };

/** A matrix and the formats to time on it, with every kernel that fits. */
export interface PageWorkload {
  /** id of the operation */
  readonly operation: string;
  readonly sizes?: Readonly<Record<string, number>>;
  /** rows x columns */
  readonly shape: string;
  readonly density: number;
  /** id of the pattern of the generated matrix */
  readonly pattern: string;
  /** ids of the formats other than dense */
  readonly formats: readonly string[];
  /** parameters as 'format.name' */
  readonly params?: Readonly<Record<string, string>>;
}

export const PAGE_WORKLOADS = workloads as unknown as readonly PageWorkload[];

/** The options of `npm run bench` for a workload. */
export function commandLine(workload: PageWorkload): readonly string[] {
  const { operation, sizes = {}, shape, density, pattern, formats, params = {} } = workload;
  const pairs = (values: Readonly<Record<string, number | string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join(',');
  const options: Readonly<Record<string, string>> = {
    operation,
    sizes: pairs(sizes),
    shapes: shape,
    densities: String(density),
    pattern,
    formats: [referenceFormat.id, ...formats].join(','),
    params: pairs(params),
    variants: 'all',
  };
  return Object.entries(options).flatMap(([name, value]) => (value === '' ? [] : [`--${name}`, value]));
}

/** The address of the page Measure for a workload: its matrix and its parameters. */
export function addressOf({ shape, density, pattern, params = {} }: PageWorkload): string {
  const pairs = { src: `generated:${pattern}`, shape, density: String(density), seed: '1', ...params };
  return `#2/measure?${Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;
}
