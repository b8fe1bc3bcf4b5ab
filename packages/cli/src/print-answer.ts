import type { Generation, GenerationResult } from '@pocketllm/runtime';
import type { Output } from './terminal/output.js';
import { rateText, secondsText } from './terminal/quantity.js';

/** Prints an answer as it comes: text on stdout, ended by a line feed, and reasoning on stderr. */
export async function printAnswer(generation: Generation, output: Output): Promise<GenerationResult> {
  const progress = output.progress('Reading the prompt');
  let reasoningEnd = '\n';
  let textEnd = '\n';
  try {
    for await (const { text, reasoning } of generation) {
      progress.end();
      if (reasoning !== '') {
        output.reasoning(reasoning);
        reasoningEnd = reasoning.at(-1)!;
      }
      if (text === '') continue;
      if (reasoningEnd !== '\n') output.reasoning('\n');
      reasoningEnd = '\n';
      await output.modelText(text);
      textEnd = text.at(-1)!;
    }
    return await generation.result();
  } finally {
    progress.end();
    if (reasoningEnd !== '\n') output.reasoning('\n');
    if (textEnd !== '\n') await output.modelText('\n');
  }
}

const endings: Readonly<Record<GenerationResult['finishReason'], string>> = {
  stop: '',
  length: 'cut off after ',
  timeout: 'out of time after ',
  cancelled: 'stopped after ',
};

/** `42 tokens in 1.3 s (32.3/s), prompt of 20 in 0.4 s (50.0/s)` */
export function timingsText({ finishReason, timings }: GenerationResult): string {
  const { generatedTokens, generationMs, promptTokens, promptMs } = timings;
  if (generatedTokens === 0) return 'stopped before the first token';
  const generated = `${generatedTokens} tokens in ${secondsText(generationMs)} (${rateText(generatedTokens, generationMs)})`;
  const prompt = `prompt of ${promptTokens} in ${secondsText(promptMs)} (${rateText(promptTokens, promptMs)})`;
  return `${endings[finishReason]}${generated}, ${prompt}`;
}
