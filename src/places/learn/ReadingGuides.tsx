import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { LessonLink } from './Prose.tsx';

/** The guides of docs/reading: a table of the sections of each paper. */
const texts: Readonly<Record<string, string>> = import.meta.glob('../../../docs/reading/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Splits a cell into text, and the words and the address of each link; links to other docs are not links here. */
const LINK = /\[([^\]]*)\]\(([^)]*)\)/;
const TO_DOCS = / ?\(\[[^\]]*\]\(\.[^)]*\)\)/g;

/** The papers, section by section: what each says, and where the page shows it. */
export function ReadingGuides() {
  return Object.entries(texts).map(([path, text]) => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    return (
      <Drawer key={path} title={/^# (.*)$/m.exec(text)?.[1]}>
        <ul className="learn-reading p-0 size-13 list-none">
          {rows.slice(2).map((row) => {
            const [, section, says, where, state] = row.replaceAll(TO_DOCS, '').split('|');
            return (
              <li key={section} className="stack gap-1-4 py-2 line-above">
                <b>{section}</b>
                <span>{says}</span>
                <span>
                  <Cell text={where} />
                </span>
                <span className="quiet">
                  <Cell text={state} />
                </span>
              </li>
            );
          })}
        </ul>
      </Drawer>
    );
  });
}

function Cell({ text }: { readonly text: string }) {
  const pieces = text.split(LINK);
  return pieces.map((piece, i) => {
    if (i % 3 !== 1) return i % 3 === 0 ? piece : null;
    const href = pieces[i + 1].slice(pieces[i + 1].indexOf('#2/'));
    const key = `${i} ${href}`;
    if (!pieces[i + 1].includes('#2/')) return piece;
    // What has a matrix of its own is opened; all else keeps the one that is open.
    return /[?&](?:src|model)=/.test(href) ? (
      <a key={key} href={href}>
        {piece}
      </a>
    ) : (
      <LessonLink key={key} text={piece} href={href} />
    );
  });
}
