/** Random expressions of each sort, of what there is to read where they stand. */
import { literal, none, name, field, call, set, not, binary } from './model-trees.js';
import { type Access, type Declared, type Scope, type Sort, ModelVocabulary } from './model-vocabulary.js';
import type { Expression, PlaceExpression } from '../reference/syntax.js';

export class RandomExpressions extends ModelVocabulary {
    protected value(sort: Sort, scope: Scope, depth: number): Expression {
        const read = this.reads(sort, scope);
        const constants = !this.dataSymmetric || read === undefined;
        if (depth > 0 && this.chance(8)) {
            return {
                kind: 'if',
                condition: this.condition(scope, 0),
                then: this.value(sort, scope, depth - 1),
                otherwise: this.value(sort, scope, depth - 1),
            };
        }
        const functions = this.functions.filter(({ result }) => result === sort);
        if (functions.length > 0 && depth > 0 && scope.alone === undefined && this.chance(30)) {
            const head = this.pick(functions);
            const variables = scope.variables.filter(({ kind }) => head.readsAll || kind === 'shared');
            const given = head.parameters.map(parameter =>
                head.recursive
                    ? this.constant(parameter.sort)
                    : this.value(parameter.sort, { ...scope, variables }, depth - 1),
            );
            return call(head.name, ...given);
        }
        switch (sort) {
            case 'bool':
                if (read !== undefined && this.chance(55)) {
                    return this.chance(50) ? read : not(read);
                }
                return constants && (depth === 0 || this.chance(60))
                    ? this.constant(sort)
                    : this.condition(scope, depth - 1);
            case 'bit':
            case 'trit':
                return this.number(sort, read, constants, scope, depth);
            case 'color':
            case 'node':
            case 'port': {
                const bound = this.bindersOf(sort, scope);
                if (bound.length > 0 && this.chance(60)) {
                    return name(this.pick(bound));
                }
                return read !== undefined && !(constants && this.chance(40)) ? read : this.constantOrOwn(sort, scope);
            }
            case 'index':
                return depth > 0 && read !== undefined && this.chance(30) ? read : this.index(scope);
            case 'optional':
                return read !== undefined && this.chance(35)
                    ? read
                    : this.chance(35)
                      ? none()
                      : this.value('index', scope, 0);
            case 'maybe':
                return read !== undefined && this.chance(35)
                    ? read
                    : this.chance(35)
                      ? none()
                      : this.value('slot', scope, 0);
            case 'perhaps':
                return read !== undefined && this.chance(45)
                    ? read
                    : this.chance(30)
                      ? none()
                      : this.value('pair', scope, depth);
            case 'pair':
                return read !== undefined && this.chance(40)
                    ? read
                    : this.pair(field => this.value(field.sort, scope, Math.max(0, depth - 1)));
            case 'slot':
                return this.slot(read, scope, depth);
        }
    }

