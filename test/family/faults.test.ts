/** What is said to be free of faults, beside all states of a small instance whose variables begin with any values. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { startExploration } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { stepsIn } from '../../engine/model/walk-model.js';
import { LoweredText } from '../../family/lowered-text.js';
import { instantiate } from '../../language/instantiate.js';
import { loadEverySize } from '../../language-server/load-model.js';

const HEAD = `param N: 2 .. 9 = 2
type Proc = 0 .. N - 1
type K = 0 .. 2
record Pair = { x: K, y: bool }
record Some = { x: K, y: K where x <= y }
const w: K[K] = [k in K: k]
const v = [1, 2]
function next(k: K): K { if k != 2 { return k + 1 } return 0 }
function next2(k: K): K { if k < 2 { return k + 1 } return k + 1 }
`;

const VARIABLES: Readonly<Record<string, string>> = {
    f: 'bool[Proc]',
    n: 'K[Proc]',
    m: 'K',
    z: '0 .. 5',
    o: 'K?',
    q: 'Proc?',
    t: 'bool[K]',
    p: 'Pair',
    s: 'Pair?',
    a: 'Some',
    e: 'set of K',
};

interface Judged {
    /** Whether a step, its guard or a part of them may be a fault, by the text. */
    readonly mayFault: boolean;
    readonly faults: readonly string[];
}

/** Of a process with one instance for each member and this step. */
async function judge(step: string): Promise<Judged> {
    const words = new Set(step.match(/\b[a-z]\w*\b/g));
    const declared = Object.entries(VARIABLES).filter(([name]) => words.has(name));
    const variables = declared.map(([name, type]) => `var ${name}: ${type} = any\n`).join('');
    const text = `${HEAD}${variables}process P[i: Proc] { ${step} }\nallow deadlock`;
    const loaded = await loadEverySize(text, 'file:///model.orbit', new Map([['N', 'all']]));
    invariant(loaded.kind === 'family', `the text is a family: ${step}`);
    const { model, problems } = instantiate(loaded.family, [2]);
    invariant(model !== undefined, `the text has a model: ${problems[0]?.message}`);
    const lowered = new LoweredText(loaded.family, model);
    const [taken] = model.processes.flatMap(process => stepsIn(process.body));
    invariant(taken !== undefined, 'the process has a step');
    const { guard, body } = taken;
    const { sequential } = linearize(model);
    invariant(sequential !== undefined, 'the model is small');
    const options = { reduction: 'none', maxViolations: 1 } as const;
    const { exploration } = startExploration({ model, sequential }, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    return {
        mayFault:
            (guard !== undefined && lowered.mayFault(guard)) || body.some(each => lowered.statementMayFault(each)),
        faults: report!.violations.flatMap(({ kind, name }) => (kind === 'fault' ? [name] : [])),
    };
}

test.each([
    'm := m',
    'm := z mod 3',
    'm := next(m)',
    't[m] := true',
    'p := Pair(m, f[i])',
    'p.x := m',
    'a := Some(0, 1)',
    's := p',
    'n := [j in Proc: if j == i then m else n[j]]',
    'n := [j in Proc: w[n[j]]]',
    'n := [j in Proc: next(n[j])]',
    '{ for k in K where k != 0 { t[k - 1] := true } }',
    '{ for k in K where t[k] { m := k } }',
    '{ let d = z; m := d mod 3 }',
    '{ var d: K = m; d := 0; t[d] := true }',
    '{ if o != none { m := o } }',
    '{ if q != none { f[q] := true } }',
    'when exists j in Proc: (z div 2) + n[j] > 1 { m := 0 }',
    'when exists k in K where k != 0: t[k - 1] { m := 0 }',
    'when forall k in K: k == 2 || t[k + 1] { m := 0 }',
    'when o != none && t[o] { m := 0 }',
    'when sum(k in K: z) > 2 && max(k in K: z) > 1 { m := 0 }',
    'when v[m mod 2] == 1 { m := 0 }',
])('%s is no fault', async step => {
    expect(await judge(step)).toEqual({ mayFault: false, faults: [] });
});

test.each([
    ['m := z', 'range'],
    ['m := next2(m)', 'range'],
    ['t[z] := true', 'index'],
    ['p := Pair(z, f[i])', 'range'],
    ['p.x := z', 'range'],
    ['a := Some(1, m)', 'range'],
    // The condition is about both fields.
    ['a.x := 1', 'range'],
    ['n := [j in Proc: if j == i then z else n[j]]', 'range'],
    ['n := [j in Proc: w[z]]', 'index'],
    ['n := [j in Proc: next2(n[j])]', 'range'],
    ['{ for k in 0 .. 5 { t[k] := true } }', 'index'],
    ['{ let d = z; m := d }', 'range'],
    ['when exists k in K: t[k - 1] { m := 0 }', 'index'],
    ['when forall k in K: k == 1 || t[k + 1] { m := 0 }', 'index'],
    ['when 5 div m > 0 { m := 0 }', 'division'],
    ['when max(k in K where t[k]: k) > 0 { m := 0 }', 'undefined'],
    ['when v[m] == 1 { m := 0 }', 'index'],
    ['when min(k in e: k) > 0 { m := 0 }', 'undefined'],
])('%s may be a fault of the kind %s', async (step, kind) => {
    expect(await judge(step)).toEqual({ mayFault: true, faults: [kind] });
});
