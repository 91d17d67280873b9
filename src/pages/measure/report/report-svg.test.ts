// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { LIGHT } from '../../../render/theme.ts';
import { gemmReport, MACKO_ROW, REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import { reportSvg } from './report-svg.ts';

const names = {
  titleOf: (id: string) => id.toUpperCase(),
  labelsOf: (_: string, params: Readonly<Record<string, unknown>>) => Object.values(params).join(' · '),
};

const textsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words.replaceAll('\u202f', ' '));

it('is a document with the headline in lines that fit, every kernel, and the device', () => {
  const svg = reportSvg(REPORT, LIGHT, names);
  expect(new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')).toBeNull();
  const texts = textsOf(svg);
  expect(texts[0]).toMatch(/^MACKO is 1\.78 times as fast as dense here\./);
  for (const words of texts) expect(words.length).toBeLessThanOrEqual(110);
  expect(texts).toContain('subgroup per row · f16');
  expect(texts).toContain('wrong: not timed');
  expect(texts.at(-1)).toContain('NVIDIA H200');
  expect(svg.match(/<circle/g)).toHaveLength(3 * MACKO_ROW.samplesNs.length + 3);
});

it('names operation and sizes, multiply-adds per second, and how many outputs were compared', () => {
  const texts = textsOf(reportSvg(gemmReport(4096, 1.2), LIGHT, names));
  expect(texts.find((words) => words.startsWith('Y = X Aᵀ'))).toBe(
    'Y = X Aᵀ · tokens 4 096 · 4 096 × 4 096 · 50 % left · cold · 65 536 of 16 777 216 outputs compared',
  );
  expect(texts.filter((words) => words.endsWith('TFMA/s'))).toHaveLength(2);
});

it('draws times of a software adapter in grey, with the label at each figure and no ratio in the headline', () => {
  const svg = reportSvg(TIMED_SOFTWARE_REPORT, LIGHT, names);
  const texts = textsOf(svg);
  expect(texts[0]).toMatch(/^Software adapter: 2 of 2 kernels verified and timed\. SwiftShader/);
  expect(texts.filter((words) => /µs/.test(words))).toHaveLength(2);
  for (const words of texts.filter((each) => /µs/.test(each))) expect(words).toMatch(/software$/);
  const fills = [...svg.matchAll(/<circle[^>]*fill="([^"]*)"/g)].map(([, fill]) => fill);
  expect(new Set(fills)).toEqual(new Set([LIGHT.textQuiet]));
});