    protected condition(scope: Scope, depth: number): Expression {
        const readable = this.readable(scope);
        const buffered = scope.isStatic === true ? [] : this.channels.filter(({ capacity }) => capacity > 0);
        const arrays = readable.filter(({ indices }) => indices.length === 1 && indices[0] === 'index');
        const kind = this.weighted([
            [5, 'read'],
            [8, 'compare'],
            [depth > 0 ? 3 : 0, 'connect'],
            [depth > 0 && this.free(scope) !== undefined ? 3 : 0, 'quantify'],
            [depth > 0 && this.free(scope) !== undefined ? 2 : 0, 'count'],
            [scope.labels.length > 0 && scope.alone === undefined ? 5 : 0, 'at'],
            [scope.binders.length > 0 && this.constantIndices > 0 ? 1 : 0, 'fixed'],
            [buffered.length > 0 && scope.alone === undefined ? 3 : 0, 'channel'],
            [this.has.bodies && depth > 0 && arrays.length > 0 && scope.alone === undefined ? 3 : 0, 'array'],
            [this.has.arithmetic ? 3 : 0, 'element'],
            [readable.some(({ sort }) => sort === 'perhaps') ? 6 : 0, 'tested'],
        ] as const);
        switch (kind) {
            case 'read': {
                const read = this.reads('bool', scope);
                if (read === undefined) {
                    return this.compare(scope, depth);
                }
                return this.chance(50) ? read : not(read);
            }
            case 'compare':
                return this.compare(scope, depth);
            case 'connect': {
                const operator = this.pick(['&&', '||', 'implies'] as const);
                const both = binary(operator, this.condition(scope, depth - 1), this.condition(scope, depth - 1));
                return this.chance(15) ? not(both) : both;
            }
            case 'quantify':
            case 'count':
                return this.quantified(kind, scope, depth);
            case 'at': {
                const { process, label } = this.pick(scope.labels);
                return {
                    kind: 'at',
                    process: process.name,
                    indices: process.sorts.map(sort => this.indexOf(sort, scope)),
                    label,
                };
            }
            case 'fixed': {
                const binders = this.bindersOf('index', scope);
                return binders.length === 0
                    ? this.compare(scope, depth)
                    : binary(this.pick(['==', '!='] as const), name(binders[0]!), this.pick(this.indexValues()));
            }
            case 'channel': {
                const channel = this.pick(buffered);
                const place: Expression = {
                    kind: 'name',
                    name: channel.name,
                    indices: channel.indices.map(sort => this.indexOf(sort, scope)),
                };
                return this.chance(60)
                    ? call(this.pick(['full', 'empty']), place)
                    : binary(
                          this.pick(['<', '==', '>='] as const),
                          call('len', place),
                          literal(this.between(0, channel.capacity)),
                      );
            }
            case 'array': {
                const declared = this.pick(arrays);
                const operator = this.pick(['==', '!='] as const);
                return binary(operator, name(declared.variable.name), this.wholeArray(declared, scope));
            }
            case 'element':
                return this.membership(scope);
            case 'tested': {
                const place = this.reads('perhaps', scope);
                if (place === undefined) {
                    return this.compare(scope, depth);
                }
                const { name: own, sort, indices } = this.pick(this.fields.pair);
                const part = field(
                    place,
                    own,
                    indices.map(index => this.indexOf(index, scope)),
                );
                const compared = binary(this.pick(['==', '!='] as const), part, this.value(sort, scope, 0));
                return this.chance(50)
                    ? binary('&&', binary('!=', place, none()), compared)
                    : binary('||', binary('==', place, none()), compared);
            }
        }
    }

    /** An index of the type the families range over: mostly a binder or its successor. */
    protected index(scope: Scope): Expression {
        const binders = this.bindersOf('index', scope);
        const own = binders.length > 0;
        const slots = this.bindersOf('slot', scope);
        const readable = this.readable(scope).filter(
            declared =>
                declared.indices.length === 0 &&
                (declared.sort === 'index' || (declared.sort === 'optional' && this.faults > 0)),
        );
        const records = this.readable(scope).filter(
            declared => declared.indices.length === 0 && (declared.sort === 'slot' || declared.sort === 'pair'),
        );
        const kind = this.weighted([
            [own ? 20 : 0, 'binder'],
            [own && this.indexStyle !== 'names' ? 8 : 0, 'successor'],
            [own && this.has.tables ? 8 : 0, 'table'],
            [slots.length > 0 ? 15 : 0, 'slot'],
            [readable.length > 0 ? 6 : 0, 'variable'],
            [records.length > 0 ? 4 : 0, 'record'],
            [(own || slots.length > 0) && !this.chance(this.constantIndices) ? 0 : 4, 'constant'],
        ] as const);
        switch (kind) {
            case 'binder':
                return name(this.pick(binders));
            case 'successor':
                return this.successor(name(this.pick(binders)));
            case 'table':
                return { kind: 'name', name: 'table', indices: [name(this.pick(binders))] };
            case 'slot':
                return field(name(this.pick(slots)), 'place');
            case 'variable':
                return name(this.pick(readable).variable.name);
            case 'record': {
                const declared = this.pick(records);
                const indices = this.fields[declared.sort as 'pair' | 'slot'].filter(
                    candidate => candidate.sort === 'index' && candidate.indices.length === 0,
                );
                return indices.length === 0
                    ? this.pick(this.indexValues())
                    : field(name(declared.variable.name), this.pick(indices).name);
            }
            case 'constant':
                return this.pick(this.indexValues());
        }
    }

