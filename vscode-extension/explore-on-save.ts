/**
 * Explores a document after each save, if the setting asks for it, without opening a panel: the answer comes into the
 * lens, the marks beside the text and the problems. What the present text means and has been explored already is not again.
 */
import * as vscode from 'vscode';
import type { AnalysisStatus } from '../language-server/protocol.js';
import type { ExplorationView } from './exploration.js';
import type { Results } from './results.js';

/** An exploration of `small` takes no longer, as far as is known. */
const SMALL_SECONDS = 1;

export class ExploreOnSave implements vscode.Disposable {
    /** Documents that were saved and whose analysis has not ended yet. */
    private readonly saved = new Set<string>();
    private readonly explorations: ExplorationView;
    private readonly results: Results;
    private readonly subscription: vscode.Disposable;

    constructor(explorations: ExplorationView, results: Results) {
        this.explorations = explorations;
        this.results = results;
        this.subscription = vscode.workspace.onDidSaveTextDocument(({ uri, languageId }) => {
            if (languageId === 'orbit' && modeFor(uri) !== 'off') {
                this.saved.add(uri.toString());
            }
        });
    }

    /** After the analysis, which a save begins, the size of the model is known. */
    onAnalysis({ uri, state, expectedSeconds = Infinity }: AnalysisStatus): void {
        if (state === 'running' || !this.saved.delete(uri) || state !== 'done') {
            return;
        }
        const mode = modeFor(vscode.Uri.parse(uri));
        const isWanted = mode === 'always' || (mode === 'small' && expectedSeconds < SMALL_SECONDS);
        if (isWanted && !this.isAnswered(uri)) {
            this.explorations.start(uri, 'unique');
        }
    }

    dispose(): void {
        this.subscription.dispose();
    }

    private isAnswered(uri: string): boolean {
        return this.results.of(uri)?.items.some(({ answer }) => answer?.isStale === false) === true;
    }
}

function modeFor(uri: vscode.Uri): string {
    return vscode.workspace.getConfiguration('orbit', uri).get('explore.onSave', 'off');
}
