import { describe, expect, it } from 'vitest';
import { PUBLISHED_IDS } from './published-ids.ts';
import { PUBLISHED_DEVICES, roofsOf } from './devices.ts';
import { ridge } from './roofs.ts';

describe('published devices', () => {
  it('published devices have unique names and ids, a source, and plausible figures', () => {
    expect(PUBLISHED_DEVICES.map(({ id }) => id)).toEqual([...PUBLISHED_IDS]);
    expect(new Set(PUBLISHED_IDS).size).toBe(PUBLISHED_IDS.length);
    expect(new Set(PUBLISHED_DEVICES.map(({ name }) => name)).size).toBe(PUBLISHED_DEVICES.length);
    for (const device of PUBLISHED_DEVICES) {
      expect(device.id).toMatch(/^[a-z0-9-]+$/);
      expect(device.source).not.toBe('');
      // The ridge of the roofline: the operations per byte above which a kernel is limited by arithmetic.
      const operationsPerByte = ridge(roofsOf(device), 'f32') ?? 0;
      expect(operationsPerByte).toBeGreaterThan(5);
      expect(operationsPerByte).toBeLessThan(200);
    }
  });
  it('published devices are faster on the data sheet of the H200 than measured on it', () => {
    const [measured, onPaper] = ['h200-measured', 'h200'].map((id) => PUBLISHED_DEVICES.find((d) => d.id === id));
    expect(measured?.readGBps).toBeLessThan(onPaper?.readGBps ?? 0);
    expect(measured?.f32Tflops).toBeLessThan(onPaper?.f32Tflops ?? 0);
  });
  it('give the ratios that the MACKO paper computes with', () => {
    // Its section 3.1: 80 operations per byte for the RTX 4090, 38 for the RTX 3090, and 45 for the RTX 2080, in f16, which
    // that card computes twice as fast as f32.
    const opb = (id: string): number => {
      const device = PUBLISHED_DEVICES.find((d) => d.id === id);
      return device ? (ridge(roofsOf(device), 'f32') ?? 0) : 0;
    };
    expect(opb('rtx-4090')).toBeCloseTo(82, 0);
    expect(opb('rtx-3090')).toBeCloseTo(38, 0);
    expect(2 * opb('rtx-2080-super')).toBeCloseTo(45, 0);
  });
  it('do not cite the MACKO paper for anything that it does not print', () => {
    expect(PUBLISHED_DEVICES.filter(({ source }) => source?.includes('MACKO'))).toEqual([]);
  });
});
