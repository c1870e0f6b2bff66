/**
 * The lines above the code: the group and the commands above the model; what the group does to each process family, to
 * the values of each type and to each property.
 *
 * Lenses stand at the declarations of the text as it is now and say what the last finished analysis found for that name.
 * After an edit of the model they say that they are older than the text.
 */
import { AstUtils, type LangiumDocument, type MaybePromise } from 'langium';
import type { CodeLensProvider } from 'langium/lsp';
import type { CodeLens, Range } from 'vscode-languageserver';
import type { SymmetryReport } from '../../engine/symmetry/report.js';
import type { Findings } from '../analysis/analysis-service.js';
import { isModel, type Model } from '../generated/ast.js';
import {
    CHECK_PROPERTY_COMMAND,
    EXPLORE_ALL_COMMAND,
    EXPLORE_REDUCED_COMMAND,
    SHOW_SYMMETRIES_COMMAND,
} from '../protocol.js';
import { emptyRange, nameNodeOf } from './declarations.js';
import type { OrbitServices } from './lsp-module.js';
import type { OrbitSettings } from './settings.js';
import {
    formatExplorations,
    formatFamily,
    formatPotentialStates,
    formatProperty,
    formatSymmetryCount,
    formatUsableGroup,
} from './wording.js';

export class OrbitCodeLensProvider implements CodeLensProvider {
    private readonly services: OrbitServices;

    constructor(services: OrbitServices) {
        this.services = services;
    }

    provideCodeLens(document: LangiumDocument): MaybePromise<CodeLens[]> {
        const { AnalysisService, Settings } = this.services.shared.analysis;
        const model = document.parseResult.value;
        if (!isModel(model) || model.declarations.length === 0) {
            return [];
        }
        return lensesOf(model, AnalysisService.findings(document), Settings.current);
    }
}

function lensesOf(model: Model, findings: Findings, settings: OrbitSettings): CodeLens[] {
    const lenses: CodeLens[] = [];
    const uri = AstUtils.getDocument(model).uri.toString();
    const report = findings.analysis?.outcome.report;
    if (settings.codeLensModel) {
        const header = model.headers[0];
        const range = (header && nameNodeOf(header)?.range) ?? emptyRange({ line: 0, character: 0 });
        lenses.push(...modelLenses(range, uri, findings));
    }
    if (report === undefined) {
        return lenses;
    }
    const stale = findings.isStale ? STALE : '';
    for (const declaration of model.declarations) {
        const range = nameNodeOf(declaration)?.range;
        if (range === undefined) {
            continue;
        }
        const add = (title: string, command = '', rest: unknown[] = []): void => {
            lenses.push({ range, command: { title: stale + title, command, arguments: [uri, ...rest] } });
        };
        switch (declaration.$type) {
            case 'Process': {
                const family = report.families.find(({ name }) => name === declaration.name);
                if (settings.codeLensProcesses && family !== undefined) {
                    add(formatFamily(family), SHOW_SYMMETRIES_COMMAND);
                }
                break;
            }
            case 'TypeDeclaration':
            case 'Enumeration': {
                const type = report.types.find(({ name }) => name === declaration.name);
                if (settings.codeLensTypes && type?.structure !== undefined && type.structure !== 'trivial') {
                    add(`values interchangeable: ${type.structure}`, SHOW_SYMMETRIES_COMMAND);
                }
                break;
            }
            case 'Invariant':
                if (settings.codeLensProperties) {
                    lenses.push(checkLens(range, uri, declaration.name));
                    const property = report.properties.find(({ name }) => name === declaration.name);
                    if (property !== undefined) {
                        add(formatProperty(property, report), SHOW_SYMMETRIES_COMMAND);
                    }
                }
                break;
            default:
                break;
        }
    }
    return lenses;
}

/** What leads a line whose analysis is older than the text. */
const STALE = 'edited since · ';

/** Group and counts, then the commands. Deadlock has no declaration to stand above, so its check is here. */
function modelLenses(range: Range, uri: string, findings: Findings): CodeLens[] {
    const lens = (title: string, command: string, ...rest: unknown[]): CodeLens => ({
        range,
        command: { title, command, arguments: [uri, ...rest] },
    });
    const { analysis, isStale, isRunning } = findings;
    const report = analysis?.outcome.report;
    const lenses: CodeLens[] = [];
    if (report !== undefined) {
        lenses.push(lens((isStale ? STALE : '') + describeModel(report, findings), SHOW_SYMMETRIES_COMMAND));
    } else if (isRunning) {
        lenses.push(lens('searching for symmetries…', ''));
    }
    if (findings.model !== undefined) {
        lenses.push(lens('Explore reduced', EXPLORE_REDUCED_COMMAND), lens('Explore all', EXPLORE_ALL_COMMAND));
    }
    if (report !== undefined) {
        lenses.push(lens('Show symmetries', SHOW_SYMMETRIES_COMMAND));
        if (report.properties.some(({ kind }) => kind === 'deadlock')) {
            lenses.push(checkLens(range, uri, 'deadlock', 'Check deadlock'));
        }
    }
    return lenses;
}

function describeModel(report: SymmetryReport, findings: Findings): string {
    return [
        formatSymmetryCount(report),
        formatUsableGroup(report),
        formatExplorations(findings.explorations) ?? formatPotentialStates(report),
    ]
        .filter(part => part !== undefined)
        .join(' · ');
}

function checkLens(range: Range, uri: string, property: string, title = 'Check'): CodeLens {
    return { range, command: { title, command: CHECK_PROPERTY_COMMAND, arguments: [uri, property] } };
}
