// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApp, renderInApp } from '../../../test/page.ts';
import { decodeHash, withView } from '../../state/index.ts';
import { AddressLink, PageLink } from './AddressLink.tsx';

afterEach(cleanup);

const link = (): HTMLElement => screen.getByRole('link');

it('has the address of where it leads, and leads there without a load', () => {
  const app = fakeApp();
  renderInApp(<AddressLink to={(doc) => withView(doc, 'learn')}>Learn</AddressLink>, app);
  const { document: found, problems } = decodeHash(link().getAttribute('href') ?? '', app.catalog);
  expect([found.view, problems]).toEqual(['learn', []]);
  const click = createEvent.click(link());
  fireEvent(link(), click);
  expect([click.defaultPrevented, app.document.getState().view]).toEqual([true, 'learn']);
});

it('is pressed by Space like a button', () => {
  const app = fakeApp();
  renderInApp(<AddressLink to={(doc) => withView(doc, 'learn')}>Learn</AddressLink>, app);
  expect([fireEvent.keyDown(link(), { key: ' ' }), app.document.getState().view]).toEqual([false, 'learn']);
});

it.each(['ctrlKey', 'metaKey', 'shiftKey'])('leaves a click with %s to the browser', (key) => {
  const app = fakeApp();
  renderInApp(<AddressLink to={(doc) => withView(doc, 'learn')}>Learn</AddressLink>, app);
  // happy-dom would follow it.
  link().setAttribute('href', '#');
  const click = createEvent.click(link(), { [key]: true });
  fireEvent(link(), click);
  expect([click.defaultPrevented, app.document.getState().view]).toEqual([false, 'watch']);
});

it('links to the page that offers the target, and is absent if no page does', () => {
  const app = fakeApp();
  renderInApp(
    <PageLink link="lessons" target={[]}>
      Learn
    </PageLink>,
    app,
  );
  fireEvent.click(link());
  expect(app.document.getState().view).toBe('learn');
  cleanup();
  renderInApp(
    <PageLink link="lessons" target={[]}>
      Learn
    </PageLink>,
    { ...app, catalog: { ...app.catalog, pages: [] } },
  );
  expect(screen.queryByRole('link')).toBeNull();
});
