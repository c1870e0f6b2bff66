/**
 * What expressions do to sorts. Each kind of node is one rule of the proof: with the values of each sort permuted, in
 * cells, indices and values, an expression of a sort has the permuted value, and any other one the same value.
 *
 * A node that no rule is about refuses the whole model (`notUnderstood`).
 */
import type { Node } from '../language/tree/node.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { isPlace } from '../language/references/places.js';
import { ConstantBounds, isWithin } from './constant-bounds.js';
import { combination, constantOf, isAtLeast, isSame, type Polynomial } from '../language/typing/polynomial.js';
import { Sort, type Refusal } from './sort.js';
import { arrayOf, newScalar, scalarsOf, StructureMaker, type Structure } from './structure.js';

/** What an expression is. */
export type SortedValue =
    | { readonly kind: 'constant'; readonly constant: Polynomial }
    | { readonly kind: 'none' }
    | { readonly kind: 'structure'; readonly structure: Structure }
    /** The sum of one or two values, each with a sign, and a constant. */
    | { readonly kind: 'linear'; readonly terms: readonly Term[]; readonly offset: Polynomial }
    /** `(x + shift) mod modulus + base`. */
    | {
          readonly kind: 'ring';
          readonly sort: Sort;
          readonly shift: Polynomial;
          readonly modulus: Polynomial;
          readonly base: Polynomial;
          readonly node: ast.Expression;
      };

interface Term {
    readonly sort: Sort;
    readonly sign: 1 | -1;
}

/** An expression whose order of evaluation is that of the values of some sorts. */
export interface OrderedBody {
    readonly sorts: readonly Sort[];
    readonly node: ast.Quantifier | ast.Comprehension | ast.Alternative;
}

/** Sums of constants and values of types beyond this bound may overflow for some values and not for others. */
const LARGEST_SUM = 2 ** 50;

/** `c < x` is `x > c`. */
const MIRRORED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

const INTEGER_FUNCTIONS: ReadonlySet<string> = new Set(['min', 'max', 'pow', 'xor', 'bitand', 'bitor', 'shl', 'shr']);

