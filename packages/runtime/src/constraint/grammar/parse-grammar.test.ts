import { describe, expect, it } from 'vitest';
import { Walker } from '../../../../../tests/support/grammar-walk.js';
import { parseGrammar } from './parse-grammar.js';
import { Rules } from './rules.js';

function walkerOf(source: string): Walker {
  const { rules, root } = parseGrammar(source, 'grammar');
  const collected = new Rules();
  for (const [name, node] of rules) collected.get(name, () => node);
  return Walker.of(root, collected);
}

describe('a grammar', () => {
  it.each<[source: string, allowed: string[], refused: string[]]>([
    ['root ::= "a" | "b" "c"?', ['a', 'b', 'bc'], ['', 'c', 'abc']],
    ['root ::= x{2,3} "."\nx ::= [a-c]', ['ab.', 'abc.'], ['a.', 'abca.', 'ad.']],
    ['root ::= ("ab" | "c"){2,}', ['abc', 'cccc'], ['c']],
    ['root ::= "a"{3}', ['aaa'], ['aa', 'aaaa']],
    ['# first\nroot ::= # second\n  "a" # third\n  | "b"\n', ['a', 'b'], ['ab']],
    ['root ::= [^"\\n]* "\\""', ['"', 'x \u00e9"'], ['a\n"', 'a""']],
    ['root ::= .', ['a', '\n', '\u00e9', '\u4e2d', '\u{1f600}'], ['', 'ab']],
    ['root ::= [\u00e0-\u00fc\u4e00-\u9fff]+', ['\u00e9', '\u4e2d\u00e0'], ['a', '\u00ff']],
    ['root ::= [^\u00e9]', ['\u00e8', 'e', '\u{1f600}'], ['\u00e9']],
    ['root ::= [\\x41\\u00e9\\U0001F600\\]\\-\\^]+', ['A\u00e9\u{1f600}]-^'], ['B', '\\']],
    ['root ::= "\\x41\\u00e9\\U0001F600\\t\\r\\n\\\\"', ['A\u00e9\u{1f600}\t\r\n\\'], ['A']],
    ['root ::= [a-]+', ['a-a'], ['b']],
    ['root ::= "\\x00" [\\x00] [^\\x00]', ['\0\0a'], ['\0\0\0', 'a']],
    ['root ::= "(" root ")" | ""', ['', '(())'], ['(()', ')(']],
    ['root ::= root "a" | "b"', ['b', 'baa'], ['a', 'ab']],
    ['root ::= "[" (root ("," root)*)? "]"', ['[]', '[[],[[]]]'], ['[', '[,]']],
    ['root ::= ("" | "a"?)* "b"', ['b', 'aaab'], ['a']],
    ['root ::= ([^a]* "a")+ "z"', ['az', 'xxaxaz', '\u00e9az'], ['a', 'xz']],
    ['root ::= "a" never | "b"\nnever ::= "x" never', ['b'], ['ax']],
    ['root ::= long-name_1 long-name_1\nlong-name_1 ::= "a"', ['aa'], ['a']],
    ['root ::= ""', [''], ['a']],
    ['root ::= "a"{0}', [''], ['a']],
    ['root ::= [0-9]{1,200}', ['7', '7'.repeat(200)], ['', '7'.repeat(201)]],
  ])('%j', async (source, allowed, refused) => {
    const walker = walkerOf(source);
    for (const text of allowed) expect(await walker.allows(text), text).toBe(true);
    for (const text of refused) expect(await walker.allows(text), text).toBe(false);
  });

  it.each<[source: string, message: RegExp]>([
    ['', /a rule named root/],
    ['top ::= "a"', /a rule named root/],
    ['root ::= "a', /" at its end at line 1/],
    ['root ::= "a\n"', /" in the same line/],
    ['root ::= [a', /\] at its end/],
    ['root ::= ("a"', /"\)" at line 1, column 14/],
    ['root ::= "a")', /the name of a rule at line 1, column 13/],
    ['root = "a"', /"::=" at line 1, column 6/],
    ['root ::= "a"\nroot ::= "b"', /a rule that is not there yet at line 2, column 1/],
    ['root ::= "a" |\n  other', /a rule that is there at line 2, column 3/],
    ['root ::= [z-a]', /a range in order/],
    ['root ::= "a"{3,2}', /counts in order/],
    ['root ::= "a"{99999}', /counts in order, of at most 10000/],
    ['root ::= "a"{x}', /\{count\}/],
    ['root ::= "\\q"', /a known escape/],
    ['root ::= "\\u12"', /4 hexadecimal digits/],
    ['root ::= "\\ud800"', /a character/],
    ['root ::= "\\UFFFFFFFF"', /a character/],
    [`root ::= ${'('.repeat(200)}"a"${')'.repeat(200)}`, /at most 100 groups/],
    ['root ::= * "a"', /the name of a rule/],
    ['root ::= "a" root', /something that an answer can be/],
    ['root ::= []', /something that an answer can be/],
    ['root ::= (("a"{1000}){1000}){1000}', /20000 places/],
  ])('%j is refused', (source, message) => {
    expect(() => walkerOf(source)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', message: expect.stringMatching(message) }),
    );
  });
});
