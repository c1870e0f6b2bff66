/**
 * Executes one test against a system: asks it for the steps that are inputs, waits for its own, and follows all that it
 * says as a log is followed (match/matcher.ts). Where the system chooses otherwise than planned, which is its right, the
 * test goes on to the nearest orbit of transitions that is not covered.
 */
import type { TextOfRange } from '../common/source-text.js';
import { namesAtFirst } from '../explore/instance-names.js';
import type { FiringVisitor } from '../explore/successors.js';
import { NO_FOLDING } from '../match/folding.js';
import { Ground } from '../match/ground.js';
import type { LogSettings } from '../match/log-check.js';
import { LogNames } from '../match/log-names.js';
import { Matcher, type Taken } from '../match/matcher.js';
import { PLAIN_VOCABULARY, type Observation } from '../match/observation.js';
import { ObservationReader } from '../match/observation-reader.js';
import { Refusals, type Refusal } from '../match/refusals.js';
import { answerOf, type Answer, type Message } from './conversation.js';
import { forbiddenRequests, type ForbiddenChoice } from './forbidden.js';
import type { Passing } from './path-keys.js';
import { quietAmong, unableAmong } from './quiet.js';
import type { Selection, TestRun } from './select-tests.js';
import { entryOf, type GivenNames, type Inputs } from './step-entry.js';
import { formatState } from '../describe/shown-state.js';

type Entry = Readonly<Record<string, unknown>>;

export interface TesterSettings extends LogSettings {
    readonly inputs?: NonNullable<Inputs>;
}

export interface Exchange {
    readonly sent: Message;
    readonly answer: unknown;
    /** It was asked for a step that the model forbids. */
    readonly isForbidden?: true;
}

/** Why what the system has said is no run of the model. */
export interface TestMisfit {
    /** A step that was taken, `quiet`, `refused`, or a step that was asked for and is possible in no state. */
    readonly what: 'line' | 'quiet' | 'refused' | 'forbidden';
    readonly said: Entry;
    /** Of states that the system may have been in. */
    readonly candidates: number;
    readonly nearest: readonly Refusal[];
    readonly instead: readonly string[];
}

export type Outcome =
    | { readonly kind: 'passed' }
    | { readonly kind: 'failed'; readonly misfit: TestMisfit }
    | { readonly kind: 'undecided'; readonly why: 'candidates' | 'instances' | 'constraint' }
    /** The time was over before an answer. */
    | { readonly kind: 'unfinished' }
    | { readonly kind: 'adapter'; readonly message: string };

export interface Execution {
    readonly outcome: Outcome;
    readonly exchanges: readonly Exchange[];
    /** The steps that were planned up to the failure; absent if the system has chosen otherwise. */
    readonly planned?: readonly Passing[];
    /** At some time it was quiet where hidden steps can go on without end. */
    readonly isEndless: boolean;
    /** How many steps that the model forbids it was asked for. */
    readonly forbidden: number;
    /** Keys of answers that say nothing of the model. */
    readonly ignoredKeys: ReadonlySet<string>;
}

/** Orbits that are covered, and how often one was gone to that the system did not take. */
export interface Progress {
    readonly covered: Set<number>;
    readonly missed: Map<number, number>;
}

export interface ExecutionOptions {
    /** On to what is not covered, behind the test and where the system chooses otherwise. */
    readonly goesOn: boolean;
    /** Which steps that the model forbids the system is asked for; none if absent. */
    readonly forbidden?: ForbiddenChoice;
}

const LONGEST = 100;
/** So often the system may choose otherwise before an orbit is no goal any more. */
export const MOST_MISSED = 3;

/** An answer is undefined if the time was over before it. */
export type Conversation<Result> = Generator<Message, Result, unknown>;

export class Tester {
    readonly #selection: Pick<Selection, 'model' | 'sequential' | 'orbits'>;
    readonly #settings: TesterSettings;
    readonly #textOf: TextOfRange;
    readonly #parameters: Entry;

    constructor(
        selection: Pick<Selection, 'model' | 'sequential' | 'orbits'>,
        settings: TesterSettings,
        parameters: Entry,
        textOf: TextOfRange,
    ) {
        this.#selection = selection;
        this.#settings = settings;
        this.#parameters = parameters;
        this.#textOf = textOf;
    }

