/**
 * Temporal properties of the example models, with fairness of several kinds. Verdicts and lengths of least lassos were
 * computed by an independent prototype; SPIN 6.5, with and without its option `-f`, gives the same verdicts for the rows
 * marked `spin`.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findingOf, temporalAnalysis, type Finding } from './text-verdicts.js';

interface Row {
    readonly model: string;
    /** The parameters of the model in one of its sizes, then what is different in it. */
    readonly size: Readonly<Record<string, number | readonly number[]>>;
    /** Which processes and steps are fair, by the word before their names; `process` are all processes. */
    readonly fairness?: Readonly<Record<string, readonly string[] | 'process'>>;
    /** An assumption. */
    readonly assume?: string;
    readonly property: string;
    /** If it is violated: the steps before the loop of the least lasso, and in it; a rest is a loop of one. */
    readonly lasso?: readonly [stem: number, loop: number];
    readonly spin?: true;
}

/** Of all processes. */
const WEAK = { fair: 'process' } as const;
const STRONG = { 'strong fair': 'process' } as const;

const N = (...sizes: number[]): { readonly N: number }[] => sizes.map(size => ({ N: size }));

/** Rows that differ in their sizes only, and in the lengths of the lassos. */
function rows(
    model: string,
    sizes: readonly Row['size'][],
    rest: Omit<Row, 'model' | 'size' | 'lasso'>,
    ...lassos: (readonly [number, number])[]
): Row[] {
    return sizes.map((size, index) => ({
        model,
        size,
        ...rest,
        ...(lassos.length > 0 && { lasso: lassos[index] ?? lassos[0]! }),
    }));
}

const SERVED = 'forall i in Proc: P[i] at enter leads to P[i] at leave';
const KEPT_OUT = 'exists i in Proc: eventually always !(P[i] at leave)';
const FED = 'forall i in Seat: infinitely often Phil[i] takes eat';
const CLIMBS = 'forall i in Proc: P[i] at setTurn leads to P[i] at critical';
const BEFORE_OTHERS =
    'forall i in Proc: always (P[i] at setTurn implies ' +
    '((forall j in Proc where j != i: !(P[j] at critical)) weak until P[i] at critical))';
const reads = (kind: string): string => `forall i in ${kind}: place[i] == trying leads to place[i] == critical`;
const ONE_LEADER = 'eventually always len(leaders) == 1';
const SAME_LEADER = 'exists i in Agent: eventually always i in leaders';
const GRANTED = 'forall c in Client: link[c] == request leads to user == c';

