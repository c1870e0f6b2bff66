/** Random models beside the reference: in which ways they are explored, and how the first difference is made small. */
import * as fc from 'fast-check';
import { compare, type Comparison } from './compare.js';
import { threadPool } from './thread-pool.js';
import { WAYS, type Way } from './ways.js';

/** Random models with more states than this are passed over. */
const STATE_LIMIT = 200;

/** Ways in which one model is explored; others are for the next model, until each has occurred. */
const WAYS_AT_ONCE = 3;

/** How far on the others are: has no divisor in common with the number of steps, so that few models have ways of all kinds. */
const STRIDE = 17;

export const workers = threadPool(2);

/** Of the model with this number: neighbors differ in how they search, and share what they are compared with. */
export function waysOf(model: number): readonly Way[] {
    return Array.from(
        { length: WAYS_AT_ONCE },
        (_, index) => WAYS[(model * STRIDE * WAYS_AT_ONCE + index) % WAYS.length]!,
    );
}

/** The generator makes right models only, so a model that is rejected is a difference too: but for proven races. */
export async function compareAccepted(text: string, ways: readonly Way[]): Promise<Comparison> {
    const comparison = await compare(text, STATE_LIMIT, { ways, workers });
    if (comparison.kind === 'rejected' && comparison.problems.some(({ code }) => code !== 'event/race')) {
        throw new Error(`a model that should be right is rejected: ${comparison.problems[0]?.message ?? ''}`);
    }
    return comparison;
}

export class ModelText {
    readonly text: string;

    constructor(text: string) {
        this.text = text;
    }

    [fc.toStringMethod](): string {
        return `\n${this.text}`;
    }
}

/** Keeps shrinking to the first failure: a smaller model that fails for another reason, or is none, is passed over. */
export class FirstFailure {
    private kind: string | undefined;

    get hasOccurred(): boolean {
        return this.kind !== undefined;
    }

    async watch<T>(run: () => Promise<T>): Promise<T> {
        try {
            return await run();
        } catch (error) {
            this.pass(error as Error);
            throw error;
        }
    }

    private pass(error: Error): void {
        // Names and numbers in a message change from model to model.
        const kind = `${error.name} ${error.message.split(/[\d'`]/)[0]!}`;
        this.kind ??= kind;
        fc.pre(kind === this.kind);
    }
}
