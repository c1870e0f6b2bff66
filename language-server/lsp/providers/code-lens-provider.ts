/**
 * Code lenses: the group and the commands above the model, and the effect of the group on process families, types and
 * properties. They show the last finished analysis at the present text, and say if it is older than the text.
 */
import { AstUtils, type LangiumDocument, type MaybePromise } from 'langium';
import type { CodeLensProvider } from 'langium/lsp';
import type { CodeLens, Range } from 'vscode-languageserver';
import type { PropertyReport, SymmetryReport } from '../../../engine/describe/report.js';
import type { DocumentFindings } from '../../analysis/analysis-service.js';
import { createRangeShift } from '../../analysis/text-shift.js';
import {
    isModel,
    isProcess,
    isTypeDeclaration,
    type Declaration,
    type Model,
    type Parameter,
} from '../../generated/ast.js';
import type { UniformSorts } from '../../../family/infer-sorts.js';
import { describeUniform } from '../../../family/sort-report.js';
import {
    CHANGE_PARAMETER_COMMAND,
    CHECK_EVERY_SIZE_COMMAND,
    CHECK_PROPERTY_COMMAND,
    EXPLORE_REDUCED_COMMAND,
    NEW_MODEL_COMMAND,
    OPEN_RUN_COMMAND,
    RESET_PARAMETER_COMMAND,
    SWEEP_COMMAND,
    SHOW_FIXES_COMMAND,
    SHOW_SYMMETRIES_COMMAND,
} from '../../protocol.js';
import { withoutMeant } from '../diagnostics/symmetry-problems.js';
import { BEFORE_THE_EDIT, exploredItem, MODEL_PROPERTY, modelAnswer } from '../document-results.js';
import { valuesInForce } from '../../parsing/chosen-parameters.js';
import { headerRange, nameNodeOf, textOf } from './declarations.js';
import { mostLiveOf } from './most-live.js';
import { factsOf, valueTextOf } from './static-facts.js';
import { everySizesOf, uniformFactsOf } from './family-facts.js';
import type { OrbitServices } from '../services.js';
import type { OrbitSettings } from '../../../engine/options.js';
import { formatForEvery } from '../../../engine/describe/for-every.js';
import {
    formatBroken,
    formatFair,
    formatFamily,
    formatGain,
    formatMembers,
    formatProperty,
    formatSymmetryInWords,
    formatTemplate,
    formatMovedValues,
} from '../../../engine/describe/words.js';

export class OrbitCodeLensProvider implements CodeLensProvider {
    private readonly services: OrbitServices;

    constructor(services: OrbitServices) {
        this.services = services;
    }

    provideCodeLens(document: LangiumDocument): MaybePromise<CodeLens[]> {
        const { AnalysisService, Settings } = this.services.shared.analysis;
        const model = document.parseResult.value;
        if (document.textDocument.getText().trim() === '') {
            const uri = document.uri.toString();
            return [toLens(headerRange(model), 'Begin with a small model', NEW_MODEL_COMMAND, uri)];
        }
        if (!isModel(model) || model.declarations.length === 0) {
            return [];
        }
        const findings = AnalysisService.findings(document);
        const sizes = everySizesOf(document, this.services, AnalysisService);
        return lensesOf(model, findings, Settings.current, uniformFactsOf(document, this.services), sizes);
    }
}

function lensesOf(
    model: Model,
    findings: DocumentFindings,
    settings: OrbitSettings,
    sorts: UniformSorts | undefined,
    sizes: readonly string[],
): CodeLens[] {
    const document = AstUtils.getDocument(model);
    const uri = document.uri.toString();
    const lenses = settings.codeLensModel ? modelLenses(model, uri, findings) : [];
    for (const declaration of model.declarations) {
        const range = nameNodeOf(declaration)?.range;
        if (range !== undefined) {
            lenses.push(...declarationLenses(declaration, range, uri, findings, settings, sizes, sorts));
        }
    }
    return joined(settings.codeLensProperties ? [...lenses, ...fairnessLenses(uri, document, findings)] : lenses);
}

/** `fair to each of 5, alike` on what is fair or assumed, where it stands now. One constraint is nothing to tell. */
function fairnessLenses(uri: string, document: LangiumDocument, { analysis }: DocumentFindings): CodeLens[] {
    const places = analysis?.outcome.report?.fairness?.places ?? [];
    if (analysis === undefined || places.length === 0) {
        return [];
    }
    const shift = createRangeShift(analysis.text, document.textDocument);
    return places.flatMap(place => {
        const range = place.range.uri === uri ? shift(place.range) : undefined;
        return range === undefined || place.constraints === 1
            ? []
            : [toLens(range, formatFair(place), SHOW_SYMMETRIES_COMMAND, uri)];
    });
}

/** The end of the model's lens if its analysis is older than the text: at the end, it moves nothing at the first key. */
const STALE = ' · edited since';

