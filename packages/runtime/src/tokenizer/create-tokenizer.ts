import type { GgufMetadata } from '../gguf/gguf-value.js';
import { byteLevelSegmenter } from './byte-level.js';
import { rawPairSegmenter } from './raw-pairs.js';
import { readMerges } from './read-merges.js';
import type { Segmenter } from './segmenter.js';
import { sentencePieceSegmenter } from './sentence-piece.js';
import { Tokenizer } from './tokenizer.js';
import { readVocabulary, type Vocabulary } from './vocabulary.js';

/**
 * The tokenizer that a file's metadata describes. `warn` gets what is odd and was passed over, fit to be shown.
 * MODEL_MALFORMED where keys are missing or contradict each other; MODEL_UNSUPPORTED where the kind of tokenizer,
 * the pre-tokenizer or the size is not one that this version runs.
 */
export function createTokenizer(
  metadata: GgufMetadata,
  warn: (warning: string) => void = () => {},
): Tokenizer {
  const vocabulary = readVocabulary(metadata, warn);
  return new Tokenizer(vocabulary, segmenterOf(vocabulary, warn));
}

function segmenterOf(vocabulary: Vocabulary, warn: (warning: string) => void): Segmenter {
  const { segmentation, index, named } = vocabulary;
  if (segmentation.kind === 'sentence-piece') {
    return sentencePieceSegmenter(vocabulary, segmentation.scores, segmentation.addSpacePrefix);
  }
  const { preTokenizer } = segmentation;
  const merges = readMerges(vocabulary, segmentation.merges, warn);
  return preTokenizer.rawUtf8
    ? rawPairSegmenter(index, merges, preTokenizer, named.unknown)
    : byteLevelSegmenter(index, merges, preTokenizer);
}
