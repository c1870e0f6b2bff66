/**
 * Code lenses: the group and the commands above the model, and the effect of the group on process families, types and
 * properties. They show the last finished analysis at the present text, and say if it is older than the text.
 */
import { AstUtils, type LangiumDocument, type MaybePromise } from 'langium';
import type { CodeLensProvider } from 'langium/lsp';
import type { CodeLens, Range } from 'vscode-languageserver';
import type { SymmetryReport } from '../../../engine/describe/report.js';
import type { DocumentFindings } from '../../analysis/analysis-service.js';
import { explorationName } from '../../analysis/explorations.js';
import { createRangeShift } from '../../analysis/text-shift.js';
import {
    isModel,
    isProcess,
    isTypeDeclaration,
    type Declaration,
    type Model,
    type Parameter,
} from '../../generated/ast.js';
import type { UniformSorts } from '../../uniform/infer-sorts.js';
import { describeUniform } from '../../uniform/uniform-report.js';
import {
    CHANGE_PARAMETER_COMMAND,
    CHECK_EVERY_SIZE_COMMAND,
    CHECK_PROPERTY_COMMAND,
    EXPLORE_ALL_COMMAND,
    EXPLORE_REDUCED_COMMAND,
    NEW_MODEL_COMMAND,
    OPEN_RUN_COMMAND,
    RESET_PARAMETER_COMMAND,
    SWEEP_COMMAND,
    SHOW_SYMMETRIES_COMMAND,
    type KeptDocument,
    type PropertyOutcome,
} from '../../protocol.js';
import { valuesInForce } from '../../parsing/chosen-parameters.js';
import { headerRange, nameNodeOf, textOf } from './declarations.js';
import { mostLiveOf } from './most-live.js';
import { factsOf, valueTextOf } from './static-facts.js';
import { everySizesOf, uniformFactsOf } from './uniform-facts.js';
import type { OrbitServices } from '../lsp-module.js';
import type { OrbitSettings } from '../../../engine/options.js';
import { formatForEvery } from '../../../engine/describe/for-every.js';
import {
    formatConstraints,
    formatEnd,
    formatFamily,
    formatGain,
    formatMean,
    formatMembersChecked,
    formatNumberOf,
    formatProperty,
    formatSymmetryInWords,
    formatTemplate,
    formatSteps,
    formatUsableGroup,
    formatValues,
} from '../../../engine/describe/words.js';

export class OrbitCodeLensProvider implements CodeLensProvider {
    private readonly services: OrbitServices;

    constructor(services: OrbitServices) {
        this.services = services;
    }

    provideCodeLens(document: LangiumDocument): MaybePromise<CodeLens[]> {
        const { AnalysisService, Parameters, Settings } = this.services.shared.analysis;
        const model = document.parseResult.value;
        if (document.textDocument.getText().trim() === '') {
            const uri = document.uri.toString();
            return [toLens(headerRange(model), 'Begin with a small model', NEW_MODEL_COMMAND, uri)];
        }
        if (!isModel(model) || model.declarations.length === 0) {
            return [];
        }
        return lensesOf(
            model,
            AnalysisService.findings(document),
            Settings.current,
            uniformFactsOf(document, this.services),
            everySizesOf(document, this.services, Parameters.valuesOf(document.uri)),
        );
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
            lenses.push(
                ...declarationLenses(declaration, range, uri, findings, settings, sizes),
                ...uniformLenses(declaration, range, uri, settings, sorts),
            );
        }
    }
    return settings.codeLensProperties ? [...lenses, ...fairnessLenses(uri, document, findings)] : lenses;
}

/** `5 constraints in 1 orbit` on what is fair or assumed, where it stands now. One constraint is nothing to tell. */
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
            : [toLens(range, formatConstraints(place), SHOW_SYMMETRIES_COMMAND, uri)];
    });
}

/** The end of the model's lens if its analysis is older than the text: at the end, it moves nothing at the first key. */
const STALE = ' · edited since';

