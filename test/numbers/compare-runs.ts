/**
 * Properties of runs of models with numbers without end beside the same models with a bound and a constraint below it, whose
 * runs are those that stay there: a property that is violated on these does not hold. Each run that is told is gone on with,
 * round by round: it does not end, and each round shows what the first one has shown.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { interpretedFiring, interpretedSuccessors } from '../../engine/explore/successors.js';
import type { ExplorationReport, Violation } from '../../engine/explore/verdict.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { Compiler } from '../../engine/sequential/expression/evaluate.js';
import { withRealNumbers } from '../../engine/sequential/numbers/real-numbers.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';
import { type Draw, drawFrom } from '../arbitrary/number-models.js';
import { agree } from '../agreement/engine-view.js';
import { bounded } from '../reference/real-numbers.js';

const PROPERTIES = ['first', 'second', 'third'];

/** A model whose numbers are all shared, with properties of runs. */
export function numberRunsModel(seed: number): string {
    const draw = drawFrom(seed);
    const numbers = draw.chance(0.5) ? ['x', 'y'] : ['x', 'a[1]', 'a[2]'];
    const isFamily = numbers.length === 3;
    const own = isFamily ? ['x', 'a[i]'] : numbers;
    const fairness = draw.oneOf(['', 'fair ', 'strong fair ']);
    const step = (label: string): string => {
        const guard = draw.chance(0.6) ? `when ${condition(draw, own)} ` : '';
        const count = 1 + draw.below(2);
        const body = Array.from({ length: count }, () => `${draw.oneOf(own)} := ${sum(draw, own)}`).join('; ');
        return `${draw.chance(0.2) ? 'fair ' : ''}${label}: ${guard}{ ${body} }`;
    };
    const labels = ['s', 't', 'u'].slice(0, 1 + draw.below(3));
    const steps = labels.map(step);
    const body = draw.chance(0.6) ? `choose { ${steps.join(' } or { ')} }` : steps.join(' ');
    const at = isFamily ? `P[${draw.oneOf(['1', '2'])}]` : 'P';
    const atom = (): string =>
        draw.chance(0.25) ? `${at} takes ${draw.oneOf(labels)}` : `(${condition(draw, numbers)})`;
    const formula = (): string => {
        switch (draw.below(6)) {
            case 0:
                return `infinitely often ${atom()}`;
            case 1:
                return `eventually always ${atom()}`;
            case 2:
                return `${atom()} leads to ${atom()}`;
            case 3:
                return `eventually ${atom()}`;
            case 4:
                return isFamily
                    ? `forall i in I: infinitely often P[i] takes ${draw.oneOf(labels)}`
                    : `always possible (${condition(draw, numbers)})`;
            default:
                return `(${atom()} until ${atom()}) || infinitely often ${atom()}`;
        }
    };
    return [
        'type I = 1 .. 2',
        'var x: nat = 0',
        isFamily ? 'var a: nat[I] = 0' : 'var y: nat = 0',
        `${fairness}process P${isFamily ? '[i: I]' : ''} { loop { ${body} } }`,
        ...(draw.chance(0.3) ? ['process Q { loop { idle: skip } }'] : []),
        ...PROPERTIES.map(name => `property ${name} = ${formula()}`),
        'allow deadlock',
        '',
    ].join('\n');
}

function sum(draw: Draw, places: readonly string[]): string {
    const place = draw.oneOf(places);
    return draw.oneOf([
        place,
        `${place} + 1`,
        `${place} + 1`,
        `${place} + 2`,
        `max(${place}, ${draw.oneOf(places)}) + 1`,
        '0',
        '1',
    ]);
}

function condition(draw: Draw, places: readonly string[]): string {
    const [first, second] = [draw.oneOf(places), draw.oneOf(places)];
    const relation = draw.oneOf(['==', '<', '<=', '>', '!=']);
    return draw.chance(0.2)
        ? `${first} mod 2 == ${draw.below(2)}`
        : `${first} ${relation} ${draw.chance(0.25) ? `${draw.below(3)}` : `${second}${draw.chance(0.4) ? ` + ${draw.below(3)}` : ''}`}`;
}

const HIGH = 24;
const MOST = 10;
const ROUNDS = 12;

