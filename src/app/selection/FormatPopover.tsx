import './format-rows.css';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import {
  choiceWith,
  equalChoices,
  type FormatChoice,
  choiceA,
  withFormatB,
  withChoiceA,
  remedyPhrase,
  withRemedy,
  withSource,
} from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { cssColorOf } from '../../kit/format-color.ts';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { ParamForm } from '../../kit/forms/ParamForm.tsx';
import { onChoiceKey } from './choice-keys.ts';
import { useTypeAhead } from '../../kit/browser/TypeAheadBuffer.tsx';
import { FindHead, useFocusOnChosen } from './FindHead.tsx';
import { findRows, type FormatRow, formatRows, remedyText, sizeText } from './format-rows.ts';
import { previewedFormat } from './FormatLabel.tsx';
import type { PopoverProps } from './selection-item.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import { classes } from '../../kit/primitives/classes.ts';
import { TextButton } from '../../kit/controls/Button.tsx';

type Side = 'a' | 'b';

/** The list of formats for A, in which the page stores the matrix. */
export function FormatAPopover(props: PopoverProps) {
  return <FormatPopover side="a" {...props} />;
}

/** The list of formats for B, which A is compared with. */
export function FormatBPopover(props: PopoverProps) {
  return <FormatPopover side="b" {...props} />;
}

/**
 * A list of all formats by group, with their bytes for the open matrix; the chosen format also has its parameters and a
 * description. On a narrow page it is inside the list of choices; else it floats below the item that opens it.
 */
