/**
 * Hovers: the declaration, its documentation, its type with the number of values, and what symmetry does to it: in words
 * first, then by a generator in cycle notation.
 */
import { AstUtils, type AstNode, type DocumentationProvider, type LangiumDocument, type MaybePromise } from 'langium';
import type { HoverProvider } from 'langium/lsp';
import type { Hover, HoverParams } from 'vscode-languageserver';
import { type Domain, domainSize, formatDomain, formatValue, valueOfCode } from '../../engine/model/domain.js';
import type { Model } from '../../engine/model/model.js';
import type { SymmetryReport } from '../../engine/symmetry/report.js';
import type { Findings } from '../analysis/analysis-service.js';
import { isProcess } from '../generated/ast.js';
import { isNamedDeclaration, kindOf, nameAt, signatureOf, type NamedDeclaration } from './declarations.js';
import type { OrbitServices } from './lsp-module.js';
import {
    formatCount,
    formatFamily,
    formatNumberOf,
    formatProperty,
    formatSymmetryCount,
    shortenCycles,
} from './wording.js';

/** Small domains are listed, larger ones are described by their bounds. */
const LISTED_VALUES = 8;

export class OrbitHoverProvider implements HoverProvider {
    private readonly services: OrbitServices;
    private readonly documentation: DocumentationProvider;

    constructor(services: OrbitServices) {
        this.services = services;
        this.documentation = services.documentation.DocumentationProvider;
    }

    getHoverContent(document: LangiumDocument, params: HoverParams): MaybePromise<Hover | undefined> {
        const name = nameAt(document, params.position);
        const [declaration] = name === undefined ? [] : this.services.references.References.findDeclarations(name);
        if (name === undefined || declaration === undefined || !isNamedDeclaration(declaration)) {
            return undefined;
        }
        const { AnalysisService, Settings } = this.services.shared.analysis;
        const findings = AnalysisService.findings(document);
        const facts = findings.model && describeValues(declaration, findings.model);
        const sections = [
            `\`\`\`orbit\n${signatureOf(declaration)}\n\`\`\``,
            this.documentation.getDocumentation(declaration),
            `*${[kindOf(declaration), ...(facts ?? [])].join(' · ')}*`,
            Settings.current.hoverSymmetry ? describeSymmetry(declaration, findings) : undefined,
        ];
        const value = sections.filter(section => section !== undefined).join('\n\n');
        return { contents: { kind: 'markdown', value }, range: name.range };
    }
}

/** What the model says about the values of a declaration, in phrases. */
function describeValues(node: NamedDeclaration, model: Model): readonly string[] {
    switch (node.$type) {
        case 'Variable': {
            const variable = variablesAround(node, model).find(({ name }) => name === node.name);
            if (variable === undefined) {
                return [];
            }
            const cells = variable.indices.reduce((product, domain) => product * domainSize(domain), 1);
            const values = describeDomain(variable.element);
            return variable.indices.length === 0 ? [values] : [`${formatNumberOf(cells, 'cell')}, each ${values}`];
        }
        case 'Parameter': {
            const parameter = model.parameters.find(({ name }) => name === node.name);
            return parameter === undefined ? [] : [`is ${parameter.text}`];
        }
        case 'TypeDeclaration':
        case 'Enumeration': {
            const type = model.types.find(({ name }) => name === node.name);
            return type === undefined ? [] : [describeDomain(type.domain)];
        }
        case 'ProcessIndex': {
            const process = model.processes.find(({ name }) => name === node.$container.name);
            const index = process?.indices.find(({ name }) => name === node.name);
            return index === undefined ? [] : [describeDomain(index.domain)];
        }
        case 'EventDeclaration': {
            const event = model.events.find(({ name }) => name === node.name);
            const size = event?.arguments.reduce((product, domain) => product * domainSize(domain), 1) ?? 1;
            return event === undefined || event.arguments.length === 0 ? [] : [formatNumberOf(size, 'event')];
        }
        case 'BinderVariable':
        case 'Constant':
        case 'EnumerationValue':
        case 'Invariant':
        case 'Labeled':
        case 'ModelHeader':
        case 'Process':
            return [];
    }
}

/** The variables among which the name of this node stands: the locals of its process, or the shared ones. */
function variablesAround(node: AstNode, model: Model): Model['variables'] {
    const process = AstUtils.getContainerOfType(node.$container, isProcess);
    if (process === undefined) {
        return model.variables;
    }
    return model.processes.find(({ name }) => name === process.name)?.locals ?? [];
}

/** `2 values: 0, 1`, or `64 values: 0 .. 63`. */
function describeDomain(domain: Domain): string {
    const size = domainSize(domain);
    const values =
        size <= LISTED_VALUES
            ? Array.from({ length: size }, (_, code) => formatValue(domain, valueOfCode(domain, code))).join(', ')
            : formatDomain(domain);
    return `${formatNumberOf(size, 'value')}: ${values}`;
}

/** A paragraph on what symmetry does to a declaration; undefined where nothing is known or to be said. */
function describeSymmetry(node: NamedDeclaration, findings: Findings): string | undefined {
    const report = findings.analysis?.outcome.report;
    const text = report && describeRole(node, report);
    if (text === undefined) {
        return undefined;
    }
    return findings.isStale ? `**Symmetry** *(edited since)*: ${text}` : `**Symmetry**: ${text}`;
}

function describeRole(node: NamedDeclaration, report: SymmetryReport): string | undefined {
    switch (node.$type) {
        case 'Variable': {
            const process = AstUtils.getContainerOfType(node.$container, isProcess);
            const name = process === undefined ? node.name : `${process.name}.${node.name}`;
            const variable = report.variables.find(candidate => candidate.name === name);
            if (variable === undefined) {
                return undefined;
            }
            const generator = variable.generator;
            const example = generator && `For example \`${shortenCycles(generator)}\``;
            const parts = [variable.roles.join(' '), describeOrbit(variable.orbit), example];
            return parts.filter(part => part !== undefined).join('\n\n');
        }
        case 'Process': {
            const family = report.families.find(({ name }) => name === node.name);
            return family && `${formatFamily(family)}.`;
        }
        case 'ProcessIndex': {
            const family = report.families.find(({ name }) => name === node.$container.name);
            return family && `${formatFamily(family)}.`;
        }
        case 'TypeDeclaration':
        case 'Enumeration': {
            const structure = report.types.find(({ name }) => name === node.name)?.structure;
            return structure === undefined || structure === 'trivial'
                ? undefined
                : `its values are interchangeable wherever they stand (${structure}).`;
        }
        case 'Invariant': {
            const property = report.properties.find(({ name }) => name === node.name);
            return property && `${formatProperty(property, report)}.`;
        }
        case 'ModelHeader':
            return `${formatSymmetryCount(report)}; ${formatCount(report.potentialStates)} potential states.`;
        case 'BinderVariable':
        case 'Constant':
        case 'EnumerationValue':
        case 'EventDeclaration':
        case 'Labeled':
        case 'Parameter':
            return undefined;
    }
}

/** The cells that symmetries carry to each other; nothing where there is one. */
function describeOrbit(orbit: readonly string[]): string | undefined {
    if (orbit.length < 2) {
        return undefined;
    }
    const listed = orbit.slice(0, LISTED_VALUES).join(', ');
    return `Orbit of ${formatNumberOf(orbit.length, 'cell')}: ${listed}${orbit.length > LISTED_VALUES ? ', …' : ''}.`;
}