    protected valueOtherThan(expression: Expression, sort: Sort, scope: Scope, depth: number): Expression {
        let value = this.value(sort, scope, depth);
        for (let tries = 0; tries < 3 && JSON.stringify(value) === JSON.stringify(expression); tries++) {
            value = this.value(sort, scope, depth);
        }
        return value;
    }

    protected wholeArray(declared: Declared, scope: Scope): Expression {
        const same = this.readable(scope).filter(
            other =>
                other.sort === declared.sort && other.indices.length === 1 && other.indices[0] === declared.indices[0],
        );
        if (same.length > 0 && this.chance(25)) {
            return name(this.pick(same).variable.name);
        }
        if (!this.dataSymmetric && this.chance(25)) {
            return { kind: 'array', elements: this.names.map(() => this.value(declared.sort, scope, 0)) };
        }
        const inner = { ...scope, binders: [...scope.binders, { name: 'm', sort: 'index' as const }] };
        return this.comprehension(this.value(declared.sort, inner, 1));
    }

    protected comprehension(body: Expression): Expression {
        return { kind: 'comprehension', binders: [{ name: 'm', type: this.typeOf('index') }], body };
    }

    /** In the body of a step with a partner only what its process owns, and what no such body writes. */
    private readable(scope: Scope): readonly Declared[] {
        const { alone } = scope;
        return alone === undefined
            ? scope.variables
            : scope.variables.filter(
                  declared =>
                      declared.kind !== 'shared' || declared.owner === undefined || declared.owner === alone.process,
              );
    }

    protected accesses(scope: Scope): Access[] {
        return this.readable(scope).flatMap((declared): Access[] => [
            { declared, sort: declared.sort },
            ...(declared.sort === 'pair' || declared.sort === 'slot'
                ? this.fields[declared.sort].map(field => ({ declared, field, sort: field.sort }))
                : declared.sort === 'perhaps' && this.faults > 0
                  ? this.fields.pair.map(field => ({ declared, field, sort: field.sort }))
                  : []),
        ]);
    }

    protected accessed({ declared, field }: Access, scope: Scope): PlaceExpression {
        const base: PlaceExpression = {
            kind: 'name',
            name: declared.variable.name,
            indices: this.indicesOf(declared, scope),
        };
        return field === undefined
            ? base
            : {
                  kind: 'field',
                  record: base,
                  field: field.name,
                  indices: field.indices.map(sort => this.indexOf(sort, scope)),
              };
    }

    protected reads(sort: Sort, scope: Scope): Expression | undefined {
        const same = this.accesses(scope).filter(access => access.sort === sort);
        return same.length === 0 ? undefined : this.accessed(this.pick(same), scope);
    }

    protected indicesOf(declared: Declared, scope: Scope): Expression[] {
        // An array of the process itself may be indexed freely.
        if (scope.alone !== undefined && declared.owner !== undefined && declared.kind === 'shared') {
            return scope.alone.own.map(index => name(index));
        }
        return declared.indices.map(sort => this.indexOf(sort, scope));
    }

    protected indexOf(sort: Sort, scope: Scope): Expression {
        switch (sort) {
            case 'index':
                return this.index(scope);
            case 'slot': {
                const scalars = this.accesses(scope).filter(
                    access => access.sort === 'slot' && access.declared.indices.length === 0,
                );
                const read = scalars.length === 0 ? undefined : this.accessed(this.pick(scalars), scope);
                return this.slot(read, scope, 0);
            }
            default:
                return this.bindersOf(sort, scope).length > 0 && this.chance(70)
                    ? name(this.pick(this.bindersOf(sort, scope)))
                    : this.scalar(sort, scope);
        }
    }

    /** A variable without indices, where there is one and the values may not be told apart. */
    private scalar(sort: Sort, scope: Scope): Expression {
        const scalars = this.readable(scope).filter(
            declared => declared.sort === sort && declared.indices.length === 0,
        );
        return scalars.length > 0 && (this.dataSymmetric || this.chance(50))
            ? name(this.pick(scalars).variable.name)
            : this.constant(sort);
    }

