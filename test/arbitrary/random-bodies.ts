/** Random statements, and functions made of them. */
import { literal, name, call, binary } from './model-trees.js';
import {
    type Access,
    type Declared,
    type FunctionHead,
    type Scope,
    type Sort,
    SORTS,
    withoutNone,
} from './model-vocabulary.js';
import { RandomExpressions } from './random-expressions.js';
import { remembered } from '../../engine/common/list-map.js';
import type { Declaration, PlaceExpression, ProcedureDeclaration, Statement, Variable } from '../reference/syntax.js';

export class RandomBodies extends RandomExpressions {
    protected readonly procedures = new Map<Sort, ProcedureDeclaration>();

    protected statements(scope: Scope, count: number): Statement[] {
        const statements: Statement[] = [];
        let inner = scope;
        while (statements.length < count) {
            if (this.has.bodies && this.chance(15)) {
                const kind = this.pick(['constant', 'temporary'] as const);
                const sort = this.pick(SORTS);
                const temporary = this.temporary(kind === 'constant' ? withoutNone(sort) : sort, kind);
                const named = { ...temporary, owner: scope.alone?.process ?? '' };
                statements.push(
                    kind === 'constant'
                        ? { kind: 'let', name: named.variable.name, value: this.value(named.sort, inner, 1) }
                        : this.initialized(named, inner),
                );
                inner = { ...inner, variables: [...inner.variables, named] };
            }
            statements.push(this.statement(inner, 1));
        }
        return statements;
    }

    private statement(scope: Scope, depth: number): Statement {
        if (depth > 0 && this.chance(10)) {
            return {
                kind: 'if',
                condition: this.condition(scope, 1),
                then: [this.statement(scope, depth - 1)],
                otherwise: this.chance(40) ? [this.statement(scope, depth - 1)] : [],
            };
        }
        if (depth > 0 && this.has.bodies && this.chance(12)) {
            const binder = { name: `k${this.counter++}`, sort: this.familySort() };
            const round = { ...scope, binders: [...scope.binders, binder] };
            const body = [this.statement(round, depth - 1)];
            const where = this.chance(30) && { where: this.condition(round, 1) };
            return { kind: 'for', binder: { name: binder.name, type: this.typeOf(binder.sort) }, ...where, body };
        }
        if (depth > 0 && this.has.bodies && this.faults > 0 && this.chance(18)) {
            const body = [this.statement(scope, depth - 1)];
            return { kind: 'while', condition: this.condition(scope, 1), body };
        }
        const target = this.writable(scope);
        if (target.length === 0) {
            return { kind: 'skip' };
        }
        if (this.faults > 0 && this.chance(6)) {
            return { kind: 'assert', condition: this.condition(scope, 1) };
        }
        const whole = target.filter(({ declared }) => declared.indices.length === 1 && declared.indices[0] === 'index');
        if (this.has.bodies && scope.alone === undefined && whole.length > 0 && this.chance(25)) {
            return this.wholeAssignment(this.pick(whole).declared, scope);
        }
        const rows = target.filter(({ declared }) => declared.indices.length === 2 && declared.indices[1] === 'index');
        if (this.has.bodies && scope.alone === undefined && rows.length > 0 && this.chance(25)) {
            return this.rowAssignment(this.pick(rows).declared, scope);
        }
        const access = this.pick(target);
        const place = this.accessed(access, scope);
        const value = this.valueOtherThan(place, access.sort, scope, 2);
        return this.has.functions && this.chance(25)
            ? { kind: 'run', procedure: this.procedureFor(access.sort), arguments: [place, value] }
            : { kind: 'assign', target: place, value };
    }

    /** A procedure that assigns to a place of this sort, in one of several ways. */
    private procedureFor(sort: Sort): string {
        const [x, by] = [name('x'), name('by')];
        const known = remembered(this.procedures, sort, (): ProcedureDeclaration => {
            const assigned: Statement = { kind: 'assign', target: { kind: 'name', name: 'x', indices: [] }, value: by };
            return {
                kind: 'procedure',
                name: `put_${sort}`,
                parameters: [
                    { name: 'x', type: this.typeOf(sort), isPlace: true },
                    { name: 'by', type: this.typeOf(sort), isPlace: false },
                ],
                body: this.pick([
                    [assigned],
                    [{ kind: 'if', condition: binary('==', x, by), then: [{ kind: 'skip' }], otherwise: [assigned] }],
                    [{ kind: 'let', name: 'old', value: x }, assigned, { ...assigned, value: name('old') }, assigned],
                ]),
            };
        });
        return known.name;
    }

    private wholeAssignment(declared: Declared, scope: Scope): Statement {
        const target: PlaceExpression = { kind: 'name', name: declared.variable.name, indices: [] };
        return { kind: 'assign', target, value: this.wholeArray(declared, scope) };
    }

    private rowAssignment(declared: Declared, scope: Scope): Statement {
        const { name, sort, first } = { ...declared.variable, sort: declared.sort, first: declared.indices[0]! };
        const row = (): PlaceExpression => ({ kind: 'name', name, indices: [this.indexOf(first, scope)] });
        const value = this.chance(40) ? row() : this.wholeArray({ ...declared, sort, indices: ['index'] }, scope);
        return { kind: 'assign', target: row(), value };
    }

    protected temporary(sort: Sort, kind: 'constant' | 'temporary', indices: readonly Sort[] = []): Declared {
        const called = `t${this.counter++}`;
        return {
            sort,
            indices,
            kind,
            variable: {
                name: called,
                type: this.typeOf(sort),
                indices: indices.map(index => this.typeOf(index)),
                initial: { kind: 'default' },
            },
        };
    }

