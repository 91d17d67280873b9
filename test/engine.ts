import { formats } from '../src/formats/registry.ts';
import { Engine, type EngineEnvironment } from '../src/engine/engine.ts';

/** An engine without a GPU that runs in Node. */
export function testEngine(change: Partial<EngineEnvironment> = {}): Engine {
  return new Engine({
    app: 'test 0',
    runtime: 'Node',
    gpu: undefined,
    isSecure: true,
    formats,
    fetch: () => Promise.reject(new TypeError('no network in tests')),
    now: () => performance.now(),
    pause: () => new Promise((resolve) => void setTimeout(resolve, 0)),
    ...change,
  });
}

export const ignore: (value: unknown) => void = () => {};