    execute(run: TestRun, progress: Progress, options: ExecutionOptions): Conversation<Execution> {
        const { model, sequential, orbits } = this.#selection;
        const names = new LogNames(model, this.#settings.names);
        const ground = new Ground(model, sequential, names, this.#settings.hides, NO_FOLDING);
        const execution = new OneExecution(
            ground,
            this.#settings,
            { orbits, progress },
            new Refusals(ground, this.#textOf),
        );
        return execution.talk(run, this.#parameters, options);
    }
}

class OneExecution {
    readonly #ground: Ground;
    readonly #settings: TesterSettings;
    readonly #goals: { readonly orbits: Selection['orbits']; readonly progress: Progress };
    readonly #refusals: Refusals;
    readonly #matcher: Matcher;
    readonly #asked: ObservationReader;
    readonly #told: ObservationReader;
    readonly #exchanges: Exchange[] = [];
    readonly #given: GivenNames = new Map();
    #line = 0;
    #isEndless = false;
    #isCutOff = false;
    #forbidden = 0;
    /** The last step that was asked for. */
    #wasRefused = false;

    constructor(
        ground: Ground,
        settings: TesterSettings,
        goals: { readonly orbits: Selection['orbits']; readonly progress: Progress },
        refusals: Refusals,
    ) {
        const { model, sequential, shapes, names } = ground;
        this.#ground = ground;
        this.#settings = settings;
        this.#goals = goals;
        this.#refusals = refusals;
        this.#matcher = new Matcher(ground, settings.maxCandidates);
        this.#asked = new ObservationReader(model, sequential, shapes, names, PLAIN_VOCABULARY);
        this.#told = new ObservationReader(model, sequential, shapes, names, settings.vocabulary);
    }

    *talk(run: TestRun, parameters: Entry, { goesOn, forbidden }: ExecutionOptions): Conversation<Execution> {
        const { progress } = this.#goals;
        const start = { state: run.initial, bindings: [], passed: this.#matcher.passed.none, origin: -1 };
        this.#matcher.beginFrom([start]);
        const { sequential } = this.#ground;
        const initial = formatState(sequential, run.initial, namesAtFirst(sequential, run.initial));
        let end = yield* this.#exchange({ reset: parameters, initial });
        let plan: readonly Passing[] = run.passings;
        let target: number | undefined;
        let isAsPlanned = true;
        let done = 0;
        let steps = 0;
        while (end === undefined) {
            while (done < plan.length && this.#ground.isHidden(plan[done].summand)) {
                done++;
            }
            if (forbidden !== undefined) {
                end = yield* this.#askForbidden(forbidden, done === plan.length);
                if (end !== undefined) {
                    break;
                }
            }
            const isHere = done < plan.length && this.#isReached(plan[done].before);
            if (!isHere) {
                if (done < plan.length) {
                    isAsPlanned = false;
                    this.#miss(target);
                }
                const on = goesOn && steps < LONGEST ? this.#wayOn() : undefined;
                if (on === undefined) {
                    break;
                }
                isAsPlanned = false;
                plan = on;
                target = this.#goals.orbits.numberOf(on[on.length - 1]);
                done = 0;
                if (plan.every(({ summand }) => this.#ground.isHidden(summand))) {
                    // A step that no line shows: nobody can say whether it was taken.
                    progress.missed.set(target ?? -1, MOST_MISSED);
                    plan = [];
                }
                continue;
            }
            const passing = plan[done++];
            steps++;
            end = yield* this.#step(passing);
            if (end === undefined && this.#wasRefused && this.#mayGoOn()) {
                end = yield* this.#retry(passing);
            }
            if (target !== undefined && done === plan.length && !progress.covered.has(target)) {
                this.#miss(target);
            }
        }
        return {
            outcome: end ?? { kind: 'passed' },
            exchanges: this.#exchanges,
            ...(isAsPlanned && { planned: run.passings.slice(0, done) }),
            isEndless: this.#isEndless,
            forbidden: this.#forbidden,
            ignoredKeys: this.#told.unknownKeys,
        };
    }

    /** The states that the system may be in stay as they are: that it refuses such a step says nothing of them. */
    *#askForbidden(choice: ForbiddenChoice, isEnd: boolean): Conversation<Outcome | undefined> {
        const reached = this.#matcher.behindHidden();
        if (reached === undefined || this.#matcher.isCutOff || this.#isCutOff) {
            return undefined;
        }
        const isInput = (summand: number): boolean => this.#isInput(summand);
        const all = forbiddenRequests(reached, this.#ground, isInput, this.#settings.inputs, entry => {
            const read = this.#request(entry);
            return 'kind' in read ? undefined : read;
        });
        for (const { entry, observation } of choice(all, reached[0].state, isEnd)) {
            this.#forbidden++;
            const sent = { do: entry };
            const given = yield sent;
            if (given === undefined) {
                return { kind: 'unfinished' };
            }
            this.#exchanges.push({ sent, answer: given, isForbidden: true });
            const answer = answerOf(sent, given);
            if (typeof answer === 'string') {
                return { kind: 'adapter', message: answer };
            }
            const early = this.#readAll(answer.first);
            if (early !== undefined) {
                return early;
            }
            if (answer.kind === 'done') {
                return this.#tookForbidden(sent, observation, answer);
            }
            if (answer.first.length > 0) {
                // Other steps are forbidden where it is now.
                break;
            }
        }
        return undefined;
    }

    /** Behind what it has done first the step may be possible: that may be a step which the tester would ask for. */
    #tookForbidden(sent: { readonly do: Entry }, observation: Observation, answer: Answer): Outcome | undefined {
        const reached = this.#matcher.behindHidden();
        if (reached === undefined) {
            return { kind: 'undecided', why: 'candidates' };
        }
        if (unableAmong(reached, this.#ground, observation).length < reached.length) {
            return this.#judge(sent, answer) ?? this.#readAll(answer.lines);
        }
        if (this.#matcher.isCutOff) {
            return { kind: 'undecided', why: 'constraint' };
        }
        const nearest = this.#refusals.of(observation, reached);
        const misfit = { what: 'forbidden', said: sent.do, candidates: reached.length, nearest, instead: [] } as const;
        return { kind: 'failed', misfit };
    }

    #miss(target: number | undefined): void {
        if (target !== undefined) {
            const { missed } = this.#goals.progress;
            missed.set(target, (missed.get(target) ?? 0) + 1);
        }
    }

    *#step(passing: Passing): Conversation<Outcome | undefined> {
        const bindings = this.#matcher.candidates[0].bindings;
        const asked = this.#isInput(passing.summand)
            ? entryOf(passing, this.#ground, this.#settings.inputs, bindings, this.#given)
            : undefined;
        return yield* this.#exchange(asked === undefined ? { wait: true } : { do: asked });
    }

    /** Whether a step of the system's own may be possible where it is. */
    #mayGoOn(): boolean {
        let hasOwn = false;
        const visitor: FiringVisitor = {
            fired: summand => {
                hasOwn ||= !this.#isInput(summand);
                return !hasOwn;
            },
            faulted: () => true,
        };
        for (const { state } of this.#settings.inputs === undefined ? [] : this.#matcher.candidates) {
            this.#ground.forEachStep(state, visitor);
        }
        return hasOwn;
    }

    /** What it refuses while it does something on its own it may do once it is quiet. */
    *#retry(passing: Passing): Conversation<Outcome | undefined> {
        const end = yield* this.#exchange({ wait: true });
        return end ?? (this.#isReached(passing.before) ? yield* this.#step(passing) : undefined);
    }

    /** Undefined if what is answered may be. */
    *#exchange(sent: Message): Conversation<Outcome | undefined> {
        const given = yield sent;
        if (given === undefined) {
            return { kind: 'unfinished' };
        }
        this.#exchanges.push({ sent, answer: given });
        const answer = answerOf(sent, given);
        if (typeof answer === 'string') {
            return { kind: 'adapter', message: answer };
        }
        return this.#readAll(answer.first) ?? this.#judge(sent, answer) ?? this.#readAll(answer.lines);
    }

    /** What the system has done on its own. */
    #readAll(lines: readonly Entry[]): Outcome | undefined {
        for (const line of lines) {
            const misfit = this.#read(this.#told, line);
            if (misfit !== undefined) {
                return misfit;
            }
        }
        return undefined;
    }