export class SortsOfExpressions {
    readonly bounds = new ConstantBounds();
    readonly structures = new StructureMaker(this.bounds, structure => this.#conditionOf(structure));
    readonly ordered: OrderedBody[] = [];
    /** The nodes that a rule was about. */
    readonly seen = new Set<Node>();
    readonly #places = new Map<Node, Structure>();
    readonly #named = new Map<Node, SortedValue>();
    /** The fields in the conditions of records that are being made. */
    readonly #fields = new Map<ast.RecordField, Structure>();
    readonly #inCondition = new Set<ast.RecordDeclaration>();
    #refusal: Refusal | undefined;

    /** Why nothing is proved about the whole model. */
    get refusal(): Refusal | undefined {
        return this.#refusal;
    }

    notUnderstood(node: Node): void {
        this.#refusal ??= { node, words: 'is not covered by the proof' };
    }

    /** The structure of a declaration that holds values, made when it is first asked for. */
    placesOf(declaration: ast.Named): Structure {
        let structure = this.#places.get(declaration);
        if (structure === undefined) {
            structure = this.#makePlaces(declaration);
            this.#places.set(declaration, structure);
        }
        return structure;
    }

    /** All declarations with sorts so far. */
    get places(): ReadonlyMap<Node, Structure> {
        return this.#places;
    }

    /** A test: its value decides what happens. */
    condition(expression: ast.Expression): void {
        const value = this.plain(this.evaluate(expression), expression);
        if (value.kind === 'structure') {
            this.refuse(value.structure, expression, 'is tested');
        }
    }

    /** A value that goes to a place, or is compared with it. */
    flow(value: SortedValue, target: Structure, node: Node): void {
        const plain = this.plain(value, node);
        switch (plain.kind) {
            case 'none':
                return;
            case 'constant': {
                // One value fills an array.
                const element = target.kind === 'array' ? target.element : target;
                if (element.kind === 'scalar') {
                    element.sort.cut({ low: plain.constant, high: plain.constant, isType: false, node });
                } else {
                    this.notUnderstood(node);
                }
                return;
            }
            case 'structure':
                this.unite(plain.structure, target, node);
        }
    }

    unite(first: Structure, second: Structure, node: Node): void {
        if (first === second) {
            return;
        }
        if (first.kind === 'scalar' && second.kind === 'scalar') {
            Sort.unite(first.sort, second.sort);
        } else if (first.kind === 'record' && second.kind === 'record' && first.record === second.record) {
            first.fields.forEach((field, position) => {
                const other = second.fields[position];
                if (other !== undefined) {
                    this.unite(field, other, node);
                }
            });
        } else if (first.kind === 'array' && second.kind === 'array') {
            if (first.indices.length !== second.indices.length) {
                this.notUnderstood(node);
                return;
            }
            first.indices.forEach((index, position) => {
                const other = second.indices[position];
                if (other !== undefined) {
                    this.unite(index, other, node);
                }
            });
            this.unite(first.element, second.element, node);
        } else if (first.kind === 'array') {
            this.unite(first.element, second, node);
        } else if (second.kind === 'array') {
            this.unite(first, second.element, node);
        } else if (first.kind === 'channel' && second.kind === 'channel') {
            this.unite(first.message(), second.message(), node);
        } else {
            this.notUnderstood(node);
        }
    }

    refuse(structure: Structure, node: Node, words: string): void {
        scalarsOf(structure).forEach(sort => {
            sort.refuse(node, words);
        });
    }

    /** The value without a computation that is still open. What no rule is about moves nothing. */
    plain(value: SortedValue, node: Node): Exclude<SortedValue, { readonly kind: 'linear' | 'ring' }> {
        if (value.kind === 'ring') {
            const { sort, shift, modulus, base, node: step } = value;
            const total = combination([1, shift], [1, base]);
            if (total === undefined || !isSmall(total) || !isSmall(modulus)) {
                sort.refuse(node, 'is computed');
            } else {
                sort.root().rings.push({ kind: 'step', base, shift: total, modulus, node: step });
            }
            return { kind: 'structure', structure: { kind: 'scalar', sort } };
        }
        if (value.kind !== 'linear') {
            return value;
        }
        const { terms, offset } = value;
        const [first, ...others] = terms;
        if (first !== undefined && others.length === 0) {
            const structure: Structure = { kind: 'scalar', sort: first.sort };
            if (first.sign < 0) {
                first.sort.root().reversals.push({ sum: offset, node });
            } else if (offset.terms.size > 0) {
                first.sort.refuse(node, 'computes with it');
            }
            return { kind: 'structure', structure };
        }
        terms.forEach(({ sort }) => {
            sort.refuse(node, 'computes with it');
        });
        return this.#number(node, 'is computed');
    }

    evaluate(expression: ast.Expression): SortedValue {
        const constant = this.bounds.of(expression);
        if (constant !== undefined) {
            nodesOf(expression).forEach(node => this.seen.add(node));
            return { kind: 'constant', constant };
        }
        this.seen.add(expression);
        switch (expression.$type) {
            case 'NumberLiteral':
            case 'BooleanLiteral':
                // Constants all of them.
                return this.#unknown(expression);
            case 'NoneLiteral':
                return { kind: 'none' };
            case 'Reference':
                return this.#reference(expression);
            case 'UnaryExpression':
                return this.#unary(expression);
            case 'BinaryExpression':
                return this.#binary(expression);
            case 'Conditional':
                this.condition(expression.condition);
                return this.#join([this.evaluate(expression.then), this.evaluate(expression.otherwise)], expression);
            case 'Quantifier':
                return this.#quantifier(expression);
            case 'ArrayLiteral':
                return this.#array(expression);
            case 'FieldAccess':
                return this.#field(expression);
            case 'Call':
                return this.#call(expression);
            case 'InstanceAt':
                this.evaluate(expression.instance);
                return this.#truth(expression);
            case 'TemporalPrefix':
                this.condition(expression.operand);
                return this.#truth(expression);
            case 'Spawn':
                return this.#spawn(expression);
            case 'SetLiteral':
                return this.#unknown(expression);
            default:
                return this.#unknown(expression);
        }
    }

    /** The variables of a quantifier, a choice or an array, and their condition. */
    binders(groups: readonly ast.BinderGroup[], where: ast.Expression | undefined): Structure[] {
        const structures = groups.flatMap(group => {
            this.seen.add(group);
            return group.variables.map(variable => {
                this.seen.add(variable);
                const structure = this.placesOf(variable);
                scalarsOf(structure).forEach(sort => (sort.root().isMoved = true));
                return structure;
            });
        });
        if (where !== undefined) {
            this.condition(where);
        }
        return structures;
    }

    /** Whether a value is in what stands right of `in`; also what a variable may begin with. */
    member(value: SortedValue, set: ast.Expression, node: Node): void {
        this.seen.add(set);
        if (!ast.isSetLiteral(set)) {
            this.#typeMember(value, set, node);
            return;
        }
        for (const element of set.elements) {
            this.seen.add(element);
            const [low, high] = [this.evaluate(element.low), element.high && this.evaluate(element.high)];
            if (high === undefined) {
                this.compare(value, low, element);
            } else {
                this.#between(value, low, high, element);
            }
        }
    }

    /** The two are compared for equality. */
    compare(first: SortedValue, second: SortedValue, node: Node): void {
        const moved = movedBy(first, second) ?? movedBy(second, first);
        if (moved !== undefined) {
            moved.sort.cut({ low: moved.constant, high: moved.constant, isType: false, node });
            return;
        }
        const [left, right] = [this.plain(first, node), this.plain(second, node)];
        if (left.kind === 'structure') {
            this.flow(right, left.structure, node);
        } else if (right.kind === 'structure') {
            this.flow(left, right.structure, node);
        }
    }

    /** A pattern that a message matches. */
    pattern(pattern: ast.Pattern, message: Structure): void {
        this.seen.add(pattern);
        switch (pattern.$type) {
            case 'WildcardPattern':
                return;
            case 'RecordPattern':
                pattern.parts.forEach((part, position) => {
                    this.pattern(part, this.#part(message, position, part));
                });
                return;
            case 'ExpressionPattern':
                this.#matched(pattern.value, message, pattern.equal);
                return;
            default:
                this.notUnderstood(pattern);
        }
    }

    /** A place that is written. */
    target(place: ast.Expression): Structure {
        // Who writes one field of a record with a condition lets another value of the record keep the others.
        for (let part = place; ast.isFieldAccess(part); part = part.record) {
            const owner = this.evaluate(part.record);
            if (owner.kind === 'structure' && owner.structure.kind === 'record') {
                this.#expose(owner.structure, place);
            }
        }
        const value = this.evaluate(place);
        if (value.kind !== 'structure') {
            this.notUnderstood(place);
            return newScalar();
        }
        return value.structure;
    }

    /** A channel or an event with its indices. */
    indexed(structure: Structure, indices: readonly ast.Expression[], node: Node): Structure {
        if (indices.length === 0) {
            return structure;
        }
        if (structure.kind !== 'array' || indices.length > structure.indices.length) {
            this.notUnderstood(node);
            return structure;
        }
        indices.forEach((index, position) => {
            const own = structure.indices[position];
            if (own !== undefined) {
                this.flow(this.evaluate(index), own, index);
            }
        });
        return arrayOf(structure.indices.slice(indices.length), structure.element);
    }

    #makePlaces(declaration: ast.Named): Structure {
        const { name } = declaration;
        const shared = { name, node: declaration, kind: 'element' } as const;
        switch (declaration.$type) {
            case 'Variable': {
                const process = processAround(declaration);
                const isState = !isInBody(declaration);
                return this.structures.ofType(declaration.type, {
                    ...shared,
                    name: process === undefined ? name : `${process.name}.${name}`,
                    kind: isState ? 'element' : 'value',
                });
            }
            case 'ProcessParameter':
                return this.structures.ofType(declaration.type, {
                    ...shared,
                    name: `${declaration.$container.name}.${name}`,
                });
            case 'ProcessIndex': {
                const place = { ...shared, name: `${declaration.$container.name}[${name}]`, kind: 'index' } as const;
                const structure = this.structures.ofType(declaration.type, place);
                scalarsOf(structure).forEach(sort => (sort.root().isMoved = true));
                return structure;
            }
            case 'FunctionParameter':
                return this.structures.ofType(declaration.type, { ...shared, kind: 'value' });
            case 'FunctionDeclaration':
                return this.structures.ofType(declaration.result, { ...shared, kind: 'value' });
            case 'BinderVariable':
                return this.structures.ofType(declaration.$container.type, { ...shared, kind: 'value' });
            case 'Parameter':
                return this.#parameter(declaration);
            case 'ChannelDeclaration': {
                const indices = declaration.indices.map(index => this.structures.ofIndex(index, shared));
                const isStored = !ast.isNumberLiteral(declaration.capacity) || declaration.capacity.value > 0;
                const kind = isStored ? 'element' : 'value';
                const message = this.structures.ofType(declaration.message, { ...shared, kind });
                return arrayOf(indices, { kind: 'channel', message: () => message });
            }
            case 'EventDeclaration': {
                const origin = { ...shared, kind: 'value' } as const;
                const indices = declaration.arguments.map(index => this.structures.ofIndex(index, origin));
                return arrayOf(indices, newScalar());
            }
            default:
                this.notUnderstood(declaration);
                return newScalar();
        }
    }

    /** Its entries are numbers; the values of an index are told apart by them. */
    #parameter(parameter: ast.Parameter): Structure {
        const origin = { name: parameter.name, node: parameter, kind: 'parameter' } as const;
        const structure = this.structures.ofType(parameter.type, origin);
        const [indices, element] =
            structure.kind === 'array' ? [structure.indices, structure.element] : [[], structure];
        this.refuse(element, parameter, 'has values of its own');
        if (indices.length > 1) {
            this.refuse(structure, parameter, 'relates values');
        }
        indices.flatMap(scalarsOf).forEach(sort => {
            const root = sort.root();
            root.tables.add(parameter);
            // A parameter by itself moves no cell.
            root.isMoved = false;
        });
        return structure;
    }

