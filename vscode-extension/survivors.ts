/**
 * *Find What Nothing Notices*: changes of the model that no property notices, as lenses where they are, until the file is
 * closed or they are hidden. A survivor that is accepted goes into the baseline of the folder, as the command line has it.
 */
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { formatMutant, isOutside, oneForEachPart } from '../language-server/mutant-words.js';
import {
    compareSurvivors,
    formatSurvivors,
    NO_SURVIVORS,
    toSurvivors,
    type Survivor,
    type SurvivorBaseline,
} from '../language-server/survivors.js';
import type { MutantDocument } from '../language-server/document-schema.js';
import { MUTATE_REQUEST } from '../language-server/protocol.js';
import type { MutateParams, MutateResult } from '../language-server/protocol.js';
import type { Counts } from './counts.js';
import type { Results } from './results.js';
import { fileNameOf, toRange } from './source-location.js';

const ACCEPT_COMMAND = 'orbit.acceptSurvivor';
const HIDE_COMMAND = 'orbit.hideSurvivors';
/** In the folder of the model, or in one above it. */
const BASELINE = 'survivors.json';

/** A survivor at its present place. */
interface Placed {
    readonly mutant: MutantDocument;
    readonly sentence: string;
    readonly range: vscode.Range;
}

interface Found {
    readonly modelKey: string | undefined;
    readonly model: Pick<Survivor, 'params'>;
    readonly mutants: readonly MutantDocument[];
    readonly parts: readonly string[];
    /** Those that nobody has accepted, in the order of the text. */
    placed: readonly Placed[];
}

export class Survivors implements vscode.Disposable, vscode.CodeLensProvider {
    private readonly client: BaseLanguageClient;
    private readonly results: Results;
    private readonly counts: Counts;
    private readonly found = new Map<string, Found>();
    private readonly changeEmitter = new vscode.EventEmitter<void>();
    private readonly subscriptions: readonly vscode.Disposable[];
    readonly onDidChangeCodeLenses = this.changeEmitter.event;

    constructor(client: BaseLanguageClient, results: Results, counts: Counts) {
        this.client = client;
        this.counts = counts;
        this.results = results;
        this.subscriptions = [
            this.changeEmitter,
            vscode.languages.registerCodeLensProvider({ language: 'orbit' }, this),
            vscode.workspace.onDidChangeTextDocument(change => this.shift(change)),
            vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.found.delete(uri.toString())),
            vscode.workspace.onDidChangeConfiguration(() => this.changeEmitter.fire()),
            results.onChange(() => this.changeEmitter.fire()),
            vscode.commands.registerCommand(HIDE_COMMAND, (uri: string) => {
                this.found.delete(uri);
                this.changeEmitter.fire();
            }),
            vscode.commands.registerCommand(ACCEPT_COMMAND, (uri: string, index: number) => this.accept(uri, index)),
        ];
    }

    /** Looks for survivors, and says how many there are. */
    async find(uri: string): Promise<void> {
        const title = `Orbit: what nothing in ${fileNameOf(uri)} notices`;
        const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
        try {
            const result = await vscode.window.withProgress(options, (notification, token) => {
                let told = 0;
                return this.counts.during(
                    ({ count, all = 1 }) => {
                        const increment = (100 * (count - told)) / all;
                        told = count;
                        notification.report({ message: `${count} of ${all} changes`, increment });
                    },
                    runId => {
                        const params: MutateParams = { uri, runId };
                        return this.client.sendRequest<MutateResult>(MUTATE_REQUEST, params, token);
                    },
                );
            });
            await this.show(uri, result);
        } catch (error) {
            if (!(error instanceof ResponseError) || error.code !== LSPErrorCodes.RequestCancelled) {
                void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
            }
        }
    }

    provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
        const uri = document.uri.toString();
        const found = this.found.get(uri);
        const isOn = vscode.workspace.getConfiguration('orbit', document).get<boolean>('codeLens.mutants') === true;
        if (found === undefined || !isOn) {
            return [];
        }
        const before = this.results.isStale(uri, found.modelKey) ? 'before the edit, ' : '';
        return found.placed.flatMap(({ sentence, range }, index) => [
            new vscode.CodeLens(range, {
                title: `${before}${sentence}`.replaceAll('`', ''),
                command: ACCEPT_COMMAND,
                arguments: [uri, index],
                tooltip: `Accept it, with a word why, in ${BASELINE}`,
            }),
            ...(index === 0
                ? [
                      new vscode.CodeLens(range, {
                          title: `hide all ${found.placed.length}`,
                          command: HIDE_COMMAND,
                          arguments: [uri],
                      }),
                  ]
                : []),
        ]);
    }

    dispose(): void {
        this.subscriptions.forEach(subscription => void subscription.dispose());
    }

    private async show(uri: string, { modelKey, params, mutants, parts = [], problems }: MutateResult): Promise<void> {
        if (mutants === undefined || params === undefined) {
            void vscode.window.showErrorMessage(problems?.[0]?.message ?? 'The model has errors.');
            return;
        }
        const found: Found = { modelKey, model: { params }, mutants, parts, placed: [] };
        const { baseline, file, wrong } = await readBaseline(vscode.Uri.parse(uri));
        if (wrong !== undefined) {
            void vscode.window.showWarningMessage(`${BASELINE}: ${wrong}. It is not read.`);
        }
        const outside = outsideOf(found, file, baseline);
        // Places in imported files are none of this text.
        found.placed = oneForEachPart(outside, parts)
            .filter(({ location }) => location.file === uri)
            .map(mutant => ({ mutant, sentence: formatMutant(mutant), range: toRange(mutant.location) }));
        this.found.set(uri, found);
        this.changeEmitter.fire();
        const open = mutants.filter(({ outcome }) => outcome === 'undecided').length;
        const survivors = outside.filter(isOutside).length;
        const others = survivors - found.placed.length;
        const said = [
            `${mutants.length} changes`,
            survivors === 0 ? 'each is noticed, or accepted' : `nothing notices ${survivors}`,
            ...(others === 0 ? [] : [`${others} of these at the same guards and bodies as others, or in other files`]),
            ...(open === 0 ? [] : [`${open} undecided`]),
        ];
        void vscode.window.showInformationMessage(`${fileNameOf(uri)}: ${said.join(', ')}`);
    }

    /** Lenses stay with their lines; what is edited itself is gone. */
    private shift({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
        const found = this.found.get(document.uri.toString());
        if (found === undefined || contentChanges.length === 0) {
            return;
        }
        for (const { range: edited, text } of contentChanges) {
            const lines = text.split('\n').length - 1 - (edited.end.line - edited.start.line);
            found.placed = found.placed.flatMap(placed => {
                const { range } = placed;
                if (edited.end.isBefore(range.start)) {
                    const moved = edited.end.line < range.start.line ? lines : 0;
                    return [{ ...placed, range: movedBy(range, moved) }];
                }
                return edited.start.isAfter(range.end) ? [placed] : [];
            });
        }
        this.changeEmitter.fire();
    }

    /** Asks for a word why, and writes the survivor into the baseline. */
    private async accept(uri: string, index: number): Promise<void> {
        const found = this.found.get(uri);
        const chosen = found?.placed[index];
        if (found === undefined || chosen === undefined) {
            return;
        }
        const because = await vscode.window.showInputBox({
            title: `Accept that ${chosen.sentence.replaceAll('`', '')}`,
            prompt: `Why it is meant; written into ${BASELINE}`,
        });
        if (because === undefined || because.trim() === '') {
            return;
        }
        const { target, file, baseline, wrong } = await readBaseline(vscode.Uri.parse(uri));
        if (wrong !== undefined) {
            void vscode.window.showErrorMessage(`${BASELINE}: ${wrong}`);
            return;
        }
        const { within, change, from, to } = chosen.mutant;
        const model = { file, params: found.model.params };
        const kept = baseline.survivors.filter(each => isOf(each, model));
        const accepted: Survivor = { ...model, within, change, from, to, because: because.trim() };
        const text = formatSurvivors(baseline, [{ model, survivors: [...kept, accepted] }]);
        await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
        found.placed = found.placed.filter(placed => placed !== chosen);
        this.changeEmitter.fire();
    }
}

