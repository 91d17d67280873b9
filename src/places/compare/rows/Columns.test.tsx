// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { formats } from '../../../formats/catalog.ts';
import { SIMPLE_KERNEL } from '../../../kit/words/timed-name.ts';
import { matrixColumns } from './Columns.tsx';
import type { Compared, CompareRow } from './compare-row.ts';

afterEach(cleanup);

it('calls the time of a format with one simple kernel that, and no other', () => {
  const compared = { level: 'matrix', f16Bytes: 1, tokens: 1, shown: {} } as unknown as Compared;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  const textOf = (id: string): string | null => {
    const format = formats.find((known) => known.id === id);
    const row = {
      format,
      measuredNs: 933_000,
      wholeNs: null,
      atMostNs: 29_800,
      figures: null,
      detail: '',
      state: 'known',
    };
    const { container } = renderInApp(<>{cell?.(row as unknown as CompareRow)}</>);
    const text = container.textContent;
    cleanup();
    return text;
  };
  expect(formats.filter(({ hasSimpleKernel }) => hasSimpleKernel).map(({ id }) => id)).toEqual(['ell']);
  for (const { id, hasSimpleKernel } of formats) {
    const text = textOf(id);
    expect(text, id).toMatch(/^933/);
    if (hasSimpleKernel) expect(text).toContain(SIMPLE_KERNEL);
    else expect(text, id).not.toContain(SIMPLE_KERNEL);
  }
});
