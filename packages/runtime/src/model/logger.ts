/** Where the library says what it does; it writes nothing by itself. */
export type Logger = (level: 'debug' | 'info' | 'warn', message: string) => void;

export const silent: Logger = () => {};
