/** Hovers: the declaration, its documentation, values, reads and writes, and its role under the symmetries. */
import {
    AstUtils,
    CstUtils,
    type DocumentationProvider,
    type LangiumDocument,
    type LangiumDocuments,
    type MaybePromise,
    type References,
} from 'langium';
import type { HoverProvider } from 'langium/lsp';
import type { Hover, HoverParams } from 'vscode-languageserver';
import { listed } from '../../../engine/common/listed.js';
import type { Domain } from '../../../engine/model/domain.js';
import type { SymmetryReport } from '../../../engine/describe/report.js';
import type { DocumentFindings } from '../../analysis/analysis-service.js';
import { createRangeShift } from '../../analysis/text-shift.js';
import { isProcess, isProcessIndex, isSelf, isSpawn, isTypeDeclaration, type Process } from '../../generated/ast.js';
import type { UniformSorts } from '../../../family/infer-sorts.js';
import { uniformGroupOf } from '../../../family/sort-report.js';
import { formatForEvery } from '../../../engine/describe/for-every.js';
import { uniformFactsOf } from './family-facts.js';
import { isBuiltin } from '../../../language/references/builtin-functions.js';
import { isTemplate } from '../../../language/references/templates.js';
import { countOf, isOverTemplate } from '../../../language/representation/domains.js';
import { kindOf } from './declaration-kinds.js';
import { isNamedDeclaration, nameNodeOf, signatureOf, type NamedDeclaration } from './declarations.js';
import { KEYWORD_DOCUMENTATION } from './keywords.js';
import type { OrbitServices } from '../services.js';
import { mostLiveOf } from './most-live.js';
import { factsOf, shapeOf, valueTextOf, type StaticFacts } from './static-facts.js';
import { declarationAt, formatTimes, ownerOf, usesOf } from './uses.js';
import {
    formatExample,
    formatFair,
    formatFactors,
    formatFamily,
    formatNumberOf,
    formatPropertyAtLength,
    formatReachable,
    formatSteps,
    formatRoundedCount,
    formatSymmetryCount,
    formatSymmetryInWords,
} from '../../../engine/describe/words.js';
import { formatPotential } from '../../../engine/describe/number-words.js';

/** The most cells of an orbit that are named. */
const LISTED_CELLS = 8;

export class OrbitHoverProvider implements HoverProvider {
    private readonly services: OrbitServices;
    private readonly documentation: DocumentationProvider;
    private readonly references: References;
    private readonly documents: LangiumDocuments;

    constructor(services: OrbitServices) {
        this.services = services;
        this.documentation = services.documentation.DocumentationProvider;
        this.references = services.references.References;
        this.documents = services.shared.workspace.LangiumDocuments;
    }

    getHoverContent(document: LangiumDocument, params: HoverParams): MaybePromise<Hover | undefined> {
        const found = declarationAt(document, params.position, this.references);
        if (found === undefined) {
            return keywordHover(document, params);
        }
        const { cst, declaration } = found;
        if (!isNamedDeclaration(declaration)) {
            return undefined;
        }
        const { AnalysisService, Settings } = this.services.shared.analysis;
        // What is built in has no text, so only its documentation is known.
        const facts = isBuiltin(declaration) || isSelf(declaration) ? undefined : factsOf(declaration);
        const sections = [
            `\`\`\`orbit\n${signatureOf(declaration)}\n\`\`\``,
            this.documentation.getDocumentation(declaration),
            `*${describeKind(declaration, facts)}*`,
            this.describeUses(declaration),
            Settings.current.hoverSymmetry
                ? describeSymmetry(
                      declaration,
                      AnalysisService.findings(document),
                      uniformFactsOf(document, this.services),
                  )
                : undefined,
        ];
        const value = sections.filter(section => section !== undefined).join('\n\n');
        return { contents: { kind: 'markdown', value }, range: cst.range };
    }

    /** The processes and functions that write and read the values. */
    private describeUses(node: NamedDeclaration): string | undefined {
        if (isTemplate(node)) {
            return this.describeCreation(node);
        }
        if (node.$type !== 'Variable' && node.$type !== 'ChannelDeclaration' && node.$type !== 'RecordField') {
            return undefined;
        }
        const uses = usesOf(node, this.references, this.documents);
        const [writing, reading] = node.$type === 'ChannelDeclaration' ? ['Sent to', 'Used'] : ['Written', 'Read'];
        const describe = (kind: 'read' | 'write', verb: string): string[] => {
            const places = uses.filter(use => use.kind === kind).map(use => ownerOf(use.node)?.name);
            if (places.length === 0) {
                // A record that is only built and matched as a whole names no field.
                return node.$type === 'RecordField' ? [] : [`${verb} nowhere.`];
            }
            const owners = [...new Set(places)].map(owner => (owner === undefined ? 'the model' : `\`${owner}\``));
            return [`${verb} ${formatTimes(places.length)}, in ${listed(owners)}.`];
        };
        return [...describe('write', writing), ...describe('read', reading)].join(' ') || undefined;
    }