    private bindersOf(sort: Sort, scope: Scope): string[] {
        return scope.binders.filter(binder => binder.sort === sort).map(binder => binder.name);
    }

    private membership(scope: Scope): Expression {
        const sort = this.pick(['trit', 'index', 'color'] as const);
        if (sort === 'trit') {
            return binary(
                'in',
                this.value(sort, scope, 1),
                this.chance(40) ? name('Bit') : set(literal(0), literal(2)),
            );
        }
        return binary('in', this.value(sort, scope, 0), set(this.value(sort, scope, 0), this.value(sort, scope, 0)));
    }

    private quantified(kind: 'quantify' | 'count', scope: Scope, depth: number): Expression {
        const binder = this.free(scope)!;
        const sort = this.weighted<Sort>([
            [this.alike ? 1 : 16, 'index'],
            [this.has.nodes ? 8 : 0, 'node'],
            [this.alike ? 0 : 1, 'color'],
            [this.alike ? 0 : 1, 'bit'],
            [this.has.records ? 2 : 0, 'slot'],
        ]);
        const inner = { ...scope, binders: [...scope.binders, { name: binder, sort }] };
        const known = this.bindersOf(sort, scope);
        const others = known.length > 0 && this.chance(50);
        const quantified = {
            kind: 'quantifier' as const,
            binders: [{ name: binder, type: this.typeOf(sort) }],
            ...(others ? { where: binary('!=', name(binder), name(known[0]!)) } : {}),
        };
        if (kind === 'quantify') {
            const body = this.condition(inner, depth - 1);
            return { ...quantified, quantifier: this.pick(['forall', 'exists'] as const), body };
        }
        const operator = this.pick(['<=', '==', '!='] as const);
        const bound = literal(this.between(0, 2));
        if (this.has.arithmetic && this.chance(50)) {
            // The least or greatest of nothing is a fault.
            const quantifier = this.pick(
                others && this.cardinality(sort) < 2 ? (['sum'] as const) : (['sum', 'min', 'max'] as const),
            );
            return binary(operator, { ...quantified, quantifier, body: this.value('bit', inner, depth - 1) }, bound);
        }
        const body = this.condition(inner, depth - 1);
        return binary(operator, { ...quantified, quantifier: 'count', body }, bound);
    }

    /** A name for one more binder; two are enough. */
    private free(scope: Scope): string | undefined {
        return ['j', 'm'].find(
            candidate => !scope.binders.some(({ name }) => name === candidate) && scope.binders.length < 2,
        );
    }

    private compare(scope: Scope, depth: number): Expression {
        const accesses = this.accesses(scope);
        if (accesses.length === 0) {
            return binary('==', this.value('index', scope, 0), this.value('index', scope, 0));
        }
        const access = this.pick(accesses);
        const ordered = !this.dataSymmetric && (access.sort === 'bit' || access.sort === 'trit');
        const operator = this.weighted([
            [5, '=='],
            [5, '!='],
            [ordered ? 2 : 0, '<'],
            [ordered ? 2 : 0, '>='],
        ] as const);
        const read = this.accessed(access, scope);
        return binary(operator, read, this.valueOtherThan(read, access.sort, scope, Math.min(depth, 1)));
    }

    /** A channel of the family itself where there is one. */
    private constantOrOwn(sort: 'color' | 'node' | 'port', scope: Scope): Expression {
        const own = this.channels.filter(
            ({ message, indices }) => message === this.portMessage() && indices.length === 1,
        );
        return sort === 'port' && own.length > 0 && this.bindersOf('index', scope).length > 0 && this.chance(70)
            ? { kind: 'name', name: this.pick(own).name, indices: [this.index(scope)] }
            : this.constant(sort);
    }

