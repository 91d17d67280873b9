import { SparseScopeError } from '../../core/errors.ts';
import { messageOf } from '../../core/error-messages.ts';
import type { ReportProgress, ServiceJob } from './service-job.ts';

/** The methods of a service: each gets its job first, then the arguments of the call. */
type Methods = Readonly<Record<string, (job: ServiceJob, ...args: never[]) => unknown>>;

/** Methods that run in the engine's thread; `Host` is the state that all services of the engine share. */
interface Service<Name extends string, Host, M> {
  readonly name: Name;
  /** made at the first call of the service */
  readonly methods: (host: Host) => M | Promise<M>;
}

/** Any service that runs on a host of this type. */
export type ServiceOn<Host> = Service<string, Host, Methods>;

/**
 * Defines a service, which the page calls as `ServiceOf<typeof service>`. Arguments and results are cloned between
 * threads, except what `transferred` marks. Functions among the arguments are called across threads.
 */
export function defineService<const Name extends string, Host, M extends Methods>(
  name: Name,
  methods: (host: Host) => M,
): Service<Name, Host, M> {
  return { name, methods };
}

/** A service whose code is loaded at its first call. If that fails, the next call tries again. */
export function loadedService<const Name extends string, Host, M extends Methods>(
  name: Name,
  load: () => Promise<Service<Name, Host, M>>,
): Service<Name, Host, M> {
  return {
    name,
    async methods(host) {
      const service = await load().catch((error: unknown) => {
        throw new SparseScopeError(`the code of ‘${name}’ could not be loaded: ${messageOf(error)}`);
      });
      return service.methods(host);
    },
  };
}

/** How a caller follows and cancels a call. A cancelled call rejects with CancelledError and changes nothing. */
export interface Watch {
  readonly onProgress?: ReportProgress;
  readonly signal?: AbortSignal;
}

type CallerMethod<Method> = Method extends (job: never, ...args: infer Args) => infer Answer
  ? (watch: Watch, ...args: Args) => Promise<Awaited<Answer>>
  : never;

/** A service as its callers see it: instead of the job, they pass a Watch. */
export type ServiceOf<S> =
  S extends Service<string, never, infer M> ? { readonly [Method in keyof M]: CallerMethod<M[Method]> } : never;

/** An engine that offers services. */
export interface Services {
  /** `engine.service<typeof kernels>('kernels')`, where only the type of `kernels` is imported. */
  service<S extends ServiceOn<never>>(name: S['name']): ServiceOf<S>;
}

/** One call, with all of its arguments. */
export interface Call {
  readonly service: string;
  readonly method: string;
  readonly watch: Watch;
  readonly args: readonly unknown[];
}

/** The services of an engine; `send` delivers a call to it. */
export function servicesOver(send: (call: Call) => Promise<unknown>): Services {
  return {
    service: <S extends ServiceOn<never>>(service: S['name']) =>
      new Proxy(
        {},
        {
          get:
            (_, method: string) =>
            (watch: Watch, ...args: readonly unknown[]) =>
              send({ service, method, watch, args }),
        },
      ) as ServiceOf<S>,
  };
}
