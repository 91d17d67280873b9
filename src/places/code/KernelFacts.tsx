import { countText } from '../../core/story/words.ts';
import { useApp } from '../../kit/app-context.ts';
import { Section } from '../../kit/controls/Section.tsx';
import { bytes } from '../../kit/words/quantity.ts';
import type { Reading } from './address.ts';
import { type ListedKernel, mainFile } from './kernel-list.ts';
import type { KernelFile, ReadBinding } from './service/kernel-reading-types.ts';
import type { ReadingState } from './use-reading.ts';

interface KernelFactsProps {
  readonly listed: ListedKernel | null;
  readonly reading: ReadingState;
  readonly asked: Reading;
  readonly files: readonly KernelFile[];
  readonly onRead: (reading: Partial<Reading>) => void;
}

/** A kernel's bindings, the meaning of its constants, who else uses the file on show, and where to see it at work. */
export function KernelFacts({ listed, reading, asked, files, onRead }: KernelFactsProps) {
  const { session } = useApp();
  if (listed === null || reading.kind !== 'there') return null;
  const { kernel, passes } = reading.reading;
  const pass = passes.find((one) => one.files.some(({ path }) => path === asked.file)) ?? passes[0];
  const path = pass.files.some((file) => file.path === asked.file) ? asked.file : mainFile(pass).path;
  const sharing = (files.find((file) => file.path === path)?.kernels ?? []).filter((id) => id !== kernel);
  return (
    <>
      <Section title="Buffers">
        <ul className="kernel-bindings">
          {pass.bindings.map((binding) => (
            <li key={binding.binding}>
              <span className="number">{binding.binding}</span>
              <code className={binding.byteClass ? `byte-text byte-text--${binding.byteClass}` : undefined}>
                {binding.name}
              </code>
              <span className="number">{binding.bytes === null ? '' : bytes(binding.bytes)}</span>
              <p className="quiet">{bindingText(binding)}</p>
            </li>
          ))}
        </ul>
      </Section>
      {pass.overrides.length > 0 && (
        <Section title="Constants">
          <dl className="kernel-constants">
            {pass.overrides.map(({ name, type, value, meaning }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>: {type} <span className="number">= {value}</span>
                </dt>
                <dd className="quiet">{meaning}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      <Section title="This file">
        <p className="quiet">
          {sharing.length === 0
            ? 'No other kernel contains it.'
            : `${sharing.length === 1 ? 'One other kernel contains' : `${countText(sharing.length)} other kernels contain`} it:`}
        </p>
        <ul className="kernel-sharing">
          {sharing.map((id) => (
            <li key={id}>
              <button type="button" className="text-button" onClick={() => onRead({ kernel: id, file: path })}>
                {id}
              </button>
            </li>
          ))}
        </ul>
      </Section>
      <Section label="See it at work">
        <button
          type="button"
          className="button"
          onClick={() => {
            session.setFormat(listed.format.id);
            session.follow('stage');
          }}
        >
          Watch {listed.format.title} being built
        </button>
      </Section>
    </>
  );
}

/** What a binding holds, in a sentence or two. */
export function bindingText({ role, buffer, byteClass, type, access, meaning, numbers }: ReadBinding): string {
  const what = {
    params: 'the sizes',
    // The format's ledger has no class for an array made only for the kernel.
    sparse: byteClass === null ? `${buffer}, made for this kernel` : `array ${buffer} of the format`,
    input: `input ${buffer}`,
    output: `output ${buffer}`,
    scratch: `${buffer}, kept between passes`,
  }[role];
  const held = numbers.length === 0 ? '' : ` (${numbers.map(countText).join(', ')})`;
  const how = access === 'storage' ? 'read and written' : 'read only';
  return `${type}, ${how}: ${what}${held}.${meaning === '' ? '' : ` ${meaning}`}`;
}
