import { describe, expect, test } from 'vitest';
import type { Scene } from '../story/scene.ts';
import { exportSvg } from './export-svg.ts';
import { layoutScene } from './layout/layout.ts';
import { Palette } from './paint/palette.ts';
import { bandScene, sampleScene } from '../../test/sample-scenes.ts';
import { estimateTextWidth } from './text-measurer.ts';
import { DARK, LIGHT, type Theme } from './theme.ts';

function svg(scene: Scene, theme: Theme = LIGHT): string {
  const laidOut = layoutScene(scene, { width: 800, stageHeight: 640, measure: estimateTextWidth });
  return exportSvg(laidOut, scene, new Palette(theme, '#449A8E'), estimateTextWidth);
}

/** A tag: '/' if it closes an element, its name, its attributes, and '/' if its element is empty. */
const TAG = /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g;

/** Checks that tags are closed in order, ampersands are entities and attributes unique. Throws the first fault. */
function checkWellFormed(xml: string): void {
  const open: string[] = [];
  for (const [tag, close, name, attributes, empty] of xml.matchAll(TAG)) {
    const names = [...attributes.matchAll(/([\w:-]+)=/g)].map((m) => m[1]);
    if (new Set(names).size !== names.length) throw new Error(`an attribute twice in ${tag}`);
    if (close) {
      const last = open.pop();
      if (last !== name) throw new Error(`found </${name}>, expected </${last}>`);
    } else if (!empty) open.push(name);
  }
  if (open.length > 0) throw new Error(`found the end, expected </${open.join('>, </')}>`);
  const text = xml.replaceAll(TAG, '');
  if (/[<>]/.test(text)) throw new Error(`found a stray bracket in '${text.trim().slice(0, 80)}'`);
  if (/&(?!amp;|lt;|gt;|quot;)/.test(xml)) throw new Error('found a bare ampersand, expected an entity');
}

describe('exportSvg', () => {
  const scenes = {
    'a matrix and an array': sampleScene(5, 32, 6),
    'side by side': bandScene(),
    'one cell': sampleScene(1, 1, 0),
  };

  test.each(Object.entries(scenes))('writes well-formed SVG of a scene of %s', (_, scene) => {
    for (const theme of [LIGHT, DARK]) {
      const document = svg(scene, theme);
      checkWellFormed(document);
      expect(document.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
      expect(document).toContain(theme.ground);
      expect(document).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test('checkWellFormed rejects unclosed tags and bare ampersands', () => {
    expect(() => checkWellFormed('<svg><g></svg>')).toThrow('expected </g>');
    expect(() => checkWellFormed('<svg>a & b</svg>')).toThrow('ampersand');
  });

  test('keeps words as text, the narration as description and labels as titles', () => {
    const document = svg(sampleScene(5, 32, 6));
    expect(document).toContain('<desc>Column 29 is 17 past column 12 &amp; &quot;more&quot; &lt;than&gt; 16.</desc>');
    expect(document).toContain('>0.62</text>');
    expect(document).toMatch(/<title>row 0, column \d+: /);
    expect(document).toMatch(/<path d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+M.*stroke-width="1.4"/);
    expect(document).not.toContain('<pattern');
  });

  test('draws every link and every panel', () => {
    const document = svg(sampleScene(5, 32, 6));
    expect(document.match(/stroke-dasharray="2 3"/g)?.length).toBeGreaterThanOrEqual(1);
    expect(document).toContain('stroke-linecap="round"');
  });
});
