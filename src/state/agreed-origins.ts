/** The origins from which links may load matrices, as a person agreed on this device. */
export interface AgreedOrigins {
  has(origin: string): boolean;
  agree(origin: string): void;
}
