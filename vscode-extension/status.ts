/** The one status bar item: the symmetry group of the model in the active editor, and the values chosen for it. */
import * as vscode from 'vscode';
import { SHOW_SYMMETRIES_COMMAND } from '../language-server/protocol.js';
import type { AnalysisStatus } from '../language-server/protocol.js';
import type { Results } from './results.js';

const ICONS = {
    running: '$(sync~spin)',
    done: '$(circle-outline)',
    failed: '$(warning)',
    stale: '$(history)',
} as const;

export class Status implements vscode.Disposable {
    private readonly item: vscode.StatusBarItem;
    private readonly subscriptions: vscode.Disposable[];
    /** The latest status of each document by URI. */
    private readonly analyses = new Map<string, AnalysisStatus>();

    private readonly results: Results;

    constructor(results: Results) {
        this.results = results;
        this.item = vscode.window.createStatusBarItem('orbit.symmetry', vscode.StatusBarAlignment.Right, 100);
        this.item.name = 'Orbit: Symmetry';
        this.subscriptions = [
            this.item,
            results.onChange(() => this.render()),
            vscode.window.onDidChangeActiveTextEditor(() => this.render()),
            vscode.workspace.onDidCloseTextDocument(document => this.analyses.delete(document.uri.toString())),
        ];
    }

    /** Stores the status of the analysis of a document. */
    update(status: AnalysisStatus): void {
        this.analyses.set(status.uri, status);
        this.render();
    }

    dispose(): void {
        this.subscriptions.forEach(subscription => void subscription.dispose());
    }

    private render(): void {
        const document = vscode.window.activeTextEditor?.document;
        const uri = document?.uri.toString();
        const analysis = uri === undefined ? undefined : this.analyses.get(uri);
        const isEmpty = document?.lineCount === 1 && document.lineAt(0).isEmptyOrWhitespace;
        if (document?.languageId !== 'orbit' || analysis === undefined || isEmpty) {
            this.item.hide();
            return;
        }
        const chosen = this.results.of(analysis.uri)?.parameters.filter(({ isChosen }) => isChosen) ?? [];
        const values = chosen.map(({ name, value }) => ` · ${name} = ${value}`).join('');
        this.item.text = `${ICONS[analysis.state]} ${nameOf(analysis)}${values}`;
        this.item.tooltip = `Orbit: ${analysis.summary}`;
        this.item.command = { command: SHOW_SYMMETRIES_COMMAND, title: 'Show Symmetries', arguments: [uri] };
        this.item.show();
    }
}

/** Longer words are cut. */
const LONGEST_WORDS = 32;

/** A short text for the status bar; the tooltip has the summary. */
function nameOf({ state, order, complete, words }: AnalysisStatus): string {
    if (words === undefined) {
        return state === 'running' ? 'finding symmetries' : 'no result';
    }
    const short = words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS - 1).trimEnd()}…` : words;
    return order !== '1' ? short : complete === true ? 'no symmetry' : 'no symmetry found';
}
