/**
 * A walk over the steps and properties of a model with numbers without end. It follows forms (forms.ts) through the
 * statements of each firing, and notes which numbers meet, how closely they are compared and what is added to them.
 */
import { unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { UnionFind } from '../../common/union-find.js';
import { isNumber } from '../../model/domain.js';
import { cellsOfPlace } from '../cell-access.js';
import { operandsOf } from '../expression/operands.js';
import type { Cell, NumberSort, Participant, SequentialExpression, SequentialStatement } from '../sequential-model.js';
import {
    constantForms,
    distance,
    type Distance,
    extent,
    type Forms,
    greatest,
    isForms,
    isNumberMeant,
    isOfCells,
    type Meaning,
    MOST_CONSTANT,
    NO_FORMS,
    notComputed,
    notANumber,
    type NotANumber,
    own,
    shifted,
    tooLarge,
    union,
    ZERO,
} from './forms.js';

/** What is known of a sort, by one of its cells. */
interface Known {
    told: boolean;
    most: number;
    look: number;
    rests?: Rests | undefined;
}

/** All rests by this modulus may matter; the text has one of its divisors at `range`. */
interface Rests {
    readonly modulus: number;
    readonly range: SourceRange;
}

const NOTHING_KNOWN: Known = { told: false, most: 0, look: 0 };

/** What one firing does: by cell what it adds to numbers, and how closely it looks at them afterwards. */
interface Firing {
    readonly added: ReadonlyMap<number, number>;
    readonly seen: ReadonlyMap<number, number>;
}

/** What a firing keeps: the number of different sums, and the cells that get them or from which they come. */
interface KeptSums {
    readonly sums: number;
    readonly cells: ReadonlySet<number>;
}

type Environment = Map<number, Forms>;

export class NumberWalk {
    mostMentioned = 0;
    /** The largest constant that is added to a number, or is one, in an assignment, also of a cell that is assigned again. */
    mostAssigned = 0;
    readonly #cells: readonly Cell[];
    readonly #united: UnionFind;
    /** By cell; of a sort all of its cells together. */
    readonly #known: (Known | undefined)[];
    /** The forms of cells that the firing has written. */
    #now: Environment = new Map();
    /** Whether statements are looked at, whose comparisons may see what was added. */
    #isAfterwards = false;
    /** By cell the largest distance that the firing looks at afterwards. */
    #seen = new Map<number, number>();
    readonly #firings: Firing[] = [];
    readonly #mentioned = new Set<number>();
    /** The loops around. */
    #loops = 0;

    constructor(cells: readonly Cell[]) {
        this.#cells = cells;
        this.#united = new UnionFind(cells.length);
        this.#known = cells.map(() => undefined);
    }

    unite(first: number, second: number): void {
        this.#united.union(first, second);
    }

    condition(expression: SequentialExpression): void {
        this.#mentioned.clear();
        this.#now = new Map();
        this.#isAfterwards = false;
        this.#visit(expression);
        this.mostMentioned = Math.max(this.mostMentioned, this.#mentioned.size);
    }

    firing(participants: readonly Participant[]): KeptSums {
        this.#mentioned.clear();
        this.#seen = new Map();
        const kept: [number, Forms][] = [];
        for (const { path, body } of participants) {
            this.#now = new Map();
            this.#isAfterwards = false;
            for (const element of path) {
                if (element.kind === 'test') {
                    this.#visit(element.condition);
                } else {
                    this.#assign([element.cell], false, element.value, element.range);
                    this.#isAfterwards = true;
                }
            }
            this.#isAfterwards = true;
            this.#statements(body);
            kept.push(...[...this.#now].filter(([cell]) => this.#isKept(cell)));
        }
        const sums = this.#keep(kept);
        this.mostMentioned = Math.max(this.mostMentioned, this.#mentioned.size);
        return sums;
    }

    #isKept(cell: number): boolean {
        return this.#cells[cell].kind !== 'temporary';
    }

    #keep(kept: readonly (readonly [number, Forms])[]): KeptSums {
        const sums = new Set<string>();
        const cells = new Set<number>();
        const added = new Map<number, number>();
        for (const [cell, forms] of kept) {
            forms.forEach((constants, base) => {
                this.#mentioned.add(base);
                for (const plus of constants) {
                    if (base === ZERO) {
                        this.#tell(cell, plus);
                    }
                    if (plus > 0) {
                        sums.add(`${base === ZERO ? `${ZERO} ${this.#united.find(cell)}` : base} ${plus}`);
                        cells.add(cell);
                        added.set(cell, Math.max(added.get(cell) ?? 0, plus));
                    }
                }
            });
        }
        if (added.size > 0) {
            this.#firings.push({ added, seen: this.#seen });
        }
        return { sums: sums.size, cells };
    }

    /** By sort, since a firing that adds to one may look at another one; asked once all sorts are known. */
    #reachOf(root: number): number {
        const mostIn = (distances: ReadonlyMap<number, number>): number =>
            greatest([...distances].filter(([cell]) => this.#united.find(cell) === root).map(([, most]) => most));
        const reaches = this.#firings.map(({ added, seen }) => {
            const most = mostIn(added);
            return most === 0 ? 0 : most + mostIn(seen);
        });
        return greatest(reaches);
    }

    #tell(cell: number, most: number): void {
        const known = this.#knownOf(cell);
        known.told = true;
        known.most = Math.max(known.most, most);
    }

    #knownOf(cell: number): Known {
        return (this.#known[cell] ??= { ...NOTHING_KNOWN });
    }

    sorts(): NumberSort[] {
        return this.#united.sets().flatMap((members): readonly NumberSort[] => {
            const cells = members.filter(cell => isNumber(this.#cells[cell].domain) && this.#isKept(cell));
            if (cells.length === 0) {
                return [];
            }
            const known = members.flatMap(cell => this.#known[cell] ?? []);
            const { rests, ...all } = known.reduce(
                (first, second) => ({
                    told: first.told || second.told,
                    most: Math.max(first.most, second.most),
                    look: Math.max(first.look, second.look),
                    rests: restsByBoth(first.rests, second.rests),
                }),
                NOTHING_KNOWN,
            );
            return [{ cells, ...all, modulus: rests?.modulus ?? 1, reach: this.#reachOf(this.#united.find(cells[0])) }];
        });
    }

    #statements(statements: readonly SequentialStatement[]): void {
        for (const statement of statements) {
            this.#statement(statement);
        }
    }

    #statement(statement: SequentialStatement): void {
        switch (statement.kind) {
            case 'assign': {
                const { target, value, range } = statement;
                if (target.kind === 'element') {
                    target.indices.forEach(index => {
                        this.#visit(index);
                    });
                }
                this.#assign(cellsOfPlace(target), target.kind === 'element', value, range);
                break;
            }
            case 'clear':
                this.#now.set(statement.cell, NO_FORMS);
                break;
            case 'if': {
                this.#visit(statement.condition);
                const before = this.#now;
                this.#now = new Map(before);
                this.#statements(statement.then);
                const then = this.#now;
                this.#now = new Map(before);
                this.#statements(statement.otherwise);
                this.#now = this.#either(then, this.#now);
                break;
            }
            case 'while': {
                // Only copies are made in a loop, so this ends.
                this.#loops++;
                for (let size = -1; size !== sizeOf(this.#now);) {
                    size = sizeOf(this.#now);
                    this.#visit(statement.condition);
                    const before = new Map(this.#now);
                    this.#statements(statement.body);
                    this.#now = this.#either(before, this.#now);
                }
                this.#loops--;
                break;
            }
            case 'assert':
                this.#visit(statement.condition);
                break;
            default:
                unreachable(statement);
        }
    }

    /** The forms of a cell that one of the two ways has not written are those before the firing. */
    #either(first: Environment, second: Environment): Environment {
        const both: Environment = new Map();
        for (const cell of new Set([...first.keys(), ...second.keys()])) {
            both.set(cell, union([first.get(cell) ?? own(cell), second.get(cell) ?? own(cell)]));
        }
        return both;
    }

    #assign(cells: readonly number[], isOneOf: boolean, value: SequentialExpression, range: SourceRange): void {
        if (cells.length === 0 || !isNumber(this.#cells[cells[0]].domain)) {
            if (isNumberMeant(this.#visit(value))) {
                throw this.#finite(value, range);
            }
            return;
        }
        const forms = this.numberAt(value, range);
        const writes = [...forms].some(([base, constants]) => base === ZERO || [...constants].some(plus => plus > 0));
        if (writes && this.#loops > 0) {
            const message =
                'a number without end is only copied in a loop of one body; make each round a step, or give it a bound';
            throw notANumber('number/operation', message, range);
        }
        const constant = greatest([...(forms.get(ZERO) ?? [])]);
        if (constant > MOST_CONSTANT) {
            throw tooLarge(constant, range);
        }
        const low = [...forms.values()].some(constants => [...constants].some(plus => plus < 0));
        if (low) {
            throw notANumber('number/operation', 'numbers without end only grow; give it a bound', range);
        }
        this.mostAssigned = greatest([this.mostAssigned, ...[...forms.values()].flatMap(constants => [...constants])]);
        for (const cell of cells) {
            this.#together([cell], forms);
            this.#now.set(cell, isOneOf ? union([this.#now.get(cell) ?? own(cell), forms]) : forms);
        }
    }

    /** All cells and bases become one sort. */
    #together(cells: readonly number[], ...others: readonly Forms[]): void {
        const bases = [...cells, ...others.flatMap(forms => [...forms.keys()].filter(base => base !== ZERO))];
        bases.forEach(base => this.#united.union(bases[0], base));
    }

    /** The forms of an expression that must be a number; a constant is one. */
    numberAt(expression: SequentialExpression, range: SourceRange): Forms {
        const meaning = this.#visit(expression);
        if (isForms(meaning)) {
            return meaning;
        }
        throw meaning === 'finite' ? this.#finite(expression, range) : notComputed(range);
    }

    #finite(expression: SequentialExpression, otherwise: SourceRange): NotANumber {
        const message =
            'this has an end, and the number that it meets has none; declare both `nat`, or give both a bound such as `0 .. 9`';
        return notANumber('number/finite', message, rangeOf(expression, otherwise));
    }

    /** What an expression means; comparisons inside it are noted. */
    #visit(expression: SequentialExpression): Meaning {
        switch (expression.kind) {
            case 'constant':
                return constantForms(expression.value);
            case 'cell':
                return this.#read([expression.cell]);
            case 'element':
                expression.indices.forEach(index => this.#visit(index));
                return this.#read(expression.cells);
            case 'holds':
                if (isNumber(this.#cells[expression.cell].domain)) {
                    this.#compare(this.#formsOf(expression.cell), constantForms(expression.value), expression.range);
                }
                return 'finite';
            case 'binary':
                return this.#binary(expression);
            case 'min':
            case 'max':
            case 'the':
                return this.#oneOf(expression.operands, expression.range, true);
            case 'conditional':
                this.#visit(expression.condition);
                return this.#oneOf([expression.then, expression.otherwise], expression.range, false);
            case 'select':
                this.#visit(expression.index);
                return this.#oneOf(expression.options, expression.range, false);
            case 'fault':
                return NO_FORMS;
            case 'negate':
            case 'sum':
                return this.#operation(operandsOf(expression), expression.range);
            default:
                operandsOf(expression).forEach(operand => this.#visit(operand));
                return 'finite';
        }
    }

    #read(cells: readonly number[]): Meaning {
        if (cells.length === 0 || !isNumber(this.#cells[cells[0]].domain)) {
            return 'finite';
        }
        const forms = cells.map(cell => this.#formsOf(cell));
        this.#together(cells, ...forms);
        return union(forms);
    }

    #formsOf(cell: number): Forms {
        return this.#now.get(cell) ?? own(cell);
    }

    /** A value that is one of several. */
    #oneOf(operands: readonly SequentialExpression[], range: SourceRange, areCompared: boolean): Meaning {
        const meanings = operands.map(operand => this.#visit(operand));
        const forms = meanings.filter(isForms);
        if (forms.length < meanings.filter(meaning => meaning !== 'finite').length) {
            throw notComputed(range);
        }
        if (!forms.some(isOfCells)) {
            return meanings.includes('finite') ? 'finite' : union(forms);
        }
        const finite = meanings.indexOf('finite');
        if (finite >= 0) {
            throw this.#finite(operands[finite], range);
        }
        this.#together([], ...forms);
        if (areCompared) {
            forms.forEach((first, index) => {
                forms.slice(index + 1).forEach(second => {
                    this.#compare(first, second, range);
                });
            });
        }
        return union(forms);
    }

    /** An operation that no number without end takes part in. */
    #operation(operands: readonly SequentialExpression[], range: SourceRange): Meaning {
        const meanings = operands.map(operand => this.#visit(operand));
        if (meanings.some(isNumberMeant)) {
            throw notComputed(range);
        }
        return 'finite';
    }

    #binary({ operator, left, right, range }: Extract<SequentialExpression, { kind: 'binary' }>): Meaning {
        const [first, second] = [this.#visit(left), this.#visit(right)];
        if (![first, second].some(isNumberMeant)) {
            return this.#constants(operator, first, second);
        }
        if (first === 'finite' || second === 'finite') {
            throw this.#finite(first === 'finite' ? left : right, range);
        }
        switch (operator) {
            case '==':
            case '!=':
            case '<':
            case '<=':
            case '>':
            case '>=':
                this.#compareAll(first, second, range);
                return 'finite';
            case '+':
                if (isForms(first) && isForms(second) && !(isOfCells(first) && isOfCells(second))) {
                    return isOfCells(first) ? shifted(first, second, range) : shifted(second, first, range);
                }
                throw notComputed(range);
            case '-':
                if (isForms(first) && isForms(second) && isOfCells(first) && isOfCells(second)) {
                    return { from: first, to: second };
                }
                throw notComputed(range);
            case 'mod':
                if (isForms(first) && isForms(second) && !isOfCells(second)) {
                    this.#rests(first, second, range);
                    return 'finite';
                }
                throw notComputed(range);
            default:
                throw notComputed(range);
        }
    }

    /** `x - y < c` is `x < y + c`. */
    #compareAll(first: Forms | Distance, second: Forms | Distance, range: SourceRange): void {
        if (isForms(first) && isForms(second)) {
            this.#compare(first, second, range);
        } else if (!isForms(first) && isForms(second) && !isOfCells(second)) {
            this.#compare(first.from, shifted(first.to, second, range), range);
        } else if (isForms(first) && !isForms(second) && !isOfCells(first)) {
            this.#compare(second.from, shifted(second.to, first, range), range);
        } else {
            throw notComputed(range);
        }
    }

    /** Arithmetic of constants that were not folded. */
    #constants(operator: string, first: Meaning, second: Meaning): Meaning {
        if (!isForms(first) || !isForms(second) || operator !== '+') {
            return 'finite';
        }
        const sums = new Set([...(first.get(ZERO) ?? [])].flatMap(a => [...(second.get(ZERO) ?? [])].map(b => a + b)));
        return new Map([[ZERO, sums]]);
    }

    #rests(forms: Forms, moduli: Forms, range: SourceRange): void {
        for (const modulus of moduli.get(ZERO) ?? []) {
            if (modulus < 1) {
                continue;
            }
            if (modulus > MOST_CONSTANT) {
                throw tooLarge(modulus, range);
            }
            for (const base of forms.keys()) {
                if (base !== ZERO) {
                    const known = this.#knownOf(base);
                    known.rests = restsByBoth(known.rests, { modulus, range });
                }
            }
        }
    }

    /** Notes how closely a comparison looks at distances. */
    #compare(first: Forms, second: Forms, range: SourceRange): void {
        this.#together([], first, second);
        const [ofFirst, ofSecond] = [extent(first), extent(second)];
        const [anyCell] = [...first.keys(), ...second.keys()].filter(base => base !== ZERO);
        if (anyCell === undefined) {
            return;
        }
        const known = this.#knownOf(anyCell);
        const between = distance(ofFirst.cells, ofSecond.cells);
        const toZero = Math.max(distance(ofFirst.cells, ofSecond.zero), distance(ofFirst.zero, ofSecond.cells));
        const farthest = Math.max(between, toZero);
        if (farthest > MOST_CONSTANT) {
            throw tooLarge(farthest, range);
        }
        known.look = Math.max(known.look, between);
        if (toZero >= 0) {
            this.#tell(anyCell, toZero);
        }
        if (this.#isAfterwards) {
            this.#seen.set(anyCell, Math.max(this.#seen.get(anyCell) ?? 0, farthest));
        }
        [...first.keys(), ...second.keys()].forEach(base => this.#mentioned.add(base));
    }
}

export function rangeOf(expression: SequentialExpression, otherwise: SourceRange): SourceRange {
    return 'range' in expression ? expression.range : otherwise;
}

function sizeOf(environment: Environment): number {
    let size = 0;
    environment.forEach(forms => forms.forEach(constants => (size += constants.size)));
    return size;
}

function restsByBoth(first: Rests | undefined, second: Rests | undefined): Rests | undefined {
    if (first === undefined || second === undefined) {
        return first ?? second;
    }
    const modulus = commonMultiple(first.modulus, second.modulus);
    if (modulus > MOST_CONSTANT) {
        const message = `the rests by ${first.modulus} and by ${second.modulus} are those by ${modulus}, which is too large beside numbers without end; at most ${MOST_CONSTANT} is possible`;
        throw notANumber('number/large', message, second.range);
    }
    return { modulus, range: second.range };
}

export function commonMultiple(first: number, second: number): number {
    let [a, b] = [first, second];
    while (b > 0) {
        [a, b] = [b, a % b];
    }
    return (first / a) * second;
}
