/** The parts of gifenc that are used; it comes without types. */
declare module 'gifenc' {
  type Colour = number[];

  interface FrameOptions {
    readonly palette?: readonly Colour[];
    /** ms */
    readonly delay?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1: the next frame is drawn over this one */
    readonly dispose?: number;
  }

  interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }

  export function GIFEncoder(): Encoder;
  export function quantize(
    rgba: Uint8ClampedArray,
    maxColours: number,
    options: { readonly format: 'rgb565' },
  ): Colour[];
  export function applyPalette(rgba: Uint8ClampedArray, palette: readonly Colour[], format: 'rgb565'): Uint8Array;
}
