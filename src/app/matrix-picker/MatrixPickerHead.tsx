import type { RefObject } from 'react';
import { counted } from '../../core/text/words.ts';
import { useApp, useSession } from '../../kit/app-context.ts';
import { Segmented } from '../../kit/controls/Segmented.tsx';
import { type PanelName, useShell } from '../../kit/frame/shell-context.ts';
import { isApple } from '../../kit/shortcuts.ts';
import { type Level, levelName, LEVELS } from './choice.ts';
import type { useSearch } from './use-search.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';

interface MatrixPickerHeadProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly search: ReturnType<typeof useSearch>;
  /** what is chosen: a model, a layer, a matrix, or a window of it (the cells that the animation shows) */
  readonly level: Level;
  /** whether the head is in the dialog that narrow pages open from the selection bar */
  readonly isNarrow: boolean;
  readonly onLevel: (level: Level) => void;
  readonly onPanel: (panel: PanelName) => void;
  readonly onClose: () => void;
}

/** The head of the matrix picker: search field, level, and buttons for files, Hugging Face and generated matrices. */
export function MatrixPickerHead({ field, search, level, isNarrow, onLevel, onPanel, onClose }: MatrixPickerHeadProps) {
  const { openFile } = useShell();
  const { query, results, active } = search;
  return (
    <div className="fields-line flex flex-wrap items-center gap-y-3 gap-x-4 px-6 pt-4 pb-3 in-data-list:order-1 in-data-list:px-4 in-data-list:pt-0">
      <input
        ref={field}
        className="input text-13 font-sans min-w-48 flex-[0_1_18.75rem] max-[76rem]:basis-56 in-data-list:grow"
        type="search"
        aria-label="Search"
        placeholder="a model, a matrix, a file, a link"
        autoComplete="off"
        spellCheck={false}
        value={query}
        {...(search.isOn && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': 'picker-found',
          'aria-activedescendant': results.length === 0 ? undefined : `picker-found-${active}`,
        })}
        onChange={(event) => search.onQuery(event.currentTarget.value)}
      />
      {!isNarrow && (
        <Segmented<Level>
          label="level"
          value={level}
          options={LEVELS.map((value) => ({ value, label: levelName(value) }))}
          onChange={onLevel}
        />
      )}
      <div className="flex flex-wrap gap-2 ms-auto in-data-list:basis-full in-data-list:ms-0 in-data-list:*:flex-auto">
        {isNarrow && <Button onClick={() => onPanel('examples')}>Examples</Button>}
        <Button
          kind="solid"
          onClick={() => {
            onClose();
            openFile();
          }}
        >
          {isNarrow ? 'File…' : 'Open file…'}
          {!isNarrow && <kbd className="max-[76rem]:hidden">{isApple() ? '⌘O' : 'Ctrl O'}</kbd>}
        </Button>
        <Button onClick={() => onPanel('type')}>Type a matrix…</Button>
        <Button onClick={() => onPanel('web')}>Hugging Face…</Button>
        <Button onClick={() => onPanel('generate')}>Generate…</Button>
      </div>
      <p className="text-muted text-12 text-start basis-full underlined">
        Files stay on this computer. Hugging Face sees what you open. <SavedFiles />
      </p>
    </div>
  );
}

/** Names the files that this tab keeps for a reload, with a button that forgets them. */
function SavedFiles() {
  const { session } = useApp();
  const names = useSession((s) => s.savedFiles);
  if (names.length === 0) return null;
  return (
    <>
      Until this tab is closed, a reload finds {names.length === 1 ? names[0] : counted(names.length, 'file')} again.{' '}
      <TextButton onClick={() => void session.forgetFiles()}>forget</TextButton>
    </>
  );
}