    /** The condition of a record with a `where`, for its fields in this structure. */
    #conditionOf(structure: Structure & { readonly kind: 'record' }): void {
        const { record, fields } = structure;
        const { where } = record;
        if (where === undefined) {
            return;
        }
        if (this.#inCondition.has(record)) {
            this.notUnderstood(where);
            return;
        }
        this.#inCondition.add(record);
        record.fields.forEach((field, position) => {
            const own = fields[position];
            if (own !== undefined) {
                this.#fields.set(field, own);
            }
        });
        if (!this.#localNumber(where, record)) {
            this.condition(where);
        }
        this.#inCondition.delete(record);
    }

    /**
     * Whether a condition is `number < table[owner]` of two fields, with all numbers that an entry allows: then the number
     * is local to the owner.
     */
    #localNumber(where: ast.Expression, record: ast.RecordDeclaration): boolean {
        const { left, right } = ast.isBinaryExpression(where) && where.operator === '<' ? where : {};
        if (
            !ast.isReference(left) ||
            !ast.isReference(right) ||
            left.indices.length > 0 ||
            right.indices.length !== 1
        ) {
            return false;
        }
        const [field, table, [index]] = [left.target.ref, right.target.ref, right.indices];
        const owner = ast.isReference(index) && index.indices.length === 0 ? index.target.ref : undefined;
        if (!ast.isRecordField(field) || !ast.isParameter(table) || !ast.isRecordField(owner) || owner === field) {
            return false;
        }
        const [number, its] = [this.#fields.get(field), this.#fields.get(owner)];
        if (number?.kind !== 'scalar' || its?.kind !== 'scalar' || table.type.indices.length !== 1) {
            return false;
        }
        // With a smaller range an entry would not say how many numbers its owner has.
        const [numbers, entries] = [field, table].map(({ type }) => this.bounds.rangeOf(type.element));
        const behind = numbers && combination([1, numbers.high], [1, constantOf(1)]);
        if (
            !numbers ||
            !entries ||
            !behind ||
            !isSame(numbers.low, constantOf(0)) ||
            !isAtLeast(behind, entries.high)
        ) {
            return false;
        }
        nodesOf(where).forEach(node => this.seen.add(node));
        this.evaluate(right);
        number.sort.local = { record, field, table, ownerField: owner, owner: its.sort };
        return true;
    }

    /** A number that is local to an owner is compared with a number of another owner, or read alone. */
    #expose({ record, fields }: Structure & { readonly kind: 'record' }, node: Node): void {
        if (record.where !== undefined) {
            for (const field of fields) {
                if (field.kind === 'scalar' && field.sort.root().local !== undefined) {
                    field.sort.refuse(node, 'takes the record apart');
                }
            }
        }
    }

    #reference(reference: ast.Reference): SortedValue {
        const target = reference.target.ref;
        if (reference.label !== undefined) {
            if (ast.isProcess(target)) {
                this.#instance(target, reference.indices, reference);
            } else {
                this.#name(reference, target);
            }
            return this.#truth(reference);
        }
        if (reference.action !== undefined) {
            if (!ast.isProcess(target)) {
                return this.#unknown(reference);
            }
            this.#instance(target, reference.indices, reference);
            return this.#truth(reference);
        }
        return this.#name(reference, target);
    }

    /** `P[i]`: the indices of a family. */
    #instance(process: ast.Process, indices: readonly ast.Expression[], node: Node): void {
        if (indices.length !== process.indices.length) {
            this.notUnderstood(node);
        }
        process.indices.forEach((index, position) => {
            const value = indices[position];
            if (value !== undefined) {
                this.flow(this.evaluate(value), this.placesOf(index), value);
            }
        });
    }

    #name(reference: ast.Reference, target: ast.Named | undefined): SortedValue {
        switch (target?.$type) {
            case 'Let':
            case 'Constant':
                return this.#element(this.#valueOfName(target), reference);
            case 'Self': {
                const self = newScalar();
                this.refuse(self, reference, 'refers to instances');
                return { kind: 'structure', structure: self };
            }
            case 'RecordField': {
                const structure = this.#fields.get(target);
                return structure === undefined
                    ? this.#unknown(reference)
                    : this.#element({ kind: 'structure', structure }, reference);
            }
            case 'Variable':
            case 'FunctionParameter':
            case 'ProcessParameter':
            case 'ProcessIndex':
            case 'BinderVariable':
            case 'Parameter':
            case 'ChannelDeclaration':
                return this.#element({ kind: 'structure', structure: this.placesOf(target) }, reference);
            default:
                return this.#unknown(reference);
        }
    }

    #element(value: SortedValue, place: ast.Reference | ast.FieldAccess | ast.Call): SortedValue {
        const { indices } = place;
        if (indices.length === 0) {
            return value;
        }
        const plain = this.plain(value, place);
        return plain.kind === 'structure'
            ? { kind: 'structure', structure: this.indexed(plain.structure, indices, place) }
            : this.#unknown(place);
    }

    /** A constant or a name for an expression has the value of its expression. */
    #valueOfName(named: ast.Let | ast.Constant): SortedValue {
        const known = this.#named.get(named);
        if (known !== undefined) {
            return known;
        }
        this.#named.set(named, this.#number(named, 'is defined in terms of itself'));
        let value = this.evaluate(named.value);
        if (ast.isConstant(named) && named.type !== undefined) {
            const structure = this.structures.ofType(named.type, { name: named.name, node: named, kind: 'value' });
            this.flow(value, structure, named);
            value = { kind: 'structure', structure };
        }
        this.#named.set(named, value);
        return value;
    }

    #unary(expression: ast.UnaryExpression): SortedValue {
        const value = this.evaluate(expression.operand);
        const isNegation = expression.operator === '-';
        if (value.kind === 'constant') {
            const sum = constantOf(isNegation ? 0 : 1);
            const constant = combination([1, sum], [-1, value.constant]);
            return constant === undefined ? this.#number(expression, 'is computed') : { kind: 'constant', constant };
        }
        const linear = this.#asLinear(value, expression);
        const negated = linear && added(constantOf(isNegation ? 0 : 1), linear, -1);
        return negated ?? this.#computed([value], expression);
    }

    #binary(expression: ast.BinaryExpression): SortedValue {
        const { operator, left, right } = expression;
        switch (operator) {
            case '&&':
            case '||':
            case 'implies':
            case 'until':
            case 'weak until':
            case 'leads to':
                this.condition(left);
                this.condition(right);
                return this.#truth(expression);
            case '==':
            case '!=':
                this.compare(this.evaluate(left), this.evaluate(right), expression);
                return this.#truth(expression);
            case 'in':
                this.member(this.evaluate(left), right, expression);
                return this.#truth(expression);
            case '<':
            case '<=':
            case '>':
            case '>=':
                this.#order(operator, this.evaluate(left), this.evaluate(right), expression);
                return this.#truth(expression);
            case '+':
            case '-':
                return this.#sum(this.evaluate(left), this.evaluate(right), operator === '+' ? 1 : -1, expression);
            case 'mod':
                return this.#modulo(this.evaluate(left), this.evaluate(right), expression);
            case '*':
            case 'div':
                return this.#computed([this.evaluate(left), this.evaluate(right)], expression);
            default:
                return this.#unknown(expression);
        }
    }

    #order(operator: keyof typeof MIRRORED, first: SortedValue, second: SortedValue, node: Node): void {
        const [left, right] = [movedBy(first, second), movedBy(second, first)];
        if (left !== undefined) {
            this.#threshold(left, operator, node);
        } else if (right !== undefined) {
            this.#threshold(right, MIRRORED[operator], node);
        } else {
            this.#fix(first, node, 'compares the order of values');
            this.#fix(second, node, 'compares the order of values');
        }
    }

    /** `x < c` tells the values up to `c - 1` from the others, `x <= c` those up to `c`. */
    #threshold({ sort, constant }: Moved, operator: keyof typeof MIRRORED, node: Node): void {
        const isUpTo = operator === '<=' || operator === '>';
        const high = combination([1, constant], [isUpTo ? 0 : -1, constantOf(1)]);
        if (high === undefined) {
            sort.refuse(node, 'compares the order of values');
        } else {
            sort.cut({ high, isType: false, node });
        }
    }

    #between(value: SortedValue, low: SortedValue, high: SortedValue, node: Node): void {
        const [from, to] = [movedBy(value, low), movedBy(value, high)];
        if (from !== undefined && to !== undefined) {
            from.sort.cut({ low: from.constant, high: to.constant, isType: false, node });
        } else if (value.kind !== 'constant' || low.kind !== 'constant' || high.kind !== 'constant') {
            [value, low, high].forEach(each => {
                this.#fix(each, node, 'compares the order of values');
            });
        }
    }

    #typeMember(value: SortedValue, set: ast.Expression, node: Node): void {
        const type = ast.isReference(set) && set.indices.length === 0 ? set.target.ref : undefined;
        const origin = { name: 'a value', node: set, kind: 'value' } as const;
        const plain = this.plain(value, node);
        let structure: Structure;
        switch (type?.$type) {
            case 'TypeDeclaration':
                structure = this.structures.ofType(type.type, origin);
                break;
            case 'RecordDeclaration':
                structure = this.structures.ofRecord(type, origin);
                break;
            case 'Enumeration':
            case 'Process':
                // All values but `none`, or those that live.
                return;
            default:
                this.notUnderstood(set);
                return;
        }
        if (plain.kind === 'structure') {
            this.unite(structure, plain.structure, node);
        }
    }

    #sum(first: SortedValue, second: SortedValue, sign: 1 | -1, node: ast.Expression): SortedValue {
        if (first.kind === 'ring' && second.kind === 'constant') {
            const base = combination([1, first.base], [sign, second.constant]);
            return base === undefined ? this.#computed([first], node) : { ...first, base, node };
        }
        if (first.kind === 'constant' && second.kind === 'ring' && sign > 0) {
            const base = combination([1, second.base], [1, first.constant]);
            return base === undefined ? this.#computed([second], node) : { ...second, base, node };
        }
        const right = this.#asLinear(second, node);
        if (first.kind === 'constant') {
            return (right && added(first.constant, right, sign)) ?? this.#computed([second], node);
        }
        const left = this.#asLinear(first, node);
        if (second.kind === 'constant') {
            const offset = left && combination([1, left.offset], [sign, second.constant]);
            return left && offset ? { ...left, offset } : this.#computed([first], node);
        }
        const offset = left && right && combination([1, left.offset], [sign, right.offset]);
        if (left === undefined || right === undefined || offset === undefined) {
            return this.#computed([first, second], node);
        }
        const terms = [...left.terms, ...right.terms.map(term => signed(term, sign))];
        return terms.length > 2 ? this.#computed([first, second], node) : { kind: 'linear', terms, offset };
    }

    #modulo(value: SortedValue, modulus: SortedValue, node: ast.Expression): SortedValue {
        if (value.kind === 'ring' && modulus.kind === 'constant' && isSame(value.modulus, modulus.constant)) {
            const shift = combination([1, value.shift], [1, value.base]);
            return shift === undefined ? this.#computed([value], node) : { ...value, shift, base: constantOf(0), node };
        }
        const linear = value.kind === 'constant' ? undefined : this.#asLinear(value, node);
        if (linear === undefined || modulus.kind !== 'constant' || !isSmall(linear.offset)) {
            return this.#computed([value, modulus], node);
        }
        const [first, second, ...others] = linear.terms;
        if (first === undefined || others.length > 0) {
            return this.#computed([value], node);
        }
        if (second === undefined && first.sign > 0) {
            const shift = linear.offset;
            return { kind: 'ring', sort: first.sort, shift, modulus: modulus.constant, base: constantOf(0), node };
        }
        if (second !== undefined && first.sign !== second.sign && isSmall(modulus.constant)) {
            Sort.unite(first.sort, second.sort);
            first.sort.root().rings.push({ kind: 'difference', modulus: modulus.constant, node });
            return this.#number(node, 'is a distance');
        }
        return this.#computed([value], node);
    }

    #asLinear(value: SortedValue, node: Node): (SortedValue & { readonly kind: 'linear' }) | undefined {
        if (value.kind === 'linear') {
            return value;
        }
        const plain = this.plain(value, node);
        return plain.kind === 'structure' && plain.structure.kind === 'scalar'
            ? { kind: 'linear', terms: [{ sort: plain.structure.sort, sign: 1 }], offset: constantOf(0) }
            : undefined;
    }

    /** Values that are numbers here, and the number that is made from them. */
    #computed(values: readonly SortedValue[], node: Node): SortedValue & { readonly kind: 'structure' } {
        values.forEach(value => {
            this.#fix(value, node, 'computes with it');
        });
        return this.#number(node, 'is computed');
    }

    /** What a value is made of stays where it is. */
    #fix(value: SortedValue, node: Node, words: string): void {
        if (value.kind === 'linear') {
            value.terms.forEach(({ sort }) => {
                sort.refuse(node, words);
            });
        } else if (value.kind === 'ring') {
            value.sort.refuse(node, words);
        } else if (value.kind === 'structure') {
            this.refuse(value.structure, node, words);
        }
    }

    #number(node: Node, words: string): SortedValue & { readonly kind: 'structure' } {
        const structure = newScalar();
        this.refuse(structure, node, words);
        return { kind: 'structure', structure };
    }

    #truth(node: Node): SortedValue & { readonly kind: 'structure' } {
        return this.#number(node, 'is a condition');
    }

    #unknown(node: Node): SortedValue & { readonly kind: 'structure' } {
        this.notUnderstood(node);
        return this.#number(node, 'is not covered by the proof');
    }

    /** One of several values, of the same type all of them. */
    #join(values: readonly SortedValue[], node: Node): SortedValue {
        const plain = values.map(value => this.plain(value, node));
        const shaped = plain.find(value => value.kind === 'structure' && value.structure.kind !== 'scalar');
        const structure = shaped?.kind === 'structure' ? shaped.structure : newScalar();
        plain.forEach(value => {
            this.flow(value, structure, node);
        });
        return { kind: 'structure', structure };
    }

    #quantifier(expression: ast.Quantifier): SortedValue {
        const { quantifier, groups, where, body } = expression;
        const structures = this.binders(groups, where);
        this.ordered.push({
            sorts: structures.flatMap(scalarsOf),
            node: expression,
        });
        if (structures.some(({ kind }) => kind === 'channel')) {
            this.notUnderstood(expression);
        }
        switch (quantifier) {
            case 'forall':
            case 'exists':
                this.condition(body);
                return this.#truth(expression);
            case 'count':
                this.condition(body);
                return this.#number(expression, 'is computed');
            case 'sum':
            case 'min':
            case 'max':
                return this.#computed([this.evaluate(body)], expression);
            default:
                return this.#unknown(expression);
        }
    }

    #array(literal: ast.ArrayLiteral): SortedValue {
        const { elements, comprehension } = literal;
        if (comprehension === undefined) {
            const positions = newScalar();
            this.refuse(positions, literal, 'is a list in a certain order');
            const element = this.#join(
                elements.map(each => this.evaluate(each)),
                literal,
            );
            return element.kind === 'structure'
                ? { kind: 'structure', structure: inFront([positions], element.structure) }
                : this.#unknown(literal);
        }
        this.seen.add(comprehension);
        const indices = this.binders(comprehension.groups, comprehension.where);
        this.ordered.push({
            sorts: indices.flatMap(scalarsOf),
            node: comprehension,
        });
        if (indices.some(({ kind }) => kind === 'channel')) {
            this.notUnderstood(comprehension);
        }
        const body = this.#join([this.evaluate(comprehension.body)], comprehension.body);
        return body.kind === 'structure'
            ? { kind: 'structure', structure: inFront(indices, body.structure) }
            : this.#unknown(literal);
    }

    #field(access: ast.FieldAccess): SortedValue {
        const { record, indices } = access;
        const field = access.field.ref;
        if (ast.isVariable(field) || ast.isProcessParameter(field)) {
            const owner = ast.isReference(record) ? record.target.ref : undefined;
            if (ast.isReference(record) && ast.isProcess(owner)) {
                this.seen.add(record);
                this.#instance(owner, record.indices, record);
            } else {
                this.evaluate(record);
            }
            return this.#element({ kind: 'structure', structure: this.placesOf(field) }, access);
        }
        const value = this.plain(this.evaluate(record), record);
        if (value.kind !== 'structure' || value.structure.kind !== 'record' || field === undefined) {
            return this.#unknown(access);
        }
        const structure = value.structure.fields[value.structure.record.fields.indexOf(field)];
        if (structure === undefined) {
            return this.#unknown(access);
        }
        if (structure.kind === 'scalar' && structure.sort.root().local !== undefined) {
            structure.sort.refuse(access, 'takes the record apart');
        }
        return indices.length === 0
            ? { kind: 'structure', structure }
            : this.#element({ kind: 'structure', structure }, access);
    }

    #part(message: Structure, position: number, part: ast.Pattern | ast.Expression): Structure {
        const structure = message.kind === 'record' ? message.fields[position] : undefined;
        if (message.kind !== 'record' || structure === undefined) {
            this.notUnderstood(part);
            return newScalar();
        }
        this.#expose(message, part);
        return structure;
    }

    /** As in lowering: a place is written, the parts of a record are matched, any other expression must be equal. */
    #matched(expression: ast.Expression, message: Structure, isEqual: boolean): void {
        if (!isEqual && ast.isCall(expression) && ast.isRecordDeclaration(expression.function.ref)) {
            this.seen.add(expression);
            expression.arguments.forEach((part, position) => {
                this.#matched(part, this.#part(message, position, part), false);
            });
        } else if (!isEqual && isPlace(expression)) {
            this.unite(message, this.target(expression), expression);
        } else {
            this.compare({ kind: 'structure', structure: message }, this.evaluate(expression), expression);
        }
    }

    #call(call: ast.Call): SortedValue {
        const named = call.function.ref;
        switch (named?.$type) {
            case 'RecordDeclaration': {
                const structure = this.structures.ofRecord(named, { name: named.name, node: call, kind: 'value' });
                if (structure.kind !== 'record' || call.arguments.length !== structure.fields.length) {
                    return this.#unknown(call);
                }
                this.#expose(structure, call);
                this.#arguments(call.arguments, structure.fields);
                return this.#element({ kind: 'structure', structure }, call);
            }
            case 'FunctionDeclaration': {
                const parameters = named.parameters.map(parameter => this.placesOf(parameter));
                if (call.arguments.length !== parameters.length) {
                    return this.#unknown(call);
                }
                this.#arguments(call.arguments, parameters);
                return this.#element({ kind: 'structure', structure: this.placesOf(named) }, call);
            }
            case 'BuiltinFunction':
                return this.#builtin(call, named.name);
            default:
                return this.#unknown(call);
        }
    }

    #arguments(values: readonly ast.Expression[], parameters: readonly Structure[]): void {
        values.forEach((value, position) => {
            const parameter = parameters[position];
            if (parameter !== undefined) {
                this.flow(this.evaluate(value), parameter, value);
            }
        });
    }

    #builtin(call: ast.Call, name: string): SortedValue {
        const values = call.arguments.map(argument => this.evaluate(argument));
        if (INTEGER_FUNCTIONS.has(name)) {
            return this.#computed(values, call);
        }
        switch (name) {
            case 'len':
                return this.#number(call, 'is computed');
            case 'full':
            case 'empty':
            case 'alive':
                return this.#truth(call);
            default:
                return this.#unknown(call);
        }
    }

    #spawn(spawn: ast.Spawn): SortedValue {
        const template = spawn.template.ref;
        if (!ast.isProcess(template) || spawn.arguments.length !== template.parameters.length) {
            return this.#unknown(spawn);
        }
        this.#arguments(
            spawn.arguments,
            template.parameters.map(parameter => this.placesOf(parameter)),
        );
        const reference = newScalar();
        this.refuse(reference, spawn, 'refers to instances');
        return { kind: 'structure', structure: reference };
    }
}

