import { entryValue } from '../../../core/number/index.ts';
import { box, bracket, frame, notThereYet } from '../../../core/story/marks.ts';
import { elementName, type MarkLook, slotPanel } from '../../../core/story/scene-parts.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { entryCount, GROUP, placesFor, storedDelta } from '../layout.ts';
import type { MackoStep, MackoTrace } from './trace.ts';

/** The name that a cell, its slots, its bits and its bytes share. */
export function entryName(entry: number): string {
  return `entry ${entry}`;
}

/** How the slots of an entry are drawn in a step. */
export function entryLook(t: MackoTrace, step: MackoStep | null): (entry: number) => MarkLook {
  return (entry) => {
    const about = [entryName(entry)];
    if (step && 'entry' in step && step.entry === entry) return { about, focus: true };
    if (step?.kind === 'align' && t.rowOf[entry] !== step.row) return { about, state: 'dim' };
    return { about };
  };
}

/** Bits that are drawn on both sides of the focus: more than any screen shows. */
const BITS_AROUND = 40;

/** The entries: values, deltas, and the deltas' bits; byte or lane measures below. Panel id 'entries'. */
export function entriesPanel(
  t: MackoTrace,
  at: {
    readonly stored: number;
    readonly focus: number;
    readonly step: MackoStep | null;
    readonly look: (entry: number) => MarkLook;
  },
): Panel {
  const e = t.encoded;
  const entries = entryCount(e);
  const isPadding = (i: number): boolean => i >= entries || t.isPadding[i] === 1;
  const present = (i: number): boolean => i < at.stored || (at.stored === entries && i >= entries);
  const from = (i: number): string | undefined =>
    i < entries && !isPadding(i) ? `cell ${t.rowOf[i]},${t.columnOf[i]}` : undefined;
  const look = (i: number): MarkLook => (i < entries ? at.look(i) : {});
  const panel = slotPanel({
    id: 'entries',
    focus: at.focus,
    lines: [
      {
        array: 'values',
        length: placesFor(entries),
        tone: (i) => (isPadding(i) ? 'padding' : 'values'),
        text: (i) => (i < entries ? valueText(entryValue(e, t.rowOf[i], i)) : '0'),
        present,
        look,
        from,
      },
      {
        array: 'deltas',
        length: entries,
        tone: 'indices',
        text: (i) => String(storedDelta(e, i)),
        present: (i) => i < at.stored,
        look,
      },
    ],
  });
  const marks: Mark[] = [...panel.marks];
  const first = Math.max(0, at.focus - BITS_AROUND);
  const end = Math.min(entries, at.focus + BITS_AROUND);
  if (at.step?.kind === 'align') {
    for (const mark of groupBrackets(t, at.step.row, first)) marks.push(mark);
    return { ...panel, rows: 3.2, marks };
  }
  for (let i = first; i < end; i++) for (const mark of bitMarks(t, i, i < at.stored, at)) marks.push(mark);
  for (const mark of byteBrackets(t, first, Math.min(end, at.stored))) marks.push(mark);
  return {
    ...panel,
    rows: 4.2,
    rowLabels: [
      ...(panel.rowLabels ?? []),
      { at: BITS_Y, text: 'bits' },
      ...(e.deltaBits < 8 ? [{ at: BITS_Y + 0.9, text: `${lowBits(e.deltaBits)} first` }] : []),
    ],
    marks,
  };
}

const BITS_Y = 2.3;

