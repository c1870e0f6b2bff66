/** Results by the lists of codes that they depend on. */
import { remembered } from '../common/list-map.js';
import { UNLISTED } from './possible-values.js';

/** With more results all are forgotten. */
const MOST_RESULTS = 100;

/** Results by keys of code lists. */
export class ResultsByCodes<Result extends NonNullable<unknown>> {
    private readonly results = new Map<string, Result>();

    has(key: string): boolean {
        return this.results.has(key);
    }

    get(key: string, compute: () => Result): Result {
        if (this.results.size >= MOST_RESULTS && !this.has(key)) {
            this.results.clear();
        }
        return remembered(this.results, key, compute);
    }
}

/** The most lists that are kept, each of which may be long. */
const MOST_LISTS = 10_000;

/** Short names for lists of codes: equal names mean equal lists. */
export class CodeLists {
    private readonly nameOfList = new WeakMap<readonly number[], number>([[UNLISTED, 0]]);
    private readonly nameOfText = new Map<string, number>();
    private lastName = 0;

    keyOf(lists: readonly (readonly number[])[]): string {
        let key = '';
        for (const list of lists) {
            key += `${this.nameOf(list)},`;
        }
        return key;
    }

    private nameOf(list: readonly number[]): number {
        return remembered(this.nameOfList, list, () => {
            if (this.nameOfText.size >= MOST_LISTS) {
                // Results under old names are not found again; names are never reused.
                this.nameOfText.clear();
            }
            return remembered(this.nameOfText, list.join(), () => ++this.lastName);
        });
    }
}
