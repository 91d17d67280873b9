import { type ComponentType, createContext, useContext } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { AnyListedFormat } from '../core/format.ts';
import type { Mark } from '../story/scene.ts';
import type { GalleryEntry } from '../io/gallery.ts';
import type {
  BenchFormStore,
  AppDocument,
  Catalog,
  CellHistory,
  DocumentStore,
  Player,
  Preferences,
  Session,
  SessionState,
} from '../state/index.ts';
import type { Engine } from '../engine/bridge/engine.ts';
import type { FormatProvider } from './format-provider.ts';
import type { PageFigures, PageShow } from './page-parts.ts';

/** The mark (an element of a format's animation) under the pointer or the keyboard's cursor, in any drawing. */
interface HoverState {
  readonly mark: Mark | null;
}

/** The stores, data and actions that components use: the page's or, inside a lesson's figure, the figure's. */
export interface App {
  readonly document: DocumentStore;
  readonly session: Session;
  /** the bridge to the worker, for requests of a page (such as Compare) to its service */
  readonly engine: Engine;
  readonly player: Player;
  readonly preferences: Preferences;
  /** formats, patterns, examples and pages of this build, and the defaults of an address */
  readonly catalog: Catalog;
  /** the matrices that are part of the application: name, size and origin of each of the catalog's examples */
  readonly gallery: readonly GalleryEntry[];
  readonly formats: readonly AnyListedFormat[];
  readonly hover: StoreApi<HoverState>;
  readonly benchForm: BenchFormStore;
  /** the figures that pages offer to lessons, by the id of the page */
  readonly pageFigures: ReadonlyMap<string, PageFigures>;
  /** what a page shows instead of a format's animation, by the id of the page */
  readonly pageShows: ReadonlyMap<string, PageShow>;
  /** the source of formats outside the catalog; absent: none */
  readonly provider?: FormatProvider | undefined;
  /** draws a lesson's link to the exercise with number `id`; absent: this build has no exercises */
  readonly Exercise?: ComponentType<{ readonly id: string }> | undefined;
  /** in a lesson: a caption for the matrix if the figure's address lists its cells; null: it does not */
  readonly typedMatrixCaption?: () => string | null;
  /** undo and redo of changes of cells; absent where the page has no history of its own: embedded, or in a lesson */
  readonly cellHistory?: CellHistory | undefined;
  /** objects created once per page, by the function that creates them: see `oncePerPage` */
  readonly singletons: Map<unknown, unknown>;
  /** Shows a short message that disappears by itself and is read aloud. */
  readonly announce: (message: string) => void;
}

const AppContext = createContext<App | null>(null);

export const AppProvider = AppContext.Provider;

/** The application's stores and actions. Throws Error outside of AppProvider. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('useApp: found no application, expected a component below AppProvider');
  return app;
}

/** A part of the document, which is what the page shows; the component renders again only when that part changes. */
export function useDocument<T>(select: (doc: AppDocument) => T): T {
  return useStore(useApp().document, select);
}

/** A part of the session, the results of the worker; the component renders again only when that part changes. */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(useApp().session.store, select);
}

/** The format that the page shows; of two that are compared, the first, A. */
export function useCurrentFormat(): AnyListedFormat {
  const { formats } = useApp();
  const id = useDocument((doc) => doc.format);
  return formats.find((format) => format.id === id) ?? formats[0];
}

/** The object that `create` returns, created at the first call and shared by the whole page until it is closed. */
export function oncePerPage<T>(app: App, create: (app: App) => T): T {
  const { singletons } = app;
  if (!singletons.has(create)) singletons.set(create, create(app));
  return singletons.get(create) as T;
}
