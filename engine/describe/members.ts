/** Declarations that have members, and the parts of the graph that belong to each member. */
import { codeOfValue, domainSize, formatValue, valueOfCode, type Domain } from '../model/domain.js';
import type { AssertedSubject, Model } from '../model/model.js';
import { channelIndices, identityOf, indexDomainsOf } from '../symmetry/declared-action.js';
import { isConstant, type GraphEncoding } from '../symmetry/graph-encoding.js';
import { instanceActionOf, instanceVertices } from '../symmetry/instance-action.js';

/** The part of a model that a question is about: everything that mentions the types, and processes. */
export interface PartSubject {
    readonly types: readonly Domain[];
    readonly processes: readonly number[];
}

/** A declaration that an assertion can be about, or similar processes. */
export type MemberSubject = AssertedSubject | { readonly kind: 'similar'; readonly processes: readonly number[] };

export function partSubjectOf(subject: MemberSubject, model: Model): PartSubject {
    switch (subject.kind) {
        case 'similar':
            return { types: [], processes: subject.processes };
        case 'instances': {
            const types = model.processes[subject.process].indices.map(({ domain }) => domain);
            return { types, processes: [subject.process] };
        }
        case 'type-values':
            return { types: [subject.domain], processes: [] };
        case 'variable-values':
            return { types: [model.variables[subject.variable].element], processes: [] };
    }
}

/** The type whose values are exchanged along with the members; undefined if there are none or several. */
export function exchangedDomain(subject: MemberSubject, model: Model): Domain | undefined {
    switch (subject.kind) {
        case 'similar':
            return undefined;
        case 'instances': {
            const { indices } = model.processes[subject.process];
            return indices.length === 1 ? indices[0].domain : undefined;
        }
        case 'type-values':
            return subject.domain;
        case 'variable-values': {
            const { element } = model.variables[subject.variable];
            return element.kind === 'optional' ? undefined : element;
        }
    }
}

interface Occurrence {
    readonly vertex: number;
    readonly member: number;
    /** Empty if the vertex stands for the member itself. */
    readonly way: string;
}

export interface Occurrences {
    readonly names: readonly string[];
    readonly found: readonly Occurrence[];
    /** For each member its occurrences in variables that never change, and the instances that cannot move. */
    readonly constants: readonly string[];
    readonly missing: readonly string[];
    /** Some variable that belongs to members has too many values to be listed. */
    readonly isUnlisted: boolean;
    readonly isAmbiguous: boolean;
}

export function occurrencesOf(subject: MemberSubject, model: Model, encoding: GraphEncoding): Occurrences {
    const { instances } = encoding.problem.sequential;
    const instancesOf = (process: number): number[] =>
        instances.flatMap((instance, index) => (instance.process === process ? [index] : []));
    switch (subject.kind) {
        case 'instances': {
            const own = instancesOf(subject.process);
            const names = own.map(index => instances[index].name);
            return occurrencesOfInstances(
                own.map(index => [index]),
                names,
                encoding,
            );
        }
        case 'similar': {
            const names = subject.processes.map(process => model.processes[process].name);
            return occurrencesOfInstances(subject.processes.map(instancesOf), names, encoding);
        }
        case 'type-values':
            return occurrencesOfValues(subject.domain, model, encoding, undefined);
        case 'variable-values': {
            const { element } = model.variables[subject.variable];
            return occurrencesOfValues(element, model, encoding, subject.variable);
        }
    }
}

/** A member is one instance, or a process with all its instances. */
export function occurrencesOfInstances(
    members: readonly (readonly number[])[],
    names: readonly string[],
    encoding: GraphEncoding,
): Occurrences {
    const vertices = instanceVertices(encoding);
    const action = instanceActionOf(encoding);
    return {
        names,
        found: members.flatMap((own, member) =>
            own.flatMap(index => vertices[index].map(vertex => ({ vertex, member, way: '' }))),
        ),
        constants: members.map(own =>
            own
                .filter(index => action.isImmovable(index))
                .map(immovableAs)
                .join(),
        ),
        missing: [],
        isUnlisted: false,
        isAmbiguous: action.hasAlikePartners(members.flat()),
    };
}

