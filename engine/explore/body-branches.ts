/**
 * The number of true and false outcomes of each `if` and `while` inside the braces of steps.
 *
 * Symmetries do not keep the branches of a body, so all states of each orbit are visited, unless there are too many.
 * The model that runs has a cell for each outcome of each test, which the taken branch sets.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { Domain } from '../model/domain.js';
import type { Model, Statement } from '../model/model.js';
import type { Cell, SequentialModel, SequentialStatement, Summand } from '../sequential/sequential-model.js';
import { constant } from '../sequential/expression/simplify.js';
import { interpretedSuccessors, type Successors } from './successors.js';
import { placeOf, textSteps } from './text-steps.js';

/** A test inside braces, and the number of firings with each outcome; one firing may have both. */
interface BodyBranch {
    readonly process: string;
    readonly range: SourceRange;
    readonly whenTrue: number;
    readonly whenFalse: number;
}

/** The most states that are visited, and cells of images that are looked at: less than a second. */
const MOST_STATES = 200_000;
const MOST_CELLS = 20_000_000;

const MARK: Domain = { kind: 'boolean' };
const SET = constant(1);

/** A test of the text; its mark for true has twice its number, that for false one more. */
interface BodyTest {
    readonly process: string;
    readonly range: SourceRange;
}

export class BodyBranches {
    readonly #cellCount: number;
    readonly #tests: readonly BodyTest[];
    /** By test: 1 if some summand has it; other tests are decided before the run. */
    readonly #isUsed: Uint8Array;
    /** The successors of a state followed by its marks. */
    readonly #successors: Successors;
    readonly #marked: Int32Array;
    /** By mark: firings. */
    readonly #counts: Float64Array;
    readonly #images: readonly ((state: Int32Array) => Int32Array)[];
    readonly #seen = new Set<string>();
    #looked = 0;
    #hasTooMany = false;

