import { box, bracket, note } from '../../../core/story/marks.ts';
import {
  cellName,
  elementName,
  type MarkLook,
  MATRIX_ROWS_SHOWN,
  matrixPanel,
  entryStrip,
  memoryPanels,
  pageStart,
  slotPanel,
} from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { counted } from '../../../core/story/words.ts';
import { entriesPanel, entryLook, entryName } from './scene-entries.ts';
import { multiplyScene } from './scene-multiply.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { entryCount } from '../layout.ts';
import { reachOf } from '../params.ts';
import type { MackoStep, MackoTrace } from './trace.ts';

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: MackoTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const narration = narrate(t, step);
  if (step && 'chunk' in step) return { ...multiplyScene(t, step, stepNumber), narration, code: codeOf(step) };
  return { ...encodeScene(t, step, stepNumber), narration, code: codeOf(step) };
}

/** Scan, Pack and Align: cells above, entries below, bytes at the bottom. */
function encodeScene(t: MackoTrace, step: MackoStep | null, stepNumber: number): { panels: Panel[]; links: Link[] } {
  const stored = t.storedEntries[stepNumber];
  const row = rowOfStep(t, step, stored);
  const focus = focusEntry(t, step, stored);
  const isScan = step?.kind === 'pad' || step?.kind === 'emit';
  const skip = isScan ? skipOverlay(t, step) : { marks: [], links: [] };
  const look = entryLook(t, step);
  const panels: Panel[] = [
    matrixPanel(t.window, {
      row,
      overlay: skip.marks,
      linesBelow: 2,
      look: (r, c, ordinal) => cellLook(t, step, r, c, ordinal),
    }),
    entriesPanel(t, { stored, focus, step, look }),
    indptrPanel(t, step, stepNumber, row),
    ...memory(t, step, stepNumber, focus, look),
  ];
  const links = [...skip.links];
  if (isScan) {
    const zero = step.bridged / reachOf(t.params.deltaBits) - 1;
    const from = step.kind === 'pad' ? `zero ${zero}` : cellName(step.row, step.column);
    links.push({ id: 'curve', from, to: elementName('values', step.entry), kind: 'curve', tone: 'neutral' });
  }
  return { panels, links };
}

function rowOfStep(t: MackoTrace, step: MackoStep | null, stored: number): number {
  if (step && 'row' in step) return step.row;
  if (step?.kind === 'byte') return t.rowOf[Math.min(t.rowOf.length - 1, byteRange(t, step.byte)[0])];
  return stored < t.rowOf.length ? t.rowOf[stored] : 0;
}

/** Entries whose deltas are in a byte: [first, end). */
function byteRange(t: MackoTrace, byte: number): readonly [number, number] {
  const perByte = 8 / t.encoded.deltaBits;
  return [byte * perByte, Math.min((byte + 1) * perByte, entryCount(t.encoded))];
}

function focusEntry(t: MackoTrace, step: MackoStep | null, stored: number): number {
  if (step === null) return 0;
  if ('entry' in step) return step.entry;
  if (step.kind === 'byte') return byteRange(t, step.byte)[0];
  if (step.kind === 'word') return byteRange(t, step.word * 4)[0];
  if (step.kind === 'align') return t.encoded.indptr[step.row];
  return step.kind === 'starts' ? 0 : Math.max(0, stored - 1);
}

/** A cell knows its entry, so that both light up together; cells that are not read yet are dim. */
function cellLook(t: MackoTrace, step: MackoStep | null, row: number, col: number, ordinal: number): MarkLook {
  const about = [entryName(t.entryOf[ordinal])];
  if (step?.kind === 'emit' && step.row === row && step.column === col) return { about, focus: true };
  if (step?.kind === 'pad' && step.row === row && step.column === col) return { about, focus: true };
  if (step?.kind === 'align' && step.row !== row) return { about, state: 'dim' };
  return { about };
}

