import type { Environment } from '../core/report.ts';
import { quotedWords } from '../core/error-messages.ts';
import { awaitGpu, type GpuContext, gpuSilenceMs, NoDeviceError, openDevice } from '../gpu/index.ts';

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

/** After this long without an answer a GPU is given up, if the user has cancelled the work that waits for it. */
const GIVE_UP_MS = 3000;

/** The one device of the worker: opened when first needed, and again after it was lost. */
export class DeviceHolder {
  readonly #source: GpuSource;
  #opening: Promise<GpuContext> | null = null;
  /** rejects `#opening`, or destroys the device that it has opened */
  #abandon: () => void = () => {};

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

  /** Opens a device, which `#abandon` can give up meanwhile. */
  async #openAnew(): Promise<GpuContext> {
    const { gpu, runtime } = this.#source;
    if (!gpu) throw new NoDeviceError(this.#missing());
    let isAbandoned = false;
    let rejectOpening: (error: Error) => void = () => {};
    const abandoned = new Promise<never>((_, reject) => (rejectOpening = reject));
    const opened = openDevice(gpu, runtime);
    const opening = awaitGpu(Promise.race([opened, abandoned]));
    this.#opening = opening;
    this.#abandon = () => {
      isAbandoned = true;
      if (this.#opening === opening) this.#opening = null;
      const seconds = Math.round(gpuSilenceMs() / 1000);
      rejectOpening(new NoDeviceError(`the GPU did not answer for ${seconds} s; close what else uses it, or reload`));
    };
    // A device that comes after it was given up is closed.
    opened.then(
      (context) => {
        if (isAbandoned) context.destroy();
        else this.#abandon = () => context.destroy();
      },
      () => {},
    );
    try {
      return await opening;
    } catch (error) {
      // The next call tries again: the driver may work then.
      if (this.#opening === opening) this.#opening = null;
      throw error;
    }
  }

  /** How long the GPU has not answered, in milliseconds; 0 while nothing waits for it. */
  silenceMs(): number {
    return gpuSilenceMs();
  }

  /**
   * Stops waiting for a GPU that has not answered for GIVE_UP_MS, and does nothing otherwise: what waits for it throws
   * DeviceLostError or NoDeviceError at once, and the next caller opens a device again.
   */
  giveUpSilent(): void {
    if (gpuSilenceMs() >= GIVE_UP_MS) this.#abandon();
  }

  /** The open device, or a message why there is none. */
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

  /** Why the browser has no WebGPU. */
  #missing(): string {
    return this.#source.isSecure
      ? 'this browser has no WebGPU, or it is disabled: expected a recent Chrome, Edge, Safari or Firefox'
      : 'browsers allow WebGPU only on https and localhost';
  }
}
