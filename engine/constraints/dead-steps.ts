/**
 * Steps that never happen or always fail: a test before the step is never true, control never gets there, a partner is
 * never ready, or every firing is a fault. A step with such a verdict in all its instances gets one problem, but not if
 * it follows in its process on one that never happens. The verdicts follow from an upper bound of the values of cells
 * (reachable-values.ts), so some such steps are missed.
 */
import { remembered } from '../common/list-map.js';
import type { Problem } from '../common/problem.js';
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Model } from '../model/model.js';
import { stepsIn } from '../model/walk-model.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import { Compiler, Fault } from '../sequential/expression/evaluate.js';
import type { FaultKind, Participant, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { convertSummand, definitionCountOf } from './static-single-assignment.js';
import { PossibleValues } from './possible-values.js';
import { EncodingStopped, unless } from './encoding-limits.js';
import type { Domains } from './formula.js';
import { FragmentCache, type PlacedFragment } from './fragment.js';
import { reachableValues, type ReachableValues } from './reachable-values.js';
import { toTransition } from './transition.js';

/** Larger models are skipped, so that the answer comes while the user waits. */
const MOST_SUMMANDS = 5_000;
const MOST_DEFINITIONS = 100_000;

/** The knowledge about a summand for one participant. */
type Verdict =
    /** It may fire, or nothing is known. */
    | { readonly kind: 'possible' }
    /** Control of the participant never gets here. */
    | { readonly kind: 'unreached' }
    /** A partner of one of these processes never gets to its part, or a test of the partner is never true. */
    | { readonly kind: 'partner'; readonly processes: readonly number[] }
    /** This test of the participant is never true. */
    | { readonly kind: 'disabled'; readonly test: SourceRange | undefined }
    /** Every firing for which the earlier tests hold is this fault. */
    | { readonly kind: 'fault'; readonly fault: Fault };

const POSSIBLE: Verdict = { kind: 'possible' };

/** A step of the text with the verdicts of all its instances. */
interface StepVerdicts {
    readonly process: number;
    readonly range: SourceRange;
    readonly verdicts: Verdict[];
}

/** The values that can occur in a model. */
export interface KnownValues {
    readonly placed: readonly PlacedFragment[];
    readonly reachable: ReachableValues;
}

/**
 * Works out the values if they are not given. Empty if the limit is exhausted before they are known, and of a model with
 * templates: there may be more instances than it has slots.
 */
export function findDeadSteps(
    model: Model,
    sequential: SequentialModel,
    limit: WorkLimit,
    known: KnownValues | undefined = valuesOf(sequential, limit),
): Problem[] {
    if (known === undefined || sequential.templates !== undefined || isTooLarge(sequential)) {
        return [];
    }
    const { summands, instances } = sequential;
    const { placed, reachable } = known;
    const steps = new Map<string, StepVerdicts>();
    const judge = new Judge(sequential, reachable);
    for (const [index, { participants }] of summands.entries()) {
        if (limit.isExhausted()) {
            return [];
        }
        const verdicts = judge.verdictsOf(index, placed[index]);
        participants.forEach(({ instance, range }, position) => {
            const key = keyOfRange(range);
            const step = remembered(steps, key, () => ({ process: instances[instance].process, range, verdicts: [] }));
            step.verdicts.push(verdicts[position]);
        });
    }
    const lonely = stepsWithoutSummand(model, sequential, steps);
    return [...lonely, ...problemsOf([...steps.values()])];
}

function isTooLarge(sequential: SequentialModel): boolean {
    return sequential.summands.length > MOST_SUMMANDS || definitionCountOf(sequential) > MOST_DEFINITIONS;
}

/** With every choice of a slot, if there are templates. Undefined if the model is too large or the limit is exhausted. */
export function valuesOf(given: SequentialModel, limit: WorkLimit): KnownValues | undefined {
    const sequential = withAllSlots(given)?.model;
    if (sequential === undefined || isTooLarge(sequential)) {
        return undefined;
    }
    const fragments = new FragmentCache();
    const values = (): KnownValues => {
        const placed = fragments.place(sequential, limit);
        return { placed, reachable: reachableValues(sequential, placed, fragments.lists, limit) };
    };
    return unless(EncodingStopped, values, () => undefined);
}

/** Finds the verdicts of summands. */
class Judge {
    private readonly sequential: SequentialModel;
    private readonly reachable: ReachableValues;
    private readonly possible: PossibleValues;

    constructor(sequential: SequentialModel, reachable: ReachableValues) {
        this.sequential = sequential;
        this.reachable = reachable;
        this.possible = new PossibleValues(sequential.cells, new Compiler(sequential.cells));
    }

    /** One verdict for each participant. */
    verdictsOf(index: number, placed: PlacedFragment): Verdict[] {
        const { participants } = this.sequential.summands[index];
        const at = this.reachable.at(index);
        if (at === undefined) {
            const reached = participants.map(({ instance, source }) => this.reachable.reaches(instance, source));
            const processes = participants.filter((_, position) => !reached[position]).map(this.processOf);
            return reached.map(isReached => (isReached ? { kind: 'partner', processes } : { kind: 'unreached' }));
        }
        if (at.canFire || placed.transition.transition.isTooLarge) {
            return participants.map(() => POSSIBLE);
        }
        const domains: (readonly number[])[] = [];
        placed.cells.forEach((cell, local) => (domains[cell] = at.codes[local]));
        const blamed = this.blame(index, domains);
        if (blamed === undefined || blamed.verdict.kind === 'possible') {
            return participants.map(() => POSSIBLE);
        }
        const partner: Verdict = { kind: 'partner', processes: [this.processOf(participants[blamed.position])] };
        return participants.map((_, position) => (position === blamed.position ? blamed.verdict : partner));
    }

    private readonly processOf = ({ instance }: Participant): number => this.sequential.instances[instance].process;

    /** The first test that never holds over `start`; resolved again, since fragments know no places of the text. */
    private blame(
        summand: number,
        start: Domains,
    ): { readonly position: number; readonly verdict: Verdict } | undefined {
        const { cells, summands } = this.sequential;
        const { participants } = toTransition(convertSummand(cells, summands[summand], summand), this.sequential);
        const current = [...start];
        for (const [position, tests] of participants.entries()) {
            for (const test of tests) {
                const verdict = this.follow(test, current);
                if (verdict !== undefined) {
                    return { position, verdict };
                }
            }
        }
        return undefined;
    }

    /** Restricts `current` to the codes with which the test can hold; returns a verdict if there are none. */
    private follow(test: SequentialExpression, current: (readonly number[])[]): Verdict | undefined {
        const outcomes = this.possible.narrow(test, current);
        if (outcomes === undefined || outcomes.has(1)) {
            return undefined;
        }
        const all = [...outcomes];
        const fault = all.find(outcome => outcome instanceof Fault);
        if (fault !== undefined) {
            // Sometimes false and sometimes a fault: an exploration shows it.
            return all.every(outcome => outcome instanceof Fault) ? { kind: 'fault', fault } : POSSIBLE;
        }
        return { kind: 'disabled', test: 'range' in test ? test.range : undefined };
    }
}

/** Communicating steps of processes with instances that never have a partner. */
function stepsWithoutSummand(
    model: Model,
    { instances }: SequentialModel,
    steps: ReadonlyMap<string, StepVerdicts>,
): Problem[] {
    const populated = new Set(instances.map(({ process }) => process));
    return model.processes.flatMap((process, index) =>
        populated.has(index)
            ? stepsIn(process.body).flatMap(({ communication, range }): Problem[] => {
                  if (communication === undefined || steps.has(keyOfRange(range))) {
                      return [];
                  }
                  const what = communication.kind === 'event' ? 'event' : communication.kind;
                  return [noPartner(communication.range, `this ${what} never happens: nobody takes part in it`)];
              })
            : [],
    );
}

function problemsOf(steps: readonly StepVerdicts[]): Problem[] {
    const inOrder = [...steps].sort((a, b) => compareRanges(a.range, b.range));
    const problems: Problem[] = [];
    /** The processes with a reported problem; its consequences are not reported. */
    const blocked = new Set<number>();
    for (const step of inOrder) {
        const problem = ownProblemOf(step);
        if (problem !== undefined) {
            problems.push(problem);
            blocked.add(step.process);
        }
    }
    const causes = new Set(blocked);
    for (const step of inOrder) {
        const partners = partnersOf(step);
        if (partners !== undefined) {
            blocked.add(step.process);
            if (!partners.some(process => causes.has(process))) {
                problems.push(noPartner(step.range, 'this step never happens: whom it needs is never ready for it'));
            }
        }
    }
    for (const { process, range, verdicts } of inOrder) {
        if (!blocked.has(process) && verdicts.every(({ kind }) => kind === 'unreached')) {
            blocked.add(process);
            problems.push({
                severity: 'warning',
                code: 'step/never-reached',
                message: 'no run ever comes to this step',
                range,
            });
        }
    }
    return problems;
}

/** The verdicts of the instances that get to the step; undefined if it may happen in one of them. */
function knownOf({ verdicts }: StepVerdicts): Verdict[] | undefined {
    const known = verdicts.filter(({ kind }) => kind !== 'unreached');
    return known.length === 0 || known.some(({ kind }) => kind === 'possible') ? undefined : known;
}

/** The problem of the step itself: a test that is never true, or a fault. */
function ownProblemOf(step: StepVerdicts): Problem | undefined {
    const known = knownOf(step) ?? [];
    const disabled = known.filter(verdict => verdict.kind === 'disabled');
    const faults = known.filter(verdict => verdict.kind === 'fault');
    const [fault] = faults;
    if (fault !== undefined) {
        return disabled.length + faults.length === known.length ? faultProblem(fault.fault) : undefined;
    }
    const [first] = disabled;
    if (first === undefined || disabled.length < known.length) {
        return undefined;
    }
    const test = disabled.every(verdict => isSameRange(verdict.test, first.test)) ? first.test : undefined;
    if (test === undefined || isInside(test, step.range)) {
        const message =
            test === undefined
                ? 'what stands before this step is never true, so it is never taken'
                : 'this is never true here, so the step is never taken';
        return { severity: 'warning', code: 'step/never-enabled', message, range: test ?? step.range };
    }
    return {
        severity: 'warning',
        code: 'step/never-reached',
        message: 'no run ever comes to this step: the test before it never turns out that way',
        range: step.range,
        related: [{ message: 'the test', range: test }],
    };
}

/** The processes of the missing partners; undefined if something else holds up the step too. */
function partnersOf(step: StepVerdicts): number[] | undefined {
    const known = knownOf(step);
    const waiting = known?.filter(verdict => verdict.kind === 'partner') ?? [];
    return known === undefined || waiting.length < known.length
        ? undefined
        : waiting.flatMap(({ processes }) => processes);
}

function noPartner(range: SourceRange, message: string): Problem {
    return { severity: 'warning', code: 'event/no-partner', message, range };
}

/** The faults that a text can have at every execution. */
const CERTAIN: Readonly<Partial<Record<FaultKind, string>>> = {
    index: 'an index lies outside of its type',
    range: 'a value lies outside of the type of its variable',
    division: 'the divisor is zero',
    overflow: 'the result is too large',
    undefined: 'an operation has no value',
};

function faultProblem({ kind, range }: Fault): Problem | undefined {
    const what = CERTAIN[kind];
    return what === undefined
        ? undefined
        : {
              severity: 'error',
              code: 'step/always-faults',
              message: `whenever a run comes here, ${what}`,
              range,
          };
}

function isSameRange(first: SourceRange | undefined, second: SourceRange | undefined): boolean {
    return first === undefined || second === undefined ? first === second : keyOfRange(first) === keyOfRange(second);
}

function isInside(inner: SourceRange, outer: SourceRange): boolean {
    return (
        inner.uri === outer.uri &&
        comparePositions(outer.start, inner.start) <= 0 &&
        comparePositions(inner.end, outer.end) <= 0
    );
}

function compareRanges(first: SourceRange, second: SourceRange): number {
    return comparePositions(first.start, second.start);
}

function comparePositions(first: SourceRange['start'], second: SourceRange['start']): number {
    return first.line - second.line || first.character - second.character;
}
