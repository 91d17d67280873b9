import { createStore } from 'zustand/vanilla';
import type { Scene } from '../../core/story/scene.ts';
import type { App } from '../../kit/app-context.ts';
import type { LoadedStory, SessionState, TraceState } from '../../state/index.ts';

/** A scene without its memory strips, which repeat its arrays byte by byte: too small for the last row. */
export function withoutMemory(scene: Scene): Scene {
  const panels = scene.panels.filter(({ unit }) => unit !== 'byte');
  return panels.length === 0 || panels.length === scene.panels.length ? scene : { ...scene, panels };
}

/** The application with a stage that is legible from afar. Call `end` when it is no longer shown. */
export function withoutMemoryStrips(app: App): { readonly app: App; readonly end: () => void } {
  const { store: own } = app.session;
  const known = new WeakMap<object, LoadedStory>();
  const plain = ({ story, trace, whole }: LoadedStory): LoadedStory => {
    let loaded = known.get(whole ?? trace);
    if (!loaded) {
      // A new trace and matrix, since scenes are cached by them.
      loaded = {
        story: { ...story, scene: (t, step, of) => withoutMemory(story.scene(t, step, of)) },
        trace: { ...trace },
        ...(whole && { whole: { ...whole } }),
      };
      known.set(whole ?? trace, loaded);
    }
    return loaded;
  };
  const shown = (trace: TraceState): TraceState => {
    if (trace.kind === 'ready') return { kind: 'ready', ...plain(trace) };
    if (trace.kind === 'loading') return { kind: 'loading', before: trace.before && plain(trace.before) };
    return trace;
  };
  const presented = (state: SessionState): SessionState => ({
    ...state,
    trace: shown(state.trace),
    against: shown(state.against),
  });
  const store = createStore<SessionState>(() => presented(own.getState()));
  const end = own.subscribe((state, before) => {
    const { trace, against } = store.getState();
    store.setState({
      ...state,
      trace: state.trace === before.trace ? trace : shown(state.trace),
      against: state.against === before.against ? against : shown(state.against),
    });
  });
  return { app: { ...app, session: { ...app.session, store } }, end };
}
