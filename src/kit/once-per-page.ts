import type { App } from './app-context.ts';

/** The object that `create` makes, once per page: it outlives its place. Made when it is first needed. */
export function oncePerPage<T>(app: App, create: (app: App) => T): T {
  const { singletons } = app;
  if (!singletons.has(create)) singletons.set(create, create(app));
  return singletons.get(create) as T;
}
