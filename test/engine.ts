// The engine in Node without a GPU, for tests.

import { services } from '../src/app/services.ts';
import type { bench } from '../src/engine/bench-service.ts';
import type { device } from '../src/engine/device-service.ts';
import { createHost, type EngineEnvironment, type EngineHost } from '../src/engine/host.ts';
import type { matrix } from '../src/engine/matrix-service.ts';
import { formats } from '../src/formats/registry.ts';
import type { compareFormats } from '../src/pages/compare/service/service.ts';
import type { kernels } from '../src/pages/code/service/service.ts';
import { localEngine } from './local-engine.ts';

/** The shared state of an engine's services, without a GPU, in Node. */
export function testHost(change: Partial<EngineEnvironment> = {}): EngineHost {
  return createHost({
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

/** An engine without a GPU that runs in Node, and its services. */
export function testEngine(change: Partial<EngineEnvironment> = {}) {
  const { service, calls } = localEngine(services, testHost(change));
  return {
    service,
    /** the names of the called methods, such as 'matrix.open', in order */
    calls,
    onDeath() {},
    onGpuSilence() {},
    matrix: service<typeof matrix>('matrix'),
    device: service<typeof device>('device'),
    bench: service<typeof bench>('bench'),
    kernels: service<typeof kernels>('kernels'),
    compare: service<typeof compareFormats>('compare'),
  };
}

export const ignore: (value: unknown) => void = () => {};
