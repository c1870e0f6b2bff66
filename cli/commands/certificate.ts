/**
 * Certificates: the symmetries of a model in a file that this program or another one can check. A certificate does not
 * say that there are no other symmetries.
 *
 *     literals     the points that permutations move, by name
 *     graph        the colored graph without properties: its size and the SHA-256 of `export --to graph-dimacs`
 *     generators   each as its moved points and their images
 *     groups       the generators and the order of each group, the properties whose truth it keeps, and (`alike`, if
 *                  there are any) the sets of properties that it keeps as a set; `start` is `moved` for symmetries of
 *                  the steps that need not map initial states to initial states
 *     sorts        what is proved for all values of the parameters: the group of each class of places. Absent if nothing is
 *     templates    processes whose instances are created, with how many were considered; if they are interchangeable,
 *                  they are so however many there are. Absent if there are none
 */
import type { TemplateReport } from '../../engine/describe/report.js';
import { isRecord } from '../../engine/common/record.js';
import { sparsePermutation, type SparsePermutation } from '../../engine/group/sparse-permutation.js';
import type { Claims, GroupClaim } from '../../engine/verify/claims.js';
import type { DocumentValue } from '../../language-server/document-schema.js';
import type { SortCertificate } from '../../family/sort-certificate.js';
import { CallError } from '../call-error.js';
import { readSortClaims } from './sort-claims.js';

/** The model of a certificate, with the values of its parameters. Certificates of other models or parameters differ in it. */
export interface CertificateSubject {
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    /** `variable=value`, by point. */
    readonly literals: readonly string[];
    readonly graph: { readonly vertices: number; readonly edges: number; readonly digest: string };
    /** The names of the model's properties. */
    readonly properties: readonly string[];
}

