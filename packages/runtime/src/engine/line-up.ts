import type { PageTable } from './page-table.js';
import type { Sequence } from './sequence.js';

type Place = Exclude<Sequence['state'], 'over'>;

/** All sequences that are not over, by what they do; each list in the order in which they came. */
export class LineUp {
  readonly waiting: Sequence[] = [];
  readonly active: Sequence[] = [];
  readonly resting: Sequence[] = [];
  /** How often a sequence that was active lost its pages. */
  preemptions = 0;

  constructor(private readonly table: PageTable) {}

  add(sequence: Sequence): void {
    insertByAge(this.waiting, sequence);
  }

  move(sequence: Sequence, place: Place): void {
    this.#leave(sequence);
    sequence.state = place;
    insertByAge(this[place], sequence);
  }

  /** It is over. */
  drop(sequence: Sequence): void {
    this.#leave(sequence);
    sequence.state = 'over';
    sequence.letGo(this.table);
  }

  /** Takes the pages of someone who gets no rows at present: of those who rest, then of those who wait. */
  takeFromIdle(other: Sequence): boolean {
    const hasPages = (sequence: Sequence) => sequence !== other && sequence.pages.length > 0;
    const victim = this.resting.findLast(hasPages) ?? this.waiting.findLast(hasPages);
    victim?.letGo(this.table);
    return victim !== undefined;
  }

  /** Takes the pages of the youngest who is active; gives who that was. */
  preemptYoungest(): Sequence {
    const victim = this.active.at(-1)!;
    victim.letGo(this.table);
    this.move(victim, 'waiting');
    this.preemptions++;
    return victim;
  }

  #leave(sequence: Sequence): void {
    if (sequence.state === 'over') return;
    const place = this[sequence.state];
    place.splice(place.indexOf(sequence), 1);
  }
}

function insertByAge(list: Sequence[], sequence: Sequence): void {
  let place = list.length;
  while (place > 0 && list[place - 1]!.arrival > sequence.arrival) place--;
  list.splice(place, 0, sequence);
}
