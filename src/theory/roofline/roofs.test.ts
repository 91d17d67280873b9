import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intensity, predict, ridge, roofAt, type Roofs, tokensToRidge, trail, TRAIL_TOKENS } from './roofs.ts';

/** As measured on an H200, docs/performance.md. */
const H200: Roofs = { readGBps: 4590, peakGMAps: { f32: 31_400 }, dispatchNs: 1260 };

const roofs = fc.record({
  readGBps: fc.double({ min: 10, max: 10_000, noNaN: true }),
  peakGMAps: fc.record({ f32: fc.double({ min: 100, max: 100_000, noNaN: true }) }),
  dispatchNs: fc.double({ min: 0, max: 20_000, noNaN: true }),
});
const size = fc.integer({ min: 1, max: 2 ** 31 });

describe('predict', () => {
  it('predict is max(bytes / read speed, multiply-adds / peak) + empty dispatch', () => {
    fc.assert(
      fc.property(roofs, size, size, (device, bytes, multiplyAdds) => {
        const { ns } = predict({ bytes, multiplyAdds, arithmetic: 'f32' }, device);
        const seconds =
          Math.max(bytes / (device.readGBps * 1e9), multiplyAdds / (device.peakGMAps.f32 * 1e9)) +
          device.dispatchNs / 1e9;
        expect(ns / 1e9).toBeCloseTo(seconds, 12);
      }),
      { numRuns: 300 },
    );
  });
  it('predict has no arithmetic time if its roof was not measured', () => {
    expect(predict({ bytes: 4590, multiplyAdds: 1e12, arithmetic: 'i8' }, H200)).toEqual({
      ns: 1261,
      bytesNs: 1,
      arithmeticNs: null,
      dispatchNs: 1260,
      decides: 'bytes',
    });
  });
  it('predicts the figure in the drawing: 56.4 MB of MACKO on an H200 take 12.3 µs', () => {
    const { bytesNs } = predict({ bytes: 56.45e6, multiplyAdds: 22_548_438, arithmetic: 'f32' }, H200);
    expect(bytesNs / 1e3).toBeCloseTo(12.3, 1);
    expect(intensity(22_548_438, 1, 56.45e6)).toBeCloseTo(0.8, 2);
    expect(ridge(H200, 'f32')).toBeCloseTo(13.7, 1);
  });
});

describe('roofAt', () => {
  it('roofAt is the flop of a kernel over the longer of the times of its bytes and its arithmetic', () => {
    fc.assert(
      fc.property(roofs, size, size, (device, bytes, multiplyAdds) => {
        const { ns, dispatchNs } = predict({ bytes, multiplyAdds, arithmetic: 'f32' }, device);
        const flop = 2 * multiplyAdds;
        const expected = flop / (ns - dispatchNs);
        const roof = roofAt(device, 'f32', flop / bytes);
        expect(Math.abs(roof / expected - 1)).toBeLessThan(1e-6);
      }),
      { numRuns: 300 },
    );
  });
});

describe('several tokens', () => {
  const sizes = fc.record({
    nnz: fc.integer({ min: 1, max: 1e8 }),
    matrixBytes: fc.integer({ min: 1, max: 1e9 }),
    tokenBytes: fc.integer({ min: 0, max: 1e6 }),
  });
  it('are limited by arithmetic from `tokensToRidge` on, and by bytes below', () => {
    let crossings = 0;
    fc.assert(
      fc.property(roofs, sizes, (device, { nnz, matrixBytes, tokenBytes }) => {
        const first = tokensToRidge(device, 'f32', { tokenMultiplyAdds: nnz, matrixBytes, tokenBytes });
        const decides = (n: number): string =>
          predict({ bytes: matrixBytes + n * tokenBytes, multiplyAdds: n * nnz, arithmetic: 'f32' }, device).decides;
        if (first === null) {
          expect(decides(1e6)).toBe('bytes');
          return;
        }
        crossings++;
        expect(decides(first + 1)).toBe('arithmetic');
        if (first > 2) expect(decides(first - 1)).toBe('bytes');
      }),
      { numRuns: 500 },
    );
    expect(crossings).toBeGreaterThan(100);
  });
  it('have points in `trail` that move to the right, on the roof or below it', () => {
    fc.assert(
      fc.property(roofs, sizes, fc.double({ min: 1, max: 10, noNaN: true }), (device, work, padding) => {
        const points = trail(device, 'f32', { ...work, padding });
        expect(points.map(({ tokens }) => tokens)).toEqual([...TRAIL_TOKENS]);
        for (const [i, { flopPerByte, gflops }] of points.entries()) {
          expect(gflops).toBeLessThanOrEqual(roofAt(device, 'f32', flopPerByte) * (1 + 1e-9));
          if (i > 0) expect(flopPerByte).toBeGreaterThan(points[i - 1].flopPerByte);
        }
      }),
      { numRuns: 300 },
    );
  });
});
