/** Instances that have neither cells nor steps of their own: what joint steps say of them. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { analyze } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';

async function orbitsIn(text: string): Promise<readonly (readonly string[])[] | undefined> {
    const { model, problems } = await loadModel(text, 'test:/model.orbit');
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { symmetry } = analyze(model!, { now: () => 0, workLimit: UNLIMITED });
    return symmetry?.report.families[0]?.orbits;
}

function orbitsOf(event: string, body: string): Promise<readonly (readonly string[])[] | undefined> {
    return orbitsIn(`model M\ntype Id = 0 .. 2\nvar a: bool\nevent ${event}\nprocess P[i: Id] { loop { ${body} } }\n`);
}

test('who all have the same part in a step can be exchanged', async () => {
    expect(await orbitsOf('sync', 'choose { when a sync; } or { { a := !a } }')).toHaveLength(1);
});

test('who can take each part that another one has can be exchanged with it', async () => {
    expect(await orbitsOf('sync', 'choose { sync { if a { skip } else { skip } } } or { sync; }')).toHaveLength(1);
});

test('what instances have of their own but never changes does not tell them apart', async () => {
    const body = 'choose { while a { when !a; } } or { sync; }';
    expect(await orbitsOf('sync', body)).toHaveLength(1);
});

test('locals that hold nothing between steps are told apart within a step', async () => {
    const withTests = (tests: string): string => `
        model M
        type Id = 0 .. 1
        var a: bool = any
        var b: bool = any
        event sync
        process P[i: Id] {
            var first: bool = false
            var second: bool = false
            loop { sync { first := a; second := a && b; ${tests}; first := false; second := false } }
        }
        process Q { loop { { a := !a } } }
        process R { loop { when a { b := !b } } }
    `;
    expect(await orbitsIn(withTests('assert !first'))).toHaveLength(1);
    expect(await orbitsIn(withTests('if i == 0 { assert !first } else { assert !second }'))).toHaveLength(2);
});

test('who has a part of its own stays', async () => {
    // The lower one of each pair writes.
    const body = 'choose j in Id { when i < j pair[i, j] { a := !a } } or j in Id { when j < i pair[j, i]; }';
    expect(await orbitsOf('pair[Id, Id]', body)).toHaveLength(3);
});
