import { type Grammar, refused } from './grammar.js';
import { measure } from './measure.js';
import { prune } from './prune.js';
import { writeGrammar } from './write.js';

/** Places at which a grammar may stand. */
const mostPlaces = 20_000;
/** Tokens that are looked at to prepare it: some seconds on a slow machine. */
const mostTokens = 16_000_000;

/**
 * The text of a grammar for xgrammar. REQUEST_INVALID for one that allows no text at all, or that would take too long
 * to prepare for a vocabulary (`beginnings`: how many of its tokens begin with each byte).
 */
export function prepareGrammar(grammar: Grammar, beginnings: ArrayLike<number>, field: string): string {
  const pruned = prune(grammar);
  if (pruned === undefined) throw refused(field, 'something that an answer can be', 'what no text fits');
  const { places, tokens } = measure(pruned, beginnings);
  if (places > mostPlaces) {
    throw refused(field, `a grammar of at most ${mostPlaces} places`, `one of about ${places}`);
  }
  if (tokens > mostTokens) {
    const expected = `at most ${mostTokens} tokens to look at for all its places: fewer counted characters, or shorter ones`;
    throw refused(field, expected, `about ${tokens}`);
  }
  return writeGrammar(pruned);
}
