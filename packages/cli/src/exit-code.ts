/** What the command ends with. */
export const exitCode = { done: 0, failed: 1, wrongCommand: 2, interrupted: 130 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
