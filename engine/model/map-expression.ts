/** Maps the parts of expressions and places; expressions without changed parts keep their identity. */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { leafOfChannel } from './channel-leaf.js';
import { BOOLEAN, type Domain } from './domain.js';
import type { Binder, ChannelPlace, Expression, Place } from './expression.js';
import type { Communication, Model, Process, Statement } from './model.js';

/** Where a part stands. */
export interface PartPosition {
    /** The values that are allowed there, if the position decides them. */
    readonly domain?: Domain;
    /** Of an index: the text of its access, `x[0]`. */
    readonly access?: SourceRange;
    /** Of an assigned value: the text of the assignment. */
    readonly statement?: SourceRange;
    /** Whether it decides between two branches. */
    readonly isCondition?: true;
}

/** Says what becomes of the parts of an expression. */
export interface Mapping {
    readonly model: Model;
    /** The process whose locals are meant. */
    readonly process: Process | undefined;
    /** Maps the parts directly inside; it maps deeper parts itself. */
    readonly part: (part: Expression, position: PartPosition) => Expression;
    /** The binder in the place of a binder; without this function it stays. */
    readonly binder?: (binder: Binder) => Binder;
}

/** The expression with its parts mapped. */
export function mapParts(expression: Expression, mapping: Mapping): Expression {
    const { model, part } = mapping;
    const indices = (all: readonly Expression[], domains: readonly Domain[]): readonly Expression[] =>
        mapIndices(all, domains, expression.range, mapping);
    switch (expression.kind) {
        case 'constant':
        case 'binder':
        case 'message':
        case 'fault':
            return expression;
        case 'read':
            return rebuilt(expression, { place: mapPlace(expression.place, mapping) });
        case 'unary':
            return rebuilt(expression, { operand: part(expression.operand, {}) });
        case 'binary': {
            const left = part(expression.left, {});
            return rebuilt(expression, {
                left,
                right: expression.right === expression.left ? left : part(expression.right, {}),
            });
        }
        case 'conditional':
            return rebuilt(expression, {
                condition: part(expression.condition, { domain: BOOLEAN, isCondition: true }),
                then: part(expression.then, {}),
                otherwise: part(expression.otherwise, {}),
            });
        case 'quantifier': {
            const binders = mapAll(expression.binders, binder => mapping.binder?.(binder) ?? binder);
            const body = part(expression.body, {});
            return expression.where === undefined
                ? rebuilt(expression, { binders, body })
                : rebuilt(expression, { binders, body, where: part(expression.where, {}) });
        }
        case 'alive':
            return rebuilt(expression, {
                reference: part(expression.reference, {
                    domain: model.processes[expression.process].indices[0].domain,
                    access: expression.range,
                }),
            });
        case 'at':
            return rebuilt(expression, {
                indices: indices(
                    expression.indices,
                    model.processes[expression.process].indices.map(({ domain }) => domain),
                ),
            });
        case 'instance-local': {
            const { indices: own, locals } = model.processes[expression.process];
            return rebuilt(expression, {
                instance: indices(
                    expression.instance,
                    own.map(({ domain }) => domain),
                ),
                indices: indices(expression.indices, locals[expression.local].indices),
            });
        }
        case 'select':
            return rebuilt(expression, {
                index: part(expression.index, { domain: expression.domain, access: expression.range }),
                options: mapAll(expression.options, option => part(option, {})),
            });
        case 'field':
            return rebuilt(expression, { record: part(expression.record, {}) });
        case 'record':
            return rebuilt(expression, {
                fields: mapAll(expression.fields, (field, index) =>
                    part(field, { domain: expression.domain.fields[index].domain }),
                ),
            });
        case 'call': {
            const { parameters, results } = model.functions[expression.function];
            return rebuilt(expression, {
                arguments: mapAll(expression.arguments, (values, index) =>
                    mapAll(values, value => part(value, positionIn(parameters[index].element))),
                ),
                indices: indices(expression.indices, results[expression.result].indices),
            });
        }
        default:
            return unreachable(expression);
    }
}

/** The place with its indices mapped. */
function mapPlace(place: Place, mapping: Mapping): Place {
    return rebuilt(place, { indices: mapIndices(place.indices, indexDomains(place, mapping), place.range, mapping) });
}

/** The communication with its arguments, channels and values mapped, without the tests of a pattern. */
export function mapCommunication(communication: Communication, mapping: Mapping): Communication {
    const { model, part } = mapping;
    switch (communication.kind) {
        case 'event':
            return rebuilt(communication, {
                arguments: mapIndices(
                    communication.arguments,
                    model.events[communication.event].arguments,
                    communication.range,
                    mapping,
                ),
            });
        case 'send': {
            const { channel } = communication;
            const declared =
                channel.kind === 'declared' ? channel.channel : model.channelTypes[channel.type].members[0]?.channel;
            return rebuilt(communication, {
                channel: mapChannel(channel, mapping),
                values: mapAll(communication.values, (value, index) =>
                    part(value, positionIn(model.channels[declared]?.message[index]?.domain)),
                ),
            });
        }
        case 'receive':
            return rebuilt(communication, {
                channel: mapChannel(communication.channel, mapping),
                bindings: mapAll(communication.bindings, binding =>
                    rebuilt(binding, {
                        target: mapPlace(binding.target, mapping),
                        value: part(binding.value, positionIn(elementDomain(binding.target, mapping))),
                    }),
                ),
            });
        default:
            return unreachable(communication);
    }
}