const ROWS: readonly Row[] = [
    ...rows('semaphore-mutex', N(2, 3), { property: SERVED, spin: true }, [2, 3]),
    ...rows('semaphore-mutex', N(4), { property: SERVED }, [2, 3]),
    ...rows('semaphore-mutex', N(2, 3), { property: SERVED, fairness: WEAK, spin: true }, [2, 3]),
    ...rows('semaphore-mutex', N(4), { property: SERVED, fairness: WEAK }, [3, 3]),
    ...rows('semaphore-mutex', N(2, 3, 4), { property: SERVED, fairness: STRONG }),
    ...rows('semaphore-mutex', N(2, 3, 4), { property: SERVED, fairness: { 'strong fair': ['enter'] } }),
    ...rows('semaphore-mutex', N(2, 3, 4), { property: KEPT_OUT }, [0, 6], [0, 9], [0, 12]),
    ...rows('semaphore-mutex', N(2, 3, 4), { property: KEPT_OUT, fairness: STRONG }, [0, 6], [0, 9], [0, 12]),
    ...[{}, WEAK].flatMap(fairness =>
        rows('semaphore-mutex', N(2), {
            property: '(exists i in Proc: P[i] at enter) leads to (exists j in Proc: P[j] at leave)',
            fairness,
        }),
    ),
    ...rows('semaphore-mutex', N(2), { property: 'always possible P[1] at leave' }),
    // The lasso is the deadlock.
    ...rows('dining-philosophers', N(3, 4), { property: FED }, [3, 1], [4, 1]),
    ...rows('dining-philosophers', N(3, 4), { property: FED, fairness: { 'strong fair': ['Phil'] } }, [3, 1], [4, 1]),
    ...rows('peterson', N(2), { property: CLIMBS, spin: true }),
    ...rows('peterson', N(3), { property: CLIMBS, spin: true }, [8, 16]),
    ...rows('peterson', N(2, 3), { property: CLIMBS, fairness: WEAK, spin: true }),
    ...rows('peterson', N(2, 3), { property: BEFORE_OTHERS, fairness: WEAK }, [5, 10], [8, 24]),
    ...rows('dekker', [{}], { property: 'forall i in Side: P[i] at raise leads to P[i] at critical' }, [2, 2]),
    ...rows('dekker', [{}], {
        property: 'forall i in Side: P[i] at raise leads to P[i] at critical',
        fairness: WEAK,
    }),
    ...rows('token-mutex', N(3), { property: SERVED, spin: true }),
    ...rows('token-mutex', N(4), { property: SERVED }),
    ...rows('token-mutex', N(3), { property: SERVED, fairness: WEAK, spin: true }),
    ...rows('token-mutex', N(4), { property: SERVED, fairness: WEAK }),
    ...rows('token-mutex', N(3, 4), { property: 'exists i in Proc: eventually always token != i' }, [0, 3], [0, 4]),
    ...rows('readers-writers', [{ R: 2, W: 1 }], { property: reads('Reader'), fairness: WEAK }, [2, 3]),
    ...rows('readers-writers', [{ R: 2, W: 1 }], { property: reads('Reader'), fairness: STRONG }),
    ...rows('readers-writers', [{ R: 2, W: 1 }], { property: reads('Writer'), fairness: WEAK }, [2, 6]),
    ...rows('readers-writers', [{ R: 2, W: 1 }], { property: reads('Writer'), fairness: STRONG }, [3, 6]),
    ...[
        { fairness: {}, lassos: [[23, 2] as const] },
        { fairness: WEAK, lassos: [[26, 2] as const] },
        { fairness: STRONG, lassos: [] },
    ].flatMap(({ fairness, lassos }) =>
        rows(
            'bakery',
            [{ N: 2, limit: 3 }],
            { property: 'forall i in Proc: P[i] at draw leads to P[i] at leave', fairness },
            ...lassos,
        ),
    ),
    ...rows('leader-election-complete', N(3), { property: ONE_LEADER }, [0, 1]),
    ...rows('leader-election-complete', N(3), { property: ONE_LEADER, fairness: { fair: ['Meeting'] } }, [0, 2]),
    ...rows('leader-election-complete', N(3), { property: ONE_LEADER, fairness: { fair: ['Meeting', 'progress'] } }),
    ...rows('leader-election-complete', N(3), { property: 'always possible len(leaders) == 1' }),
    ...rows('leader-election-complete', N(3), { property: SAME_LEADER, fairness: { fair: ['Meeting'] } }, [0, 4]),
    ...rows('leader-election-complete', N(3), { property: SAME_LEADER, fairness: { fair: ['Meeting', 'progress'] } }),
    ...rows('chang-roberts', N(3), { property: 'eventually (forall i in Proc: leader[i] == N)' }),
    ...rows('milner-scheduler', N(3, 4), { property: 'forall i in Rest: infinitely often Cycler[i] takes start' }),
    ...rows('resource-allocator', [{ clients: [3] }], { property: GRANTED, fairness: WEAK }, [2, 6]),
    ...rows(
        'resource-allocator',
        [{ clients: [3] }],
        { property: GRANTED, fairness: { fair: 'process', 'strong fair': ['pick', 'grant', 'collect'] } },
        [2, 6],
    ),
    ...rows('resource-allocator', [{ clients: [3] }], {
        property: GRANTED,
        fairness: WEAK,
        assume:
            'forall c in Client: (infinitely often (link[c] == request && Allocator at pick)) implies ' +
            '(infinitely often link[c] != request)',
    }),
    ...[
        { M: 2, K: 1 },
        { M: 2, K: 2 },
    ].flatMap(size => [
        ...rows('alternating-bit', [size], { property: 'infinitely often Receiver takes deliver' }, [1, 2]),
        ...rows(
            'alternating-bit',
            [size],
            { property: 'infinitely often Receiver takes deliver', fairness: { fair: ['Sender', 'Receiver'] } },
            [1, 2],
        ),
        ...rows('alternating-bit', [size], {
            property: 'infinitely often Receiver takes deliver',
            fairness: { 'strong fair': ['send', 'confirm', 'stale', 'deliver', 'repeated', 'acknowledge'] },
        }),
    ]),
    ...[
        { fairness: {}, lassos: [[2, 3] as const] },
        { fairness: { fair: ['Cabin'] }, lassos: [[2, 3] as const] },
        { fairness: { 'strong fair': ['arrive', 'leave', 'move', 'turn'] }, lassos: [] },
    ].flatMap(({ fairness, lassos }) =>
        rows(
            'elevator',
            [{}],
            { property: 'forall f in Floor: f in called leads to (floor == f && open)', fairness },
            ...lassos,
        ),
    ),
    ...rows('szymanski', N(2), { property: 'forall i in Proc: P[i] at come leads to P[i] at critical' }, [1, 9]),
    ...rows('szymanski', N(2), {
        property: 'forall i in Proc: P[i] at come leads to P[i] at critical',
        fairness: WEAK,
    }),
    ...[{}, WEAK].flatMap(fairness =>
        rows('token-ring', N(3), {
            property:
                '(count(i in Agent: leader[i]) == 1) implies eventually always count(i in Agent: token[i] == 1) == 1',
            fairness,
        }),
    ),
];

