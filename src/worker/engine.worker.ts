import { name, version } from '../../package.json';
import { formats } from '../formats/registry.ts';
import { Engine } from './engine.ts';
import { exposeEngine } from './expose.ts';
import { messagePause } from './jobs.ts';
import { runtimeName } from './runtime.ts';

const engine = new Engine({
  app: `${name} ${version}`,
  runtime: runtimeName(navigator.userAgent),
  gpu: navigator.gpu,
  isSecure: isSecureContext,
  formats,
  fetch: (url, init) => fetch(url, init),
  now: () => performance.now(),
  pause: messagePause(),
});
exposeEngine(engine);
