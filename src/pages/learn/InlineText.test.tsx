// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { parseInline } from '../../lessons/parse.ts';
import { InlineText } from './InlineText.tsx';

afterEach(cleanup);

it('without a figure, computed numbers and numbers to drag are …, so that no sentence loses a number', () => {
  const inline = parseInline('Of {nnz} weights, {density from 0.1 to 0.6 by 0.05}, are left.');
  const { container } = renderInApp(<InlineText inline={inline} />, fakeApp());
  expect(container.textContent).toBe('Of … weights, …, are left.');
});