    /** Where the instances of a template come from. */
    private describeCreation(template: Process): string {
        const creating = usesOf(template, this.references, this.documents).filter(({ node }) => isSpawn(node));
        const owners = [...new Set(creating.map(({ node }) => `\`${ownerOf(node)?.name ?? 'the model'}\``))];
        return creating.length === 0
            ? 'Created nowhere.'
            : `Created in ${formatNumberOf(creating.length, 'place')}, in ${listed(owners)}.`;
    }
}

/** The meaning of a word of the language. */
function keywordHover(document: LangiumDocument, { position }: HoverParams): Hover | undefined {
    const root = document.parseResult.value.$cstNode;
    const leaf = root && CstUtils.findLeafNodeAtOffset(root, document.textDocument.offsetAt(position));
    const value = leaf && KEYWORD_DOCUMENTATION.get(leaf.tokenType.name);
    return leaf === undefined || value === undefined
        ? undefined
        : { contents: { kind: 'markdown', value }, range: leaf.range };
}

/** `variable · 4 values: 0, 1, 2, 3`; of a parameter `parameter, now 3, from 2 to 64`. */
function describeKind(declaration: NamedDeclaration, facts: StaticFacts | undefined): string {
    const values = facts === undefined ? [] : describeValues(declaration, facts);
    return [kindOf(declaration), ...values].join(declaration.$type === 'Parameter' ? ', ' : ' · ');
}

/** The values of a declaration as far as the text tells, in phrases. */
function describeValues(node: NamedDeclaration, facts: StaticFacts): readonly string[] {
    const value = valueTextOf(node, facts);
    if (node.$type === 'EventDeclaration') {
        return describeCount(facts.constants.argumentsOf(node), 'event');
    }
    if (node.$type === 'ChannelDeclaration') {
        return describeChannel(node, facts);
    }
    if (node.$type === 'Enumeration' && node.isOpen) {
        return ['values without end'];
    }
    const shape = shapeOf(node, facts);
    if (node.$type === 'Parameter' && shape?.type.kind === 'integer') {
        const { low, high } = shape.type;
        return [...(value === undefined ? [] : [`now ${value}`]), `from ${low} to ${high}`];
    }
    return [
        ...(value === undefined ? [] : [`${node.$type === 'Parameter' ? 'now' : 'is'} ${value}`]),
        ...(shape === undefined || (node.$type === 'Constant' && node.type === undefined)
            ? []
            : [shape.describeValues()]),
    ];
}

function describeChannel(
    node: Extract<NamedDeclaration, { $type: 'ChannelDeclaration' }>,
    { constants }: StaticFacts,
): readonly string[] {
    const capacity = constants.capacityOf(node);
    return [
        ...describeCount(constants.indicesOf(node), 'channel'),
        ...(capacity === undefined
            ? []
            : [capacity === 0 ? 'sender and receiver meet' : `holds up to ${formatNumberOf(capacity, 'message')}`]),
    ];
}

/** The number of elements of an array; nothing for a single one or an unknown number. */
function describeCount(domains: readonly (Domain | undefined)[], noun: string): readonly string[] {
    if (isOverTemplate(domains)) {
        return [`${noun}s for each instance`];
    }
    return domains.length === 0 || domains.includes(undefined) ? [] : [formatNumberOf(countOf(domains), noun)];
}

/** A paragraph on the role of a declaration under the symmetries; undefined if nothing is known of it. */
function describeSymmetry(
    node: NamedDeclaration,
    findings: DocumentFindings,
    sorts: UniformSorts | undefined,
): string | undefined {
    const report = findings.analysis?.outcome.report;
    const parts = [
        ...(report === undefined
            ? []
            : [describeRole(node, report, findings), describeFairness(node, report, findings)]),
        describeForEvery(node, sorts),
    ];
    const text = parts.filter(part => part !== undefined).join(' ');
    if (text === '') {
        return undefined;
    }
    return findings.isStale ? `**Symmetry** *(edited since)*: ${text}` : `**Symmetry**: ${text}`;
}

/** `For every N: S_N (proved).`, of a family, its index or a type. */
function describeForEvery(node: NamedDeclaration, sorts: UniformSorts | undefined): string | undefined {
    const declaration = isProcessIndex(node) ? node.$container : node;
    if (!isProcess(declaration) && !isTypeDeclaration(declaration)) {
        return undefined;
    }
    const group = sorts && uniformGroupOf(declaration, sorts);
    const forAll = sorts?.parameters.map(({ name }) => name) ?? [];
    return group === undefined || forAll.length === 0
        ? undefined
        : `F${formatForEvery(forAll).slice(1)}: ${group} (proved).`;
}

