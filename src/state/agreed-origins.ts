/** The origins that links may load matrices from, as a person agreed on this device. */
export interface AgreedOrigins {
  has(origin: string): boolean;
  agree(origin: string): void;
}
