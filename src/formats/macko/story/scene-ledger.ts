import { box, note } from '../../../core/story/marks.ts';
import { largest } from '../../../core/number/statistics.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { BYTE_CLASSES, type ByteClass } from '../../../core/encoded/ledger.ts';
import { bitsText, countText, valueText } from '../../../core/story/words.ts';
import type { MackoStep, MackoTrace } from './trace.ts';

type About = Extract<MackoStep, { kind: 'bytes' }>['about'];

/** Width of the bars' panel: the longest bar. */
const WIDTH = 100;

/** The bytes of the window against dense and CSR; in the last step against the closed form. */
export function ledgerPanels(t: MackoTrace, about: About): readonly Panel[] {
  return about === 'curve' ? [curvePanel(t)] : [bytesPanel(t, about)];
}

function bytesPanel(t: MackoTrace, about: About): Panel {
  const { encoded: e, window, ledger } = t;
  const valueBits = VALUE_BITS[e.valueType];
  const denseBytes = (window.rows * window.cols * valueBits) / 8;
  const csrBytes = (window.nnz * (valueBits + 32)) / 8 + (window.rows + 1) * 4;
  const largest = Math.max(denseBytes, csrBytes, ledger.totalBytes, 1);
  const scale = WIDTH / (largest * 1.25);
  const marks: Mark[] = [
    ...bar('dense', 0, denseBytes * scale, `${countText(denseBytes)} B`),
    ...bar('csr', 1.4, csrBytes * scale, `${countText(csrBytes)} B`),
  ];
  // In the order of the chapter: bars of later steps are dashed outlines.
  const shown = about === 'total' ? BYTE_CLASSES.length : BYTE_CLASSES.indexOf(about as ByteClass) + 1;
  let x = 0;
  BYTE_CLASSES.forEach((byteClass, i) => {
    const bytes = ledger.totalBits[byteClass] / 8;
    const w = bytes * scale;
    if (w > 0) {
      marks.push(
        box(`class ${byteClass}`, x, 2.8, {
          w,
          tone: byteClass,
          level: 1,
          label: `${byteClass}: ${bitsText(ledger.totalBits[byteClass])}`,
          ...(i < shown ? {} : { state: 'ghost' }),
          ...(byteClass === about ? { focus: true } : {}),
        }),
      );
    }
    x += w;
  });
  marks.push(text('macko total', 2.8, x, `${countText(ledger.totalBytes)} B`));
  return {
    id: 'ledger',
    title: 'bytes of this window',
    caption: `${valueText(ledger.effectiveDensity)} of dense`,
    unit: 'bar',
    columns: WIDTH,
    rows: 4,
    rowLabels: [
      { at: 0, text: 'dense' },
      { at: 1.4, text: 'CSR-32' },
      { at: 2.8, text: 'MACKO', strong: true },
    ],
    marks,
  };
}

function curvePanel(t: MackoTrace): Panel {
  const lines = [
    { id: 'best', label: 'best', value: t.bounds.best },
    { id: 'expected', label: 'expected', value: t.bounds.expected },
    { id: 'worst', label: 'worst', value: t.bounds.worst },
    { id: 'here', label: 'this window', value: t.entryDensity },
    { id: 'dense', label: 'dense', value: 1 },
  ];
  const scale = WIDTH / (largest(lines.map((l) => l.value)) * 1.25);
  const marks = lines.flatMap(({ id, value }, i) => {
    const [line, words] = bar(id, i * 1.4, value * scale, valueText(value));
    return id === 'here' ? [{ ...line, tone: 'format' as const, focus: true }, words] : [line, words];
  });
  return {
    id: 'curve',
    title: 'share of dense',
    caption: 'values and deltas, without indptr',
    unit: 'bar',
    columns: WIDTH,
    rows: lines.length * 1.4,
    rowLabels: lines.map(({ label, id }, i) => ({ at: i * 1.4, text: label, strong: id === 'here' })),
    marks,
  };
}

function bar(id: string, y: number, w: number, words: string): Mark[] {
  const base = box(id, 0, y, { w: Math.max(w, 0.1), level: 0.2, label: `${id}: ${words}` });
  return [base, text(`${id} text`, y, w, words)];
}

function text(id: string, y: number, x: number, words: string): Mark {
  return note(id, x + 1, y, 20, words);
}
