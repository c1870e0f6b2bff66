/**
 * Texts as keys: a sequence of numbers and words, each number mostly one UTF-16 unit. One array collects the units, to
 * avoid a string for each part. Equal keys have equal sequences if each part determines the number of the following
 * parts and their types.
 */

/** The least number that is not one unit; it precedes the number as a word. */
const ESCAPE = 0xffff;

/** The number of units for one call, because the number of arguments is limited. */
const CHUNK = 4096;

export class KeyText {
    /** The first `length` units count; the array never shrinks. */
    private readonly units: number[] = [];
    private length = 0;

    /** Begins a new key. */
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