    #judge(sent: Message, answer: Answer): Outcome | undefined {
        this.#wasRefused = false;
        if ('reset' in sent) {
            const start = this.#valuesOf(answer);
            return 'kind' in start ? start : start.values.length === 0 ? undefined : this.#take(start, answer.values);
        }
        if (answer.kind === 'quiet') {
            return this.#quiet();
        }
        if (!('do' in sent)) {
            return undefined;
        }
        if (answer.kind === 'refused') {
            this.#wasRefused = true;
            const observation = this.#request(sent.do);
            return 'kind' in observation ? observation : this.#refused(observation, sent.do, answer.refused ?? '');
        }
        const asked = this.#request(sent.do);
        if ('kind' in asked) {
            return asked;
        }
        const own = this.#valuesOf(answer, asked);
        if ('kind' in own) {
            return own;
        }
        // The system may have a name of its own for what it has created.
        const isNamed = (template: string): boolean => own.created.some(created => created.template === template);
        const created = [...asked.created.filter(({ template }) => !isNamed(template)), ...own.created];
        const said = { ...sent.do, ...answer.values };
        const { message } = own;
        const told = { ...asked, created, values: [...asked.values, ...own.values], ...(message && { message }) };
        return this.#take(told, said);
    }

    #valuesOf({ values }: Answer, about?: Observation): Observation | Extract<Outcome, { kind: 'adapter' }> {
        const { step: stepKey, keys } = this.#settings.vocabulary;
        const wrong = Object.keys(values).find(key => key === stepKey || (keys.get(key) ?? key) === 'process');
        if (wrong === undefined) {
            return this.#observation(this.#told, values, about);
        }
        const message = `\`values\` says what places hold, and \`${wrong}\` is none: another step that the system has taken is one of \`lines\``;
        return { kind: 'adapter', message };
    }

    #read(reader: ObservationReader, entry: Entry): Outcome | undefined {
        const observation = this.#observation(reader, entry);
        return 'kind' in observation ? observation : this.#take(observation, entry);
    }

    #observation(
        reader: ObservationReader,
        entry: Entry,
        about?: Observation,
    ): Observation | Extract<Outcome, { kind: 'adapter' }> {
        const line = ++this.#line;
        const read = reader.read(line, entry, about);
        if (read === undefined) {
            return { line, created: [], values: [] };
        }
        return 'code' in read ? { kind: 'adapter', message: `${JSON.stringify(entry)}: ${read.message}` } : read;
    }

    /** A step that was asked for, with all who take part in it. */
    #request({ with: others, ...asked }: Entry): Observation | Extract<Outcome, { kind: 'adapter' }> {
        const read = this.#observation(this.#asked, asked);
        if ('kind' in read || !Array.isArray(others)) {
            return read;
        }
        const parts: (Observation | Extract<Outcome, { kind: 'adapter' }>)[] = others.map((other: string | Entry) =>
            this.#observation(this.#asked, typeof other === 'string' ? { process: other } : other),
        );
        const wrong = parts.find(part => 'kind' in part);
        return wrong ?? { ...read, others: parts.flatMap(part => ('kind' in part ? [] : [part])) };
    }

    #take(observation: Observation, said: Entry): Outcome | undefined {
        const { orbits, progress } = this.#goals;
        const taken = new Set<number>();
        const result = this.#matcher.take(observation, (before, summand, after) => {
            taken.add(orbits.numberOf({ before: before.slice(), summand, after: after.slice() }) ?? -1);
        });
        const [only] = taken;
        if (result.kind === 'fits' && taken.size === 1 && only >= 0) {
            progress.covered.add(only);
        }
        return this.#outcomeOf(result, 'line', said, reached => this.#refusals.of(observation, reached));
    }

    #outcomeOf(
        result: Taken,
        what: TestMisfit['what'],
        said: Entry,
        nearest: (reached: Extract<Taken, { kind: 'misfit' }>['reached']) => readonly Refusal[],
    ): Outcome | undefined {
        switch (result.kind) {
            case 'fits':
                return undefined;
            case 'limit':
                return { kind: 'undecided', why: 'candidates' };
            case 'slots':
                return { kind: 'undecided', why: 'instances' };
            case 'misfit': {
                if (this.#matcher.isCutOff || this.#isCutOff) {
                    return { kind: 'undecided', why: 'constraint' };
                }
                const { reached } = result;
                const instead = this.#refusals.instead(reached);
                const misfit = { what, said, candidates: reached.length, nearest: nearest(reached), instead };
                return { kind: 'failed', misfit };
            }
        }
    }

    #quiet(): Outcome | undefined {
        const result = this.#matcher.keep(reached => {
            const quiet = quietAmong(reached, this.#ground, summand => this.#isInput(summand));
            this.#isEndless ||= quiet.isEndless;
            this.#isCutOff ||= quiet.isCutOff;
            return quiet.left;
        });
        return this.#outcomeOf(result, 'quiet', { quiet: true }, () => []);
    }

    #refused(observation: Observation, asked: Entry, refused: string): Outcome | undefined {
        const result = this.#matcher.keep(reached => unableAmong(reached, this.#ground, observation));
        return this.#outcomeOf(result, 'refused', { ...asked, refused }, () => []);
    }

    #isInput(summand: number): boolean {
        const { labels } = this.#ground.steps.facts[summand];
        const { inputs } = this.#settings;
        return (
            !this.#ground.isHidden(summand) && (inputs === undefined || [...labels].some(label => inputs.has(label)))
        );
    }

    /** Whether the system may be in this state, after hidden steps, too. */
    #isReached(state: Readonly<Int32Array>): boolean {
        const key = state.join();
        return this.#matcher.behindHidden()?.some(candidate => candidate.state.join() === key) === true;
    }

    /** The way from where the system may be to the nearest orbit that is not covered. */
    #wayOn(): readonly Passing[] | undefined {
        const { orbits, progress } = this.#goals;
        const isGoal = (orbit: number): boolean =>
            !progress.covered.has(orbit) && (progress.missed.get(orbit) ?? 0) < MOST_MISSED;
        let best: { readonly state: Readonly<Int32Array>; readonly way: readonly number[] } | undefined;
        for (const { state } of this.#matcher.candidates) {
            const way = orbits.wayTo(state, isGoal);
            if (way !== undefined && (best === undefined || way.length < best.way.length)) {
                best = { state, way };
            }
        }
        return best && orbits.passingsAlong(best.state, best.way);
    }
}
