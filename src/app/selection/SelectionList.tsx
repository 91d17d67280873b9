import { sizeOf } from '../../core/encoded/ledger.ts';
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { useModal } from '../../kit/browser/use-modal.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { visibleAnswer, writingModel } from '../../kit/frame/shell-context.ts';
import { previewedFormat } from './FormatLabel.tsx';
import { namesMatrix, type SelectionItem, type ItemId, type ItemPart } from './selection-item.ts';
import { currentParams, encodingOf } from '../../state/index.ts';
import { bytes } from '../../kit/words/quantity.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { StyledWords } from '../../kit/primitives/Text.tsx';

interface SelectionListProps {
  readonly items: readonly SelectionItem[];
  /** the item whose row is open at first, and which button of that item was pressed */
  readonly first: { readonly item: ItemId | null; readonly part: ItemPart | null };
  readonly onClose: () => void;
}

/**
 * The selection bar (matrix, pruning, formats, device) as a dialog for narrow pages: a row for each
 * item, at most one of them open, and below the rows the result of the page in one line.
 */
export function SelectionList({ items, first, onClose }: SelectionListProps) {
  const [open, setOpen] = useState(first.item);
  const modal = useModal(onClose);
  const answer = useStore(visibleAnswer);
  // The list covers the error bar, so it closes when an error is shown.
  const error = useSession((s) => s.error);
  const seenError = useRef(error);
  useEffect(() => {
    if (error !== null && error !== seenError.current) onClose();
    seenError.current = error;
  }, [error, onClose]);
  useLayoutEffect(() => () => previewedFormat.setState(null, true), []);
  return (
    <dialog
      className="inset-x-0 top-(--header-height) bottom-0 w-full h-[calc(100dvh-var(--header-height))] max-w-none max-h-none bg-ground backdrop:bg-transparent open:grid open:grid-rows-[minmax(0,1fr)_auto]"
      aria-label="Selection"
      {...modal}
    >
      <div className="overscroll-contain overflow-x-hidden overflow-y-auto">
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            isOpen={open === item.id}
            onToggle={() => setOpen(open === item.id ? null : item.id)}
          >
            <item.Popover part={item.id === first.item ? first.part : null} isNarrow onClose={() => setOpen(null)} />
          </Row>
        ))}
      </div>
      <div className="grid gap-2 border-t border-hairline px-4 pt-3 pb-[calc(1rem+env(safe-area-inset-bottom))]">
        <p className="text-muted" role="status">
          {answer === null ? <BytesAnswer /> : <StyledWords words={answer} isStrongDarker />}
        </p>
        <Button kind="solid" className="text-15 w-full min-h-9" onClick={onClose}>
          Done
        </Button>
      </div>
    </dialog>
  );
}

interface RowProps {
  readonly item: SelectionItem;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** An item as a button, and below it the alternatives, if the row is open. */
function Row({ item: { id, before, name, Label }, isOpen, onToggle, children }: RowProps) {
  const { session } = useApp();
  // While a page shows text that a model writes, the items for the matrix name this model and cannot be changed.
  const isFixed = useStore(writingModel, (writing) => writing !== null && namesMatrix(id));
  const canSwap = useDocument((doc) => id === 'b' && doc.formatB !== null);
  const rowContent = (
    <>
      <span className="text-muted">{before}</span>
      <span className="selection-row-label">
        <span className="unseen">{name}: </span>
        <Label />
      </span>
    </>
  );
  return (
    <div>
      <div className="relative border-b border-hairline mx-4">
        {isFixed ? (
          <p className="grid grid-cols-[5.25rem_minmax(0,1fr)_1rem] items-center text-15 text-start w-full min-h-12">
            {rowContent}
          </p>
        ) : (
          <button
            type="button"
            className="group focus-visible:-outline-offset-2 grid grid-cols-[5.25rem_minmax(0,1fr)_1rem] items-center text-15 text-start w-full cursor-pointer min-h-12"
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {rowContent}
            <Icon name="right" className="text-muted rotate-90 group-aria-expanded:-rotate-90" />
          </button>
        )}
        {canSwap && (
          <TextButton
            className="absolute inset-y-0 right-7 my-auto h-10 px-2 text-13 decoration-control-border"
            onClick={session.swap}
          >
            swap
          </TextButton>
        )}
      </div>
      {isOpen && !isFixed && (
        <div className="bg-sunken border-b border-hairline" data-list="">
          <Suspense fallback={<p className="py-3 px-4 text-muted">Loading</p>}>{children}</Suspense>
        </div>
      )}
    </div>
  );
}

/** The bytes of both formats, for a page that reports no result: '199 352 bytes instead of 524 288'. */
function BytesAnswer() {
  const format = useDocument((doc) => doc.format);
  const params = useDocument(currentParams);
  const against = useDocument((doc) => doc.formatB);
  const encodings = useSession((s) => s.encodings);
  const bytesOf = (stored: { format: string; params: typeof params }): number | null => {
    const encoding = encodingOf(encodings, stored);
    return encoding?.kind === 'ready' ? encoding.summary.ledger && sizeOf(encoding.summary.ledger) : null;
  };
  const a = bytesOf({ format, params });
  const b = against && bytesOf(against);
  if (a === null) return 'Bytes not known yet.';
  return (
    <>
      <b className="text-ink">{bytes(a)}</b>
      {b !== null && ` instead of ${bytes(b)}`}
    </>
  );
}
