/**
 * Differences between similar processes, like `when a < 2 … a := 5` and `when b < 3 … b := 5`. Two processes are
 * compared side by side. Each name is paired with the name that stands in its place most often, `a` with `b`. Parts
 * that differ after this renaming are differences: one process can be tried with the part of the other.
 */
import type { TextOfRange } from '../common/source-text.js';
import { remembered } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import type { SourceRange } from '../common/source-range.js';
import { formatDomain } from '../model/domain.js';
import type { Expression, Place } from '../model/expression.js';
import type { Initializer, Model, Process, Statement, Variable } from '../model/model.js';
import { formatExpression, formatPlace } from '../model/print.js';
import { replaceParts } from '../model/replace-parts.js';
import { identityOf } from '../symmetry/declared-action.js';
import { keyOfPlace, type ModelPlace, type Repair, wordsAt } from './places.js';
import { similarProcesses } from './similar-processes.js';

/** A part of one process, or of a variable that only it uses, and the part of the other process in its place. */
interface Difference {
    readonly part: Ranged;
    /** In the names of the first process. */
    readonly instead: Ranged;
    readonly range: SourceRange;
    /** The part that messages quote, and what stands in its place in the other process, in the names of the first. */
    readonly around: Ranged;
    readonly aroundInstead: Ranged;
    readonly process: Process | undefined;
}

type Ranged = Data & { readonly range: SourceRange };
type Data = Readonly<Record<string, unknown>>;

/** The places where processes of a group differ from the one that differs least; none if there are too many. */
export function differencesOf(model: Model, group: readonly number[], textOf: TextOfRange): ModelPlace[] {
    return differencesIn(model, group).map(difference => {
        const { range, around, process } = difference;
        const newWords = newWordsFor(difference, model);
        const newText = newTextFor(difference, model, textOf);
        return {
            key: keyOfPlace({ kind: 'difference', range }),
            range,
            kind: 'difference',
            text: isVariable(around)
                ? formatVariable(model, around)
                : wordsAt(around.range, textOf, () => formatPart(model, process, around) ?? ''),
            ...(newWords !== undefined && { instead: newWords }),
            owners: new Set(),
            mentionsOrder: false,
            isComputed: false,
            types: new Set(),
            reaches: [],
            ...(newText !== undefined && { subject: { kind: 'difference', newText } }),
        };
    });
}

/** The text that a message quotes, with the words of the other process. */
function newWordsFor({ part, instead, around, process }: Difference, model: Model): string | undefined {
    return formatPart(
        model,
        process,
        replaceParts(around, each => (each === part ? instead : undefined)),
    );
}

/** The words of the other process, in parentheses where they may need some; undefined if they cannot be written. */
function newTextFor({ part, instead, process }: Difference, model: Model, textOf: TextOfRange): string | undefined {
    const newText = isVariable(part) ? undefined : formatPart(model, process, instead);
    const isCompound = ['binary', 'conditional'].includes(String(instead.kind));
    const isAlike = part.kind === instead.kind && part.operator === instead.operator;
    const hasParentheses = textOf(part.range)?.startsWith('(') === true;
    return newText === undefined || !isCompound || (isAlike && !hasParentheses) ? newText : `(${newText})`;
}

/** The edits that give one of two similar processes the words of the other one; nobody knows which is right. */
export function repairsOfTwins(model: Model, [first, second]: readonly number[], textOf: TextOfRange): Repair[] {
    return [
        [second, first],
        [first, second],
    ].flatMap(([process, other]): Repair[] => {
        const differences = differencesFrom(other, [process, other], model, MOST_DIFFERENCES) ?? [];
        const edits = differences.flatMap(difference => {
            const newText = newTextFor(difference, model, textOf);
            return newText === undefined ? [] : [{ range: difference.range, newText }];
        });
        const words = differences.map(each => newWordsFor(each, model) ?? 'the same');
        const parts = new Map<object, object>(differences.map(({ part, instead }) => [part, instead]));
        const [name, otherName] = [model.processes[process].name, model.processes[other].name];
        return edits.length === 0 || edits.length < differences.length
            ? []
            : [
                  {
                      title: `Write ${listed(words.map(each => `\`${each}\``))} in \`${name}\`, as in \`${otherName}\``,
                      edits,
                      change: before => replaceParts(before, part => parts.get(part)),
                  },
              ];
    });
}

/** The model with the differences of these keys replaced by the parts of similar processes. */
export function withoutDifferences(model: Model, keys: ReadonlySet<string>): Model {
    const isThere = [...keys].some(key => key.startsWith('difference'));
    const replacements = new Map<object, object>(
        (isThere ? similarProcesses(model) : [])
            .flatMap(group => differencesIn(model, group))
            .filter(({ range }) => keys.has(keyOfPlace({ kind: 'difference', range })))
            .map(({ part, instead }) => [part, instead]),
    );
    return replacements.size === 0 ? model : replaceParts(model, part => replacements.get(part));
}

/** More differences are no slips. */
const MOST_DIFFERENCES = 12;