function FormatPopover({ side, isNarrow, onClose }: PopoverProps & { readonly side: Side }) {
  const { formats, session, document, catalog, provider, announce } = useApp();
  const doc = useDocument((state) => state);
  const encodings = useSession((s) => s.encodings);
  const summary = useSession((s) => s.summary);
  const [query, setQuery] = useState(useTypeAhead());
  const element = useRef<HTMLDivElement>(null);
  // A and B when the list opened. Escape restores them, with their parameters.
  const [initial] = useState(() => ({ a: choiceA(doc), b: doc.formatB }));
  const chosen = side === 'a' ? choiceA(doc) : doc.formatB;
  const rows = useMemo(
    () => formatRows({ formats, doc, side, encodings, summary, examples: catalog.examples }),
    [formats, doc, side, encodings, summary, catalog],
  );
  const matchingRows = findRows(rows, query);
  const maxBytes = rows.reduce((highest, { bytes }) => Math.max(highest, bytes ?? 0), 1);

  useFocusOnChosen(element, isNarrow);

  const choose = ({ format, choice, remedy }: FormatRow, chosenSide: Side): void => {
    const next = withRemedy(document.getState(), chosenSide, choice, remedy);
    if (remedy === null) document.setState(next);
    else {
      void session.restore(next);
      announce(`${format.title} cannot store ${summary?.name ?? 'this matrix'}: ${remedyPhrase(remedy)}.`);
    }
    onClose();
  };
  const otherSide: Side = side === 'a' ? 'b' : 'a';
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target } = event;
    const isField = target instanceof HTMLInputElement && target.dataset.find !== undefined;
    if (event.key === 'Enter' && target instanceof HTMLElement && (isField || target.dataset.choice !== undefined)) {
      const row = isField ? matchingRows[0] : matchingRows.find(({ format }) => format.id === target.dataset.choice);
      event.preventDefault();
      if (row) choose(row, event.shiftKey ? otherSide : side);
    } else if (event.key === 'Escape') {
      // The selection bar, which opened this list, closes it.
      document.setState(withFormatB(withChoiceA(document.getState(), initial.a), initial.b));
    } else onChoiceKey(event);
  };

  return (
    // The keys belong to the buttons and the field inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={element} className="w-[min(61rem,calc(100vw-2rem))] in-data-list:w-full" onKeyDown={onKeyDown}>
      <FindHead
        title={`${side.toUpperCase()} is stored in`}
        label="Find a format"
        hint={isNarrow ? 'search' : `↑ ↓, Enter; Shift Enter puts it in ${otherSide.toUpperCase()}`}
        query={query}
        onQuery={setQuery}
      >
        <span className="text-muted in-data-list:hidden">bytes of this matrix</span>
      </FindHead>
      <ul className="px-6 pb-2 in-data-list:px-4">
        {matchingRows.map((row, i) => (
          <li
            key={row.format.id}
            className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2 items-center border-hairline data-group:pt-[2px] not-first:data-group:mt-[2px] not-first:data-group:border-t in-data-list:grid-cols-[minmax(0,1fr)]"
            data-group={row.format.group === matchingRows[i - 1]?.format.group ? undefined : row.format.group}
          >
            <span className="text-muted in-data-list:not-empty:pt-2 in-data-list:not-empty:text-12">
              {row.format.group !== matchingRows[i - 1]?.format.group && row.format.group}
            </span>
            <RowButton
              row={row}
              maxBytes={maxBytes}
              sides={sidesOf(row, { a: choiceA(doc), b: doc.formatB })}
              isChosen={chosen?.format === row.format.id}
              onChoose={(isOther) => choose(row, isOther ? otherSide : side)}
              onPreview={(isOn) =>
                previewedFormat.setState(isOn && !isNarrow ? { side, stored: row.choice } : null, true)
              }
            />
            {chosen?.format === row.format.id && (
              <div className="col-2 pt-1 pb-2 ps-14 in-data-list:col-1 in-data-list:ps-0">
                <ParamForm
                  inLine
                  format={row.format}
                  params={chosen.params}
                  shape={summary}
                  onChange={(name, value) => {
                    previewedFormat.setState(null, true);
                    if (side === 'a') session.setParam(row.format.id, name, value);
                    else session.setAgainst({ ...chosen, params: { ...chosen.params, [name]: value } });
                  }}
                />
                <FormatAbout
                  format={row.format}
                  onExample={(id, stored) => {
                    const current = document.getState();
                    const next = side === 'a' ? withChoiceA(current, stored) : withFormatB(current, stored);
                    void session.restore(withSource(next, { kind: 'example', id }));
                    onClose();
                  }}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <p className="text-muted not-empty:px-6 not-empty:pb-4" role="status">
        {matchingRows.length === 0 ? `No format: “${query}”.` : ''}
      </p>
      {provider && (
        <Boundary name="Formats of your own" waiting={null}>
          <provider.CustomFormatList {...{ side, query, onClose }} />
        </Boundary>
      )}
      <Foot isNarrow={isNarrow} isAlone={doc.formatB === null} onClose={onClose} />
    </div>
  );
}

interface FootProps extends Pick<PopoverProps, 'isNarrow' | 'onClose'> {
  /** there is no B */
  readonly isAlone: boolean;
}

/** At the foot of the list: buttons that swap A and B, and that remove B. */
function Foot({ isNarrow, isAlone, onClose }: FootProps) {
  const { session } = useApp();
  const andClose = (act: () => void) => () => {
    act();
    onClose();
  };
  return (
    <div className="underlined flex items-center gap-5 sticky bg-sunken border-t border-hairline bottom-0 py-2 px-6 in-data-list:static in-data-list:bg-transparent in-data-list:px-4">
      <TextButton className="text-13" disabled={isAlone} onClick={andClose(session.swap)}>
        swap A and B
      </TextButton>
      {!isNarrow && <kbd className="-ms-3 text-muted">X</kbd>}
      <TextButton className="text-13" disabled={isAlone} onClick={andClose(() => session.setAgainst(null))}>
        A alone
      </TextButton>
    </div>
  );
}

/** The sides, A or B, whose format and parameters equal a row's. */
function sidesOf(
  { choice }: FormatRow,
  selected: { readonly a: FormatChoice; readonly b: FormatChoice | null },
): readonly Side[] {
  return (['a', 'b'] as const).filter(
    (side) => selected[side]?.format === choice.format && equalChoices(selected[side], choice),
  );
}

interface RowButtonProps {
  readonly row: FormatRow;
  /** most bytes of any row, drawn as the longest bar */
  readonly maxBytes: number;
  readonly sides: readonly Side[];
  readonly isChosen: boolean;
  /** `isOther`: with Shift, the format is for the other side */
  readonly onChoose: (isOther: boolean) => void;
  readonly onPreview: (isOn: boolean) => void;
}

/** A row as a button: its sides, its name, and its bytes as a bar and a number. */
function RowButton({ row, maxBytes, sides, isChosen, onChoose, onPreview }: RowButtonProps) {
  const { format, bytes, isExpected } = row;
  return (
    <button
      type="button"
      className="format-row hover:bg-sunken focus-visible:-outline-offset-2 grid items-center text-start cursor-pointer rounded-md px-2"
      data-choice={format.id}
      aria-pressed={isChosen}
      onClick={(event) => onChoose(event.shiftKey)}
      onPointerEnter={() => onPreview(true)}
      onPointerLeave={() => onPreview(false)}
      onFocus={() => onPreview(true)}
      onBlur={() => onPreview(false)}
    >
      <span className="format-row-sides flex justify-end gap-0.5">
        {sides.map((side) => (
          <span
            key={side}
            className={classes(
              'grid place-items-center size-4.5 text-12 leading-none font-semibold border-[1.5px] border-ink rounded-[4px]',
              side === 'a' && 'bg-ink text-ground',
            )}
          >
            {side.toUpperCase()}
          </span>
        ))}
      </span>
      <Swatch format={format.id} />
      <b className="format-row-title text-15 font-medium">{format.title}</b>
      <span className="format-row-gist truncate text-muted">{format.shortSummary}</span>
      {bytes === null ? (
        <span className="format-row-remedy text-muted">{remedyText(row) || '…'}</span>
      ) : (
        <>
          <span className="h-[9px]" aria-hidden="true">
            <span
              className="block h-full min-w-px bg-track"
              style={{
                width: `${(100 * bytes) / maxBytes}%`,
                ...(sides.length > 0 && { background: cssColorOf(format.id) }),
              }}
            />
          </span>
          <span className="number whitespace-nowrap text-end">{sizeText(bytes, isExpected)}</span>
        </>
      )}
    </button>
  );
}

interface FormatAboutProps {
  readonly format: AnyListedFormat;
  /** Opens a worked example; `stored`: the format with the example's parameters. */
  readonly onExample: (id: string, stored: FormatChoice) => void;
}

/** What a format is, who published it, and examples to follow by hand. */
function FormatAbout({ format, onExample }: FormatAboutProps) {
  const { catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const examples = (format.examples ?? []).filter((worked) => catalog.examples.some(({ id }) => id === worked.id));
  return (
    <div className="underlined grid gap-1 text-muted text-12 wrap-anywhere mt-3 max-w-[44rem]">
      <p>{format.summary}</p>
      {format.source && (
        <p>
          <a href={format.source.url} target="_blank" rel="noreferrer">
            {format.source.title}
          </a>
          , {format.source.authors}, {format.source.year}
        </p>
      )}
      {examples.length > 0 && (
        <ul aria-label="Worked examples">
          {examples.map((worked) => (
            <li key={worked.id}>
              <TextButton
                className="text-start"
                aria-pressed={source.kind === 'example' && source.id === worked.id}
                onClick={() => onExample(worked.id, choiceWith(catalog, format.id, worked.params))}
              >
                {worked.title}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
