import './popovers.css';
import { type KeyboardEvent, Suspense, useMemo, useRef, useState } from 'react';
import { countText } from '../../core/story/words.ts';
import { sameStored, type Stored, storedA, withAgainst, withStored } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { cssColorOf } from '../../kit/format-color.ts';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { megabytes } from '../../kit/words/weights.ts';
import { ParamForm } from '../../kit/forms/ParamForm.tsx';
import { onChoiceKey } from './choice-keys.ts';
import { FormatAbout } from './FormatAbout.tsx';
import { FindHead, useFocusOnChosen } from './FindHead.tsx';
import { findRows, type FormatRow, formatRows, remedyText, withRow } from './format-rows.ts';
import { doneText } from '../../state/remedy.ts';
import { previewed } from './previewed.ts';
import type { PopoverProps } from './word.ts';

const KeptFormats = lazyPart(async () => (await import('../../kit/own/KeptFormats.tsx')).KeptFormats);

type Side = 'a' | 'b';

export function APopover(props: PopoverProps) {
  return <FormatPopover side="a" {...props} />;
}

export function BPopover(props: PopoverProps) {
  return <FormatPopover side="b" {...props} />;
}

/** Every format in its group, with what it makes of this matrix; the chosen one unfolds its parameters. */
function FormatPopover({ side, inList, onClose }: PopoverProps & { readonly side: Side }) {
  const { formats, session, document, catalog, announce } = useApp();
  const doc = useDocument((all) => all);
  const encodings = useSession((s) => s.encodings);
  const summary = useSession((s) => s.summary);
  const [query, setQuery] = useState('');
  const element = useRef<HTMLDivElement>(null);
  // What was there when the list opened: Escape leaves all as it was, parameters too.
  const [before] = useState(() => ({ a: storedA(doc), b: doc.against }));
  const chosen = side === 'a' ? storedA(doc) : doc.against;
  const rows = useMemo(
    () => formatRows({ formats, doc, side, encodings, summary, examples: catalog.examples }),
    [formats, doc, side, encodings, summary, catalog],
  );
  const found = findRows(rows, query);
  const max = rows.reduce((highest, { bytes }) => Math.max(highest, bytes ?? 0), 1);

  useFocusOnChosen(element, inList);

  const choose = (row: FormatRow, to: Side): void => {
    const { remedy, format } = row;
    const next = withRow(document.getState(), to, row);
    if (remedy === null) document.setState(next);
    else {
      void session.restore(next);
      announce(`${format.title} cannot store ${summary?.name ?? 'this matrix'}: ${doneText(remedy)}.`);
    }
    onClose();
  };
  const other: Side = side === 'a' ? 'b' : 'a';
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = event.target;
    const isField = at instanceof HTMLInputElement && at.dataset.find !== undefined;
    if (event.key === 'Enter' && at instanceof HTMLElement && (isField || at.dataset.choice !== undefined)) {
      const row = isField ? found[0] : found.find(({ format }) => format.id === at.dataset.choice);
      event.preventDefault();
      if (row) choose(row, event.shiftKey ? other : side);
    } else if (event.key === 'Escape') {
      // The sentence closes the list.
      document.setState(withAgainst(withStored(document.getState(), before.a), before.b));
    } else onChoiceKey(event);
  };

  return (
    // The keys are those of the buttons and the field inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={element} className="formats" data-in-list={inList || undefined} onKeyDown={onKeyDown}>
      <FindHead
        title={side === 'a' ? 'A is stored in' : 'B is stored in'}
        label="Find a format"
        hint={inList ? 'type to find' : `type to find, ↑ ↓, Enter; Shift Enter puts it in ${other.toUpperCase()}`}
        query={query}
        onQuery={setQuery}
      >
        <span className="formats-unit">bytes of this matrix</span>
      </FindHead>
      <ul className="formats-rows">
        {found.map((row, i) => (
          <li
            key={row.format.id}
            className="formats-row"
            data-group={row.format.group === found[i - 1]?.format.group ? undefined : row.format.group}
          >
            <span className="formats-group">{row.format.group !== found[i - 1]?.format.group && row.format.group}</span>
            <Row
              row={row}
              max={max}
              sides={sidesOf(row, { a: storedA(doc), b: doc.against })}
              isChosen={chosen?.format === row.format.id}
              onChoose={(isOther) => choose(row, isOther ? other : side)}
              onLook={(isOn) => previewed.setState(isOn && !inList ? { side, stored: row.stored } : null, true)}
            />
            {chosen?.format === row.format.id && (
              <div className="formats-params">
                <ParamForm
                  inLine
                  format={row.format}
                  params={chosen.params}
                  shape={summary}
                  onChange={(name, value) => {
                    previewed.setState(null, true);
                    if (side === 'a') session.setParam(row.format.id, name, value);
                    else session.setAgainst({ ...chosen, params: { ...chosen.params, [name]: value } });
                  }}
                />
                <FormatAbout
                  format={row.format}
                  onExample={(id, stored) => {
                    const now = document.getState();
                    const next = side === 'a' ? withStored(now, stored) : withAgainst(now, stored);
                    void session.restore({ ...next, source: { kind: 'example', id }, window: null, step: 0 });
                    onClose();
                  }}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <p className="formats-none" role="status">
        {found.length === 0 ? `No format has “${query}” in its name.` : ''}
      </p>
      <Boundary name="Formats of your own">
        <Suspense fallback={null}>
          <KeptFormats {...{ side, query, onClose }} />
        </Suspense>
      </Boundary>
      <Foot inList={inList} isAlone={doc.against === null} onClose={onClose} />
    </div>
  );
}

interface FootProps extends Pick<PopoverProps, 'inList' | 'onClose'> {
  readonly isAlone: boolean;
}

/** What can be done with A and B as they are. */
function Foot({ inList, isAlone, onClose }: FootProps) {
  const { session } = useApp();
  const then = (act: () => void) => () => {
    act();
    onClose();
  };
  return (
    <div className="formats-foot">
      <button type="button" className="text-button" disabled={isAlone} onClick={then(session.swap)}>
        swap A and B
      </button>
      {!inList && <kbd>X</kbd>}
      <button type="button" className="text-button" disabled={isAlone} onClick={then(() => session.setAgainst(null))}>
        A alone
      </button>
    </div>
  );
}

/** Where a format is now; with the same parameters only, since a row chooses them too. */
function sidesOf({ stored }: FormatRow, now: { readonly a: Stored; readonly b: Stored | null }): readonly Side[] {
  return (['a', 'b'] as const).filter((side) => now[side]?.format === stored.format && sameStored(now[side], stored));
}

interface RowProps {
  readonly row: FormatRow;
  /** bytes of the longest bar */
  readonly max: number;
  readonly sides: readonly Side[];
  readonly isChosen: boolean;
  readonly onChoose: (other: boolean) => void;
  readonly onLook: (isOn: boolean) => void;
}

function Row({ row, max, sides, isChosen, onChoose, onLook }: RowProps) {
  const { format, bytes, isExpected } = row;
  return (
    <button
      type="button"
      className="format-row"
      data-choice={format.id}
      aria-pressed={isChosen}
      onClick={(event) => onChoose(event.shiftKey)}
      onPointerEnter={() => onLook(true)}
      onPointerLeave={() => onLook(false)}
      onFocus={() => onLook(true)}
      onBlur={() => onLook(false)}
    >
      <span className="format-row-sides">
        {sides.map((side) => (
          <span key={side} className={`side-mark side-mark--${side}`}>
            {side.toUpperCase()}
          </span>
        ))}
      </span>
      <Swatch format={format.id} />
      <b className="format-row-title">{format.title}</b>
      <span className="format-row-gist">{format.gist}</span>
      {bytes === null ? (
        <span className="format-row-remedy">{remedyText(row) || '…'}</span>
      ) : (
        <>
          <span className="format-row-bar" aria-hidden="true">
            <span
              style={{
                width: `${(100 * bytes) / max}%`,
                ...(sides.length > 0 && { background: cssColorOf(format.id) }),
              }}
            />
          </span>
          <span className="number format-row-bytes">{isExpected ? `≈ ${megabytes(bytes)}` : countText(bytes)}</span>
        </>
      )}
    </button>
  );
}
