import type { BackendPlugin } from '@pocketllm/abi';

/** A backend package that this command depends on. */
export interface KnownBackend {
  readonly package: string;
  /** Chosen without being named only where there is nothing else. */
  readonly lastResort?: true;
  load(): Promise<BackendPlugin>;
}

/** The only place of the command that names backend packages. */
export const knownBackends: readonly KnownBackend[] = [
  {
    package: '@pocketllm/backend-cpu',
    load: async () => (await import('@pocketllm/backend-cpu')).default,
  },
  {
    package: '@pocketllm/reference',
    lastResort: true,
    load: async () => (await import('@pocketllm/reference')).default,
  },
];
