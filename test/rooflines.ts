import {
  choiceOf,
  fastestOfFormats,
  measuredPoints,
  predictedPoint,
  type RoofPoint,
  type RooflineMatrix,
  rooflineMatrices,
} from '../src/pages/measure/roofline/roof-points.ts';
import type { RoofDevice, Roofline } from '../src/pages/measure/roofline/use-roofline.ts';
import { PUBLISHED_DEVICES, roofsOf } from '../src/theory/roofline/devices.ts';
import type { Roofs } from '../src/theory/roofline/roofs.ts';
import { recordedDevices } from './recorded-questions.ts';

/* Rooflines of all that was recorded, and of devices where nothing was. */

const [device] = recordedDevices;
const [card, sheet] = PUBLISHED_DEVICES;
/** The recorded one, two published ones, and two with fewer figures. */
export const DEVICES: readonly RoofDevice[] = [
  { id: device.id, name: device.name, roofs: device.roofs ?? roofsOf(card), by: 'recorded', source: 'a recording' },
  { id: card.id, name: card.name, roofs: roofsOf(card), by: card.by, source: 'a page' },
  { id: sheet.id, name: sheet.name, roofs: roofsOf(sheet), by: sheet.by, source: 'a paper' },
  { id: 'typed', name: 'A card', roofs: { readGBps: 900, peakGMAps: {}, dispatchNs: 0 }, by: 'typed', source: '' },
  {
    id: 'slow',
    name: 'Slow',
    roofs: { readGBps: 900, peakGMAps: { f32: 40 }, dispatchNs: 900 },
    by: 'report',
    source: '',
  },
];

/** A matrix without any time. */
export const NO_DENSE = { rows: 16, cols: 24, nnz: 50, key: '', title: 'tiny' };

/** A roofline of each device, matrix and number of tokens: measured where the device has times, else predicted. */
export function* rooflines(): Generator<Roofline> {
  const matrices = rooflineMatrices(device.reports);
  for (const by of DEVICES) {
    const isTimed = by.id === device.id;
    for (const rooflineMatrix of isTimed ? matrices : [...matrices.slice(0, 6), NO_DENSE]) {
      const measured = isTimed ? measuredPoints(device.reports, rooflineMatrix, by.roofs) : [];
      const stops = isTimed ? [...new Set(measured.flatMap(({ tokens }) => tokens ?? []))] : [1, 16];
      for (const tokens of stops) {
        const shown = fastestOfFormats(
          [...measured, ...(isTimed ? [] : predicted(rooflineMatrix, tokens, by.roofs))],
          tokens,
        );
        const ofDense = shown.filter(({ format, tokens: its }) => format === 'dense' && its !== null);
        const dense = ofDense.find((point) => choiceOf(point) === 'dense') ?? ofDense[0] ?? null;
        // The fastest, the slowest, dense, and one with separate arithmetic.
        const apart = shown.find((one) => one.arithmetic !== 'f32');
        const chosen = [shown[0], shown[shown.length - 1], dense, apart].filter((one) => one != null);
        for (const point of new Set(chosen)) {
          const choices = { tokens, matrix: '', format: '' };
          const fixed = { choose: () => {}, storedBytes: null, stops, refused: ['ell', 'csr'] };
          yield {
            ...fixed,
            choices,
            matrices,
            rooflineMatrix,
            device: by,
            measured,
            shown,
            point,
            dense,
          };
        }
      }
    }
  }
}

/** Bytes per non-zero that are predicted. */
export const SIZES: Readonly<Record<string, number>> = { macko: 3, csr: 6 };

function predicted(rooflineMatrix: RooflineMatrix, tokens: number, roofs: Roofs): readonly RoofPoint[] {
  const { rows, cols, nnz } = rooflineMatrix;
  const of = (format: string, matrixBytes: number, multiplyAdds: number): RoofPoint =>
    predictedPoint({ format, params: {}, matrixBytes, counted: false, multiplyAdds }, rooflineMatrix, tokens, roofs);
  return [
    of('macko', SIZES.macko * nnz, nnz),
    of('csr', SIZES.csr * nnz, nnz),
    of('dense', 2 * rows * cols, rows * cols),
  ];
}