/** The skip as a measure below the skipped columns: zeros that are stored on the way, and what is left. */
function skipOverlay(
  t: MackoTrace,
  step: Extract<MackoStep, { kind: 'pad' | 'emit' }>,
): { marks: Mark[]; links: Link[] } {
  const { row, entry, column, previous, bridged } = step;
  const reach = reachOf(t.params.deltaBits);
  const shown = Math.min(t.window.rows, MATRIX_ROWS_SHOWN);
  const y = pageStart(t.window.rows, row, shown) + shown + 0.4;
  /** Columns [from, to), or a 0 where none are. */
  const skip = (id: string, from: number, to: number): Mark =>
    to > from
      ? bracket(id, from, y, to - from, String(to - from), {
          h: 1,
          tone: 'indices',
          label: `${counted(to - from, 'column')} skipped`,
        })
      : note(`no ${id}`, from - 0.25, y, 1, '0', { tone: 'indices', label: 'no column skipped' });
  const zeros = bridged / reach;
  const firstZero = step.kind === 'pad' ? entry - zeros + 1 : entry - zeros;
  const marks: Mark[] = [];
  for (let i = 0; i < zeros; i++) {
    const at = previous + (i + 1) * reach;
    const isNow = step.kind === 'pad' && i === zeros - 1;
    const look = isNow ? { focus: true } : {};
    marks.push(
      { ...skip(isNow ? 'skip' : `skip ${i}`, at - reach + 1, at), ...look },
      box(`zero ${i}`, at, row, {
        tone: 'padding',
        text: '0',
        label: `row ${row}, column ${at}: a stored zero`,
        about: [entryName(firstZero + i)],
        ...look,
      }),
    );
  }
  // After the last zero: what this entry skips, or what is left for later ones.
  const last =
    step.kind === 'pad'
      ? skip('skip rest', previous + bridged + 1, column)
      : { ...skip('skip', previous + bridged + 1, column), focus: true };
  marks.push(last);
  const guide = (id: string, from: number, to: Mark): Link => ({
    id,
    from: cellName(row, from),
    to: to.id,
    kind: 'guide',
    tone: 'indices',
  });
  const links = [guide('guide to', column, last)];
  if (previous >= 0) links.push(guide('guide from', previous, marks[0]));
  return { marks, links };
}

function indptrPanel(t: MackoTrace, step: MackoStep | null, stepNumber: number, row: number): Panel {
  const { indptr } = t.encoded;
  const known = t.knownRows[stepNumber];
  const inFocus = (i: number): boolean => {
    if (step?.kind === 'row-end') return i === step.row + 1;
    if (step?.kind === 'align') return i === step.row || i === step.row + 1;
    return step?.kind === 'starts';
  };
  return slotPanel({
    id: 'indptr',
    focus: step?.kind === 'row-end' ? row + 1 : row,
    lines: [
      {
        array: 'indptr',
        length: indptr.length,
        tone: 'metadata',
        text: (i) => String(indptr[i]),
        present: (i) => i <= known,
        look: (i) => (inFocus(i) ? { focus: true } : {}),
      },
    ],
  });
}

function memory(
  t: MackoTrace,
  step: MackoStep | null,
  stepNumber: number,
  focus: number,
  look: (entry: number) => MarkLook,
): readonly Panel[] {
  const e = t.encoded;
  const stored = t.storedEntries[stepNumber];
  const entries = entryCount(e);
  const known = t.knownRows[stepNumber];
  const perByte = 8 / e.deltaBits;
  const isPadding = (i: number): boolean => i >= entries || t.isPadding[i] === 1;
  return memoryPanels([
    entryStrip(e.values, {
      isPadding,
      present: (i) => i < stored || (stored === entries && i >= entries),
      look: (i) => (i < entries ? look(i) : {}),
      focus,
    }),
    {
      array: 'delta bytes',
      title: 'deltas',
      data: new Uint8Array(e.deltas.buffer, e.deltas.byteOffset, e.deltas.byteLength),
      tone: (b) => (b * perByte >= entries ? 'padding' : 'indices'),
      present: (b) => b * perByte < stored || (stored === entries && b * perByte >= entries),
      look: (b) => byteLook(t, step, b, look),
      focus: Math.floor(focus / perByte),
    },
    {
      array: 'indptr',
      data: e.indptr,
      tone: 'metadata',
      present: (i) => i <= known,
      look: (i) => (step?.kind === 'row-end' && i === step.row + 1 ? { focus: true } : {}),
      focus: known,
    },
  ]);
}

function byteLook(t: MackoTrace, step: MackoStep | null, byte: number, look: (entry: number) => MarkLook): MarkLook {
  const [first, end] = byteRange(t, byte);
  const about: string[] = [];
  let focus = (step?.kind === 'byte' && step.byte === byte) || (step?.kind === 'word' && step.word === byte >> 2);
  for (let i = first; i < end; i++) {
    about.push(entryName(i));
    if (step?.kind !== 'align' && look(i).focus) focus = true;
  }
  return focus ? { about, focus } : { about };
}
