import type { Scene } from '../../../core/story/scene.ts';
import { HARDWARE_2_4, type Placement } from '../../../theory/sliding-windows.ts';
import type { SlideSparseStep, SlideSparseTrace } from './trace.ts';
import { codeOf } from './code.ts';
import { fullest, groupValue, narrate } from './narration.ts';
import { groupScene, pruneScene } from './scene-group.ts';
import { liftScene } from './scene-lift.ts';
import { multiplyScene } from './scene-multiply.ts';
import { accuracyPanel, paysPanel } from './scene-pays.ts';
import type { Picture } from './scene-slots.ts';
import { storageScene } from './scene-storage.ts';
import { theoremPanels } from './scene-theorem.ts';

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: SlideSparseTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
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
    case 'accuracy':
      return { panels: [accuracyPanel()], links: [] };
    case 'prune':
      return pruneScene(t, t.groups[step.group], true);
    case 'slide':
    case 'compress':
      return groupScene(t, step, stepNumber);
    case 'scale':
    case 'fill':
    case 'nothing':
      return storageScene(t, step, stepNumber);
    case 'in-place':
    case 'absmax':
    case 'quantise':
    case 'lift':
    case 'fused':
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
