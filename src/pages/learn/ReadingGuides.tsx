import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { GUIDES } from './guides.ts';
import { LessonLink } from './InlineText.tsx';

/** A Markdown link: its words and its address. */
const LINK = /\[([^\]]*)\]\(([^)]*)\)/;

/** The reading guides: each section of a paper with a summary, where the app shows it, and a remark; and related work. */
export function ReadingGuides() {
  return GUIDES.map(({ path, title, rows }) => (
    <Drawer key={path} title={title}>
      <ul className="mt-2 mb-4 p-0 text-13 list-none">
        {rows.map(([section, contents, shownAt, state]) => (
          <li
            key={section}
            className="grid lg:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,3fr))] gap-y-1 gap-x-4 py-2 border-t border-hairline"
          >
            <b>{section}</b>
            <span>{contents}</span>
            <span>
              <Cell text={shownAt} />
            </span>
            <span className="text-muted">
              <Cell text={state} />
            </span>
          </li>
        ))}
      </ul>
    </Drawer>
  ));
}

/** A cell of a guide's table: text with links, which open pages of the app or other sites. */
export function Cell({ text }: { readonly text: string }) {
  const pieces = text.split(LINK);
  return pieces.map((piece, i) => {
    if (i % 3 !== 1) return i % 3 === 0 ? piece : null;
    // An address of this app begins at '#2/', on any host.
    const href = pieces[i + 1].slice(pieces[i + 1].indexOf('#2/'));
    const key = `${i} ${href}`;
    if (!pieces[i + 1].includes('#2/')) {
      return (
        <a key={key} href={pieces[i + 1]} target="_blank" rel="noreferrer">
          {piece}
        </a>
      );
    }
    // A link that names a matrix opens it; any other link keeps the open matrix.
    return /[?&](?:src|model)=/.test(href) ? (
      <a key={key} href={href}>
        {piece}
      </a>
    ) : (
      <LessonLink key={key} text={piece} href={href} />
    );
  });
}