/** The bits of one delta, highest first as numbers are written, each 1 / deltaBits of a slot wide. */
function bitMarks(
  t: MackoTrace,
  entry: number,
  present: boolean,
  { step, look }: { step: MackoStep | null; look: (entry: number) => MarkLook },
): Mark[] {
  const { deltaBits } = t.encoded;
  const stored = storedDelta(t.encoded, entry);
  const { about, focus } = look(entry);
  const byte = Math.floor((entry * deltaBits) / 8);
  const inStep =
    focus === true ||
    (step?.kind === 'byte' && step.byte === byte) ||
    (step?.kind === 'word' && step.word === byte >> 2);
  const names = [entryName(entry), ...(about ?? [])];
  const marks: Mark[] = [];
  for (let k = deltaBits - 1; k >= 0; k--) {
    const bit = (stored >>> k) & 1;
    const title = `bit ${k} of the delta of entry ${entry}`;
    marks.push(
      box(`bit ${entry}.${k}`, entry + (deltaBits - 1 - k) / deltaBits, BITS_Y, {
        w: 1 / deltaBits,
        tone: 'indices',
        ...(present ? { level: bit, text: String(bit), label: `${title}: ${bit}` } : notThereYet(title, '0')),
        about: names,
      }),
    );
  }
  if (inStep && present) {
    marks.push(frame(`bits ${entry}`, entry, BITS_Y, 1, 1, { focus: true, about: names }));
  }
  return marks;
}

/** Where in its byte the first of several skips is. */
export function lowBits(deltaBits: number): string {
  return deltaBits === 4 ? 'low half' : 'lowest bits';
}

/** What the skips in a byte make of it, the first in its lowest bits: '2 + 4 × 16'. */
export function byteSum(e: MackoTrace['encoded'], byte: number): string {
  const first = byte * (8 / e.deltaBits);
  const end = Math.min(first + 8 / e.deltaBits, entryCount(e));
  return Array.from({ length: end - first }, (_, i) => {
    const stored = storedDelta(e, first + i);
    return i === 0 ? String(stored) : `${stored} \u00d7 ${2 ** (e.deltaBits * i)}`;
  }).join(' + ');
}

/** A measure under every byte of deltas with any entry, with its value. */
function byteBrackets(t: MackoTrace, first: number, end: number): Mark[] {
  const perByte = 8 / t.encoded.deltaBits;
  const bytes = new Uint8Array(t.encoded.deltas.buffer, t.encoded.deltas.byteOffset, t.encoded.deltas.byteLength);
  const marks: Mark[] = [];
  for (let byte = Math.ceil(first / perByte); (byte + 1) * perByte <= Math.ceil(end / perByte) * perByte; byte++) {
    const last = Math.min((byte + 1) * perByte, entryCount(t.encoded));
    if (last > end) break;
    const about = Array.from({ length: last - byte * perByte }, (_, i) => entryName(byte * perByte + i));
    const sum = about.length > 1 ? `${byteSum(t.encoded, byte)} = ` : '';
    marks.push(
      bracket(
        `byte ${byte}`,
        byte * perByte,
        BITS_Y + 1,
        perByte,
        perByte >= 2 ? `byte ${byte} = ${bytes[byte]}` : String(bytes[byte]),
        { tone: 'indices', label: `byte ${byte} of deltas: ${sum}${bytes[byte]}`, about },
      ),
    );
  }
  return marks;
}

/** The groups of 8 that the lanes of a row's subgroup read, and a frame around the entries that count. */
function groupBrackets(t: MackoTrace, row: number, first: number): Mark[] {
  const [start, end] = [t.encoded.indptr[row], t.encoded.indptr[row + 1]];
  const aligned = Math.floor(start / GROUP) * GROUP;
  const marks: Mark[] = [frame(`row ${row}`, start, 0, end - start, 2, { focus: true })];
  for (let group = aligned; group < end; group += GROUP) {
    if (group + GROUP < first) continue;
    const lane = (group - aligned) / GROUP;
    marks.push(
      bracket(`group ${group}`, group, 2.2, GROUP, `lane ${lane}: entries ${group} to ${group + GROUP - 1}`, {
        label: `lane ${lane} reads entries ${group} to ${group + GROUP - 1}`,
        about: Array.from({ length: GROUP }, (_, i) => elementName('values', group + i)),
      }),
    );
  }
  return marks;
}