/** Group and counts, then the commands. Deadlock has no declaration, so its check stands here. */
function modelLenses(model: Model, uri: string, findings: DocumentFindings): CodeLens[] {
    const range = headerRange(model);
    const { analysis, isStale, isRunning, failure } = findings;
    const report = analysis?.outcome.report;
    const lenses: CodeLens[] = [];
    if (report !== undefined) {
        const title = describeModel(report, findings) + (isStale ? STALE : '');
        lenses.push(toLens(range, title, SHOW_SYMMETRIES_COMMAND, uri));
    } else if (isRunning) {
        lenses.push(toLens(range, 'searching for symmetries…', '', uri));
    } else if (failure !== undefined) {
        lenses.push(toLens(range, `search for symmetries: ${failure}`, '', uri));
    }
    if (findings.isExplorable) {
        lenses.push(toLens(range, 'Explore reduced', EXPLORE_REDUCED_COMMAND, uri));
        lenses.push(toLens(range, 'Explore all', EXPLORE_ALL_COMMAND, uri));
    }
    if (report !== undefined) {
        lenses.push(toLens(range, 'Show symmetries', SHOW_SYMMETRIES_COMMAND, uri));
        if (report.properties.some(({ kind }) => kind === 'deadlock')) {
            lenses.push(...checkLenses(range, uri, findings, 'deadlock', 'Check deadlock'));
        }
    }
    return lenses;
}

function declarationLenses(
    declaration: Declaration,
    range: Range,
    uri: string,
    findings: DocumentFindings,
    settings: OrbitSettings,
    sizes: readonly string[],
): CodeLens[] {
    const report = findings.analysis?.outcome.report;
    const found = (title: string): CodeLens => toLens(range, title, SHOW_SYMMETRIES_COMMAND, uri);
    switch (declaration.$type) {
        case 'Process': {
            const template = report?.templates?.find(({ name }) => name === declaration.name);
            if (settings.codeLensProcesses && template !== undefined) {
                return [found(formatTemplate(template, mostLiveOf(declaration.name, findings)))];
            }
            const family = report?.families.find(({ name }) => name === declaration.name);
            return settings.codeLensProcesses && report !== undefined && family !== undefined
                ? [found(formatFamily(family, report))]
                : [];
        }
        case 'TypeDeclaration':
        case 'RecordDeclaration':
        case 'Enumeration': {
            const action = report?.types.find(({ name }) => name === declaration.name)?.action;
            return settings.codeLensTypes && action !== undefined ? [found(formatValues(action))] : [];
        }
        case 'Parameter':
            return settings.codeLensParameters ? parameterLenses(declaration, range, uri, sizes) : [];
        case 'Invariant':
        case 'Property': {
            if (!settings.codeLensProperties || !findings.isExplorable) {
                return [];
            }
            const check = [
                ...everySizeLenses(range, uri, findings, declaration.name),
                ...checkLenses(range, uri, findings, declaration.name),
            ];
            const property = report?.properties.find(({ name }) => name === declaration.name);
            // Without symmetries there is nothing for a property to keep.
            return report === undefined || property === undefined || report.order === '1'
                ? check
                : [...check, found(formatProperty(property, report))];
        }
        default:
            return [];
    }
}

/** `interchangeable for every N (proved)`, from the text alone: it waits for no search. */
function uniformLenses(
    declaration: Declaration,
    range: Range,
    uri: string,
    { codeLensProcesses, codeLensTypes }: OrbitSettings,
    sorts: UniformSorts | undefined,
): CodeLens[] {
    const isShown = (isProcess(declaration) && codeLensProcesses) || (isTypeDeclaration(declaration) && codeLensTypes);
    const title = isShown && sorts !== undefined ? describeUniform(declaration, sorts) : undefined;
    return title === undefined ? [] : [toLens(range, title, SHOW_SYMMETRIES_COMMAND, uri)];
}

/** `N = 8 (5 in the text) | change | take 5 | sweep`. */
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
            ? [toLens(range, `take ${written}`, RESET_PARAMETER_COMMAND, uri, name)]
            : []),
        // Other values than numbers have no order.
        ...(/^-?\d+$/.test(value) ? [toLens(range, 'sweep', SWEEP_COMMAND, uri, name)] : []),
        ...(sizes.includes(name)
            ? [toLens(range, `check ${formatForEvery(sizes)}`, CHECK_EVERY_SIZE_COMMAND, uri, ...sizes)]
            : []),
    ];
}

function describeModel(report: SymmetryReport, findings: DocumentFindings): string {
    const states = describeExplorations(findings) ?? formatGain(report);
    const parts = [formatSymmetryInWords(report), formatSteps(report), formatUsableGroup(report), states];
    return parts.filter(part => part !== undefined).join(' · ');
}