/** The model with this fairness in place of its own, and with the property. */
function textOf({ model, fairness = {}, assume, property }: Row): string {
    const plain = readFileSync(`models/${model}.orbit`, 'utf8')
        .replaceAll(/\b(strong )?fair (?=process\b|event\b|\w+:)/g, '')
        .replaceAll(/^assume .*(\n +.*)*\n/gm, '');
    const text = Object.entries(fairness).reduce((changed, [word, names]) => {
        const places =
            names === 'process'
                ? /^process /gm
                : new RegExp(`^process (?=(?:${names.join('|')})\\b)|\\b(?:${names.join('|')}):`, 'gm');
        expect(changed).toMatch(places);
        return changed.replaceAll(places, place => `${word} ${place}`);
    }, plain);
    return `${text}${assume === undefined ? '' : `assume assumed = ${assume}\n`}property stated = ${property}\n`;
}

const findings = new Map<Row, Promise<Readonly<Record<'none' | 'auto', Finding>>>>();

/** Computed once for all tests. */
function findingsOf(row: Row): Promise<Readonly<Record<'none' | 'auto', Finding>>> {
    const known = findings.get(row) ?? explore(row);
    findings.set(row, known);
    return known;
}

async function explore(row: Row): Promise<Readonly<Record<'none' | 'auto', Finding>>> {
    const parameters = Object.entries(row.size).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
    const analysis = await temporalAnalysis(textOf(row), parameters);
    return { none: findingOf(analysis, 'stated', 'none'), auto: findingOf(analysis, 'stated', 'auto') };
}

const named = ROWS.map((row): [string, Row] => {
    const { model, size, property, fairness = {}, lasso } = row;
    const fair = Object.entries(fairness).map(([word, names]) => `${word} ${[names].flat().join()}`);
    const verdict = lasso === undefined ? 'holds' : 'violated';
    return [`${model} ${JSON.stringify(size)} ${fair.join(' ')} ${verdict}: ${property}`, row];
});

test.each(named)('%s', async (_, row) => {
    const { none, auto } = await findingsOf(row);
    const verdict = row.lasso === undefined ? 'holds' : 'violated';
    expect([none.verdict, auto.verdict]).toEqual([verdict, verdict]);
    expect(none.problems).toEqual([]);
});

test('the lassos that are shown are least', async () => {
    const lengths = (finding: Finding): unknown =>
        finding.lasso && [finding.lasso.loopStart, finding.lasso.firings.length - finding.lasso.loopStart];
    const longer: string[] = [];
    for (const [name, row] of named) {
        const { none, auto } = await findingsOf(row);
        for (const [reduction, finding] of Object.entries({ none, auto })) {
            if (String(lengths(finding)) !== String(row.lasso)) {
                longer.push(`${name} (${reduction}): ${String(lengths(finding))} in place of ${String(row.lasso)}`);
            }
        }
    }
    expect(longer).toEqual([]);
});
