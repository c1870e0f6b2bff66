/** A model as logs are matched with it: with so many slots for instances, its places, and its steps by what a log calls them. */
import { remembered } from '../common/list-map.js';
import type { Model } from '../model/model.js';
import { interpretedSuccessors, type FiringVisitor, type Successors } from '../explore/successors.js';
import { Compiler, type Condition, Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { usedSlots } from '../sequential/templates/slot-usage.js';
import type { Candidate } from './candidates.js';
import type { Folding } from './folding.js';
import { ENDED, type Bindings, type LogNames } from './log-names.js';
import type { Observation } from './observation.js';
import { shapesOf, type Shapes } from './shapes.js';
import { StepMatch } from './step-match.js';
import type { ParticipantFacts } from './step-facts.js';
import { ValueMatch } from './value-match.js';

export class Ground {
    readonly model: Model;
    readonly sequential: SequentialModel;
    readonly shapes: Shapes;
    readonly names: LogNames;
    readonly folding: Folding;
    readonly steps: StepMatch;
    /** The names of steps that a log does not show. */
    readonly hides: ReadonlySet<string>;
    readonly #holds: readonly Condition[];
    /** Some of the steps, by what they are called. */
    readonly #parts = new Map<string, SomeSteps>();

    constructor(
        model: Model,
        sequential: SequentialModel,
        names: LogNames,
        hides: ReadonlySet<string>,
        folding: Folding,
    ) {
        this.model = model;
        this.sequential = sequential;
        this.names = names;
        this.folding = folding;
        this.shapes = shapesOf(model, sequential);
        this.steps = new StepMatch(model, sequential, this.shapes, new ValueMatch(names, folding.literals));
        this.hides = hides;
        const compiler = new Compiler(sequential.cells);
        this.#holds = sequential.invariants.map(({ expression }) => compiler.condition(expression));
    }

    /** Whether a log never shows a step, so that any number of them may lie before a line. */
    isHidden(summand: number): boolean {
        return [...this.steps.facts[summand].labels].every(label => this.hides.has(label));
    }

    forEachHidden(state: Readonly<Int32Array>, visitor: FiringVisitor): void {
        this.#some('', () => summand => this.isHidden(summand)).forEach(state, visitor);
    }

    forEachSeen(state: Readonly<Int32Array>, visitor: FiringVisitor): void {
        this.#some(' ', () => summand => !this.isHidden(summand)).forEach(state, visitor);
    }

    forEachStep(state: Readonly<Int32Array>, visitor: FiringVisitor): void {
        this.#some('  ', () => () => true).forEach(state, visitor);
    }

    /** The steps that the name and the process of a line leave under these bindings. */
    namedSteps(observation: Observation, bindings: Bindings): readonly SomeSteps[] {
        const { step = '' } = observation;
        const { facts } = this.steps;
        const all = this.#some(step, () => summand => facts[summand].labels.has(step));
        if (observation.process === undefined && observation.values.every(({ place }) => place.kind !== 'own')) {
            return [all];
        }
        return all
            .byInstance(step)
            .filter(({ participant }) => this.steps.isBy(observation, participant, bindings))
            .map(({ steps }) => steps);
    }

    /** The firings that the name and the process of a line leave under these bindings. */
    forEachNamed(
        observation: Observation,
        { state, bindings }: Pick<Candidate, 'state' | 'bindings'>,
        visitor: FiringVisitor,
    ): void {
        for (const steps of this.namedSteps(observation, bindings)) {
            steps.forEach(state, visitor);
        }
    }

    /** The bits of the invariants that do not hold in a state. */
    violatedIn(state: Readonly<Int32Array>): bigint {
        let violated = 0n;
        this.#holds.forEach((holds, index) => {
            if (!isTrue(holds, state)) {
                violated |= 1n << BigInt(index);
            }
        });
        return violated;
    }

    /** After a step: a name of an instance that neither lives nor is held has ended. */
    withEnded(bindings: Bindings, state: Readonly<Int32Array>): Bindings {
        const { templates, cells } = this.sequential;
        return (templates ?? []).reduce((known, template) => {
            const { bound } = this.names;
            if (!known.some((code, place) => code >= 0 && bound[place].type === template.name)) {
                return known;
            }
            const isUsed = new Uint8Array(template.slots.length);
            usedSlots(template, cells, state, isUsed);
            const isGone = (code: number, place: number): boolean =>
                code >= 0 && bound[place].type === template.name && isUsed[code] === 0;
            return known.some(isGone) ? known.map((code, place) => (isGone(code, place) ? ENDED : code)) : known;
        }, bindings);
    }

    #some(name: string, isAmong: () => (summand: number) => boolean): SomeSteps {
        return remembered(this.#parts, name, () => new SomeSteps(this, isAmong()));
    }
}

interface StepsOfInstance {
    readonly participant: ParticipantFacts;
    readonly steps: SomeSteps;
}

/** The steps of one kind: only they are tried. */
export class SomeSteps {
    readonly #ground: Ground;
    readonly #numbers: readonly number[];
    readonly #successors: Successors;
    #byInstance: readonly StepsOfInstance[] | undefined;

    constructor(ground: Ground, isAmong: (summand: number) => boolean) {
        this.#ground = ground;
        this.#numbers = [...ground.sequential.summands.keys()].filter(isAmong);
        this.#successors = interpretedSuccessors(ground.sequential, isAmong);
    }

    forEach(state: Readonly<Int32Array>, visitor: FiringVisitor): void {
        this.#successors.forEachFiring(state, visitor);
    }

    /** By instance that takes a step of this name: a participant of it, and the steps. */
    byInstance(step: string): readonly StepsOfInstance[] {
        this.#byInstance ??= this.#splitBy(step);
        return this.#byInstance;
    }

    #splitBy(step: string): readonly StepsOfInstance[] {
        const { facts } = this.#ground.steps;
        const found = new Map<number, { readonly participant: ParticipantFacts; readonly summands: Set<number> }>();
        for (const summand of this.#numbers) {
            for (const participant of facts[summand].participants.filter(({ labels }) => labels.has(step))) {
                const own = remembered(found, participant.instance, () => ({
                    participant,
                    summands: new Set<number>(),
                }));
                own.summands.add(summand);
            }
        }
        return [...found.values()].map(({ participant, summands }) => ({
            participant,
            steps: new SomeSteps(this.#ground, summand => summands.has(summand)),
        }));
    }
}

function isTrue(holds: Condition, state: Readonly<Int32Array>): boolean {
    try {
        return holds(state);
    } catch (error) {
        if (error instanceof Fault) {
            return false;
        }
        throw error;
    }
}