/** The mutants with the words of the baseline. */
function outsideOf(
    { model, mutants }: Pick<Found, 'model' | 'mutants'>,
    file: string,
    baseline: SurvivorBaseline,
): readonly MutantDocument[] {
    const { entryOf } = compareSurvivors({ ...model, file }, mutants, baseline);
    return mutants.map(mutant => {
        const because = entryOf.get(mutant)?.because;
        return because === undefined ? mutant : { ...mutant, because };
    });
}

/** Whether an entry is of a model with these values, in whatever order. */
function isOf({ file, params }: Survivor, model: Pick<Survivor, 'file' | 'params'>): boolean {
    const sorted = (values: Survivor['params']): string =>
        JSON.stringify(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
    return file === model.file && sorted(params) === sorted(model.params);
}

interface Baseline {
    /** The file, whether or not it is there. */
    readonly target: vscode.Uri;
    /** The model, from the folder of the baseline. */
    readonly file: string;
    readonly baseline: SurvivorBaseline;
    readonly wrong?: string;
}

/** The nearest one, from the folder of the model up to that of the workspace; a new one is beside the model. */
async function readBaseline(model: vscode.Uri): Promise<Baseline> {
    const top = vscode.workspace.getWorkspaceFolder(model)?.uri.path;
    let folder = vscode.Uri.joinPath(model, '..');
    for (;;) {
        const target = vscode.Uri.joinPath(folder, BASELINE);
        const file = model.path.slice(folder.path.replace(/\/$/, '').length + 1);
        try {
            const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
            const read = toSurvivors(JSON.parse(text));
            return typeof read === 'string'
                ? { target, file, baseline: NO_SURVIVORS, wrong: read }
                : { target, file, baseline: read };
        } catch (error) {
            if (error instanceof SyntaxError) {
                return { target, file, baseline: NO_SURVIVORS, wrong: error.message };
            }
            // No such file here.
        }
        if (top === undefined || folder.path === top || folder.path === '/') {
            const beside = vscode.Uri.joinPath(model, '..', BASELINE);
            return { target: beside, file: fileNameOf(model.toString()), baseline: NO_SURVIVORS };
        }
        folder = vscode.Uri.joinPath(folder, '..');
    }
}

function movedBy(range: vscode.Range, lines: number): vscode.Range {
    return new vscode.Range(range.start.translate(lines), range.end.translate(lines));
}
