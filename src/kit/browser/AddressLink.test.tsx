// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApp, renderInApp } from '../../../test/page.ts';
import { decodeHash, withView } from '../../state/index.ts';
import { AddressLink, PageLink } from './AddressLink.tsx';

afterEach(cleanup);

const link = (): HTMLElement => screen.getByRole('link');

it('a link has the address of its view, and a click shows the view without a page load', () => {
  const app = fakeApp();
  renderInApp(<AddressLink to={(doc) => withView(doc, 'learn')}>Learn</AddressLink>, app);
  const { document: found, problems } = decodeHash(link().getAttribute('href') ?? '', app.catalog);
  expect([found.view, problems]).toEqual(['learn', []]);
  const click = createEvent.click(link());
  fireEvent(link(), click);
  expect([click.defaultPrevented, app.document.getState().view]).toEqual([true, 'learn']);
});

it('Space follows a link, as it presses a button', () => {
  const app = fakeApp();
  renderInApp(<AddressLink to={(doc) => withView(doc, 'learn')}>Learn</AddressLink>, app);
  expect([fireEvent.keyDown(link(), { key: ' ' }), app.document.getState().view]).toEqual([false, 'learn']);
});

it.each(['ctrlKey', 'metaKey', 'shiftKey'])('a link leaves a click with %s to the browser', (key) => {
  const app = fakeApp();
  renderInApp(<AddressLink to={(doc) => withView(doc, 'learn')}>Learn</AddressLink>, app);
  // happy-dom would load the address of the link.
  link().setAttribute('href', '#');
  const click = createEvent.click(link(), { [key]: true });
  fireEvent(link(), click);
  expect([click.defaultPrevented, app.document.getState().view]).toEqual([false, 'watch']);
});

it('a page link leads to the page that offers the target, and is absent if no page does', () => {
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
