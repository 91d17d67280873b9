import { cellName, elementName, memoryPanels } from '../../../core/story/scene-parts.ts';
import type { Link, Panel } from '../../../core/story/scene.ts';
import { countAt, entryAt } from '../layout.ts';
import { activationsPanel, type Picture, type Place } from './scene-activations.ts';
import { isPacked, nowPanel, packedPanel } from './scene-packed.ts';
import { cellsOf, type TwellTrace } from './trace.ts';

/** With more links than this the picture is unreadable. */
const MAX_LINKS = 8;

/** The arrays as bytes; words in halves, since a half is a column and a half a value. */
function tileMemory(t: TwellTrace, { row, tile }: Place, stepNumber: number): readonly Panel[] {
  const { encoded: e, params } = t;
  const tileRow = row * e.tiles + (tile ?? 0);
  const present = (element: number): boolean => isPacked(t, Math.floor(element / e.slots), stepNumber);
  const isEntry = (element: number): boolean => {
    const at = Math.floor(element / e.slots);
    return element >= entryAt(e, at, 0) && element < entryAt(e, at, countAt(e, at));
  };
  if (params.layout === 'packed') {
    const halves = new Uint16Array(e.words.buffer, e.words.byteOffset, e.words.length * 2);
    return memoryPanels([
      {
        array: 'half words',
        title: 'words',
        data: halves,
        tone: (half) => {
          const element = half >> 1;
          if (element % e.slots === 0) return 'metadata';
          return isEntry(element) ? (half % 2 === 0 ? 'indices' : 'values') : 'padding';
        },
        present: (half) => present(half >> 1),
        look: (half) => ({ about: [elementName('words', half >> 1)] }),
        focus: tileRow * e.slots * 2,
      },
    ]);
  }
  const focus = tileRow * e.slots;
  return memoryPanels([
    { array: 'values', data: e.values, tone: (i) => (isEntry(i) ? 'values' : 'padding'), present, focus },
    { array: 'indices', data: e.indices, tone: (i) => (isEntry(i) ? 'indices' : 'padding'), present, focus },
    { array: 'counts', data: e.counts, tone: 'metadata', present: (i) => isPacked(t, i, stepNumber), focus: tileRow },
  ]);
}

/** Chapter 2: a tile of one token moves to the left; or, at its end, all of a tile. */
export function tilesScene(t: TwellTrace, place: Place & { readonly tile: number }, stepNumber: number): Picture {
  const { encoded: e } = t;
  const { row, tile } = place;
  const links: Link[] = [];
  if (!place.whole && (t.overflow?.byRow[row] ?? 0) === 0) {
    const first = entryAt(e, row * e.tiles + tile, 0);
    const columns = cellsOf(t.kept, row, tile * e.tileWidth, (tile + 1) * e.tileWidth);
    columns.slice(0, MAX_LINKS).forEach((column, i) => {
      const to = `now value ${first + i}`;
      links.push({ id: `pack ${i}`, from: cellName(row, column), to, kind: 'curve', tone: 'neutral' });
    });
  }
  return {
    panels: [
      activationsPanel(t, place),
      ...(e.rows > 0 ? [nowPanel(t, place, tile, stepNumber)] : []),
      packedPanel(t, place, stepNumber),
      ...tileMemory(t, place, stepNumber),
    ],
    links,
  };
}