/** By verdict of a property, with and without a bound, how often; throws where the two do not agree. */
export async function compareRuns(text: string): Promise<readonly string[]> {
    const analysis = await analyzed(text);
    if (typeof analysis === 'string') {
        return [analysis];
    }
    const { sequential } = analysis;
    if (sequential?.numbers === undefined) {
        return ['no numbers'];
    }
    const places = text.includes('a: nat') ? ['x', 'a[1]', 'a[2]'] : ['x', 'y'];
    const within = `constraint ${places.map(place => `${place} <= ${MOST}`).join(' && ')}\n`;
    const near = await analyzed(bounded(text + within, HIGH));
    if (typeof near === 'string') {
        throw new Error(near);
    }
    const all: string[] = [];
    for (const property of PROPERTIES) {
        const reports = (['none', 'unique'] as const).map(reduction =>
            explored(analysis, { reduction, properties: [property], ignoresFaults: true, maxStates: 3000 }),
        );
        const ofNear = explored(near, {
            reduction: 'none',
            properties: [property],
            ignoresFaults: true,
            maxStates: 30_000,
        });
        const verdicts = reports.map(({ verdict }) => verdict);
        agree(
            verdicts.includes('undecided') || verdicts[0] === verdicts[1],
            () => `${property} differs with symmetries: ${verdicts.join()}`,
        );
        const isStated = ofNear.violations.some(({ kind }) => kind === 'property');
        const asksPossible = new RegExp(`property ${property} = .*possible`).test(text);
        // What is possible may need larger numbers.
        agree(
            !verdicts.includes('holds') || !isStated || asksPossible,
            () => `${property} holds, and is violated with numbers up to ${MOST}`,
        );
        for (const { violations } of reports) {
            violations.forEach(violation => {
                agreeThatEndless(sequential, violation);
                const isNear = violation.run.states.every(state => state.every(code => code <= MOST));
                const { run, loop } = violation;
                const isSame = loop !== undefined && `${run.states.at(-1)!.join()}` === run.states[loop.start]!.join();
                agree(
                    !isNear || !isSame || asksPossible || ofNear.verdict !== 'holds',
                    () => `${property} is violated by small numbers, and holds with a bound`,
                );
            });
        }
        all.push(...verdicts.map(verdict => `${verdict}, near ${ofNear.verdict}`));
    }
    return all;
}

async function analyzed(text: string): Promise<ReturnType<typeof findSymmetries> | string> {
    const { model, problems } = await loadModel(text, 'file:///runs.orbit');
    const analysis = model && findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    return analysis?.sequential === undefined
        ? [...problems, ...(analysis?.problems ?? [])].map(({ code }) => code).join()
        : analysis;
}

function explored(analysis: ReturnType<typeof findSymmetries>, options: ReducedExplorationOptions): ExplorationReport {
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration has a report');
    }
    return report;
}

/** Each further round of the loop takes the same steps, in states in which the same steps and conditions are so. */
function agreeThatEndless(given: SequentialModel, { run, loop, name }: Violation): void {
    if (loop === undefined) {
        return;
    }
    const model = withRealNumbers(given);
    const fire = interpretedFiring(model);
    const compiler = new Compiler(model.cells);
    const markers = [
        ...model.fairness,
        ...model.properties.filter(each => each.name === name).flatMap(({ members }) => members),
    ];
    const conditions = markers.flatMap(({ atoms }) =>
        atoms.flatMap(atom => (atom.kind === 'state' ? [compiler.condition(atom.expression)] : [])),
    );
    const shows = (state: Int32Array): string => {
        const enabled: number[] = [];
        interpretedSuccessors(model).forEachFiring(state, {
            fired: summand => enabled.push(summand) > 0,
            faulted: () => true,
        });
        return `${enabled.join()} ${conditions.map(holds => String(holds(state))).join()}`;
    };
    const firings = run.firings.slice(loop.start);
    const first = run.states.slice(loop.start, -1).map(state => shows(state.slice()));
    const [last] = run.states.slice(-1);
    let state = last!.slice();
    if (firings.length === 0) {
        agree(shows(state).startsWith(' '), () => 'a run ends where a step is possible');
    }
    for (let round = 0; round < ROUNDS; round++) {
        firings.forEach((firing, position) => {
            agree(shows(state) === first[position], () => `round ${round} of the loop of ${name} is another one`);
            const next = state.slice();
            agree(fire(firing)(state, next) === 'fired', () => `the loop of ${name} ends in round ${round}`);
            state = next;
        });
    }
}