    /** `images` are the actions of generators of the group. */
    constructor(model: Model, sequential: SequentialModel, images: readonly ((state: Int32Array) => Int32Array)[]) {
        const tests = new Map<string, { readonly index: number; readonly test: BodyTest }>();
        for (const { process, body } of textSteps(model)) {
            for (const { place, range } of testsIn(body)) {
                if (!tests.has(place)) {
                    tests.set(place, { index: tests.size, test: { process, range } });
                }
            }
        }
        this.#tests = [...tests.values()].map(({ test }) => test);
        this.#isUsed = new Uint8Array(tests.size);
        this.#cellCount = sequential.cells.length;
        this.#counts = new Float64Array(2 * tests.size);
        this.#images = images;
        const testOf = (range: SourceRange): number | undefined => tests.get(placeOf(range))?.index;
        // Participants write to cells of their own.
        const mostParticipants = Math.max(1, ...sequential.summands.map(({ participants }) => participants.length));
        const marks = Array.from({ length: mostParticipants * 2 * tests.size }, (_, mark): Cell => ({
            name: `mark ${mark}`,
            domain: MARK,
            kind: 'shared',
            variable: -1,
            instance: -1,
            indices: [],
            mayBeAbsent: false,
            declaration: this.#tests[(mark >>> 1) % tests.size].range,
        }));
        const summands = sequential.summands.map((summand): Summand => ({
            ...summand,
            participants: summand.participants.map((participant, position) => {
                const first = this.#cellCount + position * 2 * tests.size;
                return { ...participant, body: this.#marking(participant.body, testOf, first) };
            }),
        }));
        this.#marked = new Int32Array(this.#cellCount + marks.length);
        this.#successors = interpretedSuccessors({
            ...sequential,
            cells: [...sequential.cells, ...marks],
            summands,
        });
    }

    /** Counts a state and all symmetric ones, unless already counted. */
    count(state: Readonly<Int32Array>): void {
        if (this.#hasTooMany || !this.#isUsed.includes(1)) {
            return;
        }
        const orbit: Int32Array[] = [];
        this.#visit(state.slice(), orbit);
        // The loop also visits the states that it adds.
        for (const each of orbit) {
            for (let i = 0; i < this.#images.length && !this.#hasTooMany; i++) {
                this.#visit(this.#images[i](each), orbit);
            }
        }
    }

    /** In the order of the text; undefined if there were too many states. */
    branches(): readonly BodyBranch[] | undefined {
        if (this.#hasTooMany) {
            return undefined;
        }
        return this.#tests.flatMap((test, index) =>
            this.#isUsed[index] === 0
                ? []
                : [{ ...test, whenTrue: this.#counts[2 * index], whenFalse: this.#counts[2 * index + 1] }],
        );
    }

    /** Counts a state and adds it to its orbit, if it is new. */
    #visit(state: Int32Array, orbit: Int32Array[]): void {
        this.#looked += state.length;
        const key = state.join();
        if (this.#seen.has(key)) {
            return;
        }
        if (this.#seen.size === MOST_STATES || this.#looked > MOST_CELLS) {
            this.#hasTooMany = true;
            this.#seen.clear();
            return;
        }
        this.#seen.add(key);
        this.#countFirings(state);
        orbit.push(state);
    }

    #countFirings(state: Readonly<Int32Array>): void {
        const marks = this.#counts.length;
        this.#marked.fill(0);
        this.#marked.set(state);
        const outcomes = new Uint8Array(marks);
        this.#successors.forEachFiring(this.#marked, {
            fired: (_, successor) => {
                outcomes.fill(0);
                for (let cell = this.#cellCount; cell < successor.length; cell++) {
                    outcomes[(cell - this.#cellCount) % marks] |= successor[cell];
                }
                outcomes.forEach((outcome, mark) => (this.#counts[mark] += outcome));
                return true;
            },
            faulted: () => true,
        });
    }

    /** The statements, with assignments that set marks from the cell `first` on. */
    #marking(
        statements: readonly SequentialStatement[],
        testOf: (range: SourceRange) => number | undefined,
        first: number,
    ): SequentialStatement[] {
        return statements.flatMap((statement): SequentialStatement[] => {
            if (statement.kind !== 'if' && statement.kind !== 'while') {
                return [statement];
            }
            const { range } = statement;
            const test = testOf(range);
            const setting = (outcome: 0 | 1): SequentialStatement[] =>
                test === undefined
                    ? []
                    : [
                          {
                              kind: 'assign',
                              target: { kind: 'cell', cell: first + 2 * test + outcome },
                              value: SET,
                              range,
                          },
                      ];
            if (test !== undefined) {
                this.#isUsed[test] = 1;
            }
            const inside = (part: readonly SequentialStatement[]): SequentialStatement[] =>
                this.#marking(part, testOf, first);
            return statement.kind === 'if'
                ? [
                      {
                          ...statement,
                          then: [...setting(0), ...inside(statement.then)],
                          otherwise: [...setting(1), ...inside(statement.otherwise)],
                      },
                  ]
                : [{ ...statement, body: [...setting(0), ...inside(statement.body)] }, ...setting(1)];
        });
    }
}

/** For each `if` and `while`, its place and the range of its condition. */
function testsIn(statements: readonly Statement[]): { readonly place: string; readonly range: SourceRange }[] {
    return statements.flatMap(statement => {
        switch (statement.kind) {
            case 'if': {
                const own = { place: placeOf(statement.range), range: statement.condition.range };
                return [own, ...testsIn([...statement.then, ...statement.otherwise])];
            }
            case 'while':
                return [
                    { place: placeOf(statement.range), range: statement.condition.range },
                    ...testsIn(statement.body),
                ];
            case 'for':
                return testsIn(statement.body);
            case 'assign':
            case 'declare':
            case 'return':
            case 'spawn':
            case 'fill':
            case 'assert':
            case 'skip':
                return [];
            default:
                return unreachable(statement);
        }
    });
}
