/**
 * The worked example of docs/conformance: the program passes its tests, and each of six defects is found by them, a seventh
 * if they ask for what is forbidden.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TwoPhaseCommitAdapter } from '../../docs/conformance/adapter.js';
import {
    type Network,
    NotNow,
    ResourceManager,
    Transaction,
    TransactionManager,
} from '../../docs/conformance/two-phase-commit.js';
import { createTests, runTests, type TestReport } from '../../library/run-tests.js';
import { orbit } from '../cli/in-process.js';
import { modelOf } from '../model-of-text.js';

const TEXT = readFileSync('models/two-phase-commit.orbit', 'utf8');

async function reportOf(create: (count: number) => Transaction, forbidden = false): Promise<TestReport> {
    const suite = createTests(await modelOf(TEXT, { N: 3 }), { members: 3, text: TEXT, forbidden });
    if ('problems' in suite) {
        throw new Error('the model has tests');
    }
    return runTests(suite, new TwoPhaseCommitAdapter(create));
}

/** A program with other managers. */
function withManagers(
    resourceOf: (number: number, network: Network) => ResourceManager,
    managerOf = (count: number, network: Network) => new TransactionManager(count, network),
): (count: number) => Transaction {
    return count => {
        class Changed extends Transaction {
            override readonly resources = Array.from({ length: count }, (_, index) =>
                resourceOf(index + 1, this.network),
            );
            override readonly manager = managerOf(count, this.network);
        }
        return new Changed(count);
    };
}

class NeverAborts extends ResourceManager {
    override receive(decision: 'commit' | 'abort'): void {
        const before = this.state;
        super.receive(decision);
        this.state = decision === 'abort' && before === 'prepared' ? before : this.state;
    }
}

class Silent extends ResourceManager {
    readonly #own: Network;

    constructor(number: number, network: Network) {
        super(number, network);
        this.#own = network;
    }

    override prepare(): void {
        super.prepare();
        this.#own.prepared.delete(this.number);
    }
}

class CommitsLate extends ResourceManager {
    override receive(decision: 'commit' | 'abort'): void {
        if (decision === 'commit' && this.state === 'committed') {
            throw new NotNow('it has committed');
        }
        super.receive(decision);
    }
}

class HearsOnce extends TransactionManager {
    override receivePrepared(number: number): void {
        if (this.heard.has(number)) {
            throw new NotNow('it has been heard');
        }
        super.receivePrepared(number);
    }
}

class StubbornManager extends TransactionManager {
    override decide(decision: 'commit' | 'abort'): void {
        if (decision === 'abort' && this.heard.size >= 2) {
            throw new NotNow('so many are prepared');
        }
        super.decide(decision);
    }
}

class Forgets extends TransactionManager {
    override receivePrepared(number: number): void {
        super.receivePrepared(number);
        if (number === 3 && this.heard.size === 3) {
            this.heard.delete(1);
        }
    }
}

const plain = (number: number, network: Network): ResourceManager => new ResourceManager(number, network);

/** Two are in one manager only. */
const DEFECTS: readonly (readonly [string, (count: number) => Transaction])[] = [
    ['who is prepared does not abort', withManagers((number, network) => new NeverAborts(number, network))],
    ['who commits does so once', withManagers((number, network) => new CommitsLate(number, network))],
    [
        'manager 2 sends no message',
        withManagers((number, network) => (number === 2 ? new Silent(number, network) : plain(number, network))),
    ],
    [
        'the last message of manager 3 takes the place of the first',
        withManagers(plain, (n, net) => new Forgets(n, net)),
    ],
    ['a message is heard once', withManagers(plain, (n, net) => new HearsOnce(n, net))],
    ['two that are prepared cannot be aborted', withManagers(plain, (n, net) => new StubbornManager(n, net))],
];

test('the program takes one of each orbit of transitions, as the model does', async () => {
    const report = await reportOf(count => new Transaction(count));
    expect(report).toMatchObject({ failed: 0, covered: 235, transitionOrbits: 235, undecided: [] });
});

test.each(DEFECTS)('%s: the tests find that', async (_, create) => {
    const report = await reportOf(create);
    expect(report.failed).toBeGreaterThan(0);
    const [failure] = report.failures;
    expect(failure?.misfit.nearest.length === 0).toBe(failure?.misfit.what !== 'line');
});

class Careless extends ResourceManager {
    override prepare(): void {
        if (this.state !== 'prepared') {
            super.prepare();
        }
    }
}

test('manager 2 prepares twice: the tests find that if they ask for what is forbidden', async () => {
    const careless = withManagers((number, network) =>
        number === 2 ? new Careless(number, network) : plain(number, network),
    );
    expect(await reportOf(careless)).toMatchObject({ failed: 0, covered: 235 });
    const report = await reportOf(careless, true);
    const said = report.failures.map(({ misfit }) => [misfit.what, misfit.said['process'], misfit.said['step']]);
    expect(new Set(said.map(each => each.join(' ')))).toEqual(new Set(['forbidden ResourceManager[2] prepare']));
    expect(report.covered).toBe(235);
});

test('the program refuses all that is forbidden', async () => {
    const report = await reportOf(count => new Transaction(count), true);
    expect(report).toMatchObject({ failed: 0, covered: 235 });
    expect(report.forbidden).toBeGreaterThan(235);
});

test('what the program logs fits the model', async () => {
    const suite = createTests(await modelOf(TEXT, { N: 3 }));
    const logs: string[] = [];
    let last: Transaction | undefined;
    const keep = (): void => {
        if (last !== undefined) {
            logs.push(last.log.map(line => `${JSON.stringify(line)}\n`).join(''));
        }
    };
    const adapter = new TwoPhaseCommitAdapter(count => {
        keep();
        return (last = new Transaction(count));
    });
    if ('problems' in suite) {
        throw new Error('the model has tests');
    }
    await runTests(suite, adapter);
    keep();
    const words = ['match', 'm.orbit', ...logs.keys()].map(String);
    const files = { 'm.orbit': TEXT, ...Object.fromEntries(logs.map((log, index) => [String(index), log])) };
    const { exitCode, stdout } = await orbit([...words, '--json', '--coverage'], { files });
    expect([exitCode, logs.length > 50]).toEqual([0, true]);
    expect(JSON.parse(stdout)).toMatchObject({ unshown: [] });
    const shipped = readFileSync('docs/conformance/two-phase-commit.jsonl', 'utf8');
    const { exitCode: code } = await orbit(['match', 'm.orbit', 'log'], { files: { 'm.orbit': TEXT, log: shipped } });
    expect(code).toBe(0);
});