/** The last verdict, what is lost of the symmetries, the command, then the symmetries. The hover has all else. */
function modelLenses(model: Model, uri: string, findings: DocumentFindings): CodeLens[] {
    const range = headerRange(model);
    const answer = modelAnswer(findings);
    const first = [
        ...(answer === undefined
            ? []
            : [toLens(range, answer.summary, OPEN_RUN_COMMAND, uri, MODEL_PROPERTY, answer.runId)]),
        ...lostLenses(range, model, findings),
    ];
    const explore = findings.isExplorable ? [toLens(range, 'Explore', EXPLORE_REDUCED_COMMAND, uri)] : [];
    const symmetries = symmetryLenses(range, uri, findings, answer === undefined ? formatGain : () => undefined);
    return first.length === 0 ? [...symmetries, ...explore] : [...first, ...explore, ...symmetries];
}

/** Lenses for the result of the search for symmetries. `gainOf`: what they are good for. */
function symmetryLenses(
    range: Range,
    uri: string,
    { analysis, isStale, isRunning, failure }: DocumentFindings,
    gainOf: (report: SymmetryReport) => string | undefined,
): CodeLens[] {
    const report = analysis?.outcome.report;
    if (report !== undefined) {
        const words = [formatSymmetryInWords(report), gainOf(report)].filter(part => part !== undefined).join(' · ');
        return [toLens(range, words + (isStale ? STALE : ''), SHOW_SYMMETRIES_COMMAND, uri)];
    }
    return isRunning
        ? [toLens(range, 'searching for symmetries…', '', '')]
        : failure === undefined
          ? []
          : [toLens(range, `search for symmetries: ${failure}`, '', '')];
}

/** `5 Link would be a ring without line 26 · fix`: of the first symmetry that is broken and not meant to be. */
function lostLenses(range: Range, model: Model, { analysis, explained }: DocumentFindings): CodeLens[] {
    const { textDocument, uri } = AstUtils.getDocument(model);
    const report = explained?.outcome.report;
    if (explained === undefined || report === undefined || analysis !== explained) {
        return [];
    }
    const shift = createRangeShift(explained.text, textDocument);
    const present = report.broken.flatMap(broken => {
        const locations = broken.locations.flatMap(place => {
            const now = place.range.uri === uri.toString() ? shift(place.range) : undefined;
            return now === undefined ? [] : [{ ...place, range: { ...place.range, ...now } }];
        });
        const isShown = broken.isIntended !== true && locations.length === broken.locations.length;
        return isShown ? [{ ...broken, locations }] : [];
    });
    const [lost] = withoutMeant(present, () => textDocument.getText());
    const place = lost?.locations[0]?.range.start;
    if (lost === undefined || place === undefined) {
        return [];
    }
    const lines = lost.locations.map(({ range: { start } }) => start.line + 1);
    const title = `${formatBroken(lost, lines, report.families)} · fix`;
    return [toLens(range, title, SHOW_FIXES_COMMAND, uri.toString(), place.line, place.character)];
}

function declarationLenses(
    declaration: Declaration,
    range: Range,
    uri: string,
    findings: DocumentFindings,
    settings: OrbitSettings,
    sizes: readonly string[],
    sorts: UniformSorts | undefined,
): CodeLens[] {
    const report = findings.analysis?.outcome.report;
    // From the text alone: it waits for no search.
    const proved =
        sorts !== undefined && (isProcess(declaration) || isTypeDeclaration(declaration))
            ? describeUniform(declaration, sorts)
            : undefined;
    const found = (title: string): CodeLens => toLens(range, title, SHOW_SYMMETRIES_COMMAND, uri);
    switch (declaration.$type) {
        case 'Process': {
            const template = report?.templates?.find(({ name }) => name === declaration.name);
            if (settings.codeLensProcesses && template !== undefined) {
                return [found(formatTemplate(template, mostLiveOf(declaration.name, findings)))];
            }
            const family = report?.families.find(({ name }) => name === declaration.name);
            const title = [
                ...(report === undefined || family === undefined ? [] : [formatFamily(family, report)]),
                ...(proved === undefined ? [] : [proved]),
            ].reduce(joinAlike, '');
            return settings.codeLensProcesses && title !== '' ? [found(title)] : [];
        }
        case 'TypeDeclaration':
        case 'RecordDeclaration':
        case 'Enumeration': {
            const action = report?.types.find(({ name }) => name === declaration.name)?.action;
            const title = proved ?? (action && formatMovedValues(action, report?.families));
            return settings.codeLensTypes && title !== undefined ? [found(title)] : [];
        }
        case 'Parameter':
            return settings.codeLensParameters ? parameterLenses(declaration, range, uri, sizes) : [];
        case 'StatedRun':
            return settings.codeLensProperties && findings.isExplorable
                ? checkLenses(range, uri, findings, 'run', declaration.name)
                : [];
        case 'Invariant':
        case 'Property': {
            if (!settings.codeLensProperties || !findings.isExplorable) {
                return [];
            }
            const check = [
                ...everySizeLenses(range, uri, findings, declaration.name),
                ...checkLenses(
                    range,
                    uri,
                    findings,
                    declaration.$type === 'Invariant' ? 'invariant' : 'property',
                    declaration.name,
                ),
            ];
            const property = report?.properties.find(({ name }) => name === declaration.name);
            return report === undefined || property === undefined || keepsAll(property, report)
                ? check
                : [...check, found(formatProperty(property, report))];
        }
        default:
            return [];
    }
}

