import type { Scene } from '../../../core/story/scene.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { ellScene } from './scene-ell.ts';
import { backwardScene } from './scene-backward.ts';
import { gateScene } from './scene-gate.ts';
import { hybridScene } from './scene-hybrid.ts';
import { overflowScene } from './scene-overflow.ts';
import { publishedScene } from './scene-published.ts';
import { skippedPanel } from './scene-skipped.ts';
import { activationsPanel, type Picture } from './scene-activations.ts';
import { tilesScene } from './scene-tiles.ts';
import { rowScene, walkScene } from './scene-walk.ts';
import { wordScene } from './scene-word.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: TwellTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links.filter((link) => drawn.has(link.from) && drawn.has(link.to)),
    narration: narrate(t, step),
    code: codeOf(step, t.params),
  };
}

function picture(t: TwellTrace, step: TwellStep | null, stepNumber: number): Picture {
  switch (step?.kind) {
    case undefined:
      return ellScene(t, null);
    case 'ell':
      return ellScene(t, step.about);
    case 'gate':
      return gateScene(t, step);
    case 'pack':
    case 'refuse':
      return tilesScene(t, step, stepNumber);
    case 'empty':
      return tilesScene(t, step, stepNumber);
    case 'tile':
      return tilesScene(t, { row: Math.max(0, t.window.rows - 1), tile: step.tile, whole: true }, stepNumber);
    case 'nothing':
      return { panels: [activationsPanel(t, { row: 0, tile: null })], links: [] };
    case 'word':
      return wordScene(t, step.about, stepNumber);
    case 'overflow':
      return overflowScene(t, step.about);
    case 'published':
      return publishedScene(t, step.beyond);
    case 'row':
      return rowScene(t, step, stepNumber);
    case 'walk':
    case 'walked':
      return walkScene(t, step, stepNumber);
    case 'route':
    case 'routed':
    case 'transpose':
      return hybridScene(t, step);
    case 'backward':
      return backwardScene(t, step);
    case 'skipped':
      return { panels: [skippedPanel(t, step.about)], links: [] };
  }
}
