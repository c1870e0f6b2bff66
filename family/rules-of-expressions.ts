/**
 * The rules of the proof for expressions, one for each kind of node: each says what the text does with the values of
 * places (rules-of-values.ts). No rule reads a fact. A node that no rule is about is a fact about the whole model.
 */
import { isIntegerFunction } from '../engine/common/interval.js';
import type { Node } from '../language/tree/node.js';
import { nodesOf } from '../language/tree/descendants.js';
import type * as ast from '../language/generated/nodes.js';
import { combination, constantOf, isAtLeast, isSame } from '../language/typing/polynomial.js';
import { collectionOf } from '../language/references/binders.js';
import { hasCases, numberOfField, type Constructor } from '../language/references/constructors.js';
import { isSetOfValues } from '../language/typing/infer-sets.js';
import { ConstantBounds } from './constant-bounds.js';
import { DeclaredPlaces } from './declared-places.js';
import { FactList, type Place } from './facts.js';
import { ValueRules, type RuledValue } from './rules-of-values.js';
import {
    arrayOf,
    fieldsBuiltBy,
    scalarsOf,
    StructureMaker,
    type RecordStructure,
    type Structure,
} from './structure.js';

/** An expression whose order of evaluation is that of the values of some places. */
export interface OrderedBody {
    readonly places: readonly Place[];
    readonly node: ast.Quantifier | ast.Comprehension | ast.SetComprehension | ast.Alternative;
}

export class ExpressionRules {
    readonly facts = new FactList();
    readonly bounds = new ConstantBounds();
    readonly structures = new StructureMaker(this.bounds, this.facts, (record, fields) => {
        this.#conditionOf(record, fields);
    });
    readonly values = new ValueRules(this.facts, this.structures);
    readonly declared = new DeclaredPlaces(this.facts, this.structures, this.values);
    readonly ordered: OrderedBody[] = [];
    /** The nodes that a rule was about. */
    readonly seen = new Set<Node>();
    readonly #named = new Map<Node, RuledValue>();
    /** The fields in the conditions of records that are being made. */
    readonly #fields = new Map<ast.RecordField, Structure>();
    readonly #inCondition = new Set<ast.RecordDeclaration>();

    /** A test: its value decides what happens. */
    condition(expression: ast.Expression): void {
        const value = this.values.plain(this.evaluate(expression), expression);
        if (value.kind === 'structure') {
            this.values.pin(value.structure, expression, 'tested');
        }
    }

    evaluate(expression: ast.Expression): RuledValue {
        const constant = this.bounds.of(expression);
        if (constant !== undefined) {
            nodesOf(expression).forEach(node => this.seen.add(node));
            return { kind: 'constant', constant };
        }
        this.seen.add(expression);
        switch (expression.$type) {
            case 'NoneLiteral':
                return { kind: 'none' };
            case 'Reference':
                return this.#reference(expression);
            case 'UnaryExpression':
                // The negation of a truth value is `1 - x`.
                return this.values.subtractedFrom(
                    constantOf(expression.operator === '-' ? 0 : 1),
                    this.evaluate(expression.operand),
                    expression,
                );
            case 'BinaryExpression':
                return this.#binary(expression);
            case 'Conditional':
                this.condition(expression.condition);
                return this.values.join(
                    [this.evaluate(expression.then), this.evaluate(expression.otherwise)],
                    expression,
                );
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
                return this.#set(expression);
            default:
                // Literals are constants.
                return this.#unknown(expression);
        }
    }

    /** The variables of a quantifier, a choice or an array, and their condition. */
    binders(groups: readonly ast.BinderGroup[], where: ast.Expression | undefined): Structure[] {
        const structures = groups.flatMap(group => {
            this.seen.add(group);
            const elements = this.#elementsOf(group);
            return group.variables.map(variable => {
                this.seen.add(variable);
                // A variable holds elements of the set that it runs through: its places are theirs.
                const structure = elements ?? this.declared.of(variable);
                this.declared.all.set(variable, structure);
                this.structures.moved(structure);
                return structure;
            });
        });
        if (where !== undefined) {
            this.condition(where);
        }
        return structures;
    }