/** The text of a certificate: JSON with a line for each generator. */
export function formatCertificate(
    subject: CertificateSubject,
    { generators, groups }: Claims,
    templates: readonly TemplateReport[] = [],
    sorts?: SortCertificate,
): string {
    const list = (items: readonly unknown[]): string =>
        items.length === 0 ? '[]' : `[\n${items.map(item => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
    const fields = {
        schemaVersion: '1',
        model: JSON.stringify(subject.model),
        params: JSON.stringify(subject.params),
        literals: list(subject.literals),
        graph: JSON.stringify(subject.graph),
        generators: list(
            generators.map(({ points, images }) => Array.from(points, (point, index) => [point, images[index]])),
        ),
        groups: list(
            groups.map(group => ({
                properties: group.properties.map(property => subject.properties[property]),
                ...(group.alike.length > 0 && {
                    alike: group.alike.map(set => set.map(property => subject.properties[property])),
                }),
                order: group.order.toString(),
                generators: group.generators,
                ...(group.start !== undefined && { start: group.start }),
            })),
        ),
        ...(sorts !== undefined && { sorts: JSON.stringify(sorts) }),
        ...(templates.length > 0 && {
            templates: list(templates.map(({ name, slots, interchangeable }) => ({ name, slots, interchangeable }))),
        }),
    };
    return `{\n${Object.entries(fields)
        .map(([name, text]) => `  "${name}": ${text}`)
        .join(',\n')}\n}\n`;
}

/** The claims of a certificate. Throws a CallError for another file, and for the certificate of another subject. */
export function readCertificate(
    bytes: Uint8Array,
    file: string,
    subject: CertificateSubject,
): { readonly claims: Claims; readonly sorts?: SortCertificate } {
    const fail = (message: string): never => {
        throw new CallError('call/certificate', `'${file}' ${message}`, file);
    };
    const document = parseJson(bytes);
    if (!isRecord(document) || document['schemaVersion'] !== 1) {
        return fail('is no certificate: it is not a JSON document with schemaVersion 1');
    }
    if (document['model'] !== subject.model) {
        fail(`is no certificate of this model: it is about ${quote(document['model'])}, not '${subject.model}'`);
    }
    const { params, literals, graph } = document;
    if (JSON.stringify(params) !== JSON.stringify(subject.params)) {
        const other = params === undefined ? 'none' : JSON.stringify(params);
        fail(`was made for other parameters: ${other}, not ${JSON.stringify(subject.params)}`);
    }
    checkLiterals(literals, subject.literals, fail);
    if (!isRecord(graph) || graph['digest'] !== subject.graph.digest) {
        fail('was made for another graph: the model has changed since, or another version of Orbit made it');
    }
    const generators = readList(document['generators'], 'generators', fail).map((generator, index) =>
        readGenerator(generator, subject.literals.length, message =>
            fail(`has a malformed generator ${index}: ${message}`),
        ),
    );
    const groups = readList(document['groups'], 'groups', fail).map((group, index) =>
        readGroup(group, generators.length, subject.properties, message =>
            fail(`has a malformed group ${index}: ${message}`),
        ),
    );
    const unused = generators.findIndex((_, index) => !groups.some(group => group.generators.includes(index)));
    if (unused >= 0) {
        fail(`has generator ${unused} in no group`);
    }
    const sorts = readSortClaims(document['sorts'], file);
    return { claims: { generators, groups }, ...(sorts !== undefined && { sorts }) };
}

type Fail = (message: string) => never;

/** The value of a text in JSON; undefined if it is none. */
export function parseJson(bytes: Uint8Array): unknown {
    try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
        if (error instanceof SyntaxError || error instanceof TypeError) {
            return undefined;
        }
        throw error;
    }
}

function checkLiterals(found: unknown, expected: readonly string[], fail: Fail): void {
    const literals = readList(found, 'literals', fail);
    const different = expected.findIndex((literal, index) => literals[index] !== literal);
    if (different >= 0) {
        fail(`has other literals: number ${different} is ${quote(literals[different])}, not '${expected[different]}'`);
    }
    if (literals.length !== expected.length) {
        fail(`has other literals: ${literals.length} instead of ${expected.length}`);
    }
}

function readGenerator(found: unknown, degree: number, fail: Fail): SparsePermutation {
    const isPoint = (point: unknown): boolean =>
        typeof point === 'number' && Number.isInteger(point) && point >= 0 && point < degree;
    const isPair = (pair: unknown): pair is [number, number] =>
        Array.isArray(pair) && pair.length === 2 && pair.every(isPoint);
    if (!Array.isArray(found) || !found.every(isPair)) {
        return fail(`it is no list of pairs of literals from 0 to ${degree - 1}`);
    }
    const images = new Map(found);
    if (images.size !== found.length || new Set(images.values()).size !== found.length) {
        return fail('two of its pairs begin or end alike');
    }
    const lost = found.find(([point]) => !new Set(images.values()).has(point));
    if (lost !== undefined) {
        return fail(`literal ${lost[0]} moves, and none moves there`);
    }
    return sparsePermutation(found);
}

function readGroup(found: unknown, generatorCount: number, names: readonly string[], fail: Fail): GroupClaim {
    if (!isRecord(found)) {
        return fail('it is no object');
    }
    const { order, start } = found;
    if (start !== undefined && start !== 'moved') {
        return fail("its start is not 'moved'");
    }
    if (typeof order !== 'string' || !/^[1-9]\d{0,9999}$/.test(order)) {
        return fail('its order is no text of decimal digits');
    }
    const readProperties = (list: unknown, field: string): number[] => {
        const properties = readList(list, field, fail).map(name => {
            const property = names.indexOf(String(name));
            return property < 0 ? fail(`the model has no property ${quote(name)}`) : property;
        });
        return [...new Set(properties)].sort((a, b) => a - b);
    };
    const { alike = [] } = found;
    const generators = readList(found['generators'], 'generators', fail).map(generator =>
        typeof generator === 'number' && Number.isInteger(generator) && generator >= 0 && generator < generatorCount
            ? generator
            : fail(`there is no generator ${quote(generator)}`),
    );
    return {
        properties: readProperties(found['properties'], 'properties'),
        alike: readList(alike, 'alike', fail).map(set => readProperties(set, 'alike')),
        order: BigInt(order),
        generators,
        ...(start !== undefined && { start }),
    };
}

function readList(found: unknown, name: string, fail: Fail): readonly unknown[] {
    return Array.isArray(found) ? (found as readonly unknown[]) : fail(`has no list '${name}'`);
}

function quote(value: unknown): string {
    return typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? 'nothing');
}