/** From the process with the fewest; one of the first MOST_DIFFERENCES + 1 is as good. O(group.length) comparisons. */
function differencesIn(model: Model, group: readonly number[]): readonly Difference[] {
    let least: readonly Difference[] = [];
    let most = MOST_DIFFERENCES;
    for (const other of group.slice(0, MOST_DIFFERENCES + 1)) {
        const differences = differencesFrom(other, group, model, most);
        // If more than half of the processes are equal to this one, no other one has fewer differences.
        if (differences !== undefined && 2 * differences.length < group.length) {
            return differences;
        }
        if (differences !== undefined) {
            least = differences;
            most = differences.length - 1;
        }
    }
    return least;
}

/** Where the processes of a group differ from one of them; undefined if there are more than `most` places. */
function differencesFrom(
    other: number,
    group: readonly number[],
    model: Model,
    most: number,
): readonly Difference[] | undefined {
    const differences: Difference[] = [];
    for (const process of group) {
        if (process !== other) {
            differences.push(...new Comparison(model, process, other).run());
        }
        if (differences.length > most) {
            return undefined;
        }
    }
    return differences;
}

/** Keys that do not matter for the behavior of a model, or follow from others. */
const UNCOMPARED: ReadonlySet<string> = new Set([
    'range',
    'nameRange',
    'labelRange',
    'name',
    'label',
    'documentation',
    'segments',
    'domain',
    'element',
]);

/** Keys whose values are indices of declarations. */
const DECLARATIONS: ReadonlySet<string> = new Set(['variable', 'channel', 'event', 'process']);

class Comparison {
    private readonly model: Model;
    private readonly first: number;
    private readonly second: number;
    /** By `kind index` of a declaration in the second process: how often each index stands in its place in the first. */
    private readonly counts = new Map<string, Map<number, number>>();
    private readonly names = new Map<string, number>();
    /** By the id of a binder or a temporary name of the second process: the one of the first. */
    private readonly binders = new Map<number, object>();
    private differences: Difference[] = [];

    constructor(model: Model, first: number, second: number) {
        this.model = model;
        this.first = first;
        this.second = second;
    }

    run(): readonly Difference[] {
        const { processes, variables } = this.model;
        const first = processes[this.first];
        const second = processes[this.second];
        // The first comparison pairs the names.
        this.compare(first, second, [], first);
        this.joinNames();
        this.differences = [];
        this.compare(first, second, [], first);
        variables.forEach((variable, index) => {
            const image = this.names.get(`variable ${index}`);
            if (image !== undefined && image !== index) {
                this.compareVariables(variables[image], variable);
            }
        });
        return this.differences;
    }

    /** Pairs each name with the most frequent free name in its place, and two names that are left on both sides. */
    private joinNames(): void {
        const pairs = [...this.counts].flatMap(([name, counts]) => {
            const [kind] = name.split(' ');
            return [...counts].map(([number, count]) => ({ name, image: `${kind} ${number}`, number, count }));
        });
        // Of equally frequent pairs those of two names come first: a name that both use is always in the same place. Then
        // those come of which both names or none are used by both processes.
        const images = new Set(pairs.map(({ image }) => image));
        const isOdd = ({ name, image }: (typeof pairs)[number]): number =>
            Number(images.has(name) !== this.counts.has(image));
        pairs.sort(
            (a, b) =>
                b.count - a.count || Number(a.name === a.image) - Number(b.name === b.image) || isOdd(a) - isOdd(b),
        );
        const taken = new Set<string>();
        for (const { name, image, number } of pairs) {
            if (!this.names.has(name) && !taken.has(image)) {
                this.names.set(name, number);
                taken.add(image);
            }
        }
        const open = [...this.counts.keys()].filter(name => !this.names.has(name));
        const left = [...this.counts.keys()].filter(name => !taken.has(name));
        if (open.length === 1 && left.length === 1) {
            const [[kind, number]] = left.map(name => name.split(' '));
            if (open[0].startsWith(kind)) {
                this.names.set(open[0], Number(number));
            }
        }
    }

    private compareVariables(first: Variable, second: Variable): void {
        const isAlike = identityOf(first.element) === identityOf(second.element);
        if (!isAlike || first.initializer.kind !== second.initializer.kind) {
            const initializer = this.translated(second.initializer) as Initializer;
            const instead = { ...first, element: second.element, initializer };
            const [part, other] = [asRanged(first), asRanged(instead)];
            this.note({
                part,
                instead: other,
                range: first.nameRange,
                around: part,
                aroundInstead: other,
                process: undefined,
            });
        } else {
            this.compare(first.initializer, second.initializer, [[asRanged(first), asRanged(second)]], undefined);
        }
    }

