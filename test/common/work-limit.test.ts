import { describe, expect, test } from 'vitest';
import { createWorkLimit, OperationCancelled, UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';

/** Asks until the time is over, `step` milliseconds after each other; the time that it took. */
function overrun(step: number): { readonly elapsed: number; readonly looks: number } {
    let elapsed = 0;
    let looks = 0;
    const now = (): number => {
        looks++;
        return elapsed;
    };
    const limit = createWorkLimit({ now, budgetMilliseconds: 100 });
    while (!limit.isExhausted()) {
        elapsed += step;
    }
    return { elapsed, looks };
}

describe('a budget', () => {
    test('ends in time for questions that are far apart', () => {
        expect(overrun(10).elapsed).toBe(100);
        expect(overrun(30).elapsed).toBe(120);
    });

    test('costs few looks at the clock for questions that are close together', () => {
        const { elapsed, looks } = overrun(0.001);
        expect(elapsed).toBeLessThan(100.1);
        expect(looks).toBeLessThan(100_000 / 60);
    });
});

test('a limit of questions ends after so many, and with the limit within which it is', () => {
    const three = withinQuestions(UNLIMITED, 3);
    expect([1, 2, 3, 4, 5].map(() => three.isExhausted())).toEqual([false, false, false, true, true]);
    expect(withinQuestions({ isExhausted: () => true }, 3).isExhausted()).toBe(true);
});

test('work that becomes slow is cancelled after some questions more, not after many', () => {
    let isCancelled = false;
    let elapsed = 0;
    const limit = createWorkLimit({ now: () => elapsed, budgetMilliseconds: Infinity, isCancelled: () => isCancelled });
    for (let question = 0; question < 1000; question++) {
        elapsed += 0.001;
        limit.isExhausted();
    }
    for (let question = 0; question < 200; question++) {
        elapsed += 10;
        limit.isExhausted();
    }
    isCancelled = true;
    expect(() => limit.isExhausted()).toThrow(OperationCancelled);
});