/** The fairness of a process, a label, an event or an assumption: its constraints, and what all of them keep. */
function describeFairness(
    node: NamedDeclaration,
    { fairness, order, structure }: SymmetryReport,
    { analysis }: DocumentFindings,
): string | undefined {
    const { uri, textDocument } = AstUtils.getDocument(node);
    const name = nameNodeOf(node)?.range.start;
    if (fairness === undefined || analysis === undefined || name === undefined) {
        return undefined;
    }
    const shift = createRangeShift(analysis.text, textDocument);
    const place = fairness.places.find(({ range }) => {
        const now = range.uri === uri.toString() ? shift(range)?.start : undefined;
        return now?.line === name.line && now.character === name.character;
    });
    if (place === undefined) {
        return undefined;
    }
    const { keeps } = fairness;
    const kept =
        keeps === undefined || order === '1'
            ? ''
            : keeps.order === order
              ? '; all fairness together keeps every symmetry'
              : `; all fairness together keeps ${formatRoundedCount(keeps.order)} of ` +
                `${formatNumberOf(order, 'symmetry', 'symmetries')} (${keeps.structure} of ${structure})`;
    return `F${formatFair(place).slice(1)}${kept}.`;
}

function describeRole(node: NamedDeclaration, report: SymmetryReport, findings: DocumentFindings): string | undefined {
    switch (node.$type) {
        case 'ChannelDeclaration':
        case 'Variable': {
            const process = AstUtils.getContainerOfType(node.$container, isProcess);
            const name = process === undefined ? node.name : `${process.name}.${node.name}`;
            // A record has several reports, one for each field.
            const parts = report.variables.filter(part => part.name === name || part.name.startsWith(`${name}.`));
            const [only] = parts;
            return parts.length === 1 && only !== undefined
                ? describeVariable(only, report) || undefined
                : parts
                      .filter(part => describeRoles(part, report) !== '')
                      .map(part => `\`${part.name}\`: ${describeRoles(part, report)}`)
                      .join('\n\n') || undefined;
        }
        case 'Process':
        case 'ProcessIndex': {
            const process = node.$type === 'Process' ? node : node.$container;
            const template = report.templates?.find(({ name }) => name === process.name);
            if (template !== undefined) {
                const mostLive = mostLiveOf(process.name, findings);
                const live = mostLive === undefined ? '' : `; at most ${mostLive} live at once (last exploration)`;
                return `instances are ${template.interchangeable ? '' : 'not '}interchangeable${live}.`;
            }
            const family = report.families.find(({ name }) => name === process.name);
            return family && `${formatFamily(family, report)}.`;
        }
        case 'TypeDeclaration':
        case 'RecordDeclaration':
        case 'Enumeration': {
            const action = report.types.find(({ name }) => name === node.name)?.action;
            if (action === undefined) {
                return undefined;
            }
            // Of values without end the group is that of those that are held at once, which says nothing.
            const group = node.$type === 'Enumeration' && node.isOpen ? '' : ` (${action.structure})`;
            return `symmetries permute its values, alike wherever they stand${group}.`;
        }
        case 'Invariant':
        case 'Property': {
            const property = report.properties.find(({ name }) => name === node.name);
            return property === undefined || report.order === '1'
                ? undefined
                : `${formatPropertyAtLength(property, report)}.`;
        }
        case 'ModelHeader':
            return [
                ...(report.order === '1' || report.refuted ? [] : [`${formatSymmetryInWords(report)}.`]),
                // How many states there are depends on how many instances are considered.
                report.templates === undefined
                    ? `${formatSymmetryCount(report)}; ${formatPotential(report)}.`
                    : `${formatSymmetryCount(report)}.`,
                formatSteps(report),
                formatFactors(report),
                report.templates === undefined ? formatReachable(report) : undefined,
            ]
                .filter(part => part !== undefined)
                .join('\n\n');
        default:
            return undefined;
    }
}

type VariableReport = SymmetryReport['variables'][number];

function describeVariable(variable: VariableReport, report: SymmetryReport): string {
    const { orbit, generator } = variable;
    const example = generator && `For example, ${formatExample(generator)}.`;
    return [describeRoles(variable, report), describeOrbit(orbit), example]
        .filter(part => part !== undefined && part !== '')
        .join('\n\n');
}

/** The roles of a variable, if there are any. If not all symmetries were found, a variable that does not move may still do so. */
function describeRoles(
    { name, roles, generator }: VariableReport,
    { complete, heldFixed = [] }: SymmetryReport,
): string {
    if (complete || generator !== undefined) {
        return roles.join(' ');
    }
    const held = heldFixed.find(({ cells }) => cells.some(cell => cell.replace(/\[[^\]]*\]/g, '') === name));
    return held === undefined ? 'No symmetry that was found moves it.' : `It is kept in place: ${held.message}.`;
}

/** The cells of the variable's orbit; undefined for a single one. */
function describeOrbit(orbit: readonly string[]): string | undefined {
    if (orbit.length < 2) {
        return undefined;
    }
    const cells = orbit.slice(0, LISTED_CELLS).join(', ');
    return `Orbit of ${formatNumberOf(orbit.length, 'cell')}: ${cells}${orbit.length > LISTED_CELLS ? ', …' : ''}.`;
}
