/** Properties and assumptions: what is a condition on a state, and what is about the run. */
import { expect, test } from 'vitest';
import type { Process } from '../../engine/model/model.js';
import type { TemporalExpression } from '../../engine/model/temporal.js';
import { modelOf } from '../model-of-text.js';

const TEXT = `type I = 0 .. 1
var x: bool = false
event go
event e
process P[i: I] {
    var k: I = 0
    loop { choose { enter: when x { k := 1 - k } } or { meet: e } or { flip: x := !x } }
}
process Q { loop { e } }
`;

/** The shape of a formula; a condition on a state is `·`. */
function shapeOf(formula: TemporalExpression): string {
    switch (formula.kind) {
        case 'state':
            return '·';
        case 'takes':
            return `takes ${JSON.stringify(formula.action)} by ${formula.process} of ${formula.indices.length}`;
        case 'forall':
        case 'exists': {
            const names = formula.binders.map(({ name }) => name).join();
            return `${formula.kind} ${names}${formula.where === undefined ? '' : ' where'} (${shapeOf(formula.body)})`;
        }
        case 'and':
        case 'or':
        case 'implies':
        case 'until':
        case 'weak-until':
        case 'leads-to':
            return `${formula.kind} (${shapeOf(formula.left)}) (${shapeOf(formula.right)})`;
        default:
            return `${formula.kind} (${shapeOf(formula.operand)})`;
    }
}

test.each([
    ['always (x && P[0].k == 1)', 'always (·)'],
    ['always (x implies eventually !x)', 'always (implies (·) (eventually (·)))'],
    ['!infinitely  often (x || P[0] at enter)', 'not (infinitely-often (·))'],
    ['(x && x) && always x', 'and (·) (always (·))'],
    ['x weak until !x', 'weak-until (·) (·)'],
    ['(x until x) || x', 'or (until (·) (·)) (·)'],
    [
        'forall i, j in I where i != j: P[i] at enter leads to exists n in I: P[n].k == 0',
        'forall i,j where (leads-to (·) (·))',
    ],
    ['exists i in I: possible P[i] at enter', 'exists i (possible (·))'],
    ['infinitely often P[1] takes enter', 'infinitely-often (takes {"kind":"label","label":"enter"} by 0 of 1)'],
    ['x until Q takes e', 'until (·) (takes {"kind":"event","event":1} by 1 of 0)'],
])('%s', async (text, shape) => {
    const { properties } = await modelOf(`${TEXT}/// Why.\nproperty p = ${text}\n`);
    expect(properties.map(({ name, documentation }) => [name, documentation])).toEqual([['p', 'Why.']]);
    expect(properties.map(({ expression }) => shapeOf(expression))).toEqual([shape]);
});

test('assumptions are no properties', async () => {
    const text = `${TEXT}assume a = forall i in I: (infinitely often P[i] takes e) implies (infinitely often x)\n`;
    const { properties, assumptions } = await modelOf(text);
    expect(properties).toEqual([]);
    expect(assumptions.map(({ expression }) => shapeOf(expression))).toEqual([
        'forall i (implies (infinitely-often (takes {"kind":"event","event":1} by 0 of 1)) (infinitely-often (·)))',
    ]);
});

test('fairness belongs to a process, an event or a label', async () => {
    const { events, processes } = await modelOf(
        'fair event e\nevent f\nstrong fair process P { end strong fair l: e }\nfair process Q { fair l: m: f }\nprocess R { e }\n',
    );
    expect(events.map(({ fairness }) => fairness)).toEqual(['weak', undefined]);
    expect(processes.map(({ fairness }) => fairness)).toEqual(['strong', 'weak', undefined]);
    expect(processes.map(labelsOf)).toEqual([['l strong'], ['l weak', 'm none'], []]);
});

function labelsOf({ body }: Process): string[] {
    const labels: string[] = [];
    for (let control = body[0]; control?.kind === 'labeled'; control = control.control) {
        labels.push(`${control.label} ${control.fairness ?? 'none'}`);
    }
    return labels;
}
