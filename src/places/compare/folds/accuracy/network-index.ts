/** The effect of an L1 term on a gated network. */
export interface GateRow {
  readonly l1: number;
  /** share of the test images classified correctly */
  readonly accuracy: number;
  /** neurons active for an image, on average and at most */
  readonly meanNonZeros: number;
  readonly mostNonZeros: number;
  /** neurons that no image activates */
  readonly deadNeurons: number;
}

/** public/networks/index.json: the origin of the network, and the effect of the gates. */
export interface NetworkIndex {
  readonly provenance: string;
  readonly licence: string;
  readonly gates: readonly GateRow[];
  readonly neurons: number;
  readonly gatesProvenance: string;
}

const PATH = 'networks/index.json';

/** Reads the index. Throws an Error with field, found and expected. */
export function parseNetworkIndex(text: string): NetworkIndex {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${PATH}: found '${text.slice(0, 40)}', expected JSON`);
  }
  const digits = fieldOf(json, 'digits');
  const gates = fieldOf(json, 'gates');
  const rows = fieldOf(gates, 'networks');
  if (!Array.isArray(rows)) throw new Error(`${PATH}, gates: found no list, expected a list of networks`);
  return {
    provenance: textOf(digits, 'provenance'),
    licence: textOf(digits, 'licence'),
    gates: rows.map((row: unknown) => ({
      l1: numberOf(row, 'l1'),
      accuracy: numberOf(row, 'accuracy'),
      meanNonZeros: numberOf(row, 'meanNonZeros'),
      mostNonZeros: numberOf(row, 'mostNonZeros'),
      deadNeurons: numberOf(row, 'deadNeurons'),
    })),
    neurons: numberOf(gates, 'neurons'),
    gatesProvenance: textOf(gates, 'provenance'),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function textOf(value: unknown, name: string): string {
  const found = fieldOf(value, name);
  if (typeof found === 'string' && found !== '') return found;
  throw new Error(`${PATH}: found ${name} ${JSON.stringify(found) ?? 'missing'}, expected text`);
}

function numberOf(value: unknown, name: string): number {
  const found = fieldOf(value, name);
  if (typeof found === 'number' && Number.isFinite(found)) return found;
  throw new Error(`${PATH}: found ${name} ${JSON.stringify(found) ?? 'missing'}, expected a number`);
}