    /** The elements of the set that the variables of a group run through; undefined for a type. */
    #elementsOf(group: ast.BinderGroup): Structure | undefined {
        const collection = collectionOf(group);
        if (collection === undefined) {
            return undefined;
        }
        const set = this.values.plain(this.evaluate(collection), collection);
        if (set.kind === 'structure' && set.structure.kind === 'set') {
            return set.structure.member;
        }
        this.values.notUnderstood(collection);
        return undefined;
    }

    /** Whether a value is in what stands right of `in`; also what a variable may begin with. */
    member(value: RuledValue, set: ast.Expression, node: Node): void {
        if (isSetOfValues(set)) {
            const plain = this.values.plain(this.evaluate(set), set);
            if (plain.kind === 'structure' && plain.structure.kind === 'set') {
                this.values.flow(value, plain.structure.member, node);
            } else if (plain.kind !== 'none') {
                this.values.notUnderstood(set);
            }
            return;
        }
        this.seen.add(set);
        if (set.$type !== 'SetLiteral') {
            this.#typeMember(value, set, node);
            return;
        }
        for (const element of set.elements) {
            this.seen.add(element);
            const [low, high] = [this.evaluate(element.low), element.high && this.evaluate(element.high)];
            if (high === undefined) {
                this.values.compare(value, low, element);
            } else {
                this.values.between(value, low, high, element);
            }
        }
    }

    /** A place that is written. */
    target(place: ast.Expression): Structure {
        // Who writes one field of a record with a condition lets another value of the record keep the others.
        for (let part = place; part.$type === 'FieldAccess'; part = part.record) {
            const owner = this.evaluate(part.record);
            if (owner.kind === 'structure' && owner.structure.kind === 'record') {
                this.alone(owner.structure, owner.structure.fields, place);
            }
        }
        const value = this.evaluate(place);
        if (value.kind !== 'structure') {
            this.values.notUnderstood(place);
            return this.structures.newScalar();
        }
        return value.structure;
    }

    /** A channel or an event with its indices. */
    indexed(structure: Structure, indices: readonly ast.Expression[], node: Node): Structure {
        if (indices.length === 0) {
            return structure;
        }
        if (structure.kind !== 'array' || indices.length > structure.indices.length) {
            this.values.notUnderstood(node);
            return structure;
        }
        indices.forEach((index, position) => {
            this.values.flow(this.evaluate(index), structure.indices[position], index);
        });
        return arrayOf(structure.indices.slice(indices.length), structure.element);
    }

    /** The condition of a record with a `where`, for fields of some structure. */
    #conditionOf(record: ast.RecordDeclaration, fields: readonly Structure[]): void {
        const { where } = record;
        if (where === undefined) {
            return;
        }
        if (this.#inCondition.has(record)) {
            this.values.notUnderstood(where);
            return;
        }
        this.#inCondition.add(record);
        record.fields.forEach((field, position) => {
            this.#fields.set(field, fields[position]);
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
        if (where.$type !== 'BinaryExpression' || where.operator !== '<') {
            return false;
        }
        const { left, right } = where;
        const [field, table] = [namedBy(left, 0), namedBy(right, 1)];
        const owner = right.$type === 'Reference' ? namedBy(right.indices[0], 0) : undefined;
        if (
            field?.$type !== 'RecordField' ||
            table?.$type !== 'Parameter' ||
            owner?.$type !== 'RecordField' ||
            owner === field
        ) {
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
        const local = { record, field, table, ownerField: owner };
        this.facts.add({ kind: 'local', place: number.place, local });
        return true;
    }

    /** The fields of a record with a condition are used one by one. */
    alone({ isOneValue }: RecordStructure, fields: readonly Structure[], node: Node): void {
        if (isOneValue) {
            fields.forEach(field => {
                if (field.kind === 'scalar') {
                    this.facts.pin(field.place, node, 'apart');
                }
            });
        }
    }

    #reference(reference: ast.Reference): RuledValue {
        const target = reference.target.ref;
        if (reference.label !== undefined) {
            if (target?.$type === 'Process') {
                this.#instance(target, reference.indices, reference);
            } else {
                this.#name(reference, target);
            }
            return this.#truth(reference);
        }
        if (reference.action !== undefined) {
            if (target?.$type !== 'Process') {
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
            this.values.notUnderstood(node);
        }
        process.indices.forEach((index, position) => {
            const value: ast.Expression | undefined = indices[position];
            if (value !== undefined) {
                this.values.flow(this.evaluate(value), this.declared.of(index), value);
            }
        });
    }

    #name(reference: ast.Reference, target: ast.Named | undefined): RuledValue {
        switch (target?.$type) {
            case 'Let':
            case 'Constant':
                return this.#element(this.#valueOfName(target), reference);
            case 'Self':
                return this.values.number(reference, 'reference');
            case 'EnumerationValue':
                // Without fields; where none of the cases has fields, it is a constant.
                return { kind: 'structure', structure: this.#built(target, reference) };
            case 'RecordField': {
                const structure = this.#fields.get(target);
                return structure === undefined
                    ? this.#unknown(reference)
                    : this.#element({ kind: 'structure', structure }, reference);
            }
            case 'Variable':
            case 'FunctionParameter':
            case 'ProcedureParameter':
            case 'ProcessParameter':
            case 'ProcessIndex':
            case 'BinderVariable':
            case 'Parameter':
            case 'ChannelDeclaration':
                return this.#element({ kind: 'structure', structure: this.declared.of(target) }, reference);
            default:
                return this.#unknown(reference);
        }
    }

    #element(value: RuledValue, place: ast.Reference | ast.FieldAccess | ast.Call): RuledValue {
        const { indices } = place;
        if (indices.length === 0) {
            return value;
        }
        const plain = this.values.plain(value, place);
        return plain.kind === 'structure'
            ? { kind: 'structure', structure: this.indexed(plain.structure, indices, place) }
            : this.#unknown(place);
    }

    /** A constant or a name for an expression has the value of its expression. */
    #valueOfName(named: ast.Let | ast.Constant): RuledValue {
        const known = this.#named.get(named);
        if (known !== undefined) {
            return known;
        }
        this.#named.set(named, this.values.number(named, 'circular'));
        let value = this.evaluate(named.value);
        if (named.$type === 'Constant' && named.type !== undefined) {
            const structure = this.structures.ofType(named.type, { name: named.name, node: named, kind: 'value' });
            this.values.flow(value, structure, named);
            value = { kind: 'structure', structure };
        }
        this.#named.set(named, value);
        return value;
    }

    #binary(expression: ast.BinaryExpression): RuledValue {
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
            case 'is':
                if (isCaseOfSeveral(right)) {
                    // No permutation moves a case.
                    this.values.plain(this.evaluate(left), left);
                    this.seen.add(right);
                    return this.#truth(expression);
                }
                this.values.compare(this.evaluate(left), this.evaluate(right), expression);
                return this.#truth(expression);
            case '==':
            case '!=':
                this.values.compare(this.evaluate(left), this.evaluate(right), expression);
                return this.#truth(expression);
            case 'in':
                this.member(this.evaluate(left), right, expression);
                return this.#truth(expression);
            case 'subset':
                this.values.compare(this.evaluate(left), this.evaluate(right), expression);
                return this.#truth(expression);
            case 'union':
            case 'minus':
            case 'intersect':
                return this.values.join([this.evaluate(left), this.evaluate(right)], expression);
            case '<':
            case '<=':
            case '>':
            case '>=':
                this.values.order(operator, this.evaluate(left), this.evaluate(right), expression);
                return this.#truth(expression);
            case '+':
            case '-':
                return this.values.sum(
                    this.evaluate(left),
                    this.evaluate(right),
                    operator === '+' ? 1 : -1,
                    expression,
                );
            case 'mod':
                return this.values.modulo(this.evaluate(left), this.evaluate(right), expression);
            case '*':
            case 'div':
                return this.values.computed([this.evaluate(left), this.evaluate(right)], expression);
            default:
                return this.#unknown(expression);
        }
    }

    #typeMember(value: RuledValue, set: ast.Expression, node: Node): void {
        const type = set.$type === 'Reference' && set.indices.length === 0 ? set.target.ref : undefined;
        const origin = { name: 'a value', node: set, kind: 'value' } as const;
        const plain = this.values.plain(value, node);
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
                this.values.notUnderstood(set);
                return;
        }
        if (plain.kind === 'structure') {
            this.values.unite(structure, plain.structure, node);
        }
    }

    #truth(node: Node): RuledValue & { readonly kind: 'structure' } {
        return this.values.number(node, 'truth');
    }

    #unknown(node: Node): RuledValue & { readonly kind: 'structure' } {
        this.values.notUnderstood(node);
        return this.values.number(node, 'unknown');
    }

    #quantifier(expression: ast.Quantifier): RuledValue {
        const { quantifier, groups, where, body } = expression;
        const structures = this.binders(groups, where);
        this.ordered.push({ places: structures.flatMap(scalarsOf), node: expression });
        if (structures.some(({ kind }) => kind === 'channel')) {
            this.values.notUnderstood(expression);
        }
        switch (quantifier) {
            case 'forall':
            case 'exists':
                this.condition(body);
                return this.#truth(expression);
            case 'count':
                this.condition(body);
                return this.values.number(expression, 'result');
            case 'sum':
            case 'min':
            case 'max':
                return this.values.computed([this.evaluate(body)], expression);
            case 'the':
                return this.values.join([this.evaluate(body)], body);
            default:
                return this.#unknown(expression);
        }
    }

    #array(literal: ast.ArrayLiteral): RuledValue {
        const { elements, comprehension } = literal;
        if (comprehension === undefined) {
            const positions = this.values.number(literal, 'list');
            const values = elements.map(each => this.evaluate(each));
            const element = this.values.join(values, literal);
            return { kind: 'structure', structure: inFront([positions.structure], element.structure) };
        }
        this.seen.add(comprehension);
        const indices = this.binders(comprehension.groups, comprehension.where);
        this.ordered.push({ places: indices.flatMap(scalarsOf), node: comprehension });
        if (indices.some(({ kind }) => kind === 'channel')) {
            this.values.notUnderstood(comprehension);
        }
        const body = this.values.join([this.evaluate(comprehension.body)], comprehension.body);
        return { kind: 'structure', structure: inFront(indices, body.structure) };
    }

    /** Nothing moves the empty set. */
    #set(set: ast.SetLiteral): RuledValue {
        const { elements, comprehension } = set;
        if (comprehension !== undefined) {
            this.seen.add(comprehension);
            const [variable, ...others] = this.binders(comprehension.groups, comprehension.where);
            const { body } = comprehension;
            const places = [variable, ...others].flatMap(structure => (structure ? scalarsOf(structure) : []));
            this.ordered.push({ places, node: comprehension });
            const member = body === undefined ? variable : this.values.join([this.evaluate(body)], body).structure;
            return member === undefined
                ? this.#unknown(set)
                : { kind: 'structure', structure: { kind: 'set', member } };
        }
        if (elements.length === 0) {
            return { kind: 'none' };
        }
        const singles = elements.filter(({ high }) => high === undefined);
        const { structure } = this.values.join(
            singles.map(({ low }) => this.evaluate(low)),
            set,
        );
        for (const element of elements) {
            this.seen.add(element);
            if (element.high !== undefined) {
                const ends = [this.evaluate(element.low), this.evaluate(element.high)] as const;
                this.values.between({ kind: 'structure', structure }, ...ends, element);
            }
        }
        return { kind: 'structure', structure: { kind: 'set', member: structure } };
    }

    #field(access: ast.FieldAccess): RuledValue {
        const { record } = access;
        const field = access.field.ref;
        if (field?.$type === 'Variable' || field?.$type === 'ProcessParameter') {
            const owner = record.$type === 'Reference' ? record.target.ref : undefined;
            if (record.$type === 'Reference' && owner?.$type === 'Process') {
                this.seen.add(record);
                this.#instance(owner, record.indices, record);
            } else {
                this.evaluate(record);
            }
            return this.#element({ kind: 'structure', structure: this.declared.of(field) }, access);
        }
        const value = this.values.plain(this.evaluate(record), record);
        if (value.kind !== 'structure' || value.structure.kind !== 'record' || field === undefined) {
            return this.#unknown(access);
        }
        const { $container: owner } = field;
        if (value.structure.record !== (owner.$type === 'EnumerationValue' ? owner.$container : owner)) {
            return this.#unknown(access);
        }
        // Of a name that several cases have, it is one place in all of them.
        const structure = value.structure.fields[numberOfField(field)];
        this.alone(value.structure, [structure], access);
        return this.#element({ kind: 'structure', structure }, access);
    }

    #call(call: ast.Call): RuledValue {
        const named = call.function.ref;
        switch (named?.$type) {
            case 'RecordDeclaration':
            case 'EnumerationValue': {
                const structure = this.#built(named, call);
                const fields = fieldsBuiltBy(named, structure);
                if (call.arguments.length !== fields.length) {
                    return this.#unknown(call);
                }
                this.alone(structure, fields, call);
                this.#arguments(call.arguments, fields);
                return this.#element({ kind: 'structure', structure }, call);
            }
            case 'FunctionDeclaration': {
                const parameters = named.parameters.map(parameter => this.declared.of(parameter));
                if (call.arguments.length !== parameters.length) {
                    return this.#unknown(call);
                }
                this.#arguments(call.arguments, parameters);
                return this.#element({ kind: 'structure', structure: this.declared.of(named) }, call);
            }
            case 'BuiltinFunction':
                return this.#builtin(call, named.name);
            default:
                return this.#unknown(call);
        }
    }

    /** A record, or a value with cases, on its way. */
    #built(named: Constructor, node: Node): RecordStructure {
        const type = named.$type === 'EnumerationValue' ? named.$container : named;
        return this.structures.ofRecord(type, { name: named.name, node, kind: 'value' });
    }

    #arguments(values: readonly ast.Expression[], parameters: readonly Structure[]): void {
        values.forEach((value, position) => {
            this.values.flow(this.evaluate(value), parameters[position], value);
        });
    }

    #builtin(call: ast.Call, name: string): RuledValue {
        const values = call.arguments.map(argument => this.evaluate(argument));
        if (isIntegerFunction(name)) {
            return this.values.computed(values, call);
        }
        switch (name) {
            case 'len':
                return this.values.number(call, 'result');
            case 'full':
            case 'empty':
            case 'alive':
                return this.#truth(call);
            default:
                return this.#unknown(call);
        }
    }

    #spawn(spawn: ast.Spawn): RuledValue {
        const template = spawn.template.ref;
        if (template?.$type !== 'Process' || spawn.arguments.length !== template.parameters.length) {
            return this.#unknown(spawn);
        }
        this.#arguments(
            spawn.arguments,
            template.parameters.map(parameter => this.declared.of(parameter)),
        );
        return this.values.number(spawn, 'reference');
    }
}

/** What is named with so many indices. */
function namedBy(expression: ast.Expression | undefined, indexCount: number): ast.Named | undefined {
    return expression?.$type === 'Reference' && expression.indices.length === indexCount
        ? expression.target.ref
        : undefined;
}

/** Indices of a literal stand before those of its elements. */
function inFront(indices: readonly Structure[], element: Structure): Structure {
    return element.kind === 'array'
        ? arrayOf([...indices, ...element.indices], element.element)
        : arrayOf(indices, element);
}

/** Whether an expression names a case of an enumeration that has fields. */
function isCaseOfSeveral(expression: ast.Expression): boolean {
    const named = namedBy(expression, 0);
    return named?.$type === 'EnumerationValue' && hasCases(named.$container);
}
