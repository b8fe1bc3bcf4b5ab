// @ts-check
// One process of the bench: opens one engine, measures one row, sends what came of it, and ends.
import { runSide } from './side.mjs';

// The bench was stopped.
process.once('disconnect', () => process.exit(1));
process.once('message', async (message) => {
  const job = /** @type {import('./side.mjs').SideJob} */ (message);
  const outcome = await runSide(job).catch((error) => ({ failed: String(error?.stack ?? error) }));
  process.send?.(outcome, () => process.exit(0));
});
