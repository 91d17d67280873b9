/** The CSS properties that determine the appearance of a chart. */
const PROPERTIES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

/** Space for the title and its caption above the drawing, px. */
const HEAD = 56;
/** Space on the other sides, px. */
const EDGE = 12;

/** The heading of a drawing that is saved as a file. */
export interface Heading {
  readonly title: string;
  readonly caption: string;
}

/** A drawing of the page as a standalone SVG document: with its colours, the page's background, and a heading. */
export function standaloneSvg(drawing: SVGSVGElement, { title, caption }: Heading): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const sources = [...drawing.querySelectorAll('*')];
  for (const [i, part] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(sources[i]);
    for (const property of PROPERTIES) part.setAttribute(property, style.getPropertyValue(property));
    part.removeAttribute('class');
    part.removeAttribute('style');
  }
  const box = drawing.getBoundingClientRect();
  const width = box.width + 2 * EDGE;
  const height = box.height + HEAD + EDGE;
  const page = getComputedStyle(document.documentElement);
  const variable = (name: string): string => page.getPropertyValue(name).trim();
  const font = getComputedStyle(document.body).fontFamily;
  copy.prepend(
    element('rect', { x: -EDGE, y: -HEAD, width, height, fill: variable('--ground') }),
    element('text', { x: 0, y: 24 - HEAD, fill: variable('--text'), 'font-family': font, 'font-size': 15 }, title),
    element(
      'text',
      { x: 0, y: 42 - HEAD, fill: variable('--text-muted'), 'font-family': font, 'font-size': 12 },
      caption,
    ),
  );
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('viewBox', `${-EDGE} ${-HEAD} ${width} ${height}`);
  copy.removeAttribute('class');
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A new SVG element with a text inside. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.textContent = text;
  return created;
}
