import type { Environment } from '../core/report.ts';
import { quotedWords } from '../core/errors.ts';
import { type GpuContext, NoDeviceError, openDevice } from '../gpu/index.ts';

/** The GPU that is open, or why there is none. */
export type DeviceStatus =
  | { readonly kind: 'ready'; readonly environment: Environment }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The browser's access to a GPU. */
export interface GpuSource {
  /** `navigator.gpu`; undefined where the browser has none */
  readonly gpu: GPU | undefined;
  /** whether the page may use it: browsers keep WebGPU to https and localhost */
  readonly isSecure: boolean;
  /** browser or runtime with its version, for reports */
  readonly runtime: string;
}

/** The one device of the worker: opened when first needed, and again after it was lost. */
export class DeviceHolder {
  readonly #source: GpuSource;
  #opening: Promise<GpuContext> | null = null;

  constructor(source: GpuSource) {
    this.#source = source;
  }

  /** The device. Throws NoDeviceError with the reason when there is none. */
  async open(): Promise<GpuContext> {
    for (;;) {
      const opening = this.#opening;
      if (!opening) return this.#openAnew();
      const context = await opening;
      if (context.lostReason === null) return context;
      // The first caller to notice the loss opens the device again; the others wait.
      if (this.#opening === opening) this.#opening = null;
    }
  }

  async #openAnew(): Promise<GpuContext> {
    const { gpu, runtime } = this.#source;
    if (!gpu) throw new NoDeviceError(this.#missing());
    const opening = openDevice(gpu, runtime);
    this.#opening = opening;
    try {
      return await opening;
    } catch (error) {
      // The next call tries again: the driver may work then.
      if (this.#opening === opening) this.#opening = null;
      throw error;
    }
  }

  /** The device that is open, or why there is none, in one sentence. */
  async status(): Promise<DeviceStatus> {
    try {
      return { kind: 'ready', environment: (await this.open()).environment };
    } catch (error) {
      if (error instanceof NoDeviceError) return { kind: 'unavailable', reason: error.message };
      return {
        kind: 'unavailable',
        reason: `WebGPU failed to start (${quotedWords(error)}); try again, and restart the browser if that fails too`,
      };
    }
  }

  #missing(): string {
    return this.#source.isSecure
      ? 'this browser has no WebGPU, or it is disabled: expected a recent Chrome, Edge, Safari or Firefox'
      : 'browsers allow WebGPU only on https and localhost';
  }
}