/** `5 instances, a ring` and `a ring for every N (proved)` are `5 instances, a ring for every N (proved)`. */
function joinAlike(before: string, next: string): string {
    const [, action = ''] = /, ([^,]*)$/.exec(before) ?? [];
    return before === ''
        ? next
        : action !== '' && next.startsWith(`${action} `)
          ? before.slice(0, -action.length) + next
          : `${before} · ${next}`;
}

/** Whether there is nothing to tell: a property whose members are one is checked once. */
function keepsAll(property: PropertyReport, report: SymmetryReport): boolean {
    return (
        report.order === '1' ||
        (formatMembers(property.runs) === undefined && (property.alike ?? property).order === report.order)
    );
}

/** Lenses with the same command on one line are one. */
function joined(lenses: readonly CodeLens[]): CodeLens[] {
    const found: CodeLens[] = [];
    for (const lens of lenses) {
        const same = found.find(
            other => other.range.start.line === lens.range.start.line && isSymmetries(other) && isSymmetries(lens),
        );
        if (same?.command === undefined) {
            found.push(lens);
        } else {
            same.command = { ...same.command, title: `${same.command.title} · ${lens.command?.title}` };
        }
    }
    return found;
}

function isSymmetries({ command }: CodeLens): boolean {
    return command?.command === SHOW_SYMMETRIES_COMMAND;
}

/** `N = 8 (5 in the text) | change | back to 5 | sweep`. */
function parameterLenses(parameter: Parameter, range: Range, uri: string, sizes: readonly string[]): CodeLens[] {
    const facts = factsOf(parameter);
    const value = facts && valueTextOf(parameter, facts);
    if (value === undefined) {
        return [];
    }
    const { name } = parameter;
    const isChosen = valuesInForce(AstUtils.getContainerOfType(parameter, isModel) ?? parameter.$container).has(name);
    const written = parameter.value?.$cstNode && textOf(parameter.value.$cstNode);
    const change = (title: string): CodeLens => toLens(range, title, CHANGE_PARAMETER_COMMAND, uri, name);
    return [
        change(`${name} = ${value}${isChosen && written !== undefined ? ` (${written} in the text)` : ''}`),
        change('change'),
        ...(isChosen && written !== undefined
            ? [toLens(range, `back to ${written}`, RESET_PARAMETER_COMMAND, uri, name)]
            : []),
        // Other values than numbers have no order.
        ...(/^-?\d+$/.test(value) ? [toLens(range, 'sweep', SWEEP_COMMAND, uri, name)] : []),
        ...(sizes.includes(name)
            ? [toLens(range, `check ${formatForEvery(sizes)}`, CHECK_EVERY_SIZE_COMMAND, uri, ...sizes)]
            : []),
    ];
}

/** The last answer, which opens its run, and the command. */
function checkLenses(
    range: Range,
    uri: string,
    findings: DocumentFindings,
    kind: 'invariant' | 'property' | 'run',
    property: string,
): CodeLens[] {
    const check = toLens(range, 'Check', CHECK_PROPERTY_COMMAND, uri, property);
    const { answer } = exploredItem(kind, property, NOWHERE, findings);
    if (answer === undefined) {
        return [check];
    }
    const title = answer.summary + (answer.isStale ? BEFORE_THE_EDIT : '');
    return [toLens(range, title, OPEN_RUN_COMMAND, uri, property), check];
}

/** A lens needs no place of what it is about. */
const NOWHERE = { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 };

/** `holds for every N`, after a check that has proved it. */
function everySizeLenses(range: Range, uri: string, { everySize }: DocumentFindings, invariant: string): CodeLens[] {
    const proved = everySize.find(({ views, invariants }) => views !== undefined && invariants.includes(invariant));
    return proved === undefined
        ? []
        : [toLens(range, `holds ${formatForEvery(proved.forAll)}`, CHECK_EVERY_SIZE_COMMAND, uri, ...proved.forAll)];
}

function toLens(range: Range, title: string, command: string, ...argument: unknown[]): CodeLens {
    return { range, command: { title, command, arguments: argument } };
}