/** `532 orbits explored: holds`; with both kinds `31 orbits for 162 states (5.2x): holds`. */
function describeExplorations({ explorations }: DocumentFindings): string | undefined {
    const [reduced, all] = [explorations.get(explorationName('unique')), explorations.get(explorationName('none'))];
    if (reduced !== undefined && all !== undefined && !reduced.isStale && !all.isStale) {
        const [orbits, states] = [reduced.document.states, all.document.states];
        if (reduced.document.verdict === all.document.verdict && orbits > 0 && all.document.limit === undefined) {
            const count = `${formatNumberOf(orbits, 'orbit')} for ${formatNumberOf(states, 'state')}`;
            return `${count} (${formatMean(states / orbits, 10)}x): ${all.document.verdict}`;
        }
    }
    const each = [reduced, all].flatMap(exploration =>
        exploration === undefined ? [] : [formatExploration(exploration)],
    );
    return each.length === 0 ? undefined : each.join(', ');
}

/** The last answer, which opens its run, and the command. */
function checkLenses(
    range: Range,
    uri: string,
    findings: DocumentFindings,
    property: string,
    title = 'Check',
): CodeLens[] {
    const check = toLens(range, title, CHECK_PROPERTY_COMMAND, uri, property);
    const answer = lastAnswer(findings, property);
    return answer === undefined ? [check] : [toLens(range, answer, OPEN_RUN_COMMAND, uri, property), check];
}

/** `holds for every N`, after a check that has proved it. */
function everySizeLenses(range: Range, uri: string, { everySize }: DocumentFindings, invariant: string): CodeLens[] {
    const proved = everySize.find(({ views, invariants }) => views !== undefined && invariants.includes(invariant));
    return proved === undefined
        ? []
        : [toLens(range, `holds ${formatForEvery(proved.forAll)}`, CHECK_EVERY_SIZE_COMMAND, uri, ...proved.forAll)];
}

/**
 * `violated after 4 steps`, `31 orbits explored: holds`: the answer about the property, or a violation of it among all
 * answers. One about the present model comes before those that are older than the text.
 */
function lastAnswer({ explorations }: DocumentFindings, property: string): string | undefined {
    const own = explorationName('unique', property);
    const answers = [own, explorationName('unique'), explorationName('none')].flatMap(name => {
        const exploration = explorations.get(name);
        const violation = exploration?.document.violations.find(other => other.name === property);
        // A temporal property has searches of its own, also in an exploration of everything.
        const outcome = exploration?.document.properties?.find(other => other.name === property);
        if (exploration === undefined || (violation === undefined && outcome === undefined && name !== own)) {
            return [];
        }
        const { isStale } = exploration;
        const text =
            violation !== undefined
                ? `${isStale ? 'before the edit ' : ''}violated ${formatEnd(violation)}`
                : outcome !== undefined
                  ? formatOutcome(outcome, isStale)
                  : formatExploration(exploration);
        return [{ text, isStale }];
    });
    return (answers.find(({ isStale }) => !isStale) ?? answers.at(0))?.text;
}

function toLens(range: Range, title: string, command: string, ...argument: unknown[]): CodeLens {
    return { range, command: { title, command, arguments: argument } };
}

/** A finished exploration, as a lens shows it. */
interface ShownExploration {
    readonly document: KeptDocument;
    /** Whether the model was edited since. */
    readonly isStale: boolean;
}

/** `532 orbits explored: holds`. */
function formatExploration({ document, isStale }: ShownExploration): string {
    return formatOutcome(document, isStale);
}

/** `532 orbits explored: holds`; of a temporal property `18 orbits explored: holds · one of 4 interchangeable checked`. */
function formatOutcome(
    outcome: Pick<PropertyOutcome, 'states' | 'verdict' | 'reduction' | 'members' | 'membersChecked'> &
        Pick<KeptDocument, 'templates'>,
    isStale: boolean,
): string {
    const { states, verdict, reduction, templates } = outcome;
    if (templates !== undefined && reduction.unique) {
        const when = isStale ? ' before the edit' : '';
        return `${formatNumberOf(states, 'state')} up to symmetry and names${when} · ${verdict}`;
    }
    const count = formatNumberOf(states, reduction.unique && reduction.strategy !== 'none' ? 'orbit' : 'state');
    const members = formatMembersChecked(outcome);
    return `${count} explored${isStale ? ' before the edit' : ''}: ${verdict}${members === undefined ? '' : ` · ${members}`}`;
}
