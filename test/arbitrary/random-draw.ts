/** What is drawn from a source of random numbers: one of several things, some more often than others. */
import type * as fc from 'fast-check';

export class RandomDraw {
    private readonly random: fc.Random;

    constructor(random: fc.Random) {
        this.random = random;
    }

    protected between(low: number, high: number): number {
        return this.random.nextInt(low, high);
    }

    protected chance(percent: number): boolean {
        return this.random.nextInt(1, 100) <= percent;
    }

    protected pick<T>(choices: readonly T[]): T {
        return choices[this.random.nextInt(0, choices.length - 1)]!;
    }

    protected weighted<T>(choices: readonly (readonly [number, T])[]): T {
        let left = this.random.nextInt(
            1,
            choices.reduce((sum, [weight]) => sum + weight, 0),
        );
        for (const [weight, choice] of choices) {
            left -= weight;
            if (left <= 0) {
                return choice;
            }
        }
        throw new Error('the weights do not add up');
    }
}
