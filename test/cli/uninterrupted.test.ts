/** Work that cannot pause ends by Ctrl+C and by a deadline all the same, and the command says so. */
import { describe, expect, test } from 'vitest';
import { TimeIsOver } from '../../cli/io.js';
import { finishWithin } from '../../cli/uninterrupted.js';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { orbit } from './in-process.js';

function forever(): never {
    for (;;);
}

describe('work', () => {
    test('has its result, and its own errors', () => {
        expect(finishWithin(() => 7, Infinity)).toBe(7);
        expect(finishWithin(() => undefined, 1000)).toBe(undefined);
        const failure = new TypeError('x is not a function');
        expect(() =>
            finishWithin(() => {
                throw failure;
            }, 1000),
        ).toThrow(failure);
    });

    test('ends when the time is over', () => {
        expect(() => finishWithin(forever, 20)).toThrow(TimeIsOver);
        expect(() => finishWithin(forever, -20)).toThrow(TimeIsOver);
    });

    test('ends by Ctrl+C, whoever else listens to it', () => {
        const pressed = (): never => {
            process.kill(process.pid, 'SIGINT');
            return forever();
        };
        expect(() => finishWithin(pressed, Infinity)).toThrow(OperationCancelled);
        // The next one is a signal like the first.
        expect(() => finishWithin(pressed, 60_000)).toThrow(OperationCancelled);
    });
});

describe('a command', () => {
    const m = 'model M\nvar x: 0 .. 1 = 0\nprocess P { x := 1 }\ninvariant low = x == 0\ninvariant bounded = x < 2';
    const words = ['explore', 'm', '--each', '--timeout', '5', '--json'];

    /** What the call comes to where one of its works, by number, is ended by an error. */
    const endedIn = (number: number, error: Error) =>
        orbit(words, { files: { m }, endOfWork: count => (count === number ? error : undefined) });

    test('that is interrupted before the search says so in each phase', async () => {
        // Reading, lowering, finding symmetries, and beginning.
        for (const work of [1, 2, 3, 4]) {
            const { exitCode, stdout } = await endedIn(work, new OperationCancelled());
            expect(exitCode).toBe(130);
            expect(JSON.parse(stdout)).toMatchObject({
                problems: [{ code: 'call/interrupted', message: 'interrupted' }],
            });
        }
    });

    test('whose time is over before the search is undecided', async () => {
        for (const work of [1, 2, 3, 4]) {
            const { exitCode, stdout } = await endedIn(work, new TimeIsOver());
            expect(exitCode).toBe(3);
            expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code: 'limit/time' }] });
        }
    });

    test('says what is known of the first properties where the others do not begin', async () => {
        for (const [error, expected] of [
            [new TimeIsOver(), { exitCode: 3, verdict: 'undecided', limit: { kind: 'time', value: 5 } }],
            [new OperationCancelled(), { exitCode: 130, verdict: 'undecided', limit: undefined }],
        ] as const) {
            const { exitCode, stdout } = await endedIn(6, error);
            const { verdict, limit, properties } = JSON.parse(stdout) as Record<string, unknown>;
            expect({ exitCode, verdict, limit }).toEqual(expected);
            expect(properties).toMatchObject([
                { name: 'faults', verdict: 'holds' },
                { name: 'deadlock', verdict: 'holds' },
            ]);
        }
    });
});