/** The values of a type occur everywhere, those of a variable in its cells only. */
function occurrencesOfValues(
    declared: Domain,
    model: Model,
    encoding: GraphEncoding,
    variable: number | undefined,
): Occurrences {
    const { problem, firstLiteral, cellVertex } = encoding;
    const { cells, instances } = problem.sequential;
    const isType = variable === undefined;
    // `none` of a variable is no value to exchange.
    const type = !isType && declared.kind === 'optional' ? declared.base : declared;
    const membersIn = isType
        ? (domain: Domain, code: number): Mention[] => mentionsOf(type, domain, code, '', model)
        : (domain: Domain, code: number): Mention[] => {
              const member = domain.kind === 'optional' ? code - 1 : code;
              return member < 0 ? [] : [{ member, way: '' }];
          };
    const size = domainSize(type);
    const found: Occurrence[] = [];
    const constants = Array.from({ length: size }, (): string[] => []);
    const occurs = new Uint8Array(size);
    let isUnlisted = false;
    cells.forEach((cell, index) => {
        const isOwn = isType
            ? cell.kind !== 'counter' && cell.kind !== 'temporary'
            : cell.kind === 'shared' && cell.variable === variable;
        const codes = problem.domains[index];
        if (isOwn && codes.length === 0) {
            isUnlisted ||= !isType || mentionsType(type, cell.domain);
        } else if (isOwn) {
            codes.forEach((code, position) => {
                for (const { member, way } of code < 0 ? [] : membersIn(cell.domain, code)) {
                    occurs[member] = 1;
                    if (isConstant(codes)) {
                        constants[member].push(`once ${way}`);
                    } else {
                        found.push({ vertex: firstLiteral[index] + position, member, way });
                    }
                }
            });
        }
        if (isType && cellVertex[index] >= 0) {
            const domains = indexDomainsOf(cell, model, instances[cell.instance]?.process);
            domains.forEach((domain, dimension) => {
                const code = codeOfValue(domain, cell.indices[dimension]);
                for (const { member, way } of mentionsOf(type, domain, code, `[${dimension}]`, model)) {
                    found.push({ vertex: cellVertex[index], member, way });
                }
            });
        }
    });
    const ofInstances = isType ? instanceVertices(encoding) : [];
    const action = instanceActionOf(encoding);
    let members: number[] = [];
    ofInstances.forEach((vertices, index) => {
        const { process, indices } = instances[index];
        model.processes[process].indices.forEach(({ domain }, dimension) => {
            const mentions = mentionsOf(
                type,
                domain,
                codeOfValue(domain, indices[dimension]),
                `of ${process}[${dimension}]`,
                model,
            );
            members = mentions.length > 0 ? [...members, index] : members;
            for (const { member, way } of mentions) {
                found.push(...vertices.map(vertex => ({ vertex, member, way })));
                if (action.isImmovable(index)) {
                    constants[member].push(immovableAs(index));
                }
            }
        });
    });
    const names = Array.from({ length: size }, (_, code) => formatValue(type, valueOfCode(type, code)));
    return {
        names,
        found,
        constants: constants.map(ways => ways.sort().join()),
        missing: occurs.includes(1) ? names.filter((_, member) => occurs[member] === 0) : [],
        isUnlisted,
        isAmbiguous: members.length > 0 && action.hasAlikePartners(members),
    };
}

/** A text of its own for each instance, so that the member is like no other. */
function immovableAs(instance: number): string {
    return `immovable ${instance}`;
}

interface Mention {
    readonly member: number;
    readonly way: string;
}

/** The places in a value of `domain` of values of `type`: itself, a field, the index of a channel. */
function mentionsOf(type: Domain, domain: Domain, code: number, way: string, model: Model): Mention[] {
    if (identityOf(domain) === identityOf(type)) {
        return [{ member: code, way }];
    }
    switch (domain.kind) {
        case 'optional':
            return code === 0 ? [] : mentionsOf(type, domain.base, code - 1, way, model);
        case 'record':
            return domain.fields.flatMap((field, position) => {
                const value = codeOfValue(field.domain, domain.tuples[code][position]);
                return mentionsOf(type, field.domain, value, `${way}.${position}`, model);
            });
        case 'enumeration': {
            const channels = model.channelTypes.find(known => identityOf(known.domain) === identityOf(domain));
            return channels === undefined
                ? []
                : channelIndices(channels.members[code], model.channels).flatMap(
                      ({ domain: index, value }, dimension) =>
                          mentionsOf(type, index, codeOfValue(index, value), `${way}#${dimension}`, model),
                  );
        }
        case 'boolean':
        case 'range':
        case 'number':
            return [];
    }
}

function mentionsType(type: Domain, domain: Domain): boolean {
    return (
        identityOf(domain) === identityOf(type) ||
        (domain.kind === 'optional' && mentionsType(type, domain.base)) ||
        (domain.kind === 'record' && domain.fields.some(field => mentionsType(type, field.domain)))
    );
}
