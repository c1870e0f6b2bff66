/** What representatives cost is measured on samples, with the clock of whoever asks. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { OverheadMeter } from '../../engine/explore/reduction-overhead.js';
import { analyze, startExploration } from '../../engine/pipeline.js';
import { diningPhilosophers } from '../arbitrary/published-models.js';

/** A meter, and slices of work that take as long as they are told. */
function measured(): {
    meter: OverheadMeter;
    slice: (representatives: number, rest: number, successors: number) => void;
} {
    let time = 0;
    const meter = new OverheadMeter(() => time);
    return {
        meter,
        slice(representatives, rest, successors) {
            meter.beginSlice();
            meter.time('rest', () => (time += rest));
            meter.count(successors);
            meter.time('representatives', () => (time += representatives));
        },
    };
}

test('it is the median of the slices that were measured, whatever keeps the processor busy in some of them', () => {
    const { meter, slice } = measured();
    for (let i = 0; i < 800; i++) {
        slice(i % 80 === 0 ? 10_000 : 1, 3, 500);
    }
    expect(meter.overhead).toEqual({ share: 1 / 4, successors: 100 * 500 });
});

test('of a small search nothing is said', () => {
    const { meter, slice } = measured();
    slice(1, 3, 9_999);
    expect(meter.overhead).toBeUndefined();
});

test('slices of few successors do not count', () => {
    const { meter, slice } = measured();
    slice(1, 1, 20_000);
    for (let i = 0; i < 100; i++) {
        slice(3, 1, 99);
    }
    expect(meter.overhead).toEqual({ share: 1 / 2, successors: 20_000 });
});

test('an exploration with a clock says it, and is else the same', async () => {
    const analysis = analyze(await diningPhilosophers(12), { now: () => 0, workLimit: UNLIMITED, explain: false });
    const reportOf = (clock: { readonly now?: () => number }) => {
        const options = { reduction: 'unique', continueAfterViolation: true, ...clock } as const;
        const { exploration } = startExploration(analysis, options, UNLIMITED);
        exploration.advance(UNLIMITED);
        return exploration.result().report;
    };
    // Each reading takes as long as all others: expanding, reducing and storing a third each.
    let time = 0;
    const report = reportOf({ now: () => time++ });
    expect(report?.reduction?.overhead?.share).toBeCloseTo(1 / 3);
    const { overhead: _, ...reduction } = report?.reduction ?? {};
    expect({ ...report, reduction }).toEqual(reportOf({}));
});
