/**
 * Texts that are no more than keys: numbers and words one after the other, each number mostly one unit of the text.
 *
 * A text of digits and signs takes a piece of memory for each of them until it is put together. Here what was written
 * lies in one array, and one text is made of it. Two keys are equal where the same was written in the same order, if what
 * comes first always tells how much follows and whether it is a number or a word.
 */

/** The least number that does not stand for itself; it says that a number follows as a word. */
const ESCAPE = 0xffff;

/** So many units are handed over at a time: a function takes only so many arguments. */
const CHUNK = 4096;

export class KeyText {
    /** What is written are the first `length`; the array is never made shorter. */
    private readonly units: number[] = [];
    private length = 0;

    /** Forgets what was written. */
    begin(): void {
        this.length = 0;
    }

    number(value: number): void {
        if (value >= 0 && value < ESCAPE && Number.isInteger(value)) {
            this.unit(value);
        } else {
            this.unit(ESCAPE);
            this.text(String(value));
        }
    }

    text(word: string): void {
        this.number(word.length);
        for (let index = 0; index < word.length; index++) {
            this.unit(word.charCodeAt(index));
        }
    }

    /** All that was written. */
    finish(): string {
        let key = '';
        for (let start = 0; start < this.length; start += CHUNK) {
            const chunk = this.units.slice(start, Math.min(this.length, start + CHUNK));
            key += String.fromCharCode.apply(undefined, chunk);
        }
        return key;
    }

    private unit(value: number): void {
        this.units[this.length++] = value;
    }
}