/** A value of one sort and a constant that are compared, without what is added to the value. */
interface Moved {
    readonly sort: Sort;
    readonly constant: Polynomial;
}

function movedBy(value: SortedValue, other: SortedValue): Moved | undefined {
    if (other.kind !== 'constant') {
        return undefined;
    }
    if (value.kind === 'structure' && value.structure.kind === 'scalar') {
        return { sort: value.structure.sort, constant: other.constant };
    }
    const [term, ...others] = value.kind === 'linear' ? value.terms : [];
    if (value.kind !== 'linear' || term?.sign !== 1 || others.length > 0 || !isSmall(value.offset)) {
        return undefined;
    }
    const constant = combination([1, other.constant], [-1, value.offset]);
    return constant && { sort: term.sort, constant };
}

function added(
    constant: Polynomial,
    { terms, offset }: SortedValue & { readonly kind: 'linear' },
    sign: 1 | -1,
): SortedValue | undefined {
    const sum = combination([1, constant], [sign, offset]);
    return sum && { kind: 'linear', terms: terms.map(term => signed(term, sign)), offset: sum };
}

function signed({ sort, sign }: Term, factor: 1 | -1): Term {
    return { sort, sign: sign === factor ? 1 : -1 };
}

/** Indices of a literal stand before those of its elements. */
function inFront(indices: readonly Structure[], element: Structure): Structure {
    return element.kind === 'array'
        ? arrayOf([...indices, ...element.indices], element.element)
        : arrayOf(indices, element);
}

/** Whether no sum of such a constant and a value of a type overflows. */
function isSmall(constant: Polynomial): boolean {
    return isWithin(constant, -LARGEST_SUM, LARGEST_SUM);
}

function processAround(node: Node): ast.Process | undefined {
    for (let outer = node.$container; outer !== undefined; outer = outer.$container) {
        if (ast.isProcess(outer)) {
            return outer;
        }
    }
    return undefined;
}

function isInBody({ $container }: ast.Variable): boolean {
    return ast.isBody($container);
}