    private initialized(temporary: Declared, scope: Scope): Statement {
        const initial: Variable['initial'] = this.chance(70)
            ? { kind: 'value', value: this.value(temporary.sort, scope, 1) }
            : { kind: 'default' };
        return { kind: 'var', variable: { ...temporary.variable, initial } };
    }

    private assignTo(declared: Declared, scope: Scope): Statement {
        const target: PlaceExpression = {
            kind: 'name',
            name: declared.variable.name,
            indices: this.indicesOf(declared, scope),
        };
        return { kind: 'assign', target, value: this.valueOtherThan(target, declared.sort, scope, 1) };
    }

    private writable(scope: Scope): Access[] {
        return this.accesses(scope).filter(
            ({ declared, field }) =>
                declared.kind !== 'constant' &&
                // A part of a record with a condition may be written where what is left is no record.
                (field === undefined || declared.sort === 'pair' || (declared.sort === 'slot' && this.faults > 0)) &&
                (scope.alone === undefined || declared.kind !== 'shared' || declared.owner !== undefined),
        );
    }

    /** What a message of this sort may be written to. */
    protected place(sort: Sort, scope: Scope): PlaceExpression | undefined {
        const places = this.writable(scope).filter(
            access => access.sort === sort && access.declared.kind !== 'temporary' && access.field === undefined,
        );
        return places.length === 0 ? undefined : this.accessed(this.pick(places), scope);
    }

    protected declareFunction(): Declaration {
        const number = this.functions.length;
        const recursive = this.chance(15);
        const sorts = [
            'bool',
            'bit',
            'trit',
            'color',
            'index',
            'optional',
            ...(this.has.nodes ? ['node'] : []),
            ...(this.has.records ? ['pair', 'slot', 'perhaps'] : []),
        ];
        const result = recursive ? this.pick(['bool', 'bit'] as const) : (this.pick(sorts) as Sort);
        const parameters = recursive
            ? [{ name: `n${number}`, sort: 'trit' as const }]
            : Array.from({ length: this.between(1, 2) }, (_, position) => ({
                  name: `${'nm'[position]!}${number}`,
                  sort: this.pick(sorts) as Sort,
              }));
        const variables = parameters.map((parameter): Declared => ({
            sort: parameter.sort,
            indices: [],
            kind: 'constant',
            variable: {
                name: parameter.name,
                type: this.typeOf(parameter.sort),
                indices: [],
                initial: { kind: 'default' },
            },
        }));
        const scope: Scope = {
            binders: [],
            variables: this.chance(30) ? [...this.shared, ...variables] : variables,
            labels: [],
        };
        const head = { name: `f${number}`, parameters, result, recursive, readsAll: false };
        const body = recursive ? this.recursiveBody(head, scope) : this.functionBody(result, scope);
        this.functions.push({ ...head, readsAll: body.length === 1 && body[0]!.kind === 'return' });
        return {
            kind: 'function',
            name: head.name,
            parameters: parameters.map(parameter => ({ name: parameter.name, type: this.typeOf(parameter.sort) })),
            result: this.typeOf(result),
            body,
        };
    }

    /** `if n == 0 { return … } return f(n - 1) …`. */
    private recursiveBody(head: FunctionHead, scope: Scope): Statement[] {
        const parameter = name(head.parameters[0]!.name);
        const again = call(head.name, binary('-', parameter, literal(1)));
        const combined =
            head.result === 'bool'
                ? binary(this.pick(['&&', '||', '==', '!='] as const), this.condition(scope, 0), again)
                : call(
                      this.pick(this.least < 0 ? ['min', 'max'] : ['xor', 'min', 'max', 'bitor']),
                      again,
                      this.value('bit', scope, 1),
                  );
        return [
            {
                kind: 'return',
                value: {
                    kind: 'if',
                    condition: binary('==', parameter, literal(this.least)),
                    then: this.value(head.result, scope, 0),
                    otherwise: combined,
                },
            },
        ];
    }

    private functionBody(result: Sort, scope: Scope): Statement[] {
        const returned = (inner: Scope): Statement => ({ kind: 'return', value: this.value(result, inner, 1) });
        switch (this.between(0, 3)) {
            case 0:
                return [returned(scope)];
            case 1:
                return [
                    { kind: 'if', condition: this.condition(scope, 1), then: [returned(scope)], otherwise: [] },
                    returned(scope),
                ];
            case 2: {
                const temporary = this.temporary(result, 'temporary');
                const inner = { ...scope, variables: [...scope.variables, temporary] };
                const binder = `k${this.counter++}`;
                const round = { ...inner, binders: [{ name: binder, sort: 'index' as const }] };
                return [
                    this.initialized(temporary, scope),
                    {
                        kind: 'for',
                        binder: { name: binder, type: this.typeOf('index') },
                        body: [
                            {
                                kind: 'if',
                                condition: this.condition(round, 1),
                                then: [this.chance(25) ? returned(round) : this.assignTo(temporary, round)],
                                otherwise: [],
                            },
                        ],
                    },
                    { kind: 'return', value: name(temporary.variable.name) },
                ];
            }
            default: {
                const temporary = this.temporary(this.pick(['bit', 'index', 'bool'] as const), 'constant');
                return [
                    { kind: 'let', name: temporary.variable.name, value: this.value(temporary.sort, scope, 1) },
                    returned({ ...scope, variables: [...scope.variables, temporary] }),
                ];
            }
        }
    }
}
