/** The steps of a state as a worker of the language server finds them. */
import { expect, test } from 'vitest';
import { JobRunner } from '../../language-server/analysis/worker-jobs.js';
import type { WorkerReply } from '../../language-server/analysis/worker-protocol.js';
import type { StepsParams, StepsResult } from '../../language-server/protocol.js';
import { modelOf } from '../model-of-text.js';

const LOCK = `model Lock
type Id = 1 .. 2
var taken: bool = false
process Worker[i: Id] { loop { look: when !taken; enter: taken := true; leave: taken := false } }
invariant alone = count(i in Id: Worker[i] at leave) <= 1
`;

async function stepsOf(asked: Pick<StepsParams, 'state' | 'towards'>, text = LOCK): Promise<StepsResult> {
    const replies: WorkerReply[] = [];
    const runner = new JobRunner({
        now: () => 0,
        post: reply => void replies.push(reply),
        searchThreads: () => undefined,
    });
    const model = await modelOf(text);
    runner.run({ kind: 'steps', ...asked, job: 1, document: 'm', model, cancellation: new SharedArrayBuffer(4) });
    const reply = replies.at(-1);
    if (reply?.kind !== 'stepped') {
        throw new Error(JSON.stringify(reply));
    }
    return reply.outcome;
}

test('from the start, through a state, and to a label', async () => {
    const { steps: starts } = await stepsOf({});
    expect(starts).toHaveLength(1);
    const { state } = starts![0]!.entry;
    const { steps } = await stepsOf({ state });
    expect(steps?.map(({ entry: { step } }) => `${step?.process} ${step?.label} line ${step?.location.line}`)).toEqual([
        'Worker[1] look line 4',
        'Worker[2] look line 4',
    ]);
    const { way } = await stepsOf({ state, towards: 'leave' });
    expect(way?.map(({ step }) => step?.label)).toEqual(['look', 'enter', 'leave']);
    expect(await stepsOf({ state, towards: 'nowhere' })).toEqual({});
    expect(await stepsOf({ state: { ...state, taken: 7 } })).toEqual({});
});

test('a state without the place of a process or the value of a variable is none of the model', async () => {
    const { steps: starts } = await stepsOf({});
    const { state } = starts![0]!.entry;
    for (const name of ['Worker[1].at', 'taken']) {
        const { [name]: _, ...others } = state;
        expect(await stepsOf({ state: others })).toEqual({});
        expect(await stepsOf({ state: others, towards: 'leave' })).toEqual({});
    }
});

test('who waits in a state where others can go on, and for what', async () => {
    const text = LOCK.replace('1 .. 2', '1 .. 5');
    const { steps: starts } = await stepsOf({}, text);
    const { state } = starts![0]!.entry;
    const { waits } = await stepsOf({ state: { ...state, taken: true, 'Worker[2].at': 'leave' } }, text);
    expect(waits).toEqual([{ text: '4 wait at `look` for `!taken`' }]);
    const meetings =
        'event get[1 .. 2]\nprocess A[i: 1 .. 2] { get[i] }\nprocess B { loop { off: skip; get[1]; get[2] } }\n';
    const { steps: [first] = [] } = await stepsOf({}, meetings);
    const { waits: others } = await stepsOf({ state: first!.entry.state }, meetings);
    expect(others?.map(({ text: line, alike }) => [line, alike?.text])).toEqual([
        ['`A[1]` waits for `get[1]`', 'and 1 more, likewise'],
    ]);
});

test('a step from a large number without end is possible, and no fault', async () => {
    const text = 'model Up\nvar n: nat = 0\nprocess P { loop { up: n := n + 1 } }\n';
    const { steps = [] } = await stepsOf({ state: { n: 1000 } }, text);
    expect(steps.map(({ entry, violates }) => [entry.state['n'], violates])).toEqual([[1001, []]]);
});
