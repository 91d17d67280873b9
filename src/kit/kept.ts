import type { App } from './app-context.ts';

/** What `create` makes, once for the page: it stays when its place is left. Made when it is first needed. */
export function kept<T>(app: App, create: (app: App) => T): T {
  const { lasting } = app;
  if (!lasting.has(create)) lasting.set(create, create(app));
  return lasting.get(create) as T;
}