    private slot(read: Expression | undefined, scope: Scope, depth: number): Expression {
        const binders = this.bindersOf('slot', scope);
        const indices = this.bindersOf('index', scope);
        const successive = this.slotCondition === 'distinct' && indices.length > 0 && this.indexStyle !== 'names';
        const kind = this.weighted([
            [binders.length > 0 ? 10 : 0, 'binder'],
            [read === undefined ? 0 : 6, 'read'],
            [successive ? 8 : 0, 'successive'],
            [depth > 0 && this.faults > 0 ? 6 : 0, 'any'],
            [binders.length + indices.length > 0 && !this.chance(this.constantIndices) ? 1 : 4, 'constant'],
        ] as const);
        switch (kind) {
            case 'binder':
                return name(this.pick(binders));
            case 'read':
                return read!;
            case 'successive': {
                const index = name(this.pick(indices));
                return this.chance(50)
                    ? call('Slot', index, this.successor(index))
                    : call('Slot', this.successor(index), index);
            }
            case 'any':
                return call('Slot', ...this.fields.slot.map(field => this.value(field.sort, scope, depth - 1)));
            case 'constant':
                return this.pick(this.slotValues());
        }
    }

    private number(
        sort: 'bit' | 'trit',
        read: Expression | undefined,
        constants: boolean,
        scope: Scope,
        depth: number,
    ): Expression {
        const bound = this.bindersOf(sort, scope);
        if (bound.length > 0 && this.chance(60)) {
            return name(this.pick(bound));
        }
        if (read === undefined || (constants && this.chance(40))) {
            return this.has.tables && sort === 'bit' && this.chance(30) ? this.weight(scope) : this.constant(sort);
        }
        if (depth === 0 || this.chance(35)) {
            return read;
        }
        // What is known before the run would be an error of the text.
        if (this.chance(this.faults) && !isTemporary(read)) {
            return this.faulty(sort, read, scope);
        }
        if (this.has.arithmetic && this.chance(50)) {
            return this.calculated(sort, read, scope);
        }
        const sum = literal(2 * this.least + (sort === 'bit' ? 1 : 2));
        if (sort === 'bit' || this.chance(40)) {
            return binary('-', sum, read);
        }
        const next = binary('mod', binary('+', read, literal(1 - this.least)), literal(3));
        return this.least === 0 ? next : binary('+', next, literal(this.least));
    }

    /** A bit of the array that is a parameter. Its indices begin at 0, whatever those of the families are. */
    private weight(scope: Scope): Expression {
        const indices = this.bindersOf('index', scope);
        const at =
            indices.length === 0 || this.indexStyle === 'names'
                ? literal(0)
                : binary('mod', name(this.pick(indices)), call('len', name('weights')));
        return { kind: 'name', name: 'weights', indices: [at] };
    }

    /** With the functions that all models have; the result is of the sort. */
    private calculated(sort: 'bit' | 'trit', read: Expression, scope: Scope): Expression {
        const other = this.value(sort, scope, 0);
        const bit = this.value('bit', scope, 0);
        return sort === 'bit'
            ? this.pick([
                  call('xor', read, other),
                  call('bitand', read, other),
                  call('bitor', read, other),
                  call('min', read, other),
                  call('max', read, other, bit),
                  call('shr', read, other),
              ])
            : this.pick([
                  call('min', read, other),
                  call('max', read, other),
                  call('pow', literal(2), bit),
                  call('shl', literal(1), bit),
                  call('bitand', read, other),
                  call('shr', read, bit),
              ]);
    }

    /** A number that may lie outside its type, or have no value. */
    private faulty(sort: Sort, read: Expression, scope: Scope): Expression {
        const numbers = (['bit', 'trit'] as const)
            .map(other => this.reads(other, scope))
            .filter((other): other is Expression => other !== undefined && !isTemporary(other));
        const others = numbers.length === 0 ? [read] : numbers;
        switch (this.between(0, this.has.arithmetic ? 4 : 3)) {
            case 0:
                return binary('+', read, literal(1));
            case 1:
                return binary('-', read, literal(1));
            case 2:
                return binary(this.pick(['div', 'mod'] as const), read, this.pick(others));
            case 3:
                return sort === 'bit' ? this.pick(others) : binary('*', read, this.pick(others));
            default:
                return call(
                    this.pick(['xor', 'shl', 'pow', 'bitor']),
                    read,
                    binary('-', this.pick(others), literal(1)),
                );
        }
    }
}

/** A name of a body, which may have a value that is known before the run. */
function isTemporary(expression: Expression): boolean {
    return expression.kind === 'name' && expression.name.startsWith('t') && expression.name !== 'table';
}
