import { excerpt } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt, Scene } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import groupTableSource from '../group-table.ts?raw';
import { HARDWARE_2_4, type Placement } from '../../../theory/sliding-windows.ts';
import { firstWindow, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';
import quantiseSource from '../../../core/number/quantise.ts?raw';
import liftSource from './lift.ts?raw';
import multiplySource from '../multiply.ts?raw';
import { fullest, groupValue, narrate } from './narration.ts';
import pruneSource from '../../../core/matrix/prune-pattern.ts?raw';
import { groupScene, pruneScene } from './scene-group.ts';
import { liftScene, multiplyScene } from './scene-multiply.ts';
import { paysPanel } from './scene-pays.ts';
import type { Picture } from './scene-slots.ts';
import { storageScene } from './scene-storage.ts';
import { theoremPanels } from './scene-theorem.ts';
import slideSource from '../slide.ts?raw';
import theorySource from '../../../theory/sliding-windows.ts?raw';

/** The picture after the step with this number; 0 is before anything happened. Pure. */
export function scene(t: SlideSparseTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Large windows are drawn in part: a link whose end is not drawn is left out.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links.filter((link) => drawn.has(link.from) && drawn.has(link.to)),
    narration: narrate(t, step, stepNumber),
    code: codeOf(t, step),
    offer: {
      place: 'windows',
      label: 'edit this group',
      hint: 'Set and clear its non-zeros, and watch the windows take them',
      subject: placementOf(t, step),
    },
  };
}

/** The group of a step, or else the fullest one, as it was before pruning; in the last chapter the example. */
function placementOf(t: SlideSparseTrace, step: SlideSparseStep | null): Placement {
  if (step?.kind === 'theorem') {
    const { sliding, columns } = t.examples[step.example];
    const { pattern, hardware } = sliding;
    return {
      pattern,
      hardware,
      cells: Array.from({ length: pattern.group }, (_, c) => (columns.includes(c) ? c + 1 : 0)),
    };
  }
  const width = 2 * t.params.halfGroup;
  const group = step && 'group' in step ? t.groups[step.group] : fullest(t);
  const cells = Array.from({ length: width }, (_, c) => (group?.columns.includes(c) ? groupValue(t, group, c) : 0));
  return { pattern: { kept: width - 2, group: width }, hardware: HARDWARE_2_4, cells };
}

function picture(t: SlideSparseTrace, step: SlideSparseStep | null, stepNumber: number): Picture {
  switch (step?.kind) {
    case undefined:
    case 'fits':
      return pruneScene(t, undefined, false);
    case 'prune':
      return pruneScene(t, t.groups[step.group], true);
    case 'slide':
    case 'compress':
      return groupScene(t, step, stepNumber);
    case 'scale':
    case 'fill':
    case 'nothing':
      return storageScene(t, step, stepNumber);
    case 'absmax':
    case 'quantise':
    case 'lift':
      return liftScene(t, step);
    case 'multiply':
    case 'sum':
      return multiplyScene(t, step, stepNumber);
    case 'pays':
      return { panels: [paysPanel(t, step.about)], links: [] };
    case 'theorem':
      return { panels: theoremPanels(t, step.example), links: [] };
  }
}

function codeOf(t: SlideSparseTrace, step: SlideSparseStep | null): CodeExcerpt | null {
  switch (step?.kind) {
    case undefined:
    case 'fits':
    case 'prune':
      return excerpt('core/matrix/prune-pattern.ts', pruneSource, 'prune');
    case 'slide':
      return excerpt('slide.ts', slideSource, 'take');
    case 'compress': {
      const group = t.groups[step.group];
      const now = step.window - firstWindow(group, t.params);
      const count = group.windowOf.filter((w) => w === now).length;
      return excerpt(
        'group-table.ts',
        groupTableSource,
        count === 2 ? 'compress' : count === 1 ? 'single' : 'metadata',
      );
    }
    case 'scale':
      return excerpt('encode.ts', encodeSource, 'scale');
    case 'fill':
      return excerpt('encode.ts', encodeSource, 'empty');
    case 'absmax':
      return excerpt('core/number/quantise.ts', quantiseSource, 'scale');
    case 'quantise':
      return excerpt('core/number/quantise.ts', quantiseSource, 'round');
    case 'lift':
      return excerpt('lift.ts', liftSource, t.quantised ? 'pack' : 'lift');
    case 'multiply':
    case 'sum':
      return excerpt('multiply.ts', multiplySource, 'multiply');
    case 'theorem':
      return excerpt('theory/sliding-windows.ts', theorySource, 'hall');
    default:
      return null;
  }
}
