// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { formatById, formats } from '../../formats/registry.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import { PATTERN_MEANINGS } from '../../generate/pattern-meanings.ts';
import { patterns } from '../../generate/patterns.ts';
import { type ParamValue, paramFields } from '../../state/index.ts';
import { GeneratorForm } from './GeneratorForm.tsx';
import { ParamForm } from './ParamForm.tsx';
import { SelectField } from '../controls/Select.tsx';

afterEach(cleanup);

const type = (name: string, value: string): void =>
  void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });

describe('GeneratorForm', () => {
  const initial: GenerateSpec = { pattern: 'uniform', rows: 64, cols: 32, density: 0.25, seed: 7 };
  const renderForm = (): GenerateSpec[] => {
    const generated: GenerateSpec[] = [];
    render(<GeneratorForm initial={initial} onGenerate={(spec) => generated.push(spec)} />);
    return generated;
  };
  const generate = (): HTMLButtonElement => screen.getByRole('button', { name: 'Generate' });

  it('passes on the spec that was typed', () => {
    const generated = renderForm();
    type('rows', '128');
    type('% left', '50');
    type('seed', '42');
    fireEvent.click(generate());
    expect(generated).toEqual([{ pattern: 'uniform', rows: 128, cols: 32, density: 0.5, seed: 42 }]);
  });
  it('shows the error next to the field, keeps the typed text, and generates nothing', () => {
    const generated = renderForm();
    type('% left', '150');
    expect(screen.getByRole('alert').textContent).toBe('Found 150, expected a number from 0 to 100.');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '% left' }).value).toBe('150');
    expect(generate().disabled).toBe(true);
    fireEvent.submit(generate());
    expect(generated).toEqual([]);
    type('% left', '75');
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.click(generate());
    expect(generated).toHaveLength(1);
  });
  it('passes every valid spec to the form around it, null while a number is invalid, and never mixes options', () => {
    const specs: (GenerateSpec | null)[] = [];
    render(<GeneratorForm initial={initial} embedded onGenerate={() => {}} onSpec={(spec) => specs.push(spec)} />);
    expect(specs.at(-1)).toEqual(initial);
    type('rows', 'x');
    expect(specs.at(-1)).toBeNull();
    type('rows', '8');
    expect(specs.at(-1)).toEqual({ ...initial, rows: 8 });
    for (const p of patterns) {
      fireEvent.change(screen.getByRole('combobox', { name: 'pattern' }), { target: { value: p.id } });
      expect(Object.keys(specs.at(-1)?.options ?? {})).toEqual(p.options.map((o) => o.id));
    }
  });
  it('drops an invalid number if the new pattern lacks its field, else keeps it and generates nothing', () => {
    const generated = renderForm();
    const choose = (value: string): void =>
      void fireEvent.change(screen.getByRole('combobox', { name: 'pattern' }), { target: { value } });
    type('% left', '150');
    choose('planted-blocks');
    expect(screen.queryByRole('alert')).toBeNull();
    type('rows', 'abc');
    choose('uniform');
    expect([screen.getByRole('alert').textContent, generate().disabled]).toEqual([expect.stringMatching(/abc/), true]);
    type('rows', '8');
    fireEvent.click(generate());
    expect(generated).toMatchObject([{ pattern: 'uniform', rows: 8, density: 0.25 }]);
  });
  it.each([
    ['rows', '2.5', /whole number/],
    ['cols', '-1', /from 0/],
    ['seed', 'abc', /Found abc/],
    ['rows', '', /Found nothing/],
  ])('rejects %s of %j', (name, text, message) => {
    renderForm();
    type(name, text);
    expect(screen.getByRole('alert').textContent).toMatch(message);
  });
  it.each(patterns.map((p) => [p.id, p] as const))('%s: shows its meaning and its options, and generates', (id, p) => {
    const generated = renderForm();
    fireEvent.change(screen.getByRole('combobox', { name: 'pattern' }), { target: { value: id } });
    const meanings = PATTERN_MEANINGS[id];
    expect(screen.getByText(meanings.pattern)).toBeTruthy();
    expect(Object.keys(meanings.options)).toEqual(p.options.map((option) => option.id));
    fireEvent.click(generate());
    const [spec] = generated;
    expect(spec?.pattern).toBe(id);
    expect(Object.keys(spec?.options ?? {})).toEqual(p.options.map((o) => o.id));
    const allowed = p.densities?.(spec?.options ?? {});
    if (allowed) expect(allowed).toContain(spec?.density);
  });
});

describe('ParamForm', () => {
  it.each(formats.map((f) => [f.id, f] as const))('%s: every parameter can be set to every option', (_id, format) => {
    const changes: [string, ParamValue][] = [];
    const fields = paramFields(format.params);
    const params = Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
    render(<ParamForm format={format} params={params} onChange={(name, value) => changes.push([name, value])} />);
    for (const [name, field] of fields) {
      if (field.kind !== 'choice') continue;
      const select = screen.getByRole('combobox', { name: field.label });
      field.options.forEach((option, i) => {
        if (option.value === field.default) return;
        fireEvent.change(select, { target: { value: String(i) } });
        expect(changes.at(-1)).toEqual([name, option.value]);
      });
    }
  });

  it('disables an option with which no matrix can be stored', () => {
    const twell = formatById('twell');
    const disabled = (params: Record<string, ParamValue>): (string | null)[] => {
      const { unmount } = render(<ParamForm format={twell} params={params} onChange={() => {}} />);
      const options = screen.getAllByRole<HTMLOptionElement>('option').filter((option) => option.disabled);
      const labels = options.map((option) => `${option.textContent}: ${option.title}`);
      unmount();
      return labels;
    };
    const why = 'the one word of a tile row of 8 columns with compression 8 is its count';
    expect(disabled({ layout: 'packed', tileWidth: 256, compression: 8 })).toEqual([`8: ${why}`]);
    expect(disabled({ layout: 'packed', tileWidth: 8, compression: 4 })).toEqual([`8 : 1: ${why}`]);
    expect(disabled({ layout: 'split', tileWidth: 8, compression: 8 })).toEqual([`packed: ${why}`]);
    expect(disabled({ layout: 'split', tileWidth: 8, compression: 4 })).toEqual([]);
  });
});

describe('SelectField', () => {
  it('lists options below the headings of their groups', () => {
    const options = [
      { value: 1, label: 'alone' },
      { value: 2, label: 'first', group: 'CSR' },
      { value: 3, label: 'other', group: 'ELL' },
      { value: 4, label: 'second', group: 'CSR' },
    ];
    let chosen = 1;
    render(<SelectField label="question" value={1} options={options} onChange={(value) => (chosen = value)} />);
    const below = (name: string) => [...screen.getByRole('group', { name }).children].map((one) => one.textContent);
    expect([below('CSR'), below('ELL')]).toEqual([['first', 'second'], ['other']]);
    expect(screen.getAllByRole('option').map((item) => item.textContent)).toEqual([
      'alone',
      'first',
      'second',
      'other',
    ]);
    fireEvent.change(screen.getByRole('combobox', { name: 'question' }), { target: { value: '4' } });
    expect(chosen).toBe(4);
  });
});
