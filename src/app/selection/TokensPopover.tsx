import { useRef } from 'react';
import { MAX_TOKENS } from '../../state/index.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';
import { onChoiceKey } from './choice-keys.ts';
import { useFocusOnChosen } from './FindHead.tsx';
import type { PopoverProps } from './selection-item.ts';
import { Button } from '../../kit/controls/Button.tsx';

const TOKEN_COUNTS = [1, 2, 4, 8, 16, 32, 64, MAX_TOKENS];

/** The popover of the item 'tokens' in the selection bar: how many tokens are multiplied at once. */
export function TokensPopover({ isNarrow, onClose }: PopoverProps) {
  const { session } = useApp();
  const tokens = useDocument((doc) => doc.tokens);
  const element = useRef<HTMLDivElement>(null);
  useFocusOnChosen(element, isNarrow);
  return (
    // The keys belong to the buttons and the field inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={element}
      className="w-[min(36rem,calc(100vw-2rem))] px-5 py-4 in-data-list:w-full"
      onKeyDown={(event) => {
        const isField = event.target instanceof HTMLInputElement;
        if (isField && event.key === 'Enter') return onClose();
        if (isField) return;
        onChoiceKey(event, { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' }[event.key] ?? event.key);
      }}
    >
      <p className="text-muted mb-3">One to write, many to read a prompt.</p>
      <div
        className="flex flex-wrap items-center gap-2 [&_.field]:flex-row [&_.field]:items-center [&_.field]:gap-2 [&_.input]:w-16"
        role="group"
        aria-label="Tokens at once"
      >
        {TOKEN_COUNTS.map((count) => (
          <Button
            key={count}
            className="min-w-11 p-0"
            data-choice={count}
            aria-pressed={count === tokens}
            onClick={() => {
              session.setTokens(count);
              onClose();
            }}
          >
            {count}
          </Button>
        ))}
        <NumberInput
          label="another number"
          value={tokens}
          min={1}
          max={MAX_TOKENS}
          isInteger
          onChange={(count) => session.setTokens(count)}
        />
      </div>
    </div>
  );
}
