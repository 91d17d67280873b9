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

/* Rooflines (arithmetic intensity, bandwidth and peak) for tests: of the recorded device with its times, and of others by prediction. */

const [device] = recordedDevices;
const [card, sheet] = PUBLISHED_DEVICES;
/** The recorded device, two published devices, and two with fewer known limits. */
export const DEVICES: readonly RoofDevice[] = [
  { id: device.id, name: device.name, roofs: device.roofs ?? roofsOf(card), origin: 'recorded', source: 'a recording' },
  { id: card.id, name: card.name, roofs: roofsOf(card), origin: card.by, source: 'a page' },
  { id: sheet.id, name: sheet.name, roofs: roofsOf(sheet), origin: sheet.by, source: 'a paper' },
  { id: 'typed', name: 'A card', roofs: { readGBps: 900, peakGMAps: {}, dispatchNs: 0 }, origin: 'typed', source: '' },
  {
    id: 'slow',
    name: 'Slow',
    roofs: { readGBps: 900, peakGMAps: { f32: 40 }, dispatchNs: 900 },
    origin: 'report',
    source: '',
  },
];

/** A matrix that was not timed. */
export const NO_DENSE = { rows: 16, cols: 24, nnz: 50, key: '', title: 'tiny' };

/** A roofline of each device, matrix and number of tokens: measured where the device has times, else predicted. */
export function* rooflines(): Generator<Roofline> {
  const matrices = rooflineMatrices(device.reports);
  for (const roofDevice of DEVICES) {
    const isTimed = roofDevice.id === device.id;
    for (const rooflineMatrix of isTimed ? matrices : [...matrices.slice(0, 6), NO_DENSE]) {
      const measured = isTimed ? measuredPoints(device.reports, rooflineMatrix, roofDevice.roofs) : [];
      const stops = isTimed ? [...new Set(measured.flatMap(({ tokens }) => tokens ?? []))] : [1, 16];
      for (const tokens of stops) {
        const points = fastestOfFormats(
          [...measured, ...(isTimed ? [] : predicted(rooflineMatrix, tokens, roofDevice.roofs))],
          tokens,
        );
        const densePoints = points.filter(
          ({ format, tokens: pointTokens }) => format === 'dense' && pointTokens !== null,
        );
        const dense = densePoints.find((point) => choiceOf(point) === 'dense') ?? densePoints[0] ?? null;
        // The fastest and the slowest point, dense, and one whose arithmetic is not f32.
        const notF32 = points.find((point) => point.arithmetic !== 'f32');
        const chosen = [points[0], points[points.length - 1], dense, notF32].filter((point) => point != null);
        for (const point of new Set(chosen)) {
          const choices = { tokens, matrix: '', format: '' };
          const fixed = { choose: () => {}, storedBytes: null, stops, rejected: ['ell', 'csr'] };
          yield {
            ...fixed,
            choices,
            matrices,
            rooflineMatrix,
            device: roofDevice,
            measured,
            points,
            point,
            dense,
          };
        }
      }
    }
  }
}

/** Assumed bytes per non-zero in predictions, by format. */
export const SIZES: Readonly<Record<string, number>> = { macko: 3, csr: 6 };

function predicted(rooflineMatrix: RooflineMatrix, tokens: number, roofs: Roofs): readonly RoofPoint[] {
  const { rows, cols, nnz } = rooflineMatrix;
  const pointOf = (format: string, matrixBytes: number, multiplyAdds: number): RoofPoint =>
    predictedPoint({ format, params: {}, matrixBytes, isCounted: false, multiplyAdds }, rooflineMatrix, tokens, roofs);
  return [
    pointOf('macko', SIZES.macko * nnz, nnz),
    pointOf('csr', SIZES.csr * nnz, nnz),
    pointOf('dense', 2 * rows * cols, rows * cols),
  ];
}
