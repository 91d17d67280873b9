// Drawings of shapes and texts: painted on a canvas, or saved as SVG and PNG.

/** A shape or text of a drawing, in CSS px. `y` of a text is its baseline. */
export type DrawingMark =
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: string;
      readonly alpha?: number;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly fill: string;
      readonly weight?: 400 | 600;
      readonly anchor?: 'start' | 'middle' | 'end';
      /** its exact width, so that it also fits with another font */
      readonly width?: number;
    }
  | {
      readonly kind: 'line';
      readonly points: readonly (readonly [x: number, y: number])[];
      readonly stroke: string;
      readonly width: number;
      readonly dash?: readonly number[];
    }
  | {
      readonly kind: 'dot';
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      readonly fill: string;
      readonly stroke?: string;
    };

/**
 * A drawing for a presentation or a file: `paintDrawing` shows it on a canvas, `drawingSvg` and `drawingPng` save it.
 */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly DrawingMark[];
}

/** Colors of a drawing. */
export interface DrawingColors {
  readonly ground: string;
  readonly text: string;
  readonly muted: string;
  readonly quiet: string;
  readonly hairline: string;
  readonly danger: string;
  /** background of tokens for which the pruned model needs more bits than the dense one */
  readonly tint: string;
  /** colour of the pruned model */
  readonly pruned: string;
}

/** Width of the outline of a dot. */
const DOT_OUTLINE = 2;
/** Pixels of a saved PNG for each CSS px. */
const PNG_SCALE = 2;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Paints a drawing at the origin of a canvas whose unit is a CSS px. */
export function paintDrawing(context: Context, { marks }: Drawing, font: string): void {
  context.lineJoin = 'round';
  // Hinted letters would deviate from the measured width at some sizes.
  context.textRendering = 'geometricPrecision';
  for (const mark of marks) {
    context.globalAlpha = 1;
    context.setLineDash([]);
    switch (mark.kind) {
      case 'rect':
        context.globalAlpha = mark.alpha ?? 1;
        context.fillStyle = mark.fill;
        context.fillRect(mark.x, mark.y, mark.width, mark.height);
        break;
      case 'text':
        context.font = `${mark.weight ?? 400} ${mark.size}px ${font}`;
        context.textAlign = mark.anchor === 'middle' ? 'center' : (mark.anchor ?? 'start');
        context.fillStyle = mark.fill;
        context.fillText(mark.text, mark.x, mark.y);
        break;
      case 'line':
        context.strokeStyle = mark.stroke;
        context.lineWidth = mark.width;
        context.setLineDash([...(mark.dash ?? [])]);
        context.beginPath();
        for (const [i, [x, y]] of mark.points.entries()) {
          if (i === 0) context.moveTo(x, y);
          else context.lineTo(x, y);
        }
        context.stroke();
        break;
      case 'dot':
        context.beginPath();
        context.arc(mark.x, mark.y, mark.radius, 0, 2 * Math.PI);
        context.fillStyle = mark.fill;
        context.fill();
        if (mark.stroke === undefined) break;
        context.strokeStyle = mark.stroke;
        context.lineWidth = DOT_OUTLINE;
        context.stroke();
    }
  }
  context.globalAlpha = 1;
}

/** Margin of a saved drawing, px. */
const EDGE = 24;

/** A drawing as an SVG document on a background. */
export function drawingSvg({ width, height, marks }: Drawing, ground: string, font: string): string {
  const parts = marks.map((mark) => {
    switch (mark.kind) {
      case 'rect':
        return `<rect${attributes({ x: mark.x, y: mark.y, width: mark.width, height: mark.height, fill: mark.fill, opacity: mark.alpha ?? 1 })}/>`;
      case 'text':
        return `<text${attributes({ x: mark.x, y: mark.y, 'font-size': mark.size, 'font-weight': mark.weight ?? 400, 'text-anchor': mark.anchor ?? 'start', fill: mark.fill, ...(mark.width && { textLength: mark.width }) })} xml:space="preserve">${escaped(mark.text)}</text>`;
      case 'line':
        return `<polyline${attributes({ points: mark.points.map(([x, y]) => `${round(x)},${round(y)}`).join(' '), fill: 'none', stroke: mark.stroke, 'stroke-width': mark.width, 'stroke-linejoin': 'round', 'stroke-dasharray': mark.dash?.join(' ') ?? 'none' })}/>`;
      case 'dot':
        return `<circle${attributes({ cx: mark.x, cy: mark.y, r: mark.radius, fill: mark.fill, stroke: mark.stroke ?? 'none', 'stroke-width': DOT_OUTLINE })}/>`;
    }
  });
  const box = { x: -EDGE, y: -EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
  const head = attributes({
    xmlns: 'http://www.w3.org/2000/svg',
    width: box.width,
    height: box.height,
    viewBox: [box.x, box.y, box.width, box.height].map(round).join(' '),
    'font-family': font,
  });
  return `<svg${head}>\n<rect${attributes({ ...box, fill: ground })}/>\n${parts.join('\n')}\n</svg>\n`;
}

/** A drawing as a PNG with PNG_SCALE pixels for each CSS px. Rejects if the browser lacks the memory for it. */
export async function drawingPng(drawing: Drawing, ground: string, font: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(
    PNG_SCALE * (drawing.width + 2 * EDGE),
    PNG_SCALE * Math.ceil(drawing.height + 2 * EDGE),
  );
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('PNG: found no 2D context, expected one');
  context.scale(PNG_SCALE, PNG_SCALE);
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(EDGE, EDGE);
  paintDrawing(context, drawing, font);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Rounds to two decimal places. */
function round(x: number): number {
  return Math.round(100 * x) / 100;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(typeof value === 'number' ? String(round(value)) : value)}"`)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
