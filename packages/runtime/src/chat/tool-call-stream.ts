import { ObjectScanner, skipBlanks } from './json-text.js';
import type { ToolDefinition } from './messages.js';
import { beginningOf } from './tag-beginning.js';
import { CLOSE, FUNCTION, MOST_BROKEN_BLOCKS, nextBlock, OPEN, readBlock, readCall } from './tool-calls.js';
import { type CallBlock, type ParsedToolCall, readFunctionBlock } from './xml-tool-calls.js';

export interface AnswerPiece {
  /** Text that no call can claim any more. */
  readonly text: string;
  /** Calls that are complete, in order. */
  readonly calls: readonly ParsedToolCall[];
}

/** Failing reads of one block that has no end in sight; after them it waits for the end of the text. */
const mostTries = 50;

/**
 * Finds tool calls while an answer arrives in pieces: all pieces together give what `parseToolCalls` gives for
 * the whole, however it is cut. Text is passed on as soon as no call can claim it; a call once it is complete,
 * since one that turns out to be none is text.
 */
export class ToolCallStream {
  readonly #known: ReadonlyMap<string, ToolDefinition>;
  readonly #text = new TextAround();
  /** Output that is not released yet. */
  #held = '';
  /** Where in it the next block is looked for, or stands. */
  #from = 0;
  #block: BlockReader | undefined;
  #broken = 0;
  /** Until it is clear that the answer is more than one object. */
  #bare: BareObject | undefined = new BareObject();

  constructor(tools: readonly ToolDefinition[]) {
    this.#known = new Map(tools.map((tool) => [tool.function.name, tool]));
  }

  push(piece: string): AnswerPiece {
    this.#held += piece;
    return this.#advance(false);
  }

