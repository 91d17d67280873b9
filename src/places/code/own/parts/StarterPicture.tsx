import type { ArrayFigure } from '../starter-figure.ts';

const WIDTH = 104;
const LINE = 5;
const GAP = 3;
/** px for a byte */
const BYTE = 2.5;

/** The arrays of a starter as they lie in memory: as wide as their bytes, one below the other. */
export function StarterPicture({ arrays }: { readonly arrays: readonly ArrayFigure[] }) {
  const rects: {
    readonly key: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly tone: string;
  }[] = [];
  let y = 0;
  for (const { name, bits, elements, byteClass } of arrays) {
    const width = (bits / 8) * BYTE;
    let x = 0;
    for (let i = 0; i < elements.length; i++) {
      if (x + width > WIDTH) {
        x = 0;
        y += LINE + 1;
      }
      const tone = elements[i] === 'x' ? byteClass : 'padding';
      rects.push({ key: `${name} ${i}`, x, y, width: Math.max(0.6, width - 0.6), tone });
      x += width;
    }
    y += LINE + GAP;
  }
  return (
    <svg className="own-starter-picture" viewBox={`0 0 ${WIDTH} ${y}`} width={WIDTH} height={y} aria-hidden="true">
      {rects.map(({ key, x, y: top, width, tone }) => (
        <rect key={key} x={x} y={top} width={width} height={LINE} className={`own-fill--${tone}`} />
      ))}
    </svg>
  );
}
