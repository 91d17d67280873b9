import type { App } from './app-context.ts';

/** The object that `create` returns, created at the first call and shared by the whole page until it is closed. */
export function oncePerPage<T>(app: App, create: (app: App) => T): T {
  const { singletons } = app;
  if (!singletons.has(create)) singletons.set(create, create(app));
  return singletons.get(create) as T;
}
