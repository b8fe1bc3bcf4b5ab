/** Where a backend gets the bytes of a program's weights. Names are those of `program.weights`. */
export interface WeightSource {
  /** Bytes `offset .. offset + length` of a weight, as stored in the file; all of it by default. */
  read(name: string, offset?: number, length?: number): Promise<Uint8Array>;
  /** Where the weight stands in a file of this machine, for backends that map it; undefined elsewhere. */
  locate?(name: string): { path: string; offset: number; bytes: number } | undefined;
}