/** The statements with their expressions mapped, nested statements included. */
export function mapStatements(statements: readonly Statement[], mapping: Mapping): readonly Statement[] {
    return mapAll(statements, statement => mapStatement(statement, mapping));
}

function mapStatement(statement: Statement, mapping: Mapping): Statement {
    const { part } = mapping;
    switch (statement.kind) {
        case 'assign':
            return rebuilt(statement, { assignments: mapAssignments(statement, mapping) });
        case 'fill':
            return rebuilt(statement, {
                binders: mapAll(statement.binders, binder => mapping.binder?.(binder) ?? binder),
                assignments: mapAssignments(statement, mapping),
            });
        case 'spawn': {
            const { locals } = mapping.model.processes[statement.process];
            const { target } = statement;
            return rebuilt(statement, {
                arguments: mapAll(statement.arguments, (argument, index) =>
                    part(argument, { domain: locals[index].element, statement: statement.range }),
                ),
                ...(target !== undefined && { target: mapPlace(target, mapping) }),
            });
        }
        case 'declare':
            return rebuilt(statement, {
                declarations: mapAll(statement.declarations, declaration =>
                    rebuilt(declaration, {
                        values: mapAll(declaration.values, value =>
                            part(value, positionIn(declaration.temporary.element)),
                        ),
                    }),
                ),
            });
        case 'while':
            return rebuilt(statement, {
                condition: part(statement.condition, {}),
                body: mapStatements(statement.body, mapping),
            });
        case 'for':
            return rebuilt(statement, {
                binder: mapping.binder?.(statement.binder) ?? statement.binder,
                body: mapStatements(statement.body, mapping),
            });
        case 'return':
            return rebuilt(statement, {
                values: mapAll(statement.values, values => mapAll(values, value => part(value, {}))),
            });
        case 'if':
            return rebuilt(statement, {
                condition: part(statement.condition, { domain: BOOLEAN, isCondition: true }),
                then: mapStatements(statement.then, mapping),
                otherwise: mapStatements(statement.otherwise, mapping),
            });
        case 'assert':
            return rebuilt(statement, { condition: part(statement.condition, {}) });
        case 'skip':
            return statement;
        default:
            return unreachable(statement);
    }
}

function mapAssignments(
    { assignments, range }: Extract<Statement, { kind: 'assign' | 'fill' }>,
    mapping: Mapping,
): Extract<Statement, { kind: 'assign' }>['assignments'] {
    return mapAll(assignments, assignment =>
        rebuilt(assignment, {
            target: mapPlace(assignment.target, mapping),
            value: mapping.part(assignment.value, {
                ...positionIn(elementDomain(assignment.target, mapping)),
                statement: range,
            }),
        }),
    );
}

function mapChannel(channel: ChannelPlace, mapping: Mapping): ChannelPlace {
    return channel.kind === 'value'
        ? rebuilt(channel, {
              expression: mapping.part(channel.expression, { domain: mapping.model.channelTypes[channel.type].domain }),
          })
        : rebuilt(channel, {
              indices: mapIndices(
                  channel.indices,
                  mapping.model.channels[channel.channel].indices,
                  channel.range,
                  mapping,
              ),
          });
}

function mapIndices(
    indices: readonly Expression[],
    domains: readonly Domain[],
    access: SourceRange,
    { part }: Mapping,
): readonly Expression[] {
    return mapAll(indices, (index, dimension) => part(index, { ...positionIn(domains[dimension]), access }));
}

function indexDomains(place: Place, { model, process }: Mapping): readonly Domain[] {
    switch (place.kind) {
        case 'shared':
            return model.variables[place.variable].indices;
        case 'local':
            return process?.locals[place.local]?.indices ?? [];
        case 'temporary':
            return place.temporary.indices;
        case 'channel':
            return leafOfChannel(model.channels[place.channel], place.leaf).indices;
        default:
            return unreachable(place);
    }
}

/** The values of a place; undefined for a name that takes the values of its expression. */
export function elementDomain(
    place: Place,
    { model, process }: Pick<Mapping, 'model' | 'process'>,
): Domain | undefined {
    switch (place.kind) {
        case 'shared':
            return model.variables[place.variable].element;
        case 'local':
            return process?.locals[place.local]?.element;
        case 'temporary':
            return place.temporary.element;
        case 'channel':
            return leafOfChannel(model.channels[place.channel], place.leaf).element;
        default:
            return unreachable(place);
    }
}

function positionIn(domain: Domain | undefined): PartPosition {
    return domain === undefined ? {} : { domain };
}

/** The mapped list; the same list if no member changes. */
function mapAll<Member>(list: readonly Member[], map: (member: Member, index: number) => Member): readonly Member[] {
    const mapped = list.map(map);
    return mapped.every((member, index) => member === list[index]) ? list : mapped;
}

/** The object with some fields replaced; the same object if none changes. */
function rebuilt<Whole extends object>(whole: Whole, parts: Partial<Whole>): Whole {
    const isSame = Object.entries(parts).every(([name, part]) => whole[name as keyof Whole] === part);
    return isSame ? whole : { ...whole, ...parts };
}