  /** Ends the answer; gives what was held back. */
  flush(): AnswerPiece {
    const { text, calls } = this.#advance(true);
    const call = this.#bare?.call(this.#held);
    if (call !== undefined && this.#known.has(call.name)) return { text: '', calls: [call] };
    this.#bare = undefined;
    return { text: text + this.#release(this.#held.length) + this.#text.end(), calls };
  }

  #advance(ended: boolean): AnswerPiece {
    const calls: ParsedToolCall[] = [];
    let text = '';
    while (this.#broken < MOST_BROKEN_BLOCKS) {
      const at = this.#block ? this.#from : nextBlock(this.#held, this.#from, true);
      if (at < 0) break;
      this.#from = at;
      this.#block ??= new BlockReader(this.#known);
      const block = this.#held.slice(at);
      const read = ended ? readBlock(block, 0, this.#known) : this.#block.read(block);
      if (read === 'unclear') return { text: text + this.#release(at), calls };
      this.#block = undefined;
      if (read !== undefined && this.#known.has(read.call.name)) {
        this.#bare = undefined;
        text += this.#release(at);
        this.#text.cut();
        calls.push(read.call);
        this.#held = this.#held.slice(read.end);
        this.#from = 0;
      } else {
        this.#broken++;
        this.#from = at + 1;
      }
    }
    const tag = Math.max(beginningOf(OPEN, this.#held), beginningOf(FUNCTION, this.#held));
    const end = this.#broken < MOST_BROKEN_BLOCKS ? this.#held.length - tag : this.#held.length;
    this.#from = Math.max(this.#from, end);
    return { text: text + this.#release(end), calls };
  }

  /** Lets text go up to `end`, unless all of it may yet be a call. */
  #release(end: number): string {
    if (this.#bare?.isPossible(this.#held)) return '';
    this.#bare = undefined;
    const text = this.#text.push(this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    this.#from = Math.max(this.#from - end, 0);
    return text;
  }
}

/** An answer that is nothing but an object, as long as it can be one. */
class BareObject {
  #start = 0;
  #object: ObjectScanner | undefined;
  #rest = -1;

  /** `text`: the answer so far. */
  isPossible(text: string): boolean {
    if (this.#object === undefined) {
      this.#start = skipBlanks(text, this.#start);
      if (this.#start === text.length) return true;
      if (text[this.#start] !== '{') return false;
      this.#object = new ObjectScanner(this.#start);
    }
    if (this.#rest < 0) this.#rest = this.#object.scan(text);
    if (this.#rest >= 0) this.#rest = skipBlanks(text, this.#rest);
    return this.#rest < 0 || this.#rest === text.length;
  }

  /** The call that the whole answer is. */
  call(text: string): ParsedToolCall | undefined {
    return this.isPossible(text) && this.#rest >= 0 ? readCall(text.trim()) : undefined;
  }
}

/** Reads the block that a growing text begins with, as far as it is clear what it is. */
class BlockReader {
  /** What follows the opening tag, and what follows the call. */
  #inner = OPEN.length;
  #after = 0;
  #object: ObjectScanner | undefined;
  #call: ParsedToolCall | undefined;
  #searched = 0;
  #tries = 0;

  constructor(private readonly known: ReadonlyMap<string, ToolDefinition>) {}

  /** Undefined where it is no call, whatever follows. `text` begins with what it was in earlier calls. */
  read(text: string): CallBlock | undefined | 'unclear' {
    if (text.startsWith(FUNCTION)) return this.#function(text, 0);
    if (this.#call) return this.#closed(text, this.#call);
    this.#inner = skipBlanks(text, this.#inner);
    if (text[this.#inner] === '{') return this.#json(text);
    if (text.startsWith(FUNCTION, this.#inner)) return this.#function(text, this.#inner);
    return FUNCTION.startsWith(text.slice(this.#inner)) ? 'unclear' : undefined;
  }

  #json(text: string): CallBlock | undefined | 'unclear' {
    this.#object ??= new ObjectScanner(this.#inner);
    const end = this.#object.scan(text);
    if (end < 0) return 'unclear';
    const call = readCall(text.slice(this.#inner, end));
    return call && this.#ended(text, { call, end });
  }

  #function(text: string, start: number): CallBlock | undefined | 'unclear' {
    const [, name, follows] = /([^<>\s]*)(.?)/s.exec(text.slice(start + FUNCTION.length))!;
    if (follows === '') {
      const isBeginning = [...this.known.keys()].some((known) => known.startsWith(name!));
      return isBeginning ? 'unclear' : undefined;
    }
    if (follows !== '>' || !this.known.has(name!)) return undefined;
    const added = text.slice(Math.max(this.#searched - CLOSE.length, 0));
    this.#searched = text.length;
    const mayEnd = added.includes('</function>') || added.includes(CLOSE);
    if (!mayEnd || this.#tries === mostTries) return 'unclear';
    this.#tries++;
    const block = readFunctionBlock(text, start, this.known);
    if (block === undefined) return 'unclear';
    return start === 0 ? block : this.#ended(text, block);
  }

  #ended(text: string, { call, end }: CallBlock): CallBlock | undefined | 'unclear' {
    this.#call = call;
    this.#after = end;
    return this.#closed(text, call);
  }

  /** A call between `<tool_call>` tags, once it is clear that the closing one, or another call, follows. */
  #closed(text: string, call: ParsedToolCall): CallBlock | undefined | 'unclear' {
    this.#after = skipBlanks(text, this.#after);
    if (text.startsWith(CLOSE, this.#after)) return { call, end: this.#after + CLOSE.length };
    if (text.startsWith(OPEN, this.#after)) return { call, end: this.#after };
    const rest = text.slice(this.#after, this.#after + CLOSE.length);
    return CLOSE.startsWith(rest) || OPEN.startsWith(rest) ? 'unclear' : undefined;
  }
}

/** The text around calls: pieces without the blanks at a call, on lines of their own. */
class TextAround {
  /** Blanks that a call would take away. */
  #blanks = '';
  #hasText = false;
  /** Since the last call there was none but blanks. */
  #afterCall = false;

  push(piece: string): string {
    let text = this.#blanks + piece;
    if (piece.trim() === '') {
      this.#blanks = text;
      return '';
    }
    if (this.#afterCall) text = text.trimStart();
    const shown = text.trimEnd();
    this.#blanks = text.slice(shown.length);
    if (shown === '') return '';
    const separator = this.#afterCall && this.#hasText ? '\n' : '';
    this.#hasText = true;
    this.#afterCall = false;
    return separator + shown;
  }

  cut(): void {
    this.#blanks = '';
    this.#afterCall = true;
  }

  end(): string {
    return this.#afterCall ? '' : this.#blanks;
  }
}