    /** `around` are the pairs of parts that contain these, from the outside in. */
    private compare(
        first: unknown,
        second: unknown,
        around: readonly (readonly [Ranged, Ranged])[],
        process: Process | undefined,
    ): void {
        if (!isData(first) || !isData(second)) {
            if (first !== second) {
                this.differ(around, process);
            }
            return;
        }
        const inside: typeof around = isRanged(first) && isRanged(second) ? [...around, [first, second]] : around;
        const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
        if (first.kind !== second.kind || Array.isArray(first) !== Array.isArray(second)) {
            this.differ(inside, process);
            return;
        }
        if (typeof second.id === 'number') {
            this.binders.set(second.id, first);
        }
        for (const key of keys) {
            const own = first[key];
            const other = second[key];
            if (UNCOMPARED.has(key) || key === 'id') {
                continue;
            }
            if (DECLARATIONS.has(key) && typeof own === 'number' && typeof other === 'number') {
                this.compareNames(key, own, other, inside, process);
            } else {
                this.compare(own, other, inside, process);
            }
        }
    }

    private compareNames(
        kind: string,
        own: number,
        other: number,
        around: readonly (readonly [Ranged, Ranged])[],
        process: Process | undefined,
    ): void {
        const name = `${kind} ${other}`;
        const counts = remembered(this.counts, name, () => new Map<number, number>());
        counts.set(own, (counts.get(own) ?? 0) + 1);
        if ((this.names.get(name) ?? own) !== own) {
            this.differ(around, process);
        }
    }

    /** The difference is the innermost part with a range. */
    private differ(around: readonly (readonly [Ranged, Ranged])[], process: Process | undefined): void {
        const last = around.at(-1);
        if (last === undefined) {
            return;
        }
        const [part, other] = last;
        const instead = { ...(this.translated(other) as Data), range: part.range };
        const quoted = around
            .slice(-3)
            .reverse()
            .find(([each]) => each.kind === 'binary' || each.kind === 'assign' || isVariable(each));
        const [whole, otherWhole] = quoted ?? last;
        const aroundInstead = { ...(this.translated(otherWhole) as Data), range: whole.range };
        this.note({ part, instead, range: part.range, around: whole, aroundInstead, process });
    }

    /** Two differences in one expression or assignment are one: `a < b` and `b < a`. */
    private note(difference: Difference): void {
        const { part, around, aroundInstead } = difference;
        const index = this.differences.findIndex(known => known.part === part || known.part === around);
        const isWhole = around.kind === 'binary' || around.kind === 'assign';
        const twin = this.differences.findIndex(known => isWhole && known.around === around);
        if (index < 0 && twin >= 0) {
            this.differences[twin] = { ...difference, part: around, instead: aroundInstead, range: around.range };
        } else if (index < 0) {
            this.differences.push(difference);
        }
    }

    /** A part of the second process in the names of the first. */
    private translated(whole: unknown): unknown {
        if (!isData(whole)) {
            return whole;
        }
        if (Array.isArray(whole)) {
            return whole.map(part => this.translated(part));
        }
        if (typeof whole.id === 'number') {
            return this.binders.get(whole.id) ?? whole;
        }
        return Object.fromEntries(
            Object.entries(whole).map(([key, value]) => [
                key,
                DECLARATIONS.has(key) && typeof value === 'number'
                    ? (this.names.get(`${key} ${value}`) ?? value)
                    : this.translated(value),
            ]),
        );
    }
}

function isData(part: unknown): part is Data {
    return typeof part === 'object' && part !== null;
}

function isRanged(part: Data): part is Ranged {
    return 'range' in part;
}

function isVariable(part: Ranged): part is Ranged & Variable {
    return 'initializer' in part;
}

/** `c: 0 .. 3 = 2` */
function formatVariable(model: Model, { name, element, initializer }: Variable): string {
    const type = element.name ?? formatDomain(element);
    const values = initializer.kind === 'value' ? initializer.expressions : [];
    const value = values.map(each => formatExpression(model, undefined, each)).join(', ');
    return `${name}: ${type}${initializer.kind === 'any' ? ' = any' : value === '' ? '' : ` = ${value}`}`;
}

function asRanged(part: Variable): Ranged {
    return part as unknown as Ranged;
}

const EXPRESSIONS: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
    'constant',
    'binder',
    'read',
    'unary',
    'binary',
    'conditional',
    'quantifier',
    'at',
    'instance-local',
    'select',
    'field',
    'record',
    'call',
]);

type Assignments = Extract<Statement, { kind: 'assign' }>['assignments'];

export function formatAssignments(model: Model, process: Process | undefined, assignments: Assignments): string {
    return assignments
        .map(
            ({ target, value }) =>
                `${formatPlace(model, process, target)} := ${formatExpression(model, process, value)}`,
        )
        .join('; ');
}

/** In the words of the language; undefined unless it is an expression, a place, an assignment or a variable. */
function formatPart(model: Model, process: Process | undefined, part: Ranged): string | undefined {
    if (isVariable(part)) {
        return formatVariable(model, part);
    }
    const { kind } = part;
    switch (kind) {
        case 'assign': {
            const { assignments } = part as unknown as Extract<Statement, { kind: 'assign' }>;
            return formatAssignments(model, process, assignments);
        }
        case 'shared':
        case 'local':
        case 'channel':
            return formatPlace(model, process, part as unknown as Place);
        default:
            return EXPRESSIONS.has(kind as Expression['kind'])
                ? formatExpression(model, process, part as unknown as Expression)
                : undefined;
    }
}
