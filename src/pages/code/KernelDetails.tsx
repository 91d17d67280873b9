import { useState } from 'react';
import { countText } from '../../core/text/words.ts';
import { Details } from '../../kit/frame/Details.tsx';
import { bytes, shape } from '../../kit/words/quantity.ts';
import { asMessage } from '../../state/index.ts';
import { type CodeFields, WHOLE_TEXT } from './address.ts';
import type { ListedKernel } from './kernel-list.ts';
import type { KernelReading, VisibleBinding, VisiblePass } from '../../engine/kernel-reading/kernel-reading-types.ts';
import type { ReadingState } from './use-reading.ts';
import { Button } from '../../kit/controls/Button.tsx';

interface KernelDetailsProps {
  readonly listed: ListedKernel | null;
  readonly reading: ReadingState;
  /** Requests another kernel or file. */
  readonly onRead: (requested: Partial<CodeFields>) => void;
}

/** Details sections below a kernel's source: its buffers, its constants, and its whole text as compiled. */
export function KernelDetails({ listed, reading, onRead }: KernelDetailsProps) {
  const [open, setOpen] = useState<readonly string[]>([]);
  if (listed === null || reading.kind !== 'ready' || reading.isEarly) return null;
  const { pass, result } = reading;
  return (
    <div className="max-h-1/2 px-6 max-lg:max-h-none max-lg:px-0 flex-none overflow-auto">
      <Details
        sections={[
          { id: 'buffers', title: 'buffers', content: <Buffers pass={pass} /> },
          { id: 'constants', title: 'constants', content: <Constants pass={pass} reading={result} /> },
          {
            id: 'text',
            title: 'as the GPU gets it',
            content: (
              <Button onClick={() => onRead({ kernel: result.kernel, file: WHOLE_TEXT })}>Show the whole text</Button>
            ),
          },
        ]}
        open={open}
        onOpen={setOpen}
        resetKey={result.kernel}
      />
    </div>
  );
}

function Buffers({ pass }: { readonly pass: VisiblePass }) {
  return (
    <ul>
      {pass.bindings.map((binding) => (
        <li
          className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-2 text-12 border-t border-hairline py-2"
          key={binding.binding}
        >
          <span className="number">{binding.binding}</span>
          <code className={binding.byteClass ? `bytes-text--${binding.byteClass}` : undefined}>{binding.name}</code>
          <span className="number">{binding.bytes === null ? '' : bytes(binding.bytes)}</span>
          <p className="col-[2/-1] text-muted">{bindingText(binding)}</p>
        </li>
      ))}
    </ul>
  );
}

/** The values of a kernel's constants, with a note if they are not for the open matrix. */
function Constants({ pass, reading }: { readonly pass: VisiblePass; readonly reading: KernelReading }) {
  const { rows, cols, whySubstitute } = reading;
  return (
    <>
      {whySubstitute !== null && (
        <p className="text-muted">
          For {shape(rows, cols)} with a 1 in each row: {asMessage(whySubstitute)}
        </p>
      )}
      <dl>
        {pass.overrides.map(({ name, type, value, meaning }) => (
          <div className="py-1 text-12" key={name}>
            <dt>
              <code>{name}</code>: {type} <span className="number">= {value}</span>
            </dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** A description of a binding's contents. */
export function bindingText({ role, buffer, byteClass, type, access, meaning, numbers }: VisibleBinding): string {
  const what = {
    params: 'the sizes',
    // Only an array that the format stores has a byte class.
    sparse: byteClass === null ? `${buffer}, made for this kernel` : `array ${buffer} of the format`,
    input: `input ${buffer}`,
    output: `output ${buffer}`,
    scratch: `${buffer}, passed on to the next pass`,
  }[role];
  const numbersText = numbers.length === 0 ? '' : ` (${numbers.map(countText).join(', ')})`;
  const accessText = access === 'storage' ? 'read and written' : 'read only';
  return `${type}, ${accessText}: ${what}${numbersText}.${meaning === '' ? '' : ` ${meaning}`}`;
}
