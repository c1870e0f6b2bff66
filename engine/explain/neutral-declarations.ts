/** Declarations without places: a variable starts with any value, a type has all records, channels are of one size. */
import {
    domainSize,
    formatValue,
    templateOf,
    valueOfCode,
    valuesOfDomain,
    type Domain,
    type RecordDomain,
    type Value,
} from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { ChannelDeclaration, Model, NamedType, Variable } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { replaceParts } from '../model/replace-parts.js';
import { headLocalsOf } from '../sequential/control/control-graph.js';
import { identityOf, indexTypes } from '../symmetry/declared-action.js';
import { INITIAL, ownerOfProcess, wordsAt, type PlaceSubject } from './places.js';
import { quoting, type SiteScope, type Site, type Sites } from './sites.js';

/** A record type with more values than this is not tried without its condition. */
const MOST_RECORDS = 64;

/** A record type with all values of its fields, if its condition is neutralized. */
export function neutralType({ domain, whereRange: range }: NamedType, sites: Sites): RecordDomain[] {
    if (domain.kind !== 'record' || range === undefined) {
        return [];
    }
    const size = domain.fields.reduce((product, field) => product * domainSize(field.domain), 1);
    const quote = quoting(range, () => `${domain.name} of ${domainSize(domain)} values`);
    // Its values may occur everywhere.
    const owners = [INITIAL, ...sites.model.processes.map((_, process) => ownerOfProcess(process))];
    const isAsked = owners.map(owner =>
        sites.decide({ range, kind: 'instances', owner, quote, expressions: [], ordered: [domain] }),
    );
    return size > domainSize(domain) && size <= MOST_RECORDS && isAsked.includes(true)
        ? [{ ...domain, tuples: combinations(domain.fields.map(field => valuesOfDomain(field.domain))) }]
        : [];
}

/** The rows of a product, the last column fastest. */
function combinations(columns: readonly (readonly Value[])[]): Value[][] {
    return columns.reduce<Value[][]>((rows, column) => rows.flatMap(row => column.map(value => [...row, value])), [[]]);
}

/** The model with this record type for that of its name; undefined if a variable or table has an entry per record. */
export function withDomain(model: Model, domain: RecordDomain): Model | undefined {
    let isListed = false;
    const whole = replaceParts(model, (part: { readonly kind?: string; readonly name?: string }) => {
        isListed ||= isListOver(part, domain);
        return part.kind === 'record' && 'tuples' in part && part.name === domain.name ? domain : undefined;
    });
    return isListed ? undefined : whole;
}

function isListOver(part: object, domain: RecordDomain): boolean {
    const isOver = (index: Domain): boolean => identityOf(index) === identityOf(domain);
    if ('kind' in part && part.kind === 'select') {
        return isOver((part as Extract<Expression, { kind: 'select' }>).domain);
    }
    if ('initializer' in part) {
        const { initializer, indices } = part as Variable;
        const listed =
            initializer.kind === 'value'
                ? initializer.expressions
                : initializer.kind === 'oneOf'
                  ? initializer.choices
                  : [];
        return listed.length > 1 && indices.some(isOver);
    }
    return false;
}

export function neutralVariable(variable: Variable, scope: SiteScope, sites: Sites): Variable {
    const { initializer, indices } = variable;
    if (indices.some(domain => templateOf(domain) !== undefined)) {
        // Nothing is chosen for the elements of an instance that is created.
        return variable;
    }
    if (initializer.kind === 'default') {
        return isFreeDefault(variable, scope, sites)
            ? { ...variable, initializer: { kind: 'any', range: variable.nameRange } }
            : variable;
    }
    if (initializer.kind === 'any') {
        return variable;
    }
    const { process, owner } = scope;
    const { range } = initializer;
    const [{ text: name }] = variable.segments;
    const expressions = initializer.kind === 'value' ? initializer.expressions : initializer.choices.flat();
    const format = (): string => {
        const [first] = initializer.kind === 'value' ? [expressions] : initializer.choices;
        const list = first.map(expression => formatExpression(sites.model, process, expression)).join(', ');
        return initializer.kind === 'oneOf' ? `{ ${list} }` : first.length === 1 ? list : `[${list}]`;
    };
    // `0` alone would say nothing.
    const quote: Site['quote'] = textOf =>
        `${name} ${initializer.kind === 'oneOf' ? 'in' : '='} ${wordsAt(range, textOf, format)}`;
    const isRepairable = initializer.kind === 'value' && mayBeAny(variable, scope, sites);
    const subject: PlaceSubject | undefined = isRepairable ? { kind: 'start', name } : undefined;
    const site: Site = { range, kind: 'start', owner, quote, expressions, about: variable };
    const isFree =
        sites.decide({ ...site, ...(subject && { subject }) }) ||
        expressions.some(expression => sites.hasFreeValue(expression, scope));
    return isFree ? { ...variable, initializer: { kind: 'any', range } } : variable;
}

/** The default is the first value, which singles out a member only of a type that has a name or is an index type. */
function isFreeDefault(variable: Variable, scope: SiteScope, sites: Sites): boolean {
    const { owner } = scope;
    const { element, nameRange: range, segments } = variable;
    const [{ text: name }] = segments;
    const isMemberType = (): boolean =>
        element.name !== undefined || indexTypes(sites.model).some(type => identityOf(type) === identityOf(element));
    const subject: PlaceSubject = { kind: 'start', name, declaration: variable.range };
    const isRepairable = mayBeAny(variable, scope, sites);
    const quote = (): string =>
        segments.length === 1 ? `${name} = ${formatValue(element, valueOfCode(element, 0))}` : name;
    const site: Site = { range, kind: 'start', owner, quote, expressions: [], ordered: [element], about: variable };
    return (
        element.kind !== 'optional' &&
        element.kind !== 'boolean' &&
        isMemberType() &&
        sites.decide({ ...site, aspect: 'the default', ...(isRepairable && { subject }) })
    );
}

/** Whether the text may say `any`: nothing is chosen where an instance is created, and references never are. */
function mayBeAny({ segments: [{ text: name }] }: Variable, { process }: SiteScope, { model }: Sites): boolean {
    const atHead = process?.template === undefined ? [] : headLocalsOf(process);
    // The fields of a record are variables of one name.
    return (process?.locals ?? model.variables).every(
        ({ segments, element }, index) =>
            segments[0].text !== name || (templateOf(element) === undefined && !atHead.includes(index)),
    );
}

export function neutralChannel(channel: ChannelDeclaration, sites: Sites): ChannelDeclaration {
    const { range, capacity, message } = channel;
    const quote = quoting(range, () => `${channel.name} of ${capacity}`);
    const alike = sites.model.channels.filter(
        other =>
            other.message.length === message.length &&
            other.message.every(({ domain }, index) => identityOf(domain) === identityOf(message[index].domain)),
    );
    const most = Math.max(...alike.map(other => other.capacity));
    const differs = alike.some(other => other.capacity !== most);
    return differs && sites.decide({ range, kind: 'capacity', owner: INITIAL, quote, expressions: [] })
        ? { ...channel, capacity: most }
        : channel;
}
